/**
 * `npm run test:desktop`: the workbench suite in a desktop VS Code that `@vscode/test-electron` downloads. For contributors'
 * machines; continuous integration uses the workbench instead. `-- --version 1.99.0` takes another VS Code.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { downloadAndUnzipVSCode, resolveCliArgsFromVSCodeExecutablePath, runTests } from "@vscode/test-electron";
import { packExtension } from "./package";
import { at, root } from "./paths";

async function main(args: string[]): Promise<void> {
  const built = spawnSync(process.execPath, ["--import", "tsx", "src/build/esbuild.ts"], { cwd: root, stdio: "inherit" });
  if (built.status !== 0) throw new Error("The build failed.");
  const vsix = packExtension();
  const wanted = args.indexOf("--version");
  const executable = await downloadAndUnzipVSCode((wanted >= 0 ? args[wanted + 1] : undefined) ?? "stable");
  const folder = mkdtempSync(path.join(os.tmpdir(), "proctor-desktop-"));
  const folders = [`--extensions-dir=${path.join(folder, "extensions")}`, `--user-data-dir=${path.join(folder, "user")}`];
  const [command = executable, ...rest] = resolveCliArgsFromVSCodeExecutablePath(executable, { reuseMachineInstall: true });
  const installed = spawnSync(command, [...rest, ...folders, "--install-extension", vsix], {
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (installed.status !== 0) throw new Error("The packed extension could not be installed.");
  cpSync(at("test/workbench/fixtures"), path.join(folder, "workspace"), { recursive: true });
  const status = await runTests({
    vscodeExecutablePath: executable,
    reuseMachineInstall: true,
    extensionDevelopmentPath: at("test/workbench/host"),
    extensionTestsPath: at("dist/test/suite.js"),
    extensionTestsEnv: { PROCTOR_FILTERS: "" },
    launchArgs: [path.join(folder, "workspace"), ...folders, "--disable-workspace-trust", "--skip-welcome"],
  });
  process.exitCode = status;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
