/** The surfaces against a `vscode` written by hand, with an engine that answers what a test wants. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { answers, events, readVirtual, registrations, reset, seen, state, TabInputText, Uri, vscode, type Diagnostic } from "./fake";
import { startHost } from "./host";
import { createFakeEngine, locate, makeFinding, makeRun } from "./runs";
import { registerCommands } from "../../src/vscode/commands";
import { diffScheme } from "../../src/vscode/contributions";
import type { Changes, Engine, RunObject } from "../../src/vscode/engine";
import { createSurfaces } from "../../src/vscode/surfaces";

type VsUri = Parameters<typeof createSurfaces>[0];

const root = path.resolve(__dirname, "../..");
let folder = "";
const ends: (() => void)[] = [];

beforeEach(() => {
  reset();
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "proctor-surfaces-")));
  state.folders = [{ uri: Uri.file(folder), name: "repo", index: 0 }];
});

afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
  rmSync(folder, { recursive: true, force: true });
  // The law of every test here: what was registered is gone.
  assert.deepEqual(registrations, []);
});

/** The surfaces with their commands registered, as extension.ts does it. */
function start(engine: Partial<Engine>, extension = root): ReturnType<typeof createFakeEngine> {
  const fake = createFakeEngine(engine);
  const surfaces = createSurfaces(Uri.file(extension) as unknown as VsUri, startHost(folder, ends), fake);
  const commands = registerCommands(surfaces.handlers);
  const content = vscode.workspace.registerTextDocumentContentProvider(diffScheme, {
    provideTextDocumentContent: (uri) => surfaces.readDiff(uri as unknown as VsUri),
  });
  ends.push(
    () => content.dispose(),
    () => commands.dispose(),
    () => surfaces.dispose(),
  );
  return fake;
}

function write(name: string, text: string): Uri {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return Uri.file(file);
}

function run(command: string, ...args: unknown[]): Promise<unknown> {
  return vscode.commands.executeCommand(`agentProctor.${command}`, ...args);
}

function diagnosticsOf(uri: Uri): Diagnostic[] {
  return seen.diagnostics.get(uri.toString()) ?? [];
}

function flat({ range }: Diagnostic): number[] {
  return [range.start.line, range.start.character, range.end.line, range.end.character];
}

const answer = (...runs: RunObject[]): Pick<Engine, "checkFile"> => ({ checkFile: () => Promise.resolve(runs) });

test("until the first check nothing is shown and nothing is said", () => {
  start({});
  assert.deepEqual(
    seen.items.map(({ isVisible }) => isVisible),
    [false],
  );
  assert.deepEqual([seen.messages, seen.progress, [...seen.contexts]], [[], [], []]);
});

test("a finding stands at its evidence, with monitor, page, message and severity", async () => {
  const extension = path.join(folder, "extension");
  mkdirSync(path.join(extension, "media/monitors"), { recursive: true });
  writeFileSync(path.join(extension, "media/monitors/grader-file-read.md"), "# Grader file read\n");
  const text = '{"type":"command","command":"ls"}\n{"type":"command","command":"cat 😀 tests/hidden.py"}\n';
  const uri = write("log.jsonl", text);
  const finding = makeFinding({
    at: locate(text, "tests/hidden.py", "log.jsonl"),
    related: [{ message: "listed before", at: locate(text, "ls", "log.jsonl") }],
  });
  start(answer(makeRun({ findings: [finding] })), extension);
  await run("checkThisFile", uri);
  const [diagnostic, ...others] = diagnosticsOf(uri);
  assert.ok(diagnostic);
  assert.equal(others.length, 0);
  assert.deepEqual(flat(diagnostic), [1, 36, 1, 51]);
  assert.equal(diagnostic.message, "The hidden tests were read");
  assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Warning);
  assert.equal(diagnostic.source, "Agent Proctor");
  assert.ok(typeof diagnostic.code === "object");
  assert.equal(diagnostic.code.value, "grader-file-read");
  assert.equal(diagnostic.code.target.fsPath, path.join(extension, "media/monitors/grader-file-read.md"));
  assert.deepEqual(
    diagnostic.relatedInformation?.map(({ message, location }) => [message, location.range.start.line, location.range.start.character]),
    [["listed before", 0, 29]],
  );
});

