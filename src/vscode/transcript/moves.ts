/** Going through a transcript by keyboard: findings, steps, and the changes that were not looked at yet. */
import * as vscode from "vscode";
import { listMarked, toRange } from "./evidence";
import type { OpenPage, Pages } from "./pages";
import { stepAt } from "./structure";
import { isTranscript, toPageUri } from "./uris";

export interface Moves extends vscode.Disposable {
  toFinding(by: 1 | -1): Promise<void>;
  toStep(by: 1 | -1): Promise<void>;
  toUnreadChange(): Promise<void>;
  reveal(uri: unknown, range: unknown): Promise<void>;
}

export function createMoves(pages: Pages): Moves {
  /** The steps that the cursor was in, by the page. */
  const read = new Map<string, Set<number>>();

  function note(editor: vscode.TextEditor): void {
    const page = pages.get(editor.document.uri);
    const step = page && stepAt(page, editor.selection.active.line);
    if (!page || !step) return;
    const key = page.uri.toString();
    const known = read.get(key) ?? new Set();
    read.set(key, known.add(step.number));
  }

  function active(): { editor: vscode.TextEditor; page: OpenPage } | undefined {
    const editor = vscode.window.activeTextEditor;
    const page = editor && isTranscript(editor.document) ? pages.get(editor.document.uri) : undefined;
    return editor && page ? { editor, page } : undefined;
  }

  /** Another page of the same run, in the place of this one. */
  async function turn({ file, run, data }: OpenPage, to: number): Promise<{ editor: vscode.TextEditor; page: OpenPage } | undefined> {
    if (to < 1 || to > data.pages) return undefined;
    const uri = toPageUri({ file, run, page: to });
    const page = await pages.load(uri);
    const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
    return { editor, page };
  }

  async function toFinding(by: 1 | -1): Promise<void> {
    const here = active();
    if (!here) return;
    const { start } = here.editor.selection;
    const own = listMarked(here.page).map(({ place }) => toRange(place.range));
    const next = by > 0 ? own.find((range) => range.start.isAfter(start)) : own.findLast((range) => range.start.isBefore(start));
    if (next) return select(here.editor, next);
    const { flagged, page: number } = here.page.data;
    const other = by > 0 ? flagged.find((page) => page > number) : flagged.findLast((page) => page < number);
    // Behind the last one comes the first, as with the editor's own problems.
    const target = other ?? (by > 0 ? flagged[0] : flagged.at(-1));
    if (target === undefined) return say("There is no finding in this run.");
    const there = target === number ? here : await turn(here.page, target);
    const marked = there ? listMarked(there.page) : [];
    const first = by > 0 ? marked[0] : marked.at(-1);
    if (there && first) select(there.editor, toRange(first.place.range));
  }

  async function toStep(by: 1 | -1): Promise<void> {
    const here = active();
    if (!here) return;
    const { line } = here.editor.selection.active;
    const { steps, page: number } = here.page.data;
    const next = by > 0 ? steps.find(({ startLine }) => startLine > line) : steps.findLast(({ startLine }) => startLine < line);
    if (next) return put(here.editor, next.startLine);
    const there = await turn(here.page, number + by);
    const first = by > 0 ? there?.page.data.steps[0] : there?.page.data.steps.at(-1);
    if (there && first) put(there.editor, first.startLine);
  }

  async function toUnreadChange(): Promise<void> {
    const here = active();
    if (!here) return;
    note(here.editor);
    const known = read.get(here.page.uri.toString()) ?? new Set();
    const { line } = here.editor.selection.active;
    const unread = here.page.data.steps.filter(({ number, mutates }) => mutates && !known.has(number));
    const next = unread.find(({ startLine }) => startLine > line) ?? unread[0];
    if (next) return put(here.editor, next.startLine);
    const there = await turn(here.page, here.page.data.page + 1);
    const first = there?.page.data.steps.find(({ mutates }) => mutates);
    if (there && first) put(there.editor, first.startLine);
    else say("Every step that can change something was looked at.");
  }

  async function reveal(uri: unknown, range: unknown): Promise<void> {
    if (typeof uri !== "string" || !isRange(range)) return;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
    if (isTranscript(document)) select(await vscode.window.showTextDocument(document), toRange(range));
  }

  const listeners = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
      if (isTranscript(textEditor.document)) note(textEditor);
    }),
    pages.onDidForget((uri) => void read.delete(uri.toString())),
  );
  return { toFinding, toStep, toUnreadChange, reveal, dispose: () => void listeners.dispose() };
}

function select(editor: vscode.TextEditor, range: vscode.Range): void {
  editor.selection = new vscode.Selection(range.start, range.end);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function put(editor: vscode.TextEditor, line: number): void {
  const at = new vscode.Position(line, 0);
  editor.selection = new vscode.Selection(at, at);
  editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.AtTop);
}

function say(text: string): void {
  vscode.window.setStatusBarMessage(`Agent Proctor: ${text}`, 5000);
}

function isSpot(value: unknown): value is { line: number; column: number } {
  const { line, column } = (value ?? {}) as { line?: unknown; column?: unknown };
  return typeof line === "number" && typeof column === "number" && line >= 0 && column >= 0;
}

export function isRange(value: unknown): value is { start: { line: number; column: number }; end: { line: number; column: number } } {
  const { start, end } = (value ?? {}) as { start?: unknown; end?: unknown };
  return isSpot(start) && isSpot(end);
}
