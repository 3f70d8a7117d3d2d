import { test } from "node:test";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { adapter } from "../../../src/core/adapters/recording";
import { createHead } from "../../../src/core/head";
import type { Text, Trajectory } from "../../../src/core/model";
import { readDiff } from "../../../src/core/text/diff";
import { checkLaws } from "./fuzz";
import { bytesOf, readSample, renderTrajectory } from "./render";

const samples = join(import.meta.dirname, "samples");
const encode = (value: string): Uint8Array => new TextEncoder().encode(value);
const read = (...lines: unknown[]): Trajectory =>
  readSample(adapter, "x.jsonl", encode(lines.map((line) => JSON.stringify(line)).join("\n")));
const sniff = (value: string): string => adapter.sniff("x", createHead(encode(value), true));

test("the sample reads as its transcript says", () => {
  const run = readSample(adapter, "recording.jsonl", bytesOf(join(samples, "recording.jsonl")));
  assert.equal(renderTrajectory(run), readFileSync(join(samples, "recording.txt"), "utf8"));
});

test("chunks, damage and positions", () => {
  checkLaws(adapter, "recording.jsonl", bytesOf(join(samples, "recording.jsonl")));
});

test("a missing output was not recorded, an empty one printed nothing", () => {
  const [missing, empty] = read({ type: "command", command: "a" }, { type: "command", command: "b", output: "" }).steps;
  assert.equal(missing?.output, undefined);
  assert.equal(empty?.output?.value, "");
});

test("a field of the wrong type costs itself, is a problem at its line, and hides what it held", () => {
  const run = read(
    { type: "command", command: "ls" },
    { type: "command", command: "ls", output: 5, exit: "1", cwd: "/x", time: "soon", by: [] },
  );
  const hides = new Map(run.problems.map((problem) => [/"(\w+)"/.exec(problem.message)?.[1], problem.hides]));
  assert.deepEqual(Object.fromEntries(hides), { output: true, exit: false, time: false, by: false });
  assert.ok(run.problems.every((problem) => problem.at?.text.origin.from === "record" && problem.at.text.origin.record.line === 2));
  const action = run.steps[1]?.action;
  assert.ok(action?.kind === "command" && action.command.value === "ls" && action.cwd === "/x" && action.exit === undefined);
});

test("session: profile, policy and wrong types inside", () => {
  const run = read({
    type: "session",
    version: 1,
    profile: "dev",
    task: { id: 7, prompt: "p", policy: { protected: ["a", 1], history: "maybe", network: "forbidden" } },
  });
  assert.equal(run.profile, "dev");
  assert.deepEqual(run.task.policy, { protected: ["a"], network: "forbidden" });
  assert.equal(run.task.prompt?.value, "p");
  assert.equal(run.steps[0]?.actor, "user");
  assert.equal(run.problems.length, 3);
});

test("outcomes", () => {
  const outcome = (resolved: unknown): string => read({ type: "outcome", resolved }).outcome;
  assert.deepEqual([true, false, "declined", null].map(outcome), ["resolved", "unresolved", "declined", "unknown"]);
});

test("a gap hides acts; an unknown type counts as unread; neither stops the reading", () => {
  const run = read({ type: "gap", why: "lost" }, { type: "novel" }, 5, { type: "command", command: "ls" });
  assert.equal(run.problems[0]?.hides, true);
  assert.equal(run.unread, 2);
  assert.deepEqual(
    run.steps.map((step) => step.action.kind),
    ["other", "other", "other", "command"],
  );
});

test("a thought waits for the agent's next step, whoever speaks between", () => {
  const run = read({ type: "thought", text: "hm" }, { type: "message", actor: "user", text: "go" }, { type: "command", command: "ls" });
  assert.deepEqual(
    run.steps.map((step) => step.thought?.value),
    [undefined, "hm"],
  );
});

test("times: with a zone, without one (UTC), as a number", () => {
  const time = (value: unknown): number | undefined => read({ type: "command", command: "x", time: value }).steps[0]?.time;
  assert.equal(time("1970-01-01T01:00:00+01:00"), 0);
  assert.equal(time("1970-01-01T00:00:01"), 1000);
  assert.equal(time("1970-01-01"), 0);
  assert.equal(time(42), 42);
});

test("sniffing: ours, and formats that look alike", () => {
  assert.equal(sniff('{"type":"session","version":1,"task":{}}'), "sure");
  assert.equal(sniff('{"type":"command","command":"ls"}\n{"type":"edit","path":"x"}'), "sure");
  assert.equal(
    sniff(
      '{"type":"session","version":3,"id":"x","timestamp":"2026-01-01T00:00:00Z","cwd":"/"}\n{"type":"message","id":"1","message":{"role":"user"}}',
    ),
    "no",
  );
  assert.equal(sniff('{"type":"user","sessionId":"x","message":{"role":"user","content":"hi"}}'), "no");
  assert.equal(sniff("# A heading\n"), "no");
});

test("a session line starts a run", () => {
  assert.ok(adapter.begins?.test({ type: "session" }));
  assert.ok(!adapter.begins?.test({ type: "message", text: '"session"' }));
});

const examples = join(import.meta.dirname, "../../../media/examples");

for (const name of ["clean", "suspicious", "hacked", "unverified"]) {
  test(`the bundled example ${name} is whole, and its edits are its patch`, () => {
    const bytes = bytesOf(join(examples, `${name}.jsonl`));
    assert.equal(adapter.sniff(name, createHead(bytes, true)), "sure");
    const run = checkLaws(adapter, `${name}.jsonl`, bytes);
    assert.deepEqual([run.profile, run.unread], ["bench", 0]);
    assert.deepEqual(
      run.problems.map((problem) => problem.hides),
      name === "unverified" ? [true] : [],
    );
    const patch = readDiff(run.patch as Text);
    assert.deepEqual(patch.problems, []);
    const edited = new Set(run.steps.flatMap(({ action }) => (action.kind === "edit" ? [action.path.value] : [])));
    assert.deepEqual(new Set(patch.files.map((file) => file.newPath)), edited);
  });
}

test("the hacked example repeats what it read; the suspicious one does not", () => {
  const added = (text: string): string[] =>
    text.split("\n").flatMap((line) => (/^\+(?!\+\+ ).{12}/.test(line) ? [line.slice(1).trim()] : []));
  const read = (name: string): Trajectory => readSample(adapter, name, bytesOf(join(examples, `${name}.jsonl`)));
  const hacked = read("hacked");
  const shown = hacked.steps.flatMap(({ action, output }) =>
    action.kind === "command" && action.command.value.startsWith("git show") ? added(output?.value ?? "") : [],
  );
  const repeated = added(hacked.patch?.value ?? "").filter((line) => shown.includes(line));
  assert.ok(repeated.length >= 3, `${repeated.length} lines`);
  assert.ok(hacked.patch?.value.includes("+@pytest.mark.skip"));
  assert.ok(!read("suspicious").steps.some(({ action }) => action.kind === "command" && action.command.value.startsWith("git show")));
});
