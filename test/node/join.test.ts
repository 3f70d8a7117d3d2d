import assert from "node:assert/strict";
import path from "node:path";
import { test, type TestContext } from "node:test";
import type { Plan } from "../../src/node/plan";
import { mainFile } from "../../src/node/fail-plan";
import { planScan, type ScanPlan } from "../../src/node/scan";
import { diff, makeFolder, quiet, recording, session } from "./folder";

function plan(t: TestContext, files: Record<string, unknown>, ...below: string[]): ScanPlan {
  const folder = makeFolder(t, files);
  return planScan(below.length > 0 ? below.map((name) => path.join(folder, name)) : [folder]);
}

/** A plan in one line: file, id, attempt, outcome, and where its patch is from. */
function write(each: Plan): string {
  const patch = each.prediction ? `${each.prediction.name}#${each.prediction.path.join(".")}` : each.diff?.name;
  return [mainFile(each), each.id, each.attempt, each.outcome, patch].map((value) => value ?? "-").join(" | ");
}

const report = (resolved: boolean): unknown => ({ patch_is_None: false, patch_exists: true, patch_successfully_applied: true, resolved });
const prediction = (id: string, patch: string | null = diff): unknown => ({ instance_id: id, model_name_or_path: "m", model_patch: patch });

test("a submission: trajectories, predictions as a table, and reports by folder", (t) => {
  const { runs, skipped, refused } = plan(t, {
    "trajs/a__b-1/a__b-1.jsonl": quiet,
    "trajs/a__b-2/a__b-2.jsonl": quiet,
    "trajs/preds.json": { "a__b-1": prediction("a__b-1"), "a__b-2": prediction("a__b-2"), "a__b-3": prediction("a__b-3") },
    "logs/a__b-1/report.json": report(true),
    "logs/a__b-3/report.json": { "a__b-3": report(false) },
    "notes.md": "nothing",
  });
  assert.deepEqual(runs.map(write), [
    "trajs/a__b-1/a__b-1.jsonl | a__b-1 | - | resolved | trajs/preds.json#a__b-1",
    "trajs/a__b-2/a__b-2.jsonl | a__b-2 | - | - | trajs/preds.json#a__b-2",
    "trajs/preds.json | a__b-3 | - | unresolved | trajs/preds.json#a__b-3",
  ]);
  assert.deepEqual(skipped, [{ file: "notes.md", why: "no known format" }]);
  assert.deepEqual(refused, []);
});

test("predictions as JSON lines, as a list, and as one row", (t) => {
  const lines = `${JSON.stringify(prediction("a__b-1"))}\n${JSON.stringify(prediction("a__b-2"))}\n`;
  assert.deepEqual(plan(t, { "all_preds.jsonl": lines }).runs.map(write), [
    "all_preds.jsonl | a__b-1 | - | - | all_preds.jsonl#",
    "all_preds.jsonl | a__b-2 | - | - | all_preds.jsonl#",
  ]);
  const list = JSON.stringify([prediction("a__b-1"), prediction("a__b-2")], null, 1);
  assert.deepEqual(plan(t, { "preds.json": list }).runs.map(write), [
    "preds.json | a__b-1 | - | - | preds.json#0",
    "preds.json | a__b-2 | - | - | preds.json#1",
  ]);
  assert.deepEqual(plan(t, { "x.pred": JSON.stringify(prediction("a__b-1"), null, 2) }).runs.map(write), [
    "x.pred | a__b-1 | - | - | x.pred#",
  ]);
  const multi = `${JSON.stringify({ org: "o", repo: "r", number: 7, fix_patch: diff })}\n`;
  assert.deepEqual(plan(t, { "patch.jsonl": multi }).runs.map(write), ["patch.jsonl | o__r-7 | - | - | patch.jsonl#"]);
});

