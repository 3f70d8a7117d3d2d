/** Agent Proctor: Open as Transcript. Nothing is opened before it is known to be an agent's run. */
import { stat } from "node:fs/promises";
import * as vscode from "vscode";
import type { CommandId } from "../contributions";
import { toLine } from "../words";
import type { Pages } from "./pages";
import { openAt, openPage, tell } from "./raw";
import type { Reader } from "./reader";
import { readPageUri, toPageUri } from "./uris";

const openFolder: CommandId = "agentProctor.openRunsHere";

/**
 * @param argument the file on which a menu was opened; from the palette the active tab's, or one that is chosen
 * @param place where in the raw file to begin: a line and a column, from 1
 */
export async function openTranscript(pages: Pages, reader: Reader, argument: unknown, place: unknown): Promise<void> {
  const uri = argument instanceof vscode.Uri ? argument : (findActiveFile() ?? (await askForFile()));
  if (!uri) return;
  const name = toLine(uri.path.split("/").at(-1) ?? "", 60);
  if (uri.scheme !== "file") {
    void vscode.window.showWarningMessage(`${name} is not on this machine's disk: save it there, and open it again.`);
    return;
  }
  await tell(`${name} cannot be shown as a transcript`, async () => {
    if ((await stat(uri.fsPath)).isDirectory()) {
      await vscode.commands.executeCommand(openFolder, uri);
      return;
    }
    const { line, column = 1 } = (place ?? {}) as { line?: unknown; column?: unknown };
    if (typeof line === "number" && typeof column === "number" && (line > 1 || column > 1))
      return openAt(pages, reader, uri, { line, column });
    const first = toPageUri({ file: uri, run: 0, page: 1 });
    const { runs } = await pages.load(first);
    const run = runs.length > 1 && typeof line !== "number" ? await chooseRun(name, runs) : 0;
    if (run !== undefined) await openPage(toPageUri({ file: uri, run, page: 1 }));
  });
}

/** The file of the active tab. There is no active editor for a file of more than 50 MB. */
function findActiveFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (!(input instanceof vscode.TabInputText)) return undefined;
  return readPageUri(input.uri)?.file ?? (input.uri.scheme === "file" ? input.uri : undefined);
}

async function askForFile(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({ title: "An agent's log to read", openLabel: "Open", canSelectMany: false });
  return chosen?.[0];
}

async function chooseRun(name: string, runs: readonly string[]): Promise<number | undefined> {
  const rows = runs.map((id, index) => ({ label: toLine(id, 80).replaceAll("$(", "$ ("), description: `run ${index + 1}`, index }));
  const chosen = await vscode.window.showQuickPick(rows, {
    title: `${name} holds ${runs.length} runs`,
    placeHolder: "Choose the run to read",
  });
  return chosen?.index;
}
