/** Agent Proctor: Review Agent Patch. All changed files in one editor, those with findings first, and what was deleted as what it was. */
import path from "node:path";
import * as vscode from "vscode";
import { mainFile } from "../node/fail-plan";
import type { LineStep } from "../node/run-patch";
import type { Board, Sighted } from "./board";
import type { Changes, Checked } from "./check-changes";
import { checkThisFile } from "./check-file";
import type { Checking } from "./checking";
import { baseScheme, type CommandId, type ContextKey } from "./contributions";
import { toDiagnostic } from "./diagnostics";
import { mapDiffLines } from "./diff-lines";
import type { Engine } from "./engine";
import { readPatchFiles, type PatchFile } from "./patch-sides";
import type { RunEntry, Runs } from "./runs";
import { createUnderline } from "./underline";
import { doesCount, isAtLeast, readSeverity, severities } from "./words";

export interface Review extends vscode.Disposable {
  reviewChanges(base: string): Promise<void>;
  reviewAgainst(): Promise<void>;
  /** @param argument the file a menu was opened on; without one the person chooses */
  reviewFile(argument: unknown): Promise<void>;
  /** @param node a run of the Runs view */
  reviewRun(node: unknown): Promise<void>;
  /** Goes to the step that wrote the line of the cursor. */
  showStep(): Promise<void>;
  readBase(uri: vscode.Uri): Promise<string>;
}

interface Parts {
  board: Board;
  checking: Checking;
  changes: Changes;
  engine: Engine;
  runs: Runs;
  pages: ReadonlyMap<string, vscode.Uri>;
}

/** What a document of ours shows: a text that is at hand, or a file of a commit. */
type Held =
  { is: "text"; text: string; trace?: ReadonlyMap<number, LineStep> } | { is: "committed"; root: string; commit: string; file: string };

/** One file of the review, as `vscode.changes` takes it. */
type Entry = [label: vscode.Uri, original: vscode.Uri | undefined, modified: vscode.Uri | undefined];

/** More editors below each other are slow, and nobody scrolls through them. */
const mostFiles = 100;
/** In characters and bytes: a larger document takes the editor seconds. */
const longestText = 5 * 1024 * 1024;
/** Documents of older reviews are let go. */
const mostReviews = 4;
const mostMarks = 200;

