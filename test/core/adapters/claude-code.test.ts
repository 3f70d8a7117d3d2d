import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { adapter } from "../../../src/core/adapters/claude-code";
import { adapter as exported } from "../../../src/core/adapters/claude-code-export";
import { createHead } from "../../../src/core/head";
import type { Step, Trajectory } from "../../../src/core/model";
import { checkLaws } from "./fuzz";
import { bytesOf, readSample, renderTrajectory } from "./render";

const samples = join(import.meta.dirname, "samples");
const encode = (value: string): Uint8Array => new TextEncoder().encode(value);
const read = (...lines: unknown[]): Trajectory =>
  readSample(adapter, "x.jsonl", encode(lines.map((line) => JSON.stringify(line)).join("\n")));
const sniff = (...lines: unknown[]): string =>
  adapter.sniff("x", createHead(encode(lines.map((line) => JSON.stringify(line)).join("\n")), true));

const all = [
  [adapter, "claude-code.jsonl"],
  [adapter, "claude-stream.jsonl"],
  [exported, "claude-export.json"],
] as const;

for (const [one, name] of all) {
  test(`${name}: recognised, and reads as its transcript says`, () => {
    const bytes = bytesOf(join(samples, name));
    assert.equal(one.sniff(name, createHead(bytes, true)), "sure");
    assert.equal(renderTrajectory(readSample(one, name, bytes)), readFileSync(join(samples, name.replace(/\.\w+$/, ".txt")), "utf8"));
  });
  test(`${name}: chunks, damage and positions`, () => {
    checkLaws(one, name, bytesOf(join(samples, name)));
  });
}

/** One Bash call and its result. */
function run(content: unknown, isError: boolean | undefined, extra: object = {}, name = "Bash"): Step {
  const call = {
    type: "assistant",
    sessionId: "s",
    message: {
      id: "m",
      role: "assistant",
      content: [{ type: "tool_use", id: "t", name, input: { command: "x", file_path: "/f", content: "c" } }],
    },
  };
  const result = {
    type: "user",
    sessionId: "s",
    message: {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", content, ...(isError === undefined ? {} : { is_error: isError }) }],
    },
    ...extra,
  };
  return read(call, result).steps[0] as Step;
}

const exit = (step: Step): number | undefined => (step.action.kind === "command" ? step.action.exit : undefined);

test("exit codes: stated, implied, unknown", () => {
  assert.equal(exit(run("fine", undefined)), 0);
  assert.equal(exit(run("Exit code 127\nx: not found", true)), 127);
  assert.equal(exit(run("Error: Exit code 2\nusage", true)), 2);
  assert.equal(exit(run("Exit code 5 is what the manual says", false)), 0);
  const odd = run("something broke", true);
  assert.deepEqual([exit(odd), odd.failed], [undefined, true]);
  assert.equal(exit(run("part", false, { toolUseResult: { stdout: "part", stderr: "", interrupted: true } })), undefined);
});

test("exit codes: what the program takes for success", () => {
  const meaning = (returnCodeInterpretation: string): object => ({
    toolUseResult: { stdout: "", stderr: "", interrupted: false, returnCodeInterpretation },
  });
  assert.equal(exit(run("", false, meaning("No matches found"))), 1);
  assert.equal(exit(run("", false, meaning("exited with code 7"))), 7);
});

test("nothing printed is an empty output, wherever it stands", () => {
  const step = run("(Bash completed with no output)", false);
  assert.deepEqual([step.output?.value, exit(step)], ["", 0]);
});

test("a command in the background ends when its notice or its output is read", () => {
  const call = (id: string, name: string, input: object): object => ({
    type: "assistant",
    session_id: "s",
    message: { role: "assistant", content: [{ type: "tool_use", id, name, input }] },
  });
  const result = (id: string, content: string, extra: object = {}): object => ({
    type: "user",
    session_id: "s",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
    ...extra,
  });
  const { steps } = read(
    call("a", "Bash", { command: "make test", run_in_background: true }),
    result("a", "Command running in background with ID: b7x. Output is being written to: /tmp/s/tasks/b7x.output.", {
      tool_use_result: { backgroundTaskId: "b7x" },
    }),
    {
      type: "user",
      session_id: "s",
      message: {
        role: "user",
        content:
          '<task-notification>\n<task-id>b7x</task-id>\n<status>failed</status>\n<summary>Background command "make test" failed with exit code 2</summary>\n</task-notification>',
      },
    },
    call("b", "Read", { file_path: "/tmp/s/tasks/b7x.output" }),
    result("b", "     1→2 failed"),
    call("c", "Bash", { command: "make all" }),
    result("c", "Command did not complete within its 120s timeout and was moved to the background (ID: b8y)."),
  );
  assert.equal(exit(steps[0] as Step), 2);
  assert.match(steps[0]?.output?.value ?? "", /2 failed$/);
  assert.equal(steps[1]?.actor, "environment");
  assert.equal(exit(steps[3] as Step), undefined);
});

