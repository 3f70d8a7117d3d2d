/** Between a transcript and the raw file that it was made from: the same place in the other one. */
import { stat } from "node:fs/promises";
import * as vscode from "vscode";
import { findStrayReturns, readText, toRange } from "../place";
import { toLine } from "../words";
import { isRange } from "./moves";
import type { Pages } from "./pages";
import type { Reader } from "./reader";
import { isTranscript, toPageUri } from "./uris";

/** The editor gives up on larger files only after it has read them. */
const largestDocument = 50 * 1024 * 1024;

/** @param given uri and range of a page, from the line above a step; without them the cursor says where */
export async function showRawLog(pages: Pages, reader: Reader, given: readonly unknown[]): Promise<void> {
  const [uri, range] = given;
  const editor = vscode.window.activeTextEditor;
  const own = editor && isTranscript(editor.document) ? editor : undefined;
  const name = typeof uri === "string" ? vscode.Uri.parse(uri, true) : own?.document.uri;
  const page = name && pages.get(name);
  if (!page) return;
  const at = isRange(range) ? range.start : toSpot(own?.selection.start);
  await tell("The raw log cannot be shown", async () => {
    const ask = { is: "raw", file: page.file.fsPath, run: page.run, profile: pages.profile(), page: page.data.page, spot: at } as const;
    const { raw } = await reader.ask(ask);
    if (!raw) return;
    const { size } = await stat(raw.file);
    if (size > largestDocument) {
      const where = `line ${raw.start.line}, column ${raw.start.column}, byte ${raw.start.byte}`;
      const file = raw.file.split(/[\\/]/).at(-1) ?? "";
      void vscode.window.showInformationMessage(
        `${toLine(file)} has ${Math.round(size / 1e6)} MB, too much for an editor. The place is ${where}.`,
      );
      return;
    }
    const returns = await findStrayReturns(raw.file, raw.end.byte);
    const selection = await toRange({ ...raw, text: "" }, returns, (from, to) => readText(raw.file, from, to));
    await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(raw.file), {
      selection,
      preview: true,
    } satisfies vscode.TextDocumentShowOptions);
  });
}

function toSpot(position: vscode.Position | undefined): { line: number; column: number } {
  return { line: position?.line ?? 0, column: position?.character ?? 0 };
}

export async function showInTranscript(pages: Pages, reader: Reader): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.scheme !== "file") return;
  const { document, selection } = editor;
  // Lines of the raw file end at newlines only, those of the editor also at other characters.
  const before = document.getText(new vscode.Range(new vscode.Position(0, 0), selection.active));
  const line = before.split("\n").length;
  const column = before.length - before.lastIndexOf("\n");
  await openAt(pages, reader, document.uri, { line, column });
}

/** Opens the transcript at a place of its raw file. Lines and columns count from 1. */
export async function openAt(
  pages: Pages,
  reader: Reader,
  file: vscode.Uri,
  { line, column }: { line: number; column: number },
): Promise<void> {
  await tell(`${toLine(file.path.split("/").at(-1) ?? "", 60)} cannot be shown as a transcript`, async () => {
    const ask = { is: "place", file: file.fsPath, run: 0, profile: pages.profile(), raw: file.fsPath, line, column } as const;
    const { place } = await reader.ask(ask);
    if (!place) return;
    const at = new vscode.Position(place.spot.line, place.spot.column);
    await openPage(toPageUri({ file, run: place.run, page: place.page }), new vscode.Range(at, at));
  });
}

export async function openPage(uri: vscode.Uri, selection?: vscode.Range): Promise<void> {
  await vscode.commands.executeCommand("vscode.open", uri, {
    preview: true,
    ...(selection ? { selection } : {}),
  } satisfies vscode.TextDocumentShowOptions);
}

/** What goes wrong is told to the person who asked. */
export async function tell(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    if (why !== "stopped") void vscode.window.showWarningMessage(`${what}: ${toLine(why, 300)}`);
  }
}