test("stray carriage returns, which only the editor takes for line ends, move the place", async () => {
  const text = "one\rtwo\r\nthree\rfour é😀 bad words\nnext bad line\r\n";
  const uri = write("log.txt", text);
  const first = makeFinding({ at: locate(text, "bad words", "log.txt") });
  const second = makeFinding({ at: locate(text, "bad line", "log.txt") });
  start(answer(makeRun({ findings: [first, second] })));
  await run("checkThisFile", uri);
  assert.deepEqual(diagnosticsOf(uri).map(flat), [
    [3, 9, 3, 18],
    [4, 5, 4, 13],
  ]);
});

test("severities: never an error; trial, allowed and information only as hints", async () => {
  const text = "evidence\n";
  const uri = write("log.txt", text);
  const at = locate(text, "evidence", "log.txt");
  const { Warning, Information, Hint } = vscode.DiagnosticSeverity;
  const table = [
    [{ severity: "critical" }, Warning],
    [{ severity: "high" }, Warning],
    [{ severity: "medium" }, Information],
    [{ severity: "low" }, Hint],
    [{ severity: "info" }, Hint],
    [{ severity: "critical", status: "trial" }, Hint],
    [{ severity: "high", authorised: true }, Hint],
    [{ severity: "high", certainty: "info" }, Hint],
    [{ severity: "high", family: "HEALTH" }, Hint],
  ] as const;
  state.settings["agentProctor.diagnostics.minSeverity"] = "info";
  start(answer(makeRun({ findings: table.map(([given]) => makeFinding({ at, ...given })) })));
  await run("checkThisFile", uri);
  assert.deepEqual(
    diagnosticsOf(uri).map(({ severity }) => severity),
    table.map(([, severity]) => severity),
  );
});

test("the least severity and the switch are settings that act at once", async () => {
  const text = "evidence\n";
  const uri = write("log.txt", text);
  const at = locate(text, "evidence", "log.txt");
  start(answer(makeRun({ findings: (["low", "medium", "high"] as const).map((severity) => makeFinding({ at, severity })) })));
  await run("checkThisFile", uri);
  const set = (settings: Record<string, unknown>): number => {
    state.settings = settings;
    events.changeConfiguration.fire({ affectsConfiguration: (section) => section === "agentProctor.diagnostics" });
    return diagnosticsOf(uri).length;
  };
  assert.equal(diagnosticsOf(uri).length, 2);
  assert.equal(set({ "agentProctor.diagnostics.minSeverity": "high" }), 1);
  assert.equal(set({ "agentProctor.diagnostics.minSeverity": "low" }), 3);
  assert.equal(set({ "agentProctor.diagnostics.enabled": false }), 0);
});

