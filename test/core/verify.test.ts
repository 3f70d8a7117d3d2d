import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Tools } from "../../src/core/code/syntax";
import type { Monitor, RecordingLine } from "../../src/core/monitor";
import type { Source } from "../../src/core/model";
import { verify, type Result, type Rules } from "../../src/core/verify";
import type { Run } from "../../src/core/read";
import { fromRecord } from "../../src/core/text/text";
import { loadSyntax } from "../../src/node/syntax";
import { sourceOf } from "./source";

let tools: Tools;
before(async () => {
  tools = await loadSyntax();
});

function bytesOf(lines: readonly RecordingLine[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join("\n"));
}

function check(lines: readonly RecordingLine[], run: Partial<Run> = {}, rules?: Rules): Result {
  return verify({ sources: [{ source: sourceOf("run.jsonl", bytesOf(lines)) }], profile: "auto", ...run }, tools, rules);
}

const session: RecordingLine = { type: "session", version: 1, task: { id: "t-1" } };
const act: RecordingLine = { type: "command", command: "ls", output: "a", exit: 0 };

/** A monitor that sees every command; what it does about it is up to the test. */
function monitorOf(change: Partial<Monitor>): Monitor {
  return {
    id: "x",
    title: "X",
    family: "RIG",
    severity: { bench: "critical", dev: "high" },
    status: "stable",
    version: 1,
    why: "Why.",
    next: "Next.",
    falseAlarms: [],
    misses: [],
    references: [],
    messages: { seen: "saw {what}" },
    *check(trajectory) {
      for (const step of trajectory.steps) {
        if (step.action.kind !== "command") continue;
        const text = step.action.command;
        yield {
          message: "seen",
          data: { what: text.value },
          certainty: "certain",
          stage: "effective",
          step: step.number,
          evidence: { text, start: 0, end: text.value.length },
        };
      }
    },
    ...change,
  };
}

test("the profile: a choice wins, then the recording's word, then the format", () => {
  const own = { ...session, profile: "bench" };
  assert.deepEqual(
    [
      check([own, act], { profile: "dev" }).trajectory.profile,
      check([own, act]).trajectory.profile,
      check([session, act]).trajectory.profile,
    ],
    ["dev", "bench", "dev"],
  );
  const diff = new TextEncoder().encode("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n");
  const bare = verify({ sources: [{ source: sourceOf("x.diff", diff) }], profile: "auto" }, tools);
  assert.deepEqual([bare.trajectory.format, bare.trajectory.profile], ["unified-diff", "bench"]);
  assert.notEqual(bare.trajectory.profileReason, "");
});

test("severity follows the profile, and a person's level only lowers it", () => {
  const monitors = [monitorOf({})];
  assert.equal(check([session, act], { profile: "bench" }, { monitors }).findings[0]?.severity, "critical");
  assert.equal(check([session, act], { profile: "dev" }, { monitors }).findings[0]?.severity, "high");
  assert.equal(check([session, act], { profile: "dev" }, { monitors, levels: { x: "critical" } }).findings[0]?.severity, "high");
  assert.equal(check([session, act], { profile: "bench" }, { monitors, levels: { x: "low" } }).findings[0]?.severity, "low");
  assert.equal(check([session, act], {}, { monitors, levels: { x: "off" } }).findings.length, 0);
});

test("a monitor that fails costs itself: the others' findings stand, and the run is not clean", () => {
  const broken = monitorOf({
    id: "broken",
    *check() {
      yield* [];
      throw new Error("no");
    },
  });
  const mild = monitorOf({ id: "mild", severity: { bench: "low", dev: "low" } });
  const result = check([session, act], {}, { monitors: [broken, mild] });
  assert.deepEqual(
    result.findings.map((finding) => finding.monitor),
    ["mild"],
  );
  assert.equal(result.verdict.verdict, "unverified");
  assert.match(result.problems[0]?.message ?? "", /broken failed: no/);
});

test("a monitor that runs away is stopped, and the run says so", () => {
  const many = Array.from({ length: 250 }, (_, i): RecordingLine => ({ type: "command", command: `echo ${i}`, output: "", exit: 0 }));
  const result = check([session, ...many], {}, { monitors: [monitorOf({})] });
  assert.equal(result.findings.length, 100);
  assert.match(result.problems.map((problem) => problem.message).join(), /more than 100 places/);
});

test("over the budget for syntax trees there is no tree, and the run is not clean", () => {
  const greedy = monitorOf({
    *check(_trajectory, kit) {
      for (let i = 0; i < 20; i++) kit.parse("python", " ".repeat(1_000_000), () => 0);
      yield* [];
    },
  });
  const result = check([session, act], {}, { monitors: [greedy] });
  assert.equal(result.problems.filter((problem) => problem.message.includes("MB of code to parse")).length, 1);
  assert.equal(result.verdict.verdict, "unverified");
});

test("the same input gives the same output", () => {
  const lines = [
    { ...session, profile: "bench" },
    { type: "command", command: "git log --all -p; git show HEAD", output: "x", exit: 0 },
    act,
  ];
  assert.equal(JSON.stringify(check(lines).findings), JSON.stringify(check(lines).findings));
});

