/** What the editor's own tools know of a transcript: outline, folding, growing selections and links. */
import { stat } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { PageStep } from "../../core/reports/transcript/page";
import type { OpenPage, Pages } from "./pages";
import { toBlobUri, toPageUri } from "./uris";

const kinds: Record<string, vscode.SymbolKind> = {
  message: vscode.SymbolKind.String,
  summary: vscode.SymbolKind.String,
  command: vscode.SymbolKind.Event,
  edit: vscode.SymbolKind.Method,
  create: vscode.SymbolKind.Constructor,
  delete: vscode.SymbolKind.Method,
  move: vscode.SymbolKind.Method,
  read: vscode.SymbolKind.File,
  search: vscode.SymbolKind.Key,
  fetch: vscode.SymbolKind.Interface,
  patch: vscode.SymbolKind.Package,
};

/** Outputs of at least this many lines can be folded by themselves. */
const longOutput = 4;
/** How many files are looked for at most, to draw links to them. */
const mostFiles = 200;

/** `range` from the start of a line to the end of another. */
function toLines(document: vscode.TextDocument, start: number, end: number): vscode.Range {
  const last = Math.min(end, document.lineCount - 1);
  return new vscode.Range(Math.min(start, last), 0, last, document.lineAt(last).text.length);
}

export function listSymbols(page: OpenPage, document: vscode.TextDocument): vscode.DocumentSymbol[] {
  const flagged = new Set(page.data.findings.map(({ range }) => stepAt(page, range.start.line)));
  return page.data.steps.map((step) => {
    // `flagged` in the name lets the outline's filter list those steps only.
    const name = `${step.number > 0 ? step.number : "patch"}${flagged.has(step) ? " flagged" : ""}${step.about ? `: ${step.about}` : ""}`;
    const detail = [step.actor === "agent" ? "" : step.actor, step.kind, step.mutates ? "changes" : ""].filter(Boolean).join(", ");
    const range = toLines(document, step.startLine, step.endLine);
    const heading = toLines(document, step.startLine, step.startLine);
    return new vscode.DocumentSymbol(name, detail, kinds[step.kind] ?? vscode.SymbolKind.Object, range, heading);
  });
}

export function listFoldings({ data }: OpenPage): vscode.FoldingRange[] {
  const ranges = data.head > 2 ? [new vscode.FoldingRange(0, data.head - 2)] : [];
  for (const { startLine, endLine, bodies } of data.steps) {
    if (endLine > startLine) ranges.push(new vscode.FoldingRange(startLine, endLine));
    for (const { part, startLine: from, endLine: to } of bodies) {
      // Outputs are regions, so that Fold All Regions folds them and nothing else.
      if (part === "output" && to - from >= longOutput) ranges.push(new vscode.FoldingRange(from, to, vscode.FoldingRangeKind.Region));
      if (part === "thought" && to > from) ranges.push(new vscode.FoldingRange(from, to, vscode.FoldingRangeKind.Comment));
    }
  }
  return ranges;
}

