/** The transcript's surfaces against a `vscode` written by hand, over pages that the real renderer made. */
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, before, beforeEach, test } from "node:test";
import { answers, events, features, registrations, reset, seen, state, TabInputText, Uri, Position, Range, vscode } from "./fake";
import { createDocument, type CodeLens, type DocumentLink, type Hover, type MarkdownString, type SelectionRange } from "./fake-language";
import { keepHead } from "../../src/vscode/transcript/keep-head";
import type { OpenPage } from "../../src/vscode/transcript/pages";
import type { Reader } from "../../src/vscode/transcript/reader";
import { growSelection, listFoldings, listLinks, listSymbols } from "../../src/vscode/transcript/structure";
import { createTranscriptSurface, type TranscriptSurface } from "../../src/vscode/transcript/transcripts";
import { readBlobUri, readPageUri, toBlobUri, toPageUri } from "../../src/vscode/transcript/uris";
import { loadSyntax } from "../../src/node/syntax";
import { createTranscripts, type Transcripts } from "../../src/node/transcripts";

type VsUri = Parameters<typeof createTranscriptSurface>[0];
type VsDocument = Parameters<typeof listSymbols>[1];

let folder = "";
let transcripts: Transcripts;
const ends: (() => void)[] = [];

before(async () => {
  transcripts = createTranscripts(await loadSyntax());
});
beforeEach(() => {
  reset();
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "proctor-transcript-")));
  state.folders = [{ uri: Uri.file(folder), name: "repo", index: 0 }];
});
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
  rmSync(folder, { recursive: true, force: true });
  // The law of every test here: what was registered is gone.
  assert.deepEqual(registrations, []);
});

const lines = [
  { type: "session", version: 1, profile: "bench", task: { id: "t-1", prompt: "Fix it." } },
  { type: "command", command: "python -m pytest -q", output: `..F\n${"x\n".repeat(6000)}1 failed, 2 passed in 0.12s\n`, exit: 1 },
  { type: "edit", path: "src/a.py", before: "a", after: "b" },
  { type: "message", actor: "agent", text: "See [this](command:evil) $(bug).\n\nAll 3 tests pass now." },
];

function write(name: string, text = lines.map((line) => `${JSON.stringify(line)}\n`).join("")): Uri {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return Uri.file(file);
}

/** The surface, with a reader that asks the worker's own code in this thread. */
function start(): TranscriptSurface {
  const reader: Reader = {
    ask: (ask) => {
      const reply = transcripts.answer(ask);
      return reply.refused === undefined ? Promise.resolve(reply) : Promise.reject(new Error(reply.refused));
    },
    stop: () => undefined,
    dispose: () => undefined,
  };
  const about = new Map([["claim-contradicts-output", Uri.file("/pages/claim-contradicts-output.md")]]);
  const log = vscode.window.createOutputChannel("test");
  const surface = createTranscriptSurface(Uri.file("/") as unknown as VsUri, about as never, log as never, reader);
  ends.push(
    () => log.dispose(),
    () => surface.dispose(),
  );
  return surface;
}

const pageOf = (file: Uri): Uri => toPageUri({ file: file as unknown as VsUri, run: 0, page: 1 }) as unknown as Uri;

async function openPage(
  surface: TranscriptSurface,
  file: Uri,
): Promise<{ uri: Uri; text: string; document: ReturnType<typeof createDocument> }> {
  const uri = pageOf(file);
  const text = await surface.texts.read(uri as unknown as VsUri);
  return { uri, text, document: createDocument(uri, text, Range) };
}

/** A page as the surfaces hold it. */
function readPage(file: Uri): { page: OpenPage; document: ReturnType<typeof createDocument> } {
  const {
    page,
    report,
    runs = [],
    next = {},
  } = transcripts.answer({ is: "page", file: file.path, run: 0, profile: "auto", page: 1, isQuick: false });
  assert.ok(page && report);
  const uri = pageOf(file);
  const own = { file, run: 0, page: 1, uri, data: page, report, runs, next, size: 0 } as unknown as OpenPage;
  return { page: own, document: createDocument(uri, page.text, Range) };
}

const textOf = (text: string, { start, end }: Range): string => (text.split("\n")[start.line] ?? "").slice(start.character, end.character);

test("a page's uri holds what is needed to show it again", () => {
  const file = Uri.file("/logs/a — trajectory/x, page 3.jsonl") as unknown as VsUri;
  for (const name of [
    { file, run: 0, page: 1 },
    { file, run: 4, page: 12 },
  ]) {
    const read = readPageUri(toPageUri(name));
    assert.deepEqual([read?.file.path, read?.run, read?.page], [file.path, name.run, name.page]);
  }
  assert.equal(toPageUri({ file, run: 1, page: 2 }).path, `${file.path} — trajectory, run 2, page 2`);
  assert.equal(readPageUri(Uri.file("/x") as unknown as VsUri), undefined);
  const blob = readBlobUri(toBlobUri({ file, run: 2, step: 7, part: "output" }));
  assert.deepEqual([blob?.file.path, blob?.run, blob?.step, blob?.part], [file.path, 2, 7, "output"]);
  assert.equal(readBlobUri(new Uri("proctor-blob", "/x — output", "run=0&step=a&part=output") as unknown as VsUri), undefined);
});

