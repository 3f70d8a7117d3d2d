/**
 * `npm run check`: types, lint, formatting, generated files, and what nobody uses. Two at a time; prints what each said and took.
 */
import { spawn } from "node:child_process";
import { root } from "./paths";

interface Check {
  name: string;
  /** A script below node_modules, or a file of our own. */
  script: string;
  args: string[];
  onFailure: string;
}

// The two that take longest come first.
const checks: Check[] = [
  { name: "types", script: "node_modules/typescript/bin/tsc", args: ["-p", ".", "--noEmit"], onFailure: "" },
  { name: "lint", script: "node_modules/eslint/bin/eslint.js", args: ["."], onFailure: "Try: npx eslint . --fix" },
  {
    name: "format",
    script: "node_modules/prettier/bin/prettier.cjs",
    args: ["--check", "--log-level", "warn", "."],
    onFailure: "Try: npx prettier --write FILE",
  },
  { name: "generated", script: "src/build/gen.ts", args: ["--check"], onFailure: "Try: npm run gen" },
  { name: "unused", script: "node_modules/knip/bin/knip.js", args: ["--no-progress"], onFailure: "Remove what is unused, or use it." },
];

function runCheck(check: Check): Promise<boolean> {
  const started = Date.now();
  const args = [...(check.script.endsWith(".ts") ? ["--import", "tsx"] : []), check.script, ...check.args];
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root });
    let output = "";
    const collect = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("close", (status) => {
      const took = `${((Date.now() - started) / 1000).toFixed(1)} s`;
      console.log(`${status === 0 ? "ok  " : "FAIL"} ${check.name}  ${took}`);
      if (status !== 0) console.log(`${output.trimEnd()}\n${check.onFailure}\n`);
      resolve(status === 0);
    });
  });
}

async function main(): Promise<void> {
  const started = Date.now();
  const waiting = [...checks];
  let isGood = true;
  const work = async (): Promise<void> => {
    for (let check = waiting.shift(); check; check = waiting.shift()) if (!(await runCheck(check))) isGood = false;
  };
  await Promise.all([work(), work()]);
  console.log(`Checked in ${((Date.now() - started) / 1000).toFixed(1)} s: ${isGood ? "nothing to complain about" : "see above"}`);
  process.exitCode = isGood ? 0 : 1;
}

void main();