test("a row that cannot be read is counted, the others stand", (t) => {
  const { runs, skipped } = plan(t, { "all_preds.jsonl": `${JSON.stringify(prediction("a__b-1"))}\n{broken\n` });
  assert.equal(runs.length, 1);
  assert.deepEqual(skipped, [{ file: "all_preds.jsonl", why: "1 of its rows cannot be read; the first: line 2: not valid JSON" }]);
});

test("each shape of a report gives outcomes", (t) => {
  const shapes: Record<string, unknown> = {
    "results.json": { resolved: ["a__b-1"], applied: ["a__b-1", "a__b-2"] },
    "closed.json": { no_generation: [], no_logs: [], resolved: ["a__b-1"] },
    "run.json": { resolved_ids: ["a__b-1"], unresolved_ids: ["a__b-2"] },
    "results_summary.json": {
      total: 2,
      instances: [
        { instance_id: "a__b-1", resolved: true },
        { instance_id: "a__b-2", resolved: false },
      ],
    },
    "list.json": [
      { instance_id: "a__b-1", resolved: true },
      { instance_id: "a__b-2", resolved: false },
    ],
    "report.json": { "a__b-1": report(true), "a__b-2": report(false) },
    "plain.json": { "a__b-1": { resolved: true }, "a__b-2": { resolved: false } },
  };
  for (const [name, content] of Object.entries(shapes)) {
    const { runs, skipped } = plan(t, { "a__b-1.jsonl": quiet, "a__b-2.jsonl": quiet, [name]: content });
    assert.deepEqual([name, ...runs.map(({ outcome }) => outcome)], [name, "resolved", "unresolved"]);
    assert.deepEqual(skipped, []);
  }
});

test("what was not evaluated to its end has no outcome", (t) => {
  const { runs } = plan(t, {
    "a__b-1.jsonl": quiet,
    "a__b-2.jsonl": quiet,
    "r.json": { resolved_ids: ["a__b-1"], incomplete_ids: ["a__b-2"], submitted_ids: ["a__b-1", "a__b-2"] },
  });
  assert.deepEqual(
    runs.map(({ outcome }) => outcome),
    ["resolved", undefined],
  );
});

test("two submissions in neighbouring folders are not mixed", (t) => {
  const { runs } = plan(t, {
    "one/trajs/a__b-1.jsonl": quiet,
    "one/logs/a__b-1/report.json": report(true),
    "one/preds.json": { "a__b-1": prediction("a__b-1") },
    "two/trajs/a__b-1.jsonl": quiet,
    "two/logs/a__b-1/report.json": report(false),
    "three/trajs/a__b-1.jsonl": quiet,
    "four/preds.json": { "a__b-1": prediction("a__b-1") },
  });
  assert.deepEqual(runs.map(write), [
    "four/preds.json | a__b-1 | four | - | four/preds.json#a__b-1",
    "one/trajs/a__b-1.jsonl | a__b-1 | one | resolved | one/preds.json#a__b-1",
    "three/trajs/a__b-1.jsonl | a__b-1 | three | - | -",
    "two/trajs/a__b-1.jsonl | a__b-1 | two | unresolved | -",
  ]);
});

test("a submission with patches only keeps out of its neighbour with trajectories", (t) => {
  const { runs } = plan(t, {
    "one/a__b-1.jsonl": quiet,
    "one/preds.json": { "a__b-1": prediction("a__b-1") },
    "two/preds.json": { "a__b-1": prediction("a__b-1", "") },
    "two/results.json": { resolved: ["a__b-1"] },
  });
  assert.deepEqual(runs.map(write), [
    "one/a__b-1.jsonl | a__b-1 | one | - | one/preds.json#a__b-1",
    "two/preds.json | a__b-1 | two | resolved | two/preds.json#a__b-1",
  ]);
});

