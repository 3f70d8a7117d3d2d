/** Agent Proctor: Review Agent Patch, against a `vscode` written by hand. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { answers, Editor, events, Position, registrations, replaceCommand, reset, seen, state, Uri, vscode } from "./fake";
import { startHost } from "./host";
import { createFakeEngine, locate, makeFinding, makeRun } from "./runs";
import { registerCommands } from "../../src/vscode/commands";
import type { Engine, RunObject } from "../../src/vscode/engine";
import { createSurfaces, type Surfaces } from "../../src/vscode/surfaces";

const root = path.resolve(__dirname, "../..");
const commit = "a".repeat(40);
let folder = "";
let surfaces: Surfaces;
const ends: (() => void)[] = [];

beforeEach(() => {
  reset();
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "proctor-review-")));
  state.folders = [{ uri: Uri.file(folder), name: "repo", index: 0 }];
});

afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
  rmSync(folder, { recursive: true, force: true });
  assert.deepEqual(registrations, []);
});

function start(engine: Partial<Engine>): ReturnType<typeof createFakeEngine> {
  const fake = createFakeEngine(engine);
  surfaces = createSurfaces(Uri.file(root) as never, startHost(folder, ends), fake);
  const commands = registerCommands(surfaces.handlers);
  ends.push(
    () => surfaces.dispose(),
    () => commands.dispose(),
  );
  return fake;
}

function run(command: string, ...args: unknown[]): Promise<unknown> {
  return vscode.commands.executeCommand(`agentProctor.${command}`, ...args);
}

const read = (uri: Uri | undefined): Promise<string> => surfaces.readBase(uri as never);

type Entry = [label: Uri, original?: Uri, modified?: Uri];

/** What the last multi-diff was opened with. */
function opened(): { title: string; files: Entry[] } | undefined {
  const last = seen.executed.filter(({ command }) => command === "vscode.changes").at(-1);
  return last && { title: String(last.args[0]), files: last.args[1] as Entry[] };
}

const diff = [
  "diff --git a/src/heights.py b/src/heights.py",
  "--- a/src/heights.py",
  "+++ b/src/heights.py",
  "@@ -1,2 +1,2 @@",
  " def parse(text):",
  "-    return 0",
  "+    return 1",
  "diff --git a/src/new.py b/src/new.py",
  "new file mode 100644",
  "--- /dev/null",
  "+++ b/src/new.py",
  "@@ -0,0 +1 @@",
  "+x = 1",
  "diff --git a/tests/test_heights.py b/tests/test_heights.py",
  "deleted file mode 100644",
  "--- a/tests/test_heights.py",
  "+++ /dev/null",
  "@@ -1,2 +0,0 @@",
  "-def test_parse():",
  "-    assert parse('1') == 1",
  "diff --git a/tests/test_empty.py b/tests/test_empty.py",
  "--- a/tests/test_empty.py",
  "+++ b/tests/test_empty.py",
  "@@ -1 +0,0 @@",
  "-assert parse('2') == 2",
  "",
].join("\n");

const deleted = makeFinding({
  monitor: "test-weakened",
  severity: "high",
  message: "A test was deleted",
  target: { path: "tests/test_heights.py", side: "old", start: 1, end: 2 },
  at: locate(diff, "def test_parse():", "working changes"),
});

function changesEngine(runs: RunObject[], text = diff): Partial<Engine> {
  for (const name of ["src/heights.py", "src/new.py", "tests/test_empty.py"]) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, "");
  }
  return {
    checkChanges: () => Promise.resolve({ root: folder, diff: text, runs }),
    findCommit: () => Promise.resolve(commit),
    readCommitted: (_root, _commit, file) => Promise.resolve(`before: ${file}\n`),
  };
}