export function createReview({ board, checking, changes, engine, runs, pages }: Parts): Review {
  const reviews = new Map<number, Map<string, Held>>();
  const marks = vscode.languages.createDiagnosticCollection("agentProctor.review");
  const underline = createUnderline();
  let count = 0;

  function clearMarks(): void {
    marks.clear();
    underline.set([]);
  }

  /** Documents of one review. Their names tell nothing that could be asked for from outside: a number leads to what is held here. */
  function begin(): (name: string, held: Held) => vscode.Uri {
    const id = ++count;
    const documents = new Map<string, Held>();
    reviews.set(id, documents);
    const [oldest] = reviews.keys();
    if (reviews.size > mostReviews && oldest !== undefined) reviews.delete(oldest);
    return (name, held) => {
      const query = `${id}.${documents.size}`;
      documents.set(query, held);
      return vscode.Uri.from({ scheme: baseScheme, path: `/${name.replace(/^\/+/, "")}`, query });
    };
  }

  function find(uri: vscode.Uri): Held | undefined {
    return reviews.get(Number(uri.query.split(".")[0]))?.get(uri.query);
  }

  async function open(title: string, files: readonly { entry: Entry }[], total: number, findings: number): Promise<void> {
    const shown = files.slice(0, mostFiles);
    // How many files are shown the editor adds by itself.
    const few = shown.length < total ? ` · the first of ${total} files` : "";
    await vscode.commands.executeCommand(
      "vscode.changes",
      `${title} · ${countNoun(findings, "finding")}${few}`,
      shown.map(({ entry }) => entry),
    );
    // As a preview it would go with the first finding that is opened.
    await vscode.commands.executeCommand("workbench.action.keepEditor");
  }

  async function reviewWorking({ folder, root, base, diff, check }: Checked): Promise<void> {
    const commit = await engine.findCommit(root, base);
    const hold = begin();
    const weights = weigh(check.sighted, diff);
    const sides = new Map<string, vscode.Uri>();
    const files = arrange(readPatchFiles(diff), weights).map((file) => {
      const { oldPath, newPath } = file;
      const now = newPath !== undefined && !file.isGone ? vscode.Uri.file(path.join(root, newPath)) : undefined;
      const held = oldPath !== undefined && commit !== undefined ? ({ is: "committed", root, commit, file: oldPath } as const) : undefined;
      const before = held && hold(path.posix.join(folder.uri.path, oldPath ?? ""), held);
      if (before && oldPath !== undefined) sides.set(`old\n${oldPath}`, before);
      return { entry: [vscode.Uri.file(path.join(root, file.path)), before, now] satisfies Entry, file };
    });
    if (files.length === 0) return tellEmpty(base, diff);
    // The new side is the file itself, which is marked already.
    mark(check.sighted, diff, (place) => ({ uri: sides.get(`${place.side}\n${place.path}`), line: place.line }));
    await open(base === "HEAD" ? "Agent patch" : `Agent patch since ${base}`, files, files.length, check.sighted.filter(isCounted).length);
  }

  /** Both sides from the patch itself. */
  async function reviewText(
    title: string,
    diff: string,
    sighted: readonly Sighted[],
    isDiffRaw: boolean,
    trace?: readonly LineStep[],
  ): Promise<void> {
    const hold = begin();
    const raw = isDiffRaw ? diff : "";
    const sides = new Map<string, { uri: vscode.Uri; lines: ReadonlyMap<number, number> }>();
    const files = arrange(readPatchFiles(diff), weigh(sighted, raw)).map((file) => {
      const { old, new: now } = file.sides();
      const keep = (side: "old" | "new", name: string | undefined, { text, lines }: typeof old): vscode.Uri | undefined => {
        if (name === undefined || (side === "new" && file.isGone)) return undefined;
        const own = side === "new" && trace ? trace.filter((step) => step.path === name) : [];
        const steps = new Map(own.map((step) => [lines.get(step.line) ?? step.line, step]));
        const uri = hold(name, { is: "text", text, ...(trace ? { trace: steps } : {}) });
        sides.set(`${side}\n${name}`, { uri, lines });
        return uri;
      };
      const [before, after] = [keep("old", file.oldPath, old), keep("new", file.newPath, now)];
      return { entry: [before ?? after ?? hold(file.path, { is: "text", text: "" }), before, after] satisfies Entry };
    });
    if (files.length === 0) return void vscode.window.showInformationMessage(`Agent Proctor: ${title} changes no text.`);
    mark(sighted, raw, ({ path: name, side, line }) => {
      const found = sides.get(`${side}\n${name}`);
      return { uri: found?.uri, line: found?.lines.get(line) ?? line };
    });
    await open(title, files, files.length, sighted.filter(isCounted).length);
  }

  /** Draws findings on documents of ours, one mark a line. */
  function mark(
    sighted: readonly Sighted[],
    diff: string,
    follow: (place: LinePlace) => { uri: vscode.Uri | undefined; line: number },
  ): void {
    clearMarks();
    const settings = vscode.workspace.getConfiguration("agentProctor.diagnostics");
    if (!settings.get<boolean>("enabled", true)) return;
    const least = readSeverity(settings.get<string>("minSeverity"));
    const lines = mapDiffLines(diff);
    const drawn = new Map<vscode.Uri, vscode.Diagnostic[]>();
    for (const one of sighted) {
      const place = findLine(one, lines);
      const { uri, line } = place ? follow(place) : { uri: undefined, line: 0 };
      if (!place || !uri || !isAtLeast(one.finding, least)) continue;
      const here = drawn.get(uri) ?? [];
      const height = Math.min(place.end - place.line, 1000);
      const range = new vscode.Range(line - 1, place.indent, line - 1 + height, place.length);
      if (here.length < mostMarks) here.push(toDiagnostic({ ...one, place: { uri, range } }, pages));
      drawn.set(uri, here);
    }
    for (const [uri, here] of drawn) marks.set(uri, here);
    underline.set([...drawn].map(([uri, here]) => [uri.toString(), here]));
  }

  function tellEmpty(base: string, diff: string): void {
    const message =
      diff === "" ? `Agent Proctor: nothing differs from ${base}, so there is no patch to review.` : "Agent Proctor: no text was changed.";
    void vscode.window.showInformationMessage(message);
  }

  function drawContext(editor: vscode.TextEditor | undefined): void {
    const held = editor?.document.uri.scheme === baseScheme ? find(editor.document.uri) : undefined;
    const isTraced = held?.is === "text" && held.trace !== undefined;
    void vscode.commands.executeCommand("setContext", "agentProctor.inRunPatch" satisfies ContextKey, isTraced);
  }

  const listeners = vscode.Disposable.from(
    marks,
    underline,
    vscode.window.onDidChangeActiveTextEditor(drawContext),
    board.onDidChange(() => {
      if (board.checks.length === 0) clearMarks();
    }),
  );

  return {
    async reviewChanges(base) {
      const checked = await changes.checkAgainst(base);
      if (checked) await reviewWorking(checked);
    },
    async reviewAgainst() {
      const checked = await changes.chooseBase();
      if (checked) await reviewWorking(checked);
    },
    async reviewFile(argument) {
      const uri = argument instanceof vscode.Uri ? argument : await askForPatch();
      if (!uri) return;
      const diff = await readPatchFile(uri);
      if (typeof diff !== "string") return void vscode.window.showWarningMessage(diff.why);
      const check = await checkThisFile(uri, checking, engine);
      if (check) await reviewText(path.posix.basename(uri.path), diff, check.sighted, true);
    },
    async reviewRun(node) {
      const entry = toEntry(node);
      if (!entry) return;
      const options = { location: { viewId: "agentProctor.runs" } };
      try {
        const found = await vscode.window.withProgress({ ...options, title: "Agent Proctor: reading the run's patch" }, async () => {
          const signal = new AbortController().signal;
          return { ...(await engine.readPatch(entry.plan, signal)), run: await runs.read(entry) };
        });
        const sighted = found.run.findings.map((finding): Sighted => ({ run: found.run, finding, related: [] }));
        const title = `Patch of ${entry.plan.id ?? path.posix.basename(mainFile(entry.plan))}`;
        await reviewText(title, found.diff, sighted, false, found.steps);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        void vscode.window.showErrorMessage(`Agent Proctor could not read the run's patch: ${why}`);
      }
    },
    async showStep() {
      const editor = vscode.window.activeTextEditor;
      const held = editor?.document.uri.scheme === baseScheme ? find(editor.document.uri) : undefined;
      if (!editor || held?.is !== "text" || !held.trace) return;
      const found = held.trace.get(editor.selection.active.line + 1);
      if (!found?.at) {
        void vscode.window.showInformationMessage("Agent Proctor: no step of the log is known to have written this line.");
        return;
      }
      const { file, line, column } = found.at;
      await vscode.commands.executeCommand("agentProctor.openTranscript" satisfies CommandId, vscode.Uri.file(file), { line, column });
    },
    async readBase(uri) {
      const held = find(uri);
      if (!held) return "This review is no longer held. Run Agent Proctor: Review Agent Patch again.\n";
      if (held.is === "text") return held.text.length > longestText ? "This side of the patch is too large to show.\n" : held.text;
      if (!vscode.workspace.isTrusted) return "No git is run in a workspace that is not trusted.\n";
      const text = await engine.readCommitted(held.root, held.commit, held.file);
      if (text === undefined) return "";
      return text.length > longestText ? "This file is too large to show.\n" : text;
    },
    dispose() {
      void vscode.commands.executeCommand("setContext", "agentProctor.inRunPatch" satisfies ContextKey, false);
      listeners.dispose();
    },
  };
}