test("the evidence is marked exactly, and related places are named", async () => {
  const surface = start();
  const { uri, text } = await openPage(surface, write("a.jsonl"));
  const [diagnostic, ...others] = seen.diagnostics.get(uri.toString()) ?? [];
  assert.ok(diagnostic);
  assert.deepEqual(others, []);
  assert.equal(textOf(text, diagnostic.range), "All 3 tests pass now.");
  assert.equal(diagnostic.source, "Agent Proctor");
  assert.ok(typeof diagnostic.code === "object");
  assert.equal(diagnostic.code.target.path, "/pages/claim-contradicts-output.md");
  const [related] = diagnostic.relatedInformation ?? [];
  assert.ok(related);
  assert.match(textOf(text, related.location.range), /1 failed, 2 passed/);
  // What was opened is forgotten with its document.
  events.closeDocument.fire({ uri });
  assert.equal(seen.diagnostics.get(uri.toString()), undefined);
});

test("what changed while a document was being opened is told when it is open", async () => {
  const surface = start();
  const { uri, text } = await openPage(surface, write("a.jsonl"));
  const told: string[] = [];
  const listener = surface.texts.onDidChange((page) => told.push(page.toString()));
  events.openDocument.fire({ uri, getText: () => text });
  assert.deepEqual(told, []);
  events.openDocument.fire({ uri, getText: () => text.slice(10) });
  assert.deepEqual(told, [uri.toString()]);
  listener.dispose();
});

test("settings of the findings hold for transcripts as well", async () => {
  state.settings["agentProctor.diagnostics.enabled"] = false;
  const { uri } = await openPage(start(), write("a.jsonl"));
  assert.deepEqual(seen.diagnostics.get(uri.toString()), []);
});

test("a hover says what, why and what next; what the log says enters as text only", async () => {
  const surface = start();
  const { uri, document } = await openPage(surface, write("a.jsonl"));
  const [diagnostic] = seen.diagnostics.get(uri.toString()) ?? [];
  assert.ok(diagnostic);
  const provider = features.get("hovers") as { provideHover(document: unknown, position: Position): Hover | undefined };
  const hover = provider.provideHover(document, diagnostic.range.start);
  const [content] = hover?.contents ?? [];
  assert.ok(content);
  const markdown = content.markdown.join("");
  assert.match(markdown, /\*\*Why\*\*/);
  assert.match(markdown, /\*\*Next\*\*/);
  assert.match(markdown, /\[About claim-contradicts-output\]\(.*claim-contradicts-output\.md\)/);
  assert.ok(!markdown.includes("tests pass"), "a quote is no Markdown");
  assert.ok(content.text.some((one) => one.includes("All 3 tests pass now")));
  assert.deepEqual((content.isTrusted as MarkdownString & { enabledCommands: string[] }).enabledCommands, [
    "agentProctor.nextFinding",
    "agentProctor.showRawLogHere",
  ]);
  assert.equal(provider.provideHover(document, new Position(0, 0)), undefined);
});