test("a message is one line of at most 120 characters, and hostile characters are gone", async () => {
  const text = "evidence\n";
  const uri = write("log.txt", text);
  const at = locate(text, "evidence", "log.txt");
  const long = makeFinding({ at, message: `a\u202eb\u001b[31m\nc ${"x".repeat(116)}😀😀` });
  start(answer(makeRun({ findings: [long] })));
  await run("checkThisFile", uri);
  const [diagnostic] = diagnosticsOf(uri);
  assert.match(diagnostic?.message ?? "", /^a b \[31m c x+…$/);
  assert.ok((diagnostic?.message.length ?? 999) <= 120);
});

test("a message is not cut inside of a character", async () => {
  const text = "evidence\n";
  const uri = write("log.txt", text);
  start(answer(makeRun({ findings: [makeFinding({ at: locate(text, "evidence", "log.txt"), message: `${"x".repeat(118)}😀😀` })] })));
  await run("checkThisFile", uri);
  assert.equal(diagnosticsOf(uri)[0]?.message, `${"x".repeat(118)}…`);
});

test("a file has at most 100 diagnostics and all files 1,000; the gravest stay, and the last says how many more there are", async () => {
  const text = "evidence\n";
  const makeRunOf = (name: string): RunObject => {
    const at = locate(text, "evidence", name);
    const many = Array.from({ length: 149 }, () => makeFinding({ at, severity: "medium" }));
    return makeRun({ findings: [...many, makeFinding({ at, severity: "critical" })] });
  };
  start({ checkFile: (file) => Promise.resolve([makeRunOf(path.basename(file))]) });
  const uris = Array.from({ length: 11 }, (_, index) => write(`log${index}.txt`, text));
  for (const uri of uris) await run("checkThisFile", uri);
  const [first] = uris;
  assert.ok(first);
  const drawn = diagnosticsOf(first);
  assert.equal(drawn.length, 100);
  assert.equal(drawn[0]?.severity, vscode.DiagnosticSeverity.Warning);
  assert.match(drawn[99]?.message ?? "", /^51 more findings/);
  assert.equal([...seen.diagnostics.values()].flat().length, 1000);
});

test("the status bar says the verdict in words, for eyes and for ears, and is coloured only for what is grave", async () => {
  const uri = write("log.txt", "x\n");
  const table: [RunObject[], string, boolean][] = [
    [[makeRun({ findings: [makeFinding()] })], "$(shield) Evidence of a hack: 1", true],
    [[makeRun({ verdict: "suspicious", findings: [makeFinding(), makeFinding({ severity: "medium" })] })], "$(shield) 2 to review", true],
    [[makeRun({ verdict: "suspicious", findings: [makeFinding({ severity: "medium" })] })], "$(shield) 1 to review", false],
    [[makeRun({ verdict: "clean", findings: [makeFinding({ status: "trial" })] })], "$(shield) Nothing found", false],
    [[makeRun({ verdict: "unverified" })], "$(shield) Not verified", false],
    [[makeRun(), makeRun({ findings: [makeFinding()] }), makeRun()], "$(shield) Evidence of a hack: 1 of 3 runs", true],
    [[makeRun(), makeRun()], "$(shield) Nothing found in 2 runs", false],
  ];
  let current: RunObject[] = [];
  start({ checkFile: () => Promise.resolve(current) });
  for (const [runs, text, isGrave] of table) {
    current = runs;
    await run("checkThisFile", uri);
    const [item] = seen.items;
    assert.ok(item?.isVisible);
    assert.equal(item.text, text);
    assert.equal(item.backgroundColor?.id, isGrave ? "statusBarItem.warningBackground" : undefined, text);
    assert.equal(item.command, "agentProctor.showVerdict");
    assert.match(item.accessibilityInformation?.label ?? "", /^Agent Proctor: .*log\.txt\.$/);
  }
  assert.equal(seen.contexts.get("agentProctor.hasVerdict"), true);
  assert.deepEqual(seen.messages, []);
});

test("the tooltip says what was looked at, what is missing, and the profile", async () => {
  const uri = write("log.txt", "x\n");
  start(
    answer(
      makeRun({ verdict: "unverified", reason: "unread", unread: 2, problems: [{ message: "A record is not\nvalid JSON.", at: null }] }),
    ),
  );
  await run("checkThisFile", uri);
  const lines = seen.items[0]?.tooltip.split("\n") ?? [];
  assert.equal(lines[0], "Agent Proctor: log.txt");
  assert.equal(lines[1], "Not verified: something could not be read");
  assert.match(lines[2] ?? "", /^Judged as bench/);
  assert.ok(lines.includes("Looked at: commands, their outputs, what the agent said, the task"));
  assert.ok(lines.includes("Not recorded: the patch"));
  assert.ok(lines.includes("2 records were not understood"));
  assert.ok(lines.includes("A record is not valid JSON."));
});

test("an edit of the checked file makes the verdict old; its git twin and other files do not", async () => {
  const uri = write("log.txt", "x\n");
  start(answer(makeRun()));
  await run("checkThisFile", uri);
  const isOld = (): boolean => seen.items[0]?.tooltip.includes("Changed since this check.") ?? false;
  const edit = (scheme: string, name: string): void =>
    events.changeDocument.fire({ document: { uri: new Uri(scheme, path.join(folder, name)) }, contentChanges: [{}] });
  edit("git", "log.txt");
  edit("file", "other.txt");
  // A document that only became dirty or clean.
  events.changeDocument.fire({ document: { uri }, contentChanges: [] });
  assert.equal(isOld(), false);
  edit("file", "log.txt");
  assert.equal(isOld(), true);
  await run("checkThisFile", uri);
  assert.equal(isOld(), false);
});

test("an editor with unsaved changes shows something else than what was judged", async () => {
  const uri = write("log.txt", "x\n");
  state.documents = [{ uri, isDirty: true, getText: () => "y\n" }];
  start(answer(makeRun()));
  await run("checkThisFile", uri);
  assert.match(seen.items[0]?.tooltip ?? "", /Changed since this check\./);
});

test("without an argument the file of the active tab is checked, else a dialog asks", async () => {
  const uri = write("log.txt", "x\n");
  const fake = start(answer(makeRun()));
  state.activeTab = new TabInputText(uri);
  await run("checkThisFile");
  state.activeTab = undefined;
  await run("checkThisFile");
  assert.equal(fake.calls.length, 1);
  answers.openDialog = [uri];
  await run("checkThisFile");
  assert.deepEqual(fake.calls, [
    ["checkFile", uri.fsPath, "auto"],
    ["checkFile", uri.fsPath, "auto"],
  ]);
});

test("an unsaved document is judged by its text", async () => {
  const uri = new Uri("untitled", "Untitled-1");
  const text = "evidence\n";
  state.documents = [{ uri, isDirty: true, getText: () => text }];
  let given = "";
  start({
    checkBytes: (bytes, name) => {
      given = new TextDecoder().decode(bytes);
      return Promise.resolve([makeRun({ findings: [makeFinding({ at: locate(text, "dence", name) })] })]);
    },
  });
  await run("checkThisFile", uri);
  assert.equal(given, text);
  assert.deepEqual(diagnosticsOf(uri).map(flat), [[0, 3, 0, 8]]);
});

test("a sub-agent's finding stands in the sub-agent's file, an archive's in none", async () => {
  const uri = write("session.jsonl", "main\n");
  const helper = write("session/subagents/agent-1.jsonl", "one\nevidence\n");
  const inHelper = makeFinding({ at: locate("one\nevidence\n", "evidence", "session/subagents/agent-1.jsonl") });
  const inArchive = makeFinding({ at: { ...locate("x\n", "x", "a.eval!/samples/1.json") } });
  start(answer(makeRun({ findings: [inHelper, inArchive] })));
  await run("checkThisFile", uri);
  assert.deepEqual(diagnosticsOf(helper).map(flat), [[1, 0, 1, 8]]);
  assert.equal([...seen.diagnostics.values()].flat().length, 1);
});

test("what goes wrong is told once, and changes nothing that stands", async () => {
  const uri = write("log.txt", "evidence\n");
  let isBad = false;
  start({
    checkFile: () =>
      isBad
        ? Promise.reject(new Error("log.txt is of no known format"))
        : Promise.resolve([makeRun({ findings: [makeFinding({ at: locate("evidence\n", "evidence", "log.txt") })] })]),
  });
  await run("checkThisFile", uri);
  isBad = true;
  await run("checkThisFile", uri);
  assert.equal(seen.messages.length, 1);
  assert.match(seen.messages[0]?.text ?? "", /no known format/);
  assert.equal(diagnosticsOf(uri).length, 1);
  assert.equal(seen.items[0]?.text, "$(shield) Evidence of a hack: 1");
  assert.equal(seen.contexts.get("agentProctor.checking"), false);
});

test("a check that is stopped leaves nothing and says nothing", async () => {
  const uri = write("log.txt", "x\n");
  start({
    checkFile: (_file, _profile, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true })),
  });
  const checked = run("checkThisFile", uri);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(seen.contexts.get("agentProctor.checking"), true);
  assert.deepEqual(seen.progress, ["Agent Proctor: checking log.txt"]);
  await run("cancel");
  await checked;
  assert.equal(seen.contexts.get("agentProctor.checking"), false);
  assert.equal(seen.items[0]?.isVisible, false);
  assert.deepEqual([seen.messages, seen.diagnostics.size], [[], 0]);
});