test("working changes open as one multi-diff: findings first, deleted and emptied tests on the left only", async () => {
  const engine = start(changesEngine([makeRun({ findings: [deleted] })]));
  await run("reviewPatch");
  const review = opened();
  assert.ok(review);
  assert.equal(review.title, "Agent patch · 1 finding");
  const names = review.files.map((entry) => entry.map((uri) => uri && `${uri.scheme}:${path.basename(uri.path)}`));
  assert.deepEqual(names, [
    ["file:test_heights.py", "proctor-base:test_heights.py", undefined],
    ["file:heights.py", "proctor-base:heights.py", "file:heights.py"],
    ["file:new.py", undefined, "file:new.py"],
    ["file:test_empty.py", "proctor-base:test_empty.py", undefined],
  ]);
  assert.equal(await read(review.files[0]?.[1]), "before: tests/test_heights.py\n");
  assert.deepEqual(engine.calls.at(-1), ["readCommitted", folder, commit, "tests/test_heights.py"]);
  assert.ok(seen.executed.some(({ command }) => command === "workbench.action.keepEditor"));
});

test("what was removed is marked on the left side", async () => {
  start(changesEngine([makeRun({ findings: [deleted] })]));
  await run("reviewPatch");
  const left = opened()?.files[0]?.[1];
  const [mark, ...others] = seen.diagnostics.get(String(left)) ?? [];
  assert.deepEqual([mark?.message, mark?.range.start.line, mark?.range.end.line, others.length], ["A test was deleted", 0, 1, 0]);
  // A document that cannot be edited gets no squiggle from the editor.
  const editor = new Editor(left ?? new Uri("x", "/x"));
  const other = new Editor(new Uri("file", "/y"));
  events.changeVisible.fire([editor, other]);
  const drawn = [...editor.drawn.values()].flat();
  assert.deepEqual(
    drawn.map(({ range, hoverMessage }) => [range.start.line, hoverMessage.value]),
    [[0, "Agent Proctor: A test was deleted"]],
  );
  assert.equal(other.drawn.size, 0);
  state.visibleEditors = [editor, other];
  await run("clearFindings");
  assert.equal(seen.diagnostics.size, 0);
  assert.deepEqual([...editor.drawn.values()].flat(), []);
});

test("a base can be chosen, and stands in the title", async () => {
  start({ ...changesEngine([makeRun()]), listRefs: () => Promise.resolve([{ name: "main", about: "branch" }]) });
  answers.typed = "main";
  await run("reviewPatchAgainst");
  assert.equal(opened()?.title, "Agent patch since main · 0 findings");
});

test("nothing changed: it is said, and nothing opens", async () => {
  start(changesEngine([], ""));
  await run("reviewPatch");
  assert.equal(opened(), undefined);
  assert.match(seen.messages[0]?.text ?? "", /nothing differs from HEAD/);
});

test("in an untrusted workspace no git is run and nothing opens; documents that are open stay without content", async () => {
  const engine = start(changesEngine([makeRun()]));
  await run("reviewPatch");
  const left = opened()?.files[0]?.[1];
  seen.executed.length = 0;
  engine.calls.length = 0;
  state.isTrusted = false;
  await run("reviewPatch");
  assert.equal(opened(), undefined);
  assert.match(await read(left), /not trusted/);
  assert.deepEqual(engine.calls, []);
});

test("a document of the scheme that no review holds asks git for nothing", async () => {
  const engine = start({});
  assert.match(await read(new Uri("proctor-base", "/etc/passwd", "1.0")), /no longer held/);
  assert.deepEqual(engine.calls, []);
});

test("a patch file is shown with both sides put together from its hunks, and marked on both", async () => {
  const uri = Uri.file(path.join(folder, "fix.diff"));
  writeFileSync(uri.fsPath, diff);
  state.files.set(uri.toString(), diff);
  const added = makeFinding({ monitor: "x", message: "Constant", at: locate(diff, "return 1", "fix.diff") });
  const removed = { ...deleted, at: locate(diff, "def test_parse():", "fix.diff") };
  start({ checkFile: () => Promise.resolve([makeRun({ file: "fix.diff", findings: [added, removed] })]) });
  await run("reviewPatchResource", uri);
  const review = opened();
  assert.equal(review?.title, "fix.diff · 2 findings");
  const [heights, tests] = review?.files ?? [];
  assert.deepEqual(
    [await read(heights?.[1]), await read(heights?.[2])],
    ["def parse(text):\n    return 0\n", "def parse(text):\n    return 1\n"],
  );
  assert.deepEqual([await read(tests?.[1]), tests?.[2]], ["def test_parse():\n    assert parse('1') == 1\n", undefined]);
  const [right] = seen.diagnostics.get(String(heights?.[2])) ?? [];
  assert.deepEqual([right?.message, right?.range.start.line, right?.range.start.character], ["Constant", 1, 4]);
  assert.equal(seen.diagnostics.get(String(tests?.[1]))?.[0]?.message, "A test was deleted");
});

