/** Samples of each version, read, compared with transcripts that were checked by hand, and damaged. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { adapter } from "../../../src/core/adapters/mini-swe-agent";
import { fenceStyle, findBlocks, findStyle, tagStyle } from "../../../src/core/adapters/shared/mini-blocks";
import { createHead } from "../../../src/core/head";
import { createLocator } from "../../../src/core/text/locate";
import { spanOf } from "../../../src/core/text/text";
import { checkLaws } from "./fuzz";
import { checkStrangeValues } from "./fuzz-json";
import { bytesOf, readSample, renderTrajectory } from "./render";

const samples = join(__dirname, "samples");
const names = ["mini-1", "mini-2-tools", "mini-2-text", "mini-bare"];
const encoder = new TextEncoder();

for (const name of names) {
  const file = `${name}.traj.json`;
  const bytes = bytesOf(join(samples, file));

  test(`${name}: as checked by hand`, () => {
    assert.equal(renderTrajectory(readSample(adapter, file, bytes)), readFileSync(join(samples, `${name}.txt`), "utf8"));
  });

  test(`${name}: cut, with flipped bytes and strange values`, () => {
    checkLaws(adapter, file, bytes);
    checkStrangeValues(adapter, file, bytes);
  });

  test(`${name}: recognised, whole and by its head`, () => {
    assert.equal(adapter.sniff(file, createHead(bytes, true)), "sure");
    assert.notEqual(adapter.sniff(file, createHead(bytes.subarray(0, 560), false)), "no", "from its first bytes");
  });

  test(`${name}: each command stands in its message`, () => {
    const run = readSample(adapter, file, bytes);
    const locator = createLocator();
    for (const step of run.steps) {
      if (step.action.kind !== "command") continue;
      const part = run.messages[step.message]?.parts[step.part];
      assert.ok(part);
      const range = locator.within(spanOf(step.action.command), part.text);
      assert.ok(range, `step ${step.number}`);
      assert.equal(locator.whole(part.text).slice(range.start, range.end), step.action.command.value);
    }
  });
}

function read(document: unknown, name = "run.traj.json"): ReturnType<typeof readSample> {
  return readSample(adapter, name, encoder.encode(JSON.stringify(document)));
}

function chat(...messages: [role: string, content: string][]): { role: string; content: string }[] {
  return messages.map(([role, content]) => ({ role, content }));
}

const intro = chat(["system", "Answer with ```bash\nyour_command_here\n```"], ["user", "fix it"]);

test("a message that nobody could have run is no act, even as the last one", () => {
  const run = read({ info: {}, messages: [...intro, ...chat(["assistant", "Both.\n```bash\na\n```\n```bash\nb\n```"])] });
  assert.deepEqual(
    run.steps.map((step) => step.action.kind),
    ["message", "message"],
  );
});

test("a single command at the end of a stopped run may have run: it is an act without output", () => {
  const run = read({ info: {}, messages: [...intro, ...chat(["assistant", "```bash\nrm x\n```"])] });
  const last = run.steps.at(-1);
  assert.equal(last?.action.kind, "command");
  assert.equal(last.output, undefined);
  assert.equal(last.mutates, true);
});

test("a result without a command that could be found hides an act", () => {
  const run = read({
    info: {},
    messages: [...intro, ...chat(["assistant", "$$run$$"], ["user", "<returncode>0</returncode>\n<output>\n</output>"])],
  });
  assert.equal(run.unread, 1);
  assert.ok(run.problems.some((problem) => problem.hides));
});

test("the last message is a patch only after a submission", () => {
  const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
  const submit = "```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git diff\n```";
  const body = [...intro, ...chat(["assistant", submit], ["user", diff])];
  assert.equal(read({ info: { exit_status: "Submitted", submission: diff }, messages: body }).patch?.value, diff);
  assert.equal(read({ info: { exit_status: "Submitted", submission: "" }, messages: body }).patch?.value, diff, "from the last message");
  assert.equal(read(body).patch?.value, diff, "a bare list");
  assert.equal(read({ info: { exit_status: "LimitsExceeded", submission: diff }, messages: intro }).patch, undefined);
  assert.equal(read({ info: { exit_status: "KeyError", submission: "'diff --git a/x'" }, messages: intro }).patch, undefined);
  const empty = [...intro, ...chat(["assistant", submit], ["user", ""])];
  assert.equal(read({ info: { exit_status: "Submitted", submission: "" }, messages: empty }).patch?.value, "", "nothing was changed");
  const bare = [...intro, ...chat(["assistant", "```bash\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\n```"], ["user", ""])];
  assert.equal(
    read({ info: { exit_status: "Submitted", submission: "" }, messages: bare }).patch,
    undefined,
    "the work stays in the folder",
  );
});

test("a run that was cut off says so and hides nothing", () => {
  const run = read({ info: { exit_status: "LimitsExceeded", submission: "" }, messages: intro });
  assert.deepEqual(
    run.problems.map((problem) => [problem.message, problem.hides]),
    [["The run was cut off: LimitsExceeded.", false]],
  );
});

test("blocks are those that the harness counts", () => {
  const count = (text: string, style = fenceStyle("bash")): string[] =>
    findBlocks(text, style).map((block) => text.slice(block.from, block.to));
  assert.deepEqual(count("```bash\nls\n```"), ["ls"]);
  assert.deepEqual(count("```bash\n\n  ls \n\n```\n```python\nx\n```"), ["ls"]);
  assert.deepEqual(count("```bash\ncat <<E\n```\nE\n```"), ["cat <<E"], "the first closing fence ends it");
  assert.deepEqual(count("```bash ls```"), [], "nothing behind the language on its line");
  assert.deepEqual(count("```bash\nls"), [], "never closed");
  assert.deepEqual(count("```bash\n\n```"), [""], "an empty one counts");
  assert.deepEqual(count("```bash\n```"), [], "but not without a line");
  assert.deepEqual(count("a ```bash\nx\n``` b ```bash\ny\n```"), ["x", "y"]);
  assert.deepEqual(count("<run>ls\n-l</run><run>", tagStyle("run")), ["ls\n-l"]);
  assert.deepEqual(findStyle("<bash_code>(.*?)</bash_code>", []), tagStyle("bash_code"));
  assert.deepEqual(findStyle("```sh\\s*\\n(.*?)\\n```", []), fenceStyle("sh"));
  assert.deepEqual(findStyle("(a+)+$", ["```mswea_bash_command\n"]), fenceStyle("mswea_bash_command"), "a pattern from a log is never run");
});

test("blocks: the same as the pattern finds, on random texts", () => {
  const piece = fc.constantFrom("```bash", "```", "\n", " ", "ls", "```python", "x", "\t", "\n\n", "bash");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const text = pieces.join("");
      const expected = [...text.matchAll(/```bash\s*\n([\s\S]*?)\n```/g)].map((match) => (match[1] ?? "").trim());
      assert.deepEqual(
        findBlocks(text, fenceStyle("bash")).map((block) => text.slice(block.from, block.to)),
        expected,
      );
    }),
    { numRuns: 3000 },
  );
});

test("a real submission: every message is either run or refused", (t) => {
  const folder = join(process.env["PROCTOR_CORPUS"] ?? join(__dirname, "../../../../shared/corpus"), "swe-bench-verified/trajs");
  if (!existsSync(folder)) return t.diagnostic("The corpus is not here: not compared.");
  let refused = 0;
  let runs = 0;
  for (const id of readdirSync(folder).filter((name) => name.includes("__"))) {
    const bytes = bytesOf(join(folder, id, `${id}.traj.json`));
    const run = readSample(adapter, `${id}.traj.json`, bytes);
    const document = JSON.parse(new TextDecoder().decode(bytes)) as {
      info: { submission: string };
      messages: { role: string; content: string }[];
    };
    const expected = document.messages.filter((message) => message.content.startsWith("Please always provide EXACTLY ONE action")).length;
    const blocked = new Set(run.steps.filter((step) => step.blocked).map((step) => step.message)).size;
    const spoken = run.steps.filter((step) => step.actor === "agent" && step.action.kind === "message").length;
    assert.equal(blocked + spoken, expected, id);
    assert.equal(run.unread, 0, id);
    assert.deepEqual(run.problems, [], id);
    const acts = run.steps.filter((step) => step.action.kind === "command" && !step.blocked);
    assert.equal(acts.length + expected, document.messages.filter((message) => message.role === "assistant").length, id);
    if (run.patch?.total === undefined) assert.equal(run.patch?.value, document.info.submission, id);
    refused += expected;
    runs += expected > 0 ? 1 : 0;
  }
  assert.deepEqual({ refused, runs }, { refused: 684, runs: 290 });
});