/** Word, line without its gutter, text, step, page: what Expand Selection goes through. */
export function growSelection(page: OpenPage, document: vscode.TextDocument, position: vscode.Position): vscode.SelectionRange {
  const { line } = position;
  const text = document.lineAt(line).text;
  const step = stepAt(page, line);
  const body = step?.bodies.find(({ startLine, endLine }) => startLine <= line && line <= endLine && startLine > step.startLine);
  const gutter = body ? (/^(?: {2}[-+]|[~>$|!#@ ][ \\]?)/.exec(text)?.[0].length ?? 0) : 0;
  const ranges = [
    document.getWordRangeAtPosition(position),
    new vscode.Range(line, gutter, line, text.length),
    body && toLines(document, body.startLine, body.endLine),
    step && toLines(document, step.startLine, step.endLine),
    toLines(document, 0, document.lineCount - 1),
  ];
  let grown: vscode.SelectionRange | undefined;
  for (const range of ranges.reverse()) {
    // Each has to lie within the next larger one.
    if (range?.contains(position) && (!grown || grown.range.contains(range))) grown = new vscode.SelectionRange(range, grown);
  }
  return grown ?? new vscode.SelectionRange(new vscode.Range(position, position));
}

export function stepAt({ data }: OpenPage, line: number): PageStep | undefined {
  let low = 0;
  let high = data.steps.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((data.steps[middle]?.startLine ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  const found = data.steps[low];
  return found && found.startLine <= line ? found : undefined;
}

export async function listLinks(page: OpenPage, document: vscode.TextDocument): Promise<vscode.DocumentLink[]> {
  const links: vscode.DocumentLink[] = [];
  const add = (range: vscode.Range, target: vscode.Uri, tooltip: string): void => {
    const link = new vscode.DocumentLink(range, target);
    link.tooltip = tooltip;
    links.push(link);
  };
  for (const { line, step, part } of page.data.elisions) {
    const start = document.lineAt(line).text.indexOf("show all");
    if (start >= 0)
      add(new vscode.Range(line, start, line, document.lineAt(line).text.length), toBlobUri({ ...page, step, part }), "Show all of it");
  }
  for (let line = 0; line < page.data.head; line++) {
    const { text } = document.lineAt(line);
    if (!text.startsWith("Pages ")) continue;
    for (const [words, by] of [["previous page", -1] as const, ["next page", 1] as const]) {
      const start = text.indexOf(words);
      const target = toPageUri({ file: page.file, run: page.run, page: page.data.page + by });
      if (start >= 0) add(new vscode.Range(line, start, line, start + words.length), target, `Open the ${words}`);
    }
  }
  const files = new Map<string, Promise<vscode.Uri | undefined>>();
  for (const step of page.data.steps) {
    if (step.path === null || (files.size >= mostFiles && !files.has(step.path))) continue;
    const found = files.get(step.path) ?? findFile(step.path);
    files.set(step.path, found);
    const file = await found;
    const start = file ? document.lineAt(step.startLine).text.indexOf(`| ${step.path}`) + 2 : 1;
    if (file && start > 1)
      add(new vscode.Range(step.startLine, start, step.startLine, start + step.path.length), file, "Open the file of the workspace");
  }
  return links;
}

/** Folders that harnesses work in: their files are compared with the workspace by what comes after. */
const workFolders = /^\/(?:testbed|workspace|repo|app)\//;

/** A file of the workspace by the name that a log gives it. Never one outside of the workspace: the name is the log's. */
async function findFile(name: string): Promise<vscode.Uri | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== "file" || name.includes("\0")) continue;
    for (const candidate of [name, name.replace(workFolders, "")]) {
      const file = path.resolve(uri.fsPath, candidate);
      const below = path.relative(uri.fsPath, file);
      if (below === "" || below.startsWith("..") || path.isAbsolute(below)) continue;
      const isFile = await stat(file).then(
        (found) => found.isFile(),
        () => false,
      );
      if (isFile) return vscode.Uri.file(file);
    }
  }
  return undefined;
}

/** @param selector the transcript's documents */
export function registerStructure(pages: Pages, selector: vscode.DocumentSelector): vscode.Disposable {
  const of = async (document: vscode.TextDocument): Promise<OpenPage | undefined> => {
    const page = await pages.load(document.uri).catch(() => undefined);
    // Between two states of a growing page the lines do not fit: the editor asks again when they do.
    return page && page.data.text.length === document.getText().length ? page : undefined;
  };
  const { languages } = vscode;
  return vscode.Disposable.from(
    languages.registerDocumentSymbolProvider(
      selector,
      {
        provideDocumentSymbols: async (document) => {
          const page = await of(document);
          return page && listSymbols(page, document);
        },
      },
      { label: "Steps" },
    ),
    languages.registerFoldingRangeProvider(selector, {
      provideFoldingRanges: async (document) => {
        const page = await of(document);
        return page && listFoldings(page);
      },
    }),
    languages.registerSelectionRangeProvider(selector, {
      provideSelectionRanges: async (document, positions) => {
        const page = await of(document);
        return page ? positions.map((position) => growSelection(page, document, position)) : [];
      },
    }),
    languages.registerDocumentLinkProvider(selector, {
      provideDocumentLinks: async (document) => {
        const page = await of(document);
        return page && listLinks(page, document);
      },
    }),
  );
}