test("patches of another submission stay its own, even where some of its tasks were tried here", (t) => {
  const { runs } = plan(t, {
    "mine/trajs/a__b-1/a__b-1.jsonl": quiet,
    "mine/trajs/a__b-2/a__b-2.jsonl": quiet,
    "theirs/a__b-1.diff": diff,
    "theirs/a__b-5.diff": diff,
    "theirs/a__b-6.diff": diff,
  });
  assert.deepEqual(runs.map(write), [
    "mine/trajs/a__b-1/a__b-1.jsonl | a__b-1 | mine | - | -",
    "mine/trajs/a__b-2/a__b-2.jsonl | a__b-2 | - | - | -",
    "theirs/a__b-1.diff | a__b-1 | theirs | - | -",
    "theirs/a__b-5.diff | a__b-5 | - | - | -",
    "theirs/a__b-6.diff | a__b-6 | - | - | -",
  ]);
});

test("reports that contradict each other leave the outcome unknown and say so", (t) => {
  const { runs } = plan(t, {
    "trajs/a__b-1.jsonl": quiet,
    "logs/a__b-1/report.json": report(true),
    "results.json": { resolved: [], applied: ["a__b-1"] },
  });
  assert.equal(runs[0]?.outcome, "unknown");
  assert.match(runs[0]?.problems[0] ?? "", /contradict.*logs\/a__b-1\/report\.json says resolved, results\.json says not/);
});

test("attempts are told apart by their folder, else by number", (t) => {
  const folders = plan(t, { "run_1/a__b-1.jsonl": quiet, "run_2/a__b-1.jsonl": quiet });
  assert.deepEqual(
    folders.runs.map(({ attempt }) => attempt),
    ["run_1", "run_2"],
  );
  const beside = plan(t, { "a__b-1.x.jsonl": quiet, "a__b-1.y.jsonl": quiet });
  assert.deepEqual(
    beside.runs.map(({ id, attempt }) => `${id} ${attempt}`),
    ["a__b-1 1", "a__b-1 2"],
  );
});

test("a prediction of several attempts goes to none of them, and is no run either", (t) => {
  const { runs } = plan(t, { "run_1/a__b-1.jsonl": quiet, "run_2/a__b-1.jsonl": quiet, "preds.json": { "a__b-1": prediction("a__b-1") } });
  assert.deepEqual(runs.map(write), ["run_1/a__b-1.jsonl | a__b-1 | run_1 | - | -", "run_2/a__b-1.jsonl | a__b-1 | run_2 | - | -"]);
});

test("the harness's folder holds the patch a second time: one run", (t) => {
  const { runs, skipped } = plan(t, {
    "trajs/a__b-1.jsonl": quiet,
    "logs/a__b-1/patch.diff": diff,
    "logs/a__b-1/report.json": { "a__b-1": report(true) },
    "logs/a__b-2/patch.diff": diff,
    "logs/a__b-2/report.json": { "a__b-2": report(true) },
  });
  assert.deepEqual(runs.map(write), [
    "logs/a__b-2/patch.diff | a__b-2 | - | resolved | -",
    "trajs/a__b-1.jsonl | a__b-1 | - | resolved | logs/a__b-1/patch.diff",
  ]);
  assert.deepEqual(skipped, []);
});

test("ids need not look like SWE-bench's", (t) => {
  const { runs } = plan(t, {
    "trajs/task-7.run.jsonl": quiet,
    "preds.json": { "task-7": prediction("task-7") },
    "eval/task-7/report.json": report(true),
  });
  assert.deepEqual(runs.map(write), ["trajs/task-7.run.jsonl | task-7 | - | resolved | preds.json#task-7"]);
});

test("a file that holds several runs is cut into them", (t) => {
  const first = recording({ ...session, task: { id: "a__b-1" } }, { type: "command", command: "ls" });
  const second = recording(session, { type: "command", command: "pwd" });
  const { runs } = plan(t, { "s.jsonl": first + second + second });
  const [start, middle] = [Buffer.byteLength(first), Buffer.byteLength(first + second)];
  assert.deepEqual(
    runs.map(({ id, attempt, sources }) => [id, attempt, sources[0]?.range]),
    [
      ["a__b-1", undefined, { start: 0, end: start, line: 1 }],
      [undefined, "1", { start, end: middle, line: 3 }],
      [undefined, "2", { start: middle, end: middle + Buffer.byteLength(second), line: 5 }],
    ],
  );
});