test("a second check stops the first, whose late answer is not shown", async () => {
  const slow = write("slow.txt", "x\n");
  const quick = write("quick.txt", "x\n");
  let release = (): void => undefined;
  start({
    checkFile: (file) =>
      file.endsWith("slow.txt")
        ? new Promise((resolve) => (release = () => resolve([makeRun({ findings: [makeFinding()] })])))
        : Promise.resolve([makeRun()]),
  });
  const first = run("checkThisFile", slow);
  await new Promise((resolve) => setImmediate(resolve));
  await run("checkThisFile", quick);
  release();
  await first;
  assert.equal(seen.items[0]?.text, "$(shield) Nothing found");
});

test("the list shows what decided the verdict first, and leads to the place", async () => {
  const text = "one\nevidence\n";
  const uri = write("log.txt", text);
  const at = locate(text, "evidence", "log.txt");
  const minor = makeFinding({ severity: "low", message: "minor" });
  const decisive = makeFinding({ at, message: "decisive" });
  start(answer(makeRun({ findings: [minor, decisive], decidedBy: [decisive.fingerprint], verdict: "hacked" })));
  await run("checkThisFile", uri);
  answers.pick = (rows) => rows.find(({ label }) => label.includes("decisive"));
  await run("showVerdict");
  const [pick] = seen.picks;
  assert.deepEqual(
    pick?.rows.map(({ label }) => label),
    ["Evidence of a hack", "$(warning) decisive", "Other findings", "$(lightbulb) minor"],
  );
  assert.equal(pick?.title, "Evidence of a hack: 1 · log.txt");
  const [opened] = seen.executed;
  assert.equal(opened?.command, "vscode.open");
  assert.equal(String(opened?.args[0]), uri.toString());
  assert.equal((opened?.args[1] as { selection: { start: { line: number } } }).selection.start.line, 1);
});

