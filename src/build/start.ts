/** `npm start`: builds, and scans the examples: what a fresh clone shows first. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { at, root } from "./paths";

function run(args: string[]): number {
  return spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" }).status ?? 2;
}

function main(paths: string[]): number {
  const built = run(["--import", "tsx", "src/build/esbuild.ts", "--no-types"]);
  if (built !== 0) return built;
  if (!existsSync(at("dist/cli.js"))) {
    console.error("There is no command line yet: src/cli/main.ts is missing.");
    return 2;
  }
  const scanned = paths.length > 0 ? paths : ["media/examples"];
  console.log(`\n$ node dist/cli.js scan ${scanned.join(" ")} --format text\n`);
  const status = run(["dist/cli.js", "scan", ...scanned, "--format", "text"]);
  console.log("\nNext: node dist/cli.js scan YOUR-LOGS on the command line, or npm run package for VS Code.");
  // 1 says that a run was flagged. The examples are there to be flagged.
  return status === 1 ? 0 : status;
}

process.exitCode = main(process.argv.slice(2));