test("the fingerprint knows monitor, path and evidence, and no position", () => {
  const monitors = [monitorOf({})];
  const [first] = check([session, act], {}, { monitors }).findings;
  const later = check([session, { type: "message", actor: "agent", text: "Hello." }, act], {}, { monitors }).findings[0];
  assert.equal(later?.fingerprint, first?.fingerprint);
  assert.notEqual(later?.at?.start.byte, first?.at?.start.byte);
  const other = check([session, { ...act, command: "pwd" }], {}, { monitors }).findings[0];
  assert.notEqual(other?.fingerprint, first?.fingerprint);
  assert.match(first?.fingerprint ?? "", /^[0-9a-f]{16}$/);
});

test("a finding names the part of the message that it was read from", () => {
  const result = check([session, act], {}, { monitors: [monitorOf({})] });
  const part = result.findings[0]?.message_part;
  assert.ok(part);
  const text = result.trajectory.messages[part.message]?.parts[part.part]?.text.value;
  assert.equal(text?.slice(part.start, part.end), "ls");
});

test("a hostile name in a message: no control characters, no text direction, not endless", () => {
  const evil = `ls \u001b[31m\u202egpj.exe\n${"x".repeat(500)}`;
  const message = check([session, { ...act, command: evil }], {}, { monitors: [monitorOf({})] }).findings[0]?.message ?? "";
  assert.doesNotMatch(message, /[\u0000-\u001f\u202a-\u202e]/);
  assert.ok(message.length < 200);
});

test("nothing, and nothing known", () => {
  const empty = verify({ sources: [{ source: sourceOf("a.jsonl", new Uint8Array()) }], profile: "auto" }, tools);
  assert.deepEqual([empty.verdict.verdict, empty.problems[0]?.message], ["unverified", "The file is empty."]);
  const unknown = verify({ sources: [{ source: sourceOf("a.txt", new TextEncoder().encode("hello")) }], profile: "auto" }, tools);
  assert.equal(unknown.verdict.verdict, "unverified");
  assert.match(unknown.problems[0]?.message ?? "", /No known format/);
  assert.equal(check([session]).verdict.verdict, "unverified");
});

test("a broken line costs itself: what stands around it is read, and the run is not clean", () => {
  const bytes = new TextEncoder().encode(`${JSON.stringify(session)}\n{"type":"command","comm\n${JSON.stringify(act)}\n`);
  const result = verify({ sources: [{ source: sourceOf("a.jsonl", bytes), adapter: "recording" }], profile: "auto" }, tools);
  assert.equal(result.trajectory.steps.filter((step) => step.action.kind === "command").length, 1);
  assert.equal(result.verdict.verdict, "unverified");
  assert.equal(result.problems[0]?.at?.start.line, 2);
});

test("a log of more steps than can be held is read up to there, and says so", () => {
  const many = `${JSON.stringify(session)}\n${'{"type":"read","path":"a"}\n'.repeat(251_000)}`;
  const run: Run = { sources: [{ source: sourceOf("a.jsonl", new TextEncoder().encode(many)), adapter: "recording" }], profile: "auto" };
  const result = verify(run, tools, { monitors: [] });
  assert.equal(result.trajectory.steps.length, 250_000);
  assert.match(result.problems[0]?.message ?? "", /more than 250000 steps/);
  assert.equal(result.verdict.verdict, "unverified");
});

test("a patch from elsewhere is the run's patch, and its findings stand in that file", () => {
  const diff =
    "diff --git a/tests/test_a.py b/tests/test_a.py\n--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -1,2 +1,3 @@\n \n+@pytest.mark.skip\n def test_a():\n";
  const raw = new TextEncoder().encode(JSON.stringify({ "t-1": { model_patch: diff } }));
  const source: Source = sourceOf("preds.json", raw);
  const patch = fromRecord(diff, { source, start: 0, end: raw.length, line: 1 }, ["t-1", "model_patch"]);
  const result = check([session, act], { patch, profile: "bench" });
  const [finding] = result.findings;
  assert.deepEqual([finding?.monitor, finding?.at?.file, finding?.at?.text], ["test-skipped", "preds.json", "@pytest.mark.skip"]);
});

test("a sub-agent's log is merged by time, and keeps its name", () => {
  const main = bytesOf([session, { ...act, time: "2024-05-01T10:00:00Z" }, { ...act, command: "pwd", time: "2024-05-01T10:00:09Z" }]);
  const helper = bytesOf([{ ...act, command: "whoami", time: "2024-05-01T10:00:05Z" }]);
  const run: Run = {
    sources: [
      { source: sourceOf("a.jsonl", main), adapter: "recording" },
      { source: sourceOf("b.jsonl", helper), adapter: "recording", by: "helper" },
    ],
    profile: "auto",
  };
  const { steps } = verify(run, tools).trajectory;
  const commands = steps.flatMap((step) => (step.action.kind === "command" ? [[step.action.command.value, step.by]] : []));
  assert.deepEqual(commands, [
    ["ls", undefined],
    ["whoami", "helper"],
    ["pwd", undefined],
  ]);
  assert.deepEqual(
    steps.map((step) => step.number),
    steps.map((_, i) => i + 1),
  );
});