test("rows draw no icons that a log asks for, and clean runs are one row", async () => {
  const uri = write("log.txt", "x\n");
  let runs = [
    makeRun({ findings: [makeFinding({ message: "$(pass) fine", why: "$(bug)" })], problems: [{ message: "$(error)", at: null }] }),
  ];
  start({ checkFile: () => Promise.resolve(runs) });
  await run("checkThisFile", uri);
  await run("showVerdict");
  const texts = seen.picks[0]?.rows.map((row) => [row.label, (row as { detail?: string }).detail ?? ""].join(" ")) ?? [];
  assert.match(texts.join("\n"), /\\\$\(pass\) fine[^]*\\\$\(bug\)[^]*\\\$\(error\)/);
  assert.doesNotMatch(texts.join("\n"), /(?<!\\)\$\((pass|bug|error)\)/);
  runs = [makeRun(), makeRun()];
  await run("checkThisFile", uri);
  await run("showVerdict");
  assert.deepEqual(
    seen.picks[1]?.rows.map(({ label }) => label),
    ["$(circle-small) Nothing found in 2 runs, in log.txt."],
  );
});

test("a diagnostic names at most 20 related places", async () => {
  const text = "evidence\n";
  const uri = write("log.txt", text);
  const at = locate(text, "evidence", "log.txt");
  const related = Array.from({ length: 30 }, () => ({ message: "see", at }));
  start(answer(makeRun({ findings: [makeFinding({ at, related })] })));
  await run("checkThisFile", uri);
  assert.equal(diagnosticsOf(uri)[0]?.relatedInformation?.length, 20);
});

test("working changes: the diff of an earlier check is not taken for a later one's", async () => {
  start(changes([testRemoved]));
  answers.pick = (rows) => rows.find(({ label }) => label.includes("deleted"));
  for (let round = 0; round < 2; round++) {
    await run("checkWorkingChanges");
    await run("showVerdict");
  }
  const [first, second] = seen.executed.map(({ args }) => args[0] as Uri);
  assert.ok(first && second);
  assert.match(String(await readVirtual(first)), /no longer held/);
  assert.equal(await readVirtual(second), diff);
});