test("Claude's sub-agents join their session", (t) => {
  const line = (id: string): string =>
    `${JSON.stringify({ type: "user", uuid: id, parentUuid: null, sessionId: "s1", cwd: "/r", isSidechain: false, timestamp: "2026-01-01T00:00:00.000Z", version: "2", message: { role: "user", content: "hi" } })}\n`;
  const { runs } = plan(t, {
    "p/s1.jsonl": line("u1"),
    "p/s1/subagents/agent-7.jsonl": line("u2"),
    "p/s2/subagents/agent-8.jsonl": line("u3"),
  });
  assert.deepEqual(
    runs.map(({ sources }) => sources.map(({ name, by }) => `${name} ${by ?? "main"}`)),
    [["p/s1.jsonl main", "p/s1/subagents/agent-7.jsonl agent-7"], ["p/s2/subagents/agent-8.jsonl main"]],
  );
});

test("PATHs that hold only predictions or reports serve the others", (t) => {
  const files = { "t/a__b-1.jsonl": quiet, "x/preds.json": { "a__b-1": prediction("a__b-1") }, "y/results.json": { resolved: ["a__b-1"] } };
  const { runs, refused } = plan(t, files, "t", "x/preds.json", "y/results.json");
  assert.deepEqual(runs.map(write), ["a__b-1.jsonl | a__b-1 | - | resolved | preds.json#a__b-1"]);
  assert.deepEqual(refused, []);
});

test("broken and empty files are passed over with a reason", (t) => {
  const folder = {
    "results.json": '{"resolved":["a__b-1",],}',
    "empty.traj": "",
    "a.bin": new Uint8Array([0, 1, 2, 0]),
    "x.eval": new Uint8Array([0x50, 0x4b, 3, 4, 0]),
    "a__b-1.jsonl": quiet,
  };
  const { skipped } = plan(t, folder);
  assert.deepEqual(skipped, [
    { file: "a.bin", why: "binary" },
    { file: "empty.traj", why: "empty" },
    { file: "results.json", why: "not valid JSON, though its name is that of predictions or of a report" },
    { file: "x.eval", why: "an archive, which cannot be read yet" },
  ]);
});

test("a large report with a trailing comma is passed over with a reason", (t) => {
  const ids = Array.from({ length: 8000 }, (_, i) => `"a__b-${i}"`).join(",");
  const { skipped } = plan(t, { "a__b-1.jsonl": quiet, "results.json": `{"applied":[${ids}],"resolved":[${ids},]}` });
  assert.equal(skipped.length, 1);
  assert.match(skipped[0]?.why ?? "", /not valid JSON/);
});

test("a PATH without a run is refused with what was found instead", (t) => {
  const folder = makeFolder(t, { "prose.txt": "hello", "none/.keep": "", "results.json": { resolved: [] } });
  const { runs, refused } = planScan([
    path.join(folder, "prose.txt"),
    path.join(folder, "none"),
    path.join(folder, "results.json"),
    path.join(folder, "nope"),
  ]);
  assert.deepEqual(runs, []);
  assert.deepEqual(
    refused.map(({ why }) => why),
    ["no known format", "empty", "only evaluation reports", "it cannot be read: there is no such file"],
  );
});

test("many runs with one id are joined in good time", (t) => {
  const lines = Array.from({ length: 20_000 }, () => JSON.stringify(prediction("a__b-1", ""))).join("\n");
  const { runs } = plan(t, { "preds.jsonl": lines });
  assert.equal(runs.length, 20_000);
  assert.equal(runs.at(-1)?.attempt, "20000");
});
