/** Opening a folder of runs, and one of its runs. */
import * as vscode from "vscode";
import { runsView, type CommandId } from "./contributions";
import { toUri, type Runs } from "./runs";
import type { RunNode } from "./runs-tree";

/** @param given the folder on which a menu was opened; without one the person chooses */
export async function openRuns(runs: Runs, given?: unknown): Promise<void> {
  const folder = given instanceof vscode.Uri ? given : await askForFolder();
  if (!folder) return;
  if (folder.scheme !== "file") {
    void vscode.window.showWarningMessage("Agent Proctor judges folders on this machine's disk only: copy the runs there first.");
    return;
  }
  // The view appears with its first folder. It is the answer to what was asked, so it is shown; the focus stays in the list of the asker.
  const done = runs.open(folder);
  await vscode.commands.executeCommand(`${runsView}.focus`, { preserveFocus: true });
  await done;
}

async function askForFolder(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({
    title: "A folder of runs to judge",
    openLabel: "Open Runs",
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: false,
  });
  return chosen?.[0];
}

/** The readable transcript where there is one, else the raw log. */
export async function openRun(node: unknown): Promise<void> {
  if (!isRun(node)) return;
  const uri = toUri(node.entry);
  const line = node.entry.plan.sources[0]?.range?.line ?? node.entry.plan.prediction?.line ?? 1;
  // A bare patch has no steps to read.
  if (node.entry.plan.sources.length > 0) {
    await vscode.commands.executeCommand("agentProctor.openTranscript" satisfies CommandId, uri, { line });
    return;
  }
  const selection = new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.commands.executeCommand("vscode.open", uri, { selection, preview: true });
}

function isRun(node: unknown): node is Extract<RunNode, { is: "run" }> {
  return typeof node === "object" && node !== null && (node as { is?: unknown }).is === "run";
}
