/**
 * The suite that runs inside VS Code's extension host, against the installed package. The same module serves
 * `@vscode/test-electron` on desktops. Each file beside this one adds its tests when it is imported.
 */
import { runTests } from "./runner";
import "./activation";
import "./check-file";
import "./check-changes";
import "./transcript";
import "./views";

export async function run(): Promise<void> {
  await runTests((process.env["PROCTOR_FILTERS"] ?? "").split("\n").filter(Boolean));
}