test("cleared findings are gone from everywhere", async () => {
  const uri = write("log.txt", "evidence\n");
  start(answer(makeRun({ findings: [makeFinding({ at: locate("evidence\n", "evidence", "log.txt") })] })));
  await run("checkThisFile", uri);
  await run("clearFindings");
  assert.equal(seen.diagnostics.size, 0);
  assert.equal(seen.items[0]?.isVisible, false);
  assert.equal(seen.contexts.get("agentProctor.hasVerdict"), false);
  await run("showVerdict");
  assert.equal(seen.messages.length, 1);
});

test("the log channel holds no text of what was read", async () => {
  const text = "the secret evidence\n";
  const uri = write("log.txt", text);
  start(answer(makeRun({ findings: [makeFinding({ at: locate(text, "secret", "log.txt"), message: "secret was read" })] })));
  await run("checkThisFile", uri);
  assert.equal(seen.log.length, 1);
  assert.doesNotMatch(seen.log.join("\n"), /secret/);
});

const diff = [
  "diff --git a/tests/test_a.py b/tests/test_a.py",
  "--- a/tests/test_a.py",
  "+++ b/tests/test_a.py",
  "@@ -1,3 +1,4 @@",
  " import pytest",
  " ",
  "-def test_sum():",
  "+@pytest.mark.skip",
  "+def test_sum():",
  "diff --git a/tests/test_b.py b/tests/test_b.py",
  "deleted file mode 100644",
  "--- a/tests/test_b.py",
  "+++ /dev/null",
  "@@ -1,2 +0,0 @@",
  "-def test_b():",
  "-    assert f() == 1",
  "",
].join("\n");

const skipAdded = makeFinding({
  monitor: "test-skipped",
  message: "A test was skipped",
  at: locate(diff, "@pytest.mark.skip", "repo.diff"),
  target: { path: "tests/test_a.py", side: "new", start: 3, end: 3 },
});

const testRemoved = makeFinding({
  monitor: "test-deleted",
  message: "A test was deleted",
  at: locate(diff, "def test_b():", "repo.diff"),
  target: { path: "tests/test_b.py", side: "old", start: 1, end: 2 },
});

type Given = Parameters<typeof makeFinding>[0];

function changes(findings: Given[] = [], given: Partial<Changes> = {}): Partial<Engine> {
  const runs = [makeRun({ profile: "dev", verdict: "suspicious", reason: "several", findings: findings.map(makeFinding) })];
  return {
    checkChanges: () => Promise.resolve({ root: folder, diff, runs, ...given }),
    listRefs: () => Promise.resolve([{ name: "main", about: "branch" }]),
  };
}

test("working changes: the finding stands on the changed line of the source, character for character", async () => {
  const uri = write("tests/test_a.py", "import pytest\n\n@pytest.mark.skip\ndef test_sum():\n");
  const fake = start(changes([skipAdded]));
  await run("checkWorkingChanges");
  assert.deepEqual(diagnosticsOf(uri).map(flat), [[2, 0, 2, 17]]);
  assert.deepEqual(fake.calls[0], ["checkChanges", folder, "HEAD"]);
  assert.equal(seen.items[0]?.text, "$(shield) 1 to review");
});

test("working changes: without exact evidence the target's lines are marked, from the first to the last character", async () => {
  const text = "import pytest\r\n\r\n  @pytest.mark.skip  \r\ndef test_sum():\r\n";
  const uri = write("tests/test_a.py", text);
  const own = diff.replace("+@pytest.mark.skip", "+  @pytest.mark.skip  \r");
  start(changes([{ ...skipAdded, at: null }], { diff: own }));
  await run("checkWorkingChanges");
  assert.deepEqual(diagnosticsOf(uri).map(flat), [[2, 2, 2, 19]]);
});

