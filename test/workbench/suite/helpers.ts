/** What tests in the extension host need again and again. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";

export const extensionId = "agent-proctor.agent-proctor";

/** A file of the opened workspace, which is a fresh copy of test/workbench/fixtures. */
export function fixture(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!folder) throw new Error("No folder is open.");
  return vscode.Uri.file(path.join(folder.uri.fsPath, name));
}

/** The installed extension, activated. */
export async function activateExtension(): Promise<vscode.Extension<unknown>> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (!extension) throw new Error(`${extensionId} is not installed.`);
  await extension.activate();
  return extension;
}

/** Asks again and again until `read` gives something. The error says what was waited for. */
export async function waitFor<T>(
  what: string,
  read: () => T | undefined | false | Promise<T | undefined | false>,
  timeout = 30_000,
): Promise<T> {
  const until = Date.now() + timeout;
  for (;;) {
    const found = await read();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > until) throw new Error(`Waited ${timeout} ms for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Our diagnostics of a file, once there are at least `atLeast`. Those of its `git:` twin are none of them: the URI is compared whole.
 *
 * @public
 */
export function waitForDiagnostics(uri: vscode.Uri, atLeast = 1, timeout = 30_000): Promise<vscode.Diagnostic[]> {
  return waitFor(
    `${atLeast} diagnostics in ${path.basename(uri.fsPath)}`,
    () => {
      const ours = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Agent Proctor");
      return ours.length >= atLeast && ours;
    },
    timeout,
  );
}

/** Runs git in the fixtures' folder, as nobody in particular. */
export function git(...args: string[]): void {
  const own = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...own, ...args], { cwd: fixture(".").fsPath, stdio: "pipe" });
}

/** A file among the fixtures, with its folders. */
export function write(name: string, text: string): vscode.Uri {
  const uri = fixture(name);
  mkdirSync(path.dirname(uri.fsPath), { recursive: true });
  writeFileSync(uri.fsPath, text);
  return uri;
}