const plan = { id: "a-1", isInstance: true, sources: [], problems: [], base: "/", diff: { file: "/x.jsonl", name: "x.jsonl" } };

test("a run's patch is shown with the findings of the run, where they concern it", async () => {
  const finding = makeFinding({ message: "Constant", target: { path: "src/heights.py", side: "new", start: 2, end: 2 } });
  const entry = { key: "k", id: "i", plan, folder: {} };
  const at = { file: "/x.jsonl", line: 9, column: 4 };
  start({
    readPatch: () => Promise.resolve({ diff, steps: [{ path: "src/heights.py", line: 2, step: 7, at }] }),
    judgePlans(_plans, _profile, _signal, take) {
      take(0, makeRun({ findings: [finding] }));
      return Promise.resolve();
    },
  });
  await run("reviewRunPatch", { is: "run", entry });
  const review = opened();
  assert.equal(review?.title, "Patch of a-1 · 1 finding");
  assert.equal(path.basename(review?.files[0]?.[2]?.path ?? ""), "heights.py");
  const right = review?.files[0]?.[2] ?? new Uri("x", "/x");
  assert.equal(seen.diagnostics.get(String(right))?.[0]?.range.start.line, 1);
  // From a line to the step that wrote it; from a line that stood there before to none.
  const jump = async (line: number): Promise<void> => {
    state.activeEditor = { document: { uri: right }, selection: { active: new Position(line, 0) } };
    events.changeEditor.fire(state.activeEditor);
    await run("showStep");
  };
  const asked: unknown[][] = [];
  const end = replaceCommand("agentProctor.openTranscript", (...args) => asked.push(args));
  await jump(1);
  assert.equal(seen.contexts.get("agentProctor.inRunPatch"), true);
  assert.deepEqual(
    asked.map(([uri, place]) => [String(uri), place]),
    [[String(Uri.file("/x.jsonl")), { line: 9, column: 4 }]],
  );
  await jump(0);
  assert.equal(asked.length, 1);
  assert.match(seen.messages.at(-1)?.text ?? "", /no step of the log/);
  end();
});

test("of more than 100 files the first 100 are shown, and the title says so", async () => {
  const many = Array.from({ length: 130 }, (_, at) => `--- a/f${at}\n+++ b/f${at}\n@@ -1 +1 @@\n-a\n+b\n`).join("");
  start(changesEngine([makeRun()], many));
  await run("reviewPatch");
  assert.deepEqual([opened()?.title, opened()?.files.length], ["Agent patch · 0 findings · the first of 130 files", 100]);
});

test("a hostile name in a patch is no reason to fail, and leads nowhere", async () => {
  const hostile = "--- a//etc//passwd\n+++ b//etc//passwd\n@@ -1 +1 @@\n-a\n+b\n--- a/../../x\n+++ b/../../x\n@@ -1 +1 @@\n-a\n+b\n";
  const uri = Uri.file(path.join(folder, "bad.diff"));
  state.files.set(uri.toString(), hostile);
  start({ checkFile: () => Promise.resolve([makeRun({ file: "bad.diff" })]) });
  await run("reviewPatchResource", uri);
  const all = opened()?.files.flatMap((entry) => entry.flatMap((one) => one ?? [])) ?? [];
  assert.ok(all.length >= 4);
  for (const one of all) assert.deepEqual([one.scheme, /^\/[^/]/.test(one.path)], ["proctor-base", true]);
});