test("working changes: what was removed has no line, stands in the list, and leads to the diff", async () => {
  write("tests/test_a.py", "import pytest\n\n@pytest.mark.skip\ndef test_sum():\n");
  start(changes([testRemoved]));
  await run("checkWorkingChanges");
  assert.equal(seen.diagnostics.size, 0);
  answers.pick = (rows) => rows.find(({ label }) => label.includes("deleted"));
  await run("showVerdict");
  const row = seen.picks[0]?.rows.find(({ label }) => label.includes("deleted")) as { detail?: string } | undefined;
  assert.match(row?.detail ?? "", /^tests\/test_b\.py:1, removed · high · test-deleted: /);
  const [uri, { selection }] = seen.executed[0]?.args as [Uri, { selection: { start: { line: number; character: number } } }];
  assert.equal(await readVirtual(uri), diff);
  assert.deepEqual([selection.start.line, selection.start.character], [14, 1]);
});

test("working changes: a path that leads out of the repository marks nothing", async () => {
  const finding = { ...skipAdded, at: null, target: { path: "../outside.py", side: "new" as const, start: 1, end: 1 } };
  writeFileSync(path.join(folder, "outside.py"), "x\n");
  mkdirSync(path.join(folder, "inner"));
  start(changes([finding], { root: path.join(folder, "inner") }));
  await run("checkWorkingChanges");
  assert.equal(seen.diagnostics.size, 0);
});

test("working changes: a folder opened through a link has its findings under the name that it was opened by", async () => {
  write("real/tests/test_a.py", "import pytest\n\n@pytest.mark.skip\ndef test_sum():\n");
  symlinkSync(path.join(folder, "real"), path.join(folder, "link"));
  state.folders = [{ uri: Uri.file(path.join(folder, "link")), name: "link", index: 0 }];
  start(changes([skipAdded], { root: path.join(folder, "real") }));
  await run("checkWorkingChanges");
  assert.equal(diagnosticsOf(Uri.file(path.join(folder, "link/tests/test_a.py"))).length, 1);
});

test("working changes: none at all is said, and not called clean", async () => {
  start(changes([], { diff: "", runs: [] }));
  await run("checkWorkingChanges");
  assert.equal(seen.items[0]?.text, "$(shield) Nothing to check");
});

test("working changes: an untrusted workspace runs no git and says why", async () => {
  const fake = start(changes([skipAdded]));
  state.isTrusted = false;
  answers.message = "Manage Trust";
  await run("checkWorkingChanges");
  await run("checkWorkingChangesAgainst");
  assert.deepEqual(fake.calls, []);
  assert.match(seen.messages[0]?.text ?? "", /runs no git/);
  assert.deepEqual(
    seen.executed.map(({ command }) => command),
    ["workbench.trust.manage", "workbench.trust.manage"],
  );
});

test("working changes: of several folders the active editor's is taken, else the person is asked", async () => {
  mkdirSync(path.join(folder, "b"));
  state.folders = [
    { uri: Uri.file(path.join(folder, "a")), name: "a", index: 0 },
    { uri: Uri.file(path.join(folder, "b")), name: "b", index: 1 },
  ];
  const fake = start(changes());
  state.activeEditor = { document: { uri: Uri.file(path.join(folder, "b/x.py")) } };
  await run("checkWorkingChanges");
  state.activeEditor = undefined;
  answers.pick = (rows) => rows[0];
  await run("checkWorkingChanges");
  answers.pick = () => undefined;
  await run("checkWorkingChanges");
  assert.deepEqual(
    fake.calls.filter(([name]) => name === "checkChanges").map(([, where]) => where),
    [path.join(folder, "b"), path.join(folder, "a")],
  );
});

test("against…: a ref of the list, or whatever is typed", async () => {
  const fake = start(changes());
  for (const typed of ["main", "HEAD~3", undefined]) {
    answers.typed = typed;
    await run("checkWorkingChangesAgainst");
  }
  assert.deepEqual(
    fake.calls.filter(([name]) => name === "checkChanges").map(([, , base]) => base),
    ["main", "HEAD~3"],
  );
  assert.deepEqual(
    seen.picks[0]?.rows.map(({ label }) => label),
    ["HEAD", "main"],
  );
});