test("only flagged steps have a line above them, and it draws no icon that the log asked for", async () => {
  const surface = start();
  const { document, text } = await openPage(surface, write("a.jsonl"));
  const provider = features.get("lenses") as { provideCodeLenses(document: unknown): CodeLens[] };
  const lenses = provider.provideCodeLenses(document);
  assert.deepEqual(
    lenses.map(({ command }) => command.command),
    ["agentProctor.revealEvidence", "agentProctor.showRawLogHere"],
  );
  assert.match(text.split("\n")[lenses[0]?.range.start.line ?? 0] ?? "", /^=== step 4 \| agent \| message/);
  assert.match(lenses[0]?.command.title ?? "", /^\$\(warning\) To review: Says/);
  assert.equal((lenses[0]?.command.title.match(/\$\(/g) ?? []).length, 1);
});

test("outline: a step a line, flagged ones say so, and each contains its heading", () => {
  const { page, document } = readPage(write("a.jsonl"));
  const symbols = listSymbols(page, document as unknown as VsDocument);
  assert.deepEqual(
    symbols.map(({ name, detail }) => [name, detail]),
    [
      ["1: Fix it.", "user, message"],
      ["2: python -m pytest -q", "command, changes"],
      ["3: src/a.py", "edit, changes"],
      ["4 flagged: See [this](command:evil) $(bug).", "message"],
    ],
  );
  for (const { range, selectionRange } of symbols) assert.ok(range.contains(selectionRange));
});

test("folding: head, steps and long outputs, outputs as regions", () => {
  const { page } = readPage(write("a.jsonl"));
  const foldings = listFoldings(page);
  const regions = foldings.filter(({ kind }) => kind === (vscode.FoldingRangeKind.Region as never));
  assert.equal(regions.length, 1);
  const { bodies = [] } = page.data.steps[1] ?? {};
  assert.equal(regions[0]?.start, bodies.find(({ part }) => part === "output")?.startLine);
  assert.equal(foldings.length, 1 + page.data.steps.length + regions.length);
});

test("a selection grows from word to line, text, step and page", () => {
  const { page, document } = readPage(write("a.jsonl"));
  const line = page.data.text.split("\n").indexOf("> All 3 tests pass now.");
  const grown: string[] = [];
  const first = growSelection(page, document as unknown as VsDocument, new Position(line, 8) as never) as unknown as SelectionRange;
  for (let at: SelectionRange | undefined = first; at; at = at.parent) {
    const { start, end } = at.range;
    grown.push(`${start.line - line}:${start.character} ${end.line - line}:${end.character}`);
  }
  assert.deepEqual(grown.slice(0, 3), ["0:8 0:13", "0:2 0:23", "-2:0 0:23"]);
  assert.equal(grown[3], "-3:0 0:23");
  assert.equal(grown.length, 5);
});

test("links lead to what is left out and to files of the workspace, and to nothing outside of it", async () => {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const outside = ["../secret.py", "/etc/hostname", "."].map((name) => `${JSON.stringify({ type: "read", path: name })}\n`).join("");
  const file = write("a.jsonl", `${text}${JSON.stringify({ type: "read", path: "/testbed/b.py" })}\n${outside}`);
  writeFileSync(path.join(folder, "b.py"), "");
  writeFileSync(path.join(folder, "../secret.py"), "");
  const { page, document } = readPage(file);
  const links = (await listLinks(page, document as unknown as VsDocument)) as unknown as DocumentLink[];
  rmSync(path.join(folder, "../secret.py"));
  assert.deepEqual(
    links.map(({ range, target }) => [textOf(page.data.text, range), target.scheme, path.basename(target.path)]),
    [
      ["show all 12 KB", "proctor-blob", "a.jsonl — step 2, output"],
      ["/testbed/b.py", "file", "b.py"],
    ],
  );
});

test("what is left out is shown in full, and what cannot be had says why", async () => {
  const surface = start();
  const file = write("a.jsonl");
  const read = (uri: unknown): Promise<string> => surface.texts.read(uri as VsUri);
  const vsFile = file as unknown as VsUri;
  assert.equal(await read(toBlobUri({ file: vsFile, run: 0, step: 2, part: "output" })), lines[1]?.output);
  assert.match(await read(toBlobUri({ file: vsFile, run: 0, step: 2, part: "diff" })), /^This text cannot be shown: /);
  const prose = write("prose.txt", "Once upon a time\n");
  assert.match(await read(pageOf(prose)), /^This transcript cannot be shown: no known format/);
});

test("opening: the active tab's file, never before it is known to be a run, and nothing else opens", async () => {
  const { handlers } = start();
  const file = write("a.jsonl");
  state.activeTab = new TabInputText(file);
  await handlers["agentProctor.openTranscript"]();
  assert.deepEqual(
    seen.executed.map(({ command, args }) => [command, String(args[0])]),
    [["vscode.open", pageOf(file).toString()]],
  );
  seen.executed.length = 0;
  await handlers["agentProctor.openTranscriptHere"](write("prose.txt", "Once upon a time\n"));
  assert.deepEqual(seen.executed, []);
  assert.match(seen.messages[0]?.text ?? "", /^prose\.txt cannot be shown as a transcript: no known format/);
});

test("a file of several runs asks which, and a line chooses by itself", async () => {
  const { handlers } = start();
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const file = write("two.jsonl", text + text.replace('"t-1"', '"t-2"'));
  answers.pick = (rows) => rows[1];
  await handlers["agentProctor.openTranscript"](file);
  assert.deepEqual(
    seen.picks[0]?.rows.map(({ label }) => label),
    ["t-1", "t-2"],
  );
  await handlers["agentProctor.openTranscript"](file, { line: 5 });
  assert.equal(seen.picks.length, 1);
  for (const { args } of seen.executed) assert.match(String(args[0]), /run%202/);
});

test("a page that grew keeps its head line by line, and what stands below moves with it", async () => {
  const [session, red, edit, claim] = lines;
  const toText = (all: readonly unknown[]): string => all.map((line) => `${JSON.stringify(line)}\n`).join("");
  const first = [session, red, edit, { type: "message", actor: "agent", text: "I go on." }];
  const file = write("a.jsonl", toText(first));
  const before = readPage(file).page.data;
  write("a.jsonl", toText([...first, claim]));
  const now = readPage(file).page.data;
  assert.notEqual(before.head, now.head);
  const kept = keepHead(before, now);
  const [old, young] = [before.text.split("\n"), kept.text.split("\n")];
  assert.equal(kept.head, before.head);
  // All that was there stands where it stood.
  assert.deepEqual(young.slice(kept.head, old.length - 1), old.slice(before.head, -1));
  assert.match(young[1] ?? "", /^Verdict {4}(?:To review|Evidence)/);
  for (const step of kept.steps) assert.match(young[step.startLine] ?? "", new RegExp(`^=== step ${step.number} `));
  const [finding] = kept.findings;
  assert.equal(young[finding?.range.start.line ?? 0], "> All 3 tests pass now.");
});