function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function isCounted({ finding }: Sighted): boolean {
  return doesCount(finding);
}

function toEntry(node: unknown): RunEntry | undefined {
  const isRun = typeof node === "object" && node !== null && (node as { is?: unknown }).is === "run";
  return isRun ? (node as { entry: RunEntry }).entry : undefined;
}

interface LinePlace {
  path: string;
  side: "old" | "new";
  /** From 1, both ends included. */
  line: number;
  end: number;
  indent: number;
  length: number;
}

/** Where a finding stands in the patched files: its target, else the line of the diff that its evidence is. */
function findLine({ finding }: Sighted, lines: ReturnType<typeof mapDiffLines>): LinePlace | undefined {
  const { at, target } = finding;
  const quoted = at ? lines[at.start.line - 1] : undefined;
  if (target && target.start > 0) {
    const same = quoted?.path === target.path && quoted.side === target.side && quoted.line === target.start ? quoted.text : "";
    return { ...target, line: target.start, indent: same.length - same.trimStart().length, length: same.trimEnd().length || 200 };
  }
  if (!at || !quoted) return undefined;
  const { path: name, side, line, text } = quoted;
  return { path: name, side, line, end: line, indent: text.length - text.trimStart().length, length: text.trimEnd().length };
}

/** How grave what was found in each file is; a file without a finding has no entry. */
function weigh(sighted: readonly Sighted[], diff: string): Map<string, number> {
  const lines = mapDiffLines(diff);
  const weights = new Map<string, number>();
  for (const one of sighted) {
    const name = one.finding.target?.path ?? findLine(one, lines)?.path;
    const weight = isCounted(one) ? severities.indexOf(one.finding.severity) + 1 : 0;
    if (name !== undefined) weights.set(name, Math.max(weight, weights.get(name) ?? 0));
  }
  return weights;
}

/** What can be shown, the gravest first; otherwise in the patch's order. */
function arrange(files: readonly PatchFile[], weights: ReadonlyMap<string, number>): PatchFile[] {
  const toWeight = ({ path: name, oldPath }: PatchFile): number => Math.max(weights.get(name) ?? -1, weights.get(oldPath ?? name) ?? -1);
  return files.filter(({ isBare, isGone }) => !isBare || isGone).sort((a, b) => toWeight(b) - toWeight(a));
}

async function askForPatch(): Promise<vscode.Uri | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active && /\.(diff|patch)$/i.test(active.path)) return active;
  const chosen = await vscode.window.showOpenDialog({
    title: "A patch to review",
    openLabel: "Review",
    canSelectMany: false,
    filters: { Patches: ["diff", "patch", "txt"] },
  });
  return chosen?.[0];
}

async function readPatchFile(uri: vscode.Uri): Promise<string | { why: string }> {
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    const name = path.posix.basename(uri.path);
    if (size > 4 * longestText) return { why: `${name} is too large to be reviewed in one editor. Check it with Agent Proctor instead.` };
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch (error) {
    return { why: `Agent Proctor could not read the patch: ${error instanceof Error ? error.message : String(error)}` };
  }
}