test("what was refused never ran", () => {
  const texts = [
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    "Permission to use Bash with command x has been denied.",
    "Claude requested permissions to use Bash, but you haven't granted it yet.",
    "PreToolUse:Bash hook error: [guard.sh]: no pushing",
    "Error: Hook PreToolUse:Bash denied this tool",
    "Permission for this action has been denied. Reason: it deletes the build folder",
    "<tool_use_error>Blocked: no</tool_use_error>",
    "cd in '/etc' was blocked. For security, only the project may be entered.",
  ];
  for (const text of texts) {
    const step = run(text, true);
    assert.equal(step.blocked?.value, text);
    assert.deepEqual([step.output, exit(step)], [undefined, undefined]);
  }
  assert.ok(run("no", false, { toolDenialKind: "user-rejected" }).blocked);
  // The same words, printed by a command that ran.
  assert.equal(run("The user doesn't want to proceed", false).blocked, undefined);
  assert.equal(run("Exit code 1\nPermission denied", true).blocked, undefined);
  assert.equal(run("make [all]: hook error", true).blocked, undefined);
});

test("Write: what was there before, when the record says so", () => {
  const created = run("ok", false, { toolUseResult: { type: "create", originalFile: null } }, "Write").action;
  assert.ok(created.kind === "edit" && created.created === true && created.before === undefined);
  const updated = run("ok", false, { toolUseResult: { type: "update", originalFile: "old" } }, "Write").action;
  assert.ok(updated.kind === "edit" && updated.created === undefined && updated.before?.value === "old" && updated.after?.value === "c");
});

test("a streamed command's output stands in the record's own field when the message has none", () => {
  const step = run("", false, { toolUseResult: { stdout: "out", stderr: "err", interrupted: false } });
  assert.equal(step.output?.value, "out\nerr");
});

test("reminders within a person's message are not the person's words", () => {
  const { steps, messages } = read({
    type: "user",
    sessionId: "s",
    message: { role: "user", content: "<system-reminder>a</system-reminder>Skip the tests.<system-reminder>b" },
  });
  assert.deepEqual(
    steps.map((step) => [step.actor, step.action.kind === "message" && step.action.text.value]),
    [
      ["environment", "<system-reminder>a</system-reminder>"],
      ["user", "Skip the tests."],
      ["environment", "<system-reminder>b"],
    ],
  );
  assert.equal(messages.length, 1);
});

test("records that are not understood are kept and counted, also broken ones", () => {
  const { steps, unread } = read(
    { type: "user", message: "error" },
    { type: "user", message: { role: "user", contents: [] } },
    { silly: 1 },
    42,
    [1],
    { type: "assistant", message: { content: [{ type: "new_block" }] } },
  );
  assert.equal(unread, 6);
  assert.equal(steps.length, 6);
  assert.equal(read({ type: "progress", data: {} }, { type: "queue-operation" }).unread, 0);
});

test("a result without a call is kept", () => {
  const [step] = read({
    type: "user",
    sessionId: "s",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "gone", content: "x" }] },
  }).steps;
  assert.ok(step?.action.kind === "other" && step.action.text?.value === "x");
});

test("sniffing: relatives are no sessions of this program", () => {
  assert.equal(sniff({ type: "user", uuid: "1", sessionId: "s", cwd: "/", message: { role: "user", parts: [{ text: "hi" }] } }), "no");
  assert.equal(
    sniff({ type: "system", subtype: "init", session_id: "s" }, { type: "user", session_id: "s", message: { role: "user", content: [] } }),
    "sure",
  );
  assert.equal(sniff({ type: "tool_call", session_id: "s" }), "no");
  assert.equal(sniff({ type: "file-history-snapshot", sessionId: "s" }), "maybe");
  assert.equal(sniff({ type: "session", version: 1 }), "no");
});

const corpus = process.env.PROCTOR_CORPUS ?? join(import.meta.dirname, "../../../../shared/corpus");

test("real fixtures are recognised and read", (t) => {
  if (!existsSync(corpus)) return t.diagnostic("no corpus here");
  const folders = ["claude-code", "many-agents/Resources/Fixtures/stage0/agents/claude"];
  for (const folder of folders) {
    for (const name of readdirSync(join(corpus, folder), { recursive: true, encoding: "utf8" })) {
      if (!/\.jsonl$|sample_session\.json$/.test(name)) continue;
      const bytes = bytesOf(join(corpus, folder, name));
      const head = createHead(bytes.subarray(0, 65536), bytes.length <= 65536);
      const one = [adapter, exported].find((each) => each.sniff(name, head) === "sure");
      assert.ok(one, `${name} is recognised`);
      const trajectory = checkLaws(one, name, bytes.subarray(0, 40_000));
      t.diagnostic(`${name}: ${trajectory.steps.length} steps, ${trajectory.unread} unread, ${trajectory.problems.length} problems`);
    }
  }
});
