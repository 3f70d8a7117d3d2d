/** The engine with its real worker, as it is built, and with real repositories. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { createEngine } from "../../src/vscode/engine";

const engine = createEngine(path.resolve(__dirname, "../.."));
const never = new AbortController().signal;
let folder = "";

before(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "proctor-engine-")));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd, stdio: "pipe" });
}

const toLines = (...lines: object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

test("a recording with two sessions has two runs", async () => {
  const file = write(
    "two.jsonl",
    toLines(
      { type: "session", version: 1 },
      { type: "command", command: "ls", output: "a", exit: 0 },
      { type: "session", version: 1 },
      { type: "message", actor: "agent", text: "done" },
    ),
  );
  const runs = await engine.checkFile(file, "auto", never);
  assert.deepEqual(
    runs.map(({ file: name, format }) => [name, format]),
    [
      ["two.jsonl", "recording"],
      ["two.jsonl", "recording"],
    ],
  );
});

test("the profile that was asked for is used", async () => {
  const file = write("one.jsonl", toLines({ type: "command", command: "ls", output: "a", exit: 0 }));
  for (const profile of ["bench", "dev"] as const) {
    const [run] = await engine.checkFile(file, profile, never);
    assert.deepEqual([run?.profile, run?.profileReason], [profile, "chosen"]);
  }
});

test("a file of no known format is refused with what was looked for; a missing one with what is the matter", async () => {
  const prose = write("prose.txt", "Once upon a time\n");
  await assert.rejects(engine.checkFile(prose, "auto", never), /^Error: no known format\. Looked for: .*recording.*swe-agent/);
  await assert.rejects(engine.checkFile(path.join(folder, "none.jsonl"), "auto", never), /there is no such file|ENOENT/);
});

test("what stands in memory is judged like what stands on the disk", async () => {
  const text = toLines({ type: "command", command: "ls", output: "a", exit: 0 });
  const file = write("same.jsonl", text);
  const onDisk = await engine.checkFile(file, "auto", never);
  const inMemory = await engine.checkBytes(new TextEncoder().encode(text), "same.jsonl", "auto", never);
  assert.deepEqual(inMemory, onDisk);
});

test("a session's sub-agents are read with it, and named from its folder, also through a link", async () => {
  const record = (uuid: string, text: string): object => ({
    type: "assistant",
    uuid,
    sessionId: "s",
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "assistant", content: [{ type: "text", text }] },
  });
  const file = write("s.jsonl", toLines(record("1", "main")));
  write("s/subagents/agent-x.jsonl", `${toLines(record("2", "helper"))}{broken\n`);
  const link = path.join(folder, "elsewhere.jsonl");
  symlinkSync(file, link);
  const [run] = await engine.checkFile(file, "auto", never);
  assert.deepEqual(
    run?.problems.map(({ at }) => [at?.file, at?.start.line]),
    [["s/subagents/agent-x.jsonl", 2]],
  );
  const [linked] = await engine.checkFile(link, "auto", never);
  assert.equal(linked?.file, "elsewhere.jsonl");
});

test("a check that is stopped ends its worker", async () => {
  const line = JSON.stringify({ type: "command", command: "pytest -q tests", output: "x".repeat(2000), exit: 0 });
  const file = write("large.jsonl", `${line}\n`.repeat(20_000));
  const stop = new AbortController();
  const checked = engine.checkFile(file, "auto", stop.signal);
  setTimeout(() => stop.abort(), 100);
  await assert.rejects(checked, /stopped/);
  await assert.rejects(engine.checkFile(file, "auto", stop.signal), /stopped/);
});

test("changes: the diff from the repository's root, with new files, and none when there are none", async () => {
  const repository = path.join(folder, "repo");
  write("repo/sub/a.py", "one\n");
  git(repository, "init", "-q");
  git(repository, "add", ".");
  git(repository, "commit", "-qm", "first");
  const clean = await engine.checkChanges(path.join(repository, "sub"), "HEAD", never);
  assert.deepEqual(clean, { root: repository, diff: "", runs: [] });
  write("repo/sub/a.py", "two\n");
  write("repo/new.py", "three\n");
  const { root, diff, runs } = await engine.checkChanges(path.join(repository, "sub"), "HEAD", never);
  assert.equal(root, repository);
  assert.match(diff, /^-one\n\+two$/m);
  assert.match(diff, /^\+three$/m);
  assert.deepEqual(
    runs.map(({ id, profile }) => [id, profile]),
    [["working changes", "dev"]],
  );
  git(repository, "add", ".");
  git(repository, "commit", "-qm", "second");
  assert.match((await engine.checkChanges(repository, "HEAD~1", never)).diff, /^\+two$/m);
  await assert.rejects(engine.checkChanges(repository, "no-such", never), /no such revision/);
  git(repository, "tag", "v1");
  const refs = await engine.listRefs(repository);
  assert.ok(refs.some(({ name, about }) => name === "v1" && about.startsWith("tag, ")));
  assert.ok(refs.some(({ about }) => about.startsWith("branch, ")));
});

/** The command line's runs, as JSON. */
function runCli(cwd: string, ...args: string[]): unknown {
  const cli = path.resolve(__dirname, "../../dist/cli.js");
  const stdout = execFileSync(process.execPath, [cli, ...args, "--format", "json", "--fail-on", "never"], { cwd, encoding: "utf8" });
  return (JSON.parse(stdout) as { runs: unknown }).runs;
}

test("the command line gives the same runs, for a file and for working changes", async () => {
  const said = { type: "message", actor: "agent", text: "All 3 tests pass." };
  const ran = { type: "command", command: "pytest -q", output: "1 failed, 2 passed in 0.1s\n", exit: 1 };
  const file = write("claim.jsonl", toLines(ran, said));
  const runs = await engine.checkFile(file, "auto", never);
  assert.ok(runs[0] && runs[0].steps === 2);
  assert.deepEqual(runCli(folder, "scan", file), JSON.parse(JSON.stringify(runs)));
  const repository = path.join(folder, "both");
  write("both/test_a.py", "def test_a():\n    assert f() == 1\n");
  git(repository, "init", "-q");
  git(repository, "add", ".");
  git(repository, "commit", "-qm", "first");
  write("both/test_a.py", "import pytest\n\n@pytest.mark.skip\ndef test_a():\n    assert True\n");
  const changed = await engine.checkChanges(repository, "HEAD", never);
  assert.deepEqual(runCli(repository, "check"), JSON.parse(JSON.stringify(changed.runs)));
});

test("changes: before the first commit everything is new; outside of a repository it is said", async () => {
  const repository = path.join(folder, "fresh");
  write("fresh/a.py", "one\n");
  git(repository, "init", "-q");
  assert.match((await engine.checkChanges(repository, "HEAD", never)).diff, /^\+one$/m);
  await assert.rejects(engine.checkChanges(folder, "HEAD", never), /is in no git repository$/);
});
