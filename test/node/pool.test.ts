import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import type { Plan } from "../../src/node/plan";
import { createPool, type Script } from "../../src/node/pool";
import { judgePlans, planScan } from "../../src/node/scan";
import { makeFolder, quiet, recording, session } from "./folder";

const choices = { profile: "auto" } as const;

function toPlan(name: string): Plan {
  return { id: name, isInstance: false, sources: [{ file: `/${name}`, name, adapter: "recording" }], problems: [], base: "/" };
}

/** A worker that dies of the plan named "bad", and names in its answer the run that it was asked for. */
const fragile: Script = {
  eval: true,
  code: `
    const { parentPort } = require("node:worker_threads");
    parentPort.on("message", ({ id, plan }) => {
      if (plan.id === "bad") process.exit(3);
      if (plan.id === "throws") throw new Error("a fault of ours");
      if (plan.id === "never") return;
      setTimeout(() => parentPort.postMessage({ id, run: { schema: 1, id: plan.id } }), plan.id === "slow" ? 50 : 0);
    });`,
};

test("a worker that dies costs its own run and nothing else", async () => {
  const pool = createPool(2, choices, fragile);
  const names = ["a", "bad", "slow", "throws", "b", "c"];
  const runs = await Promise.all(names.map((name) => pool.verify(toPlan(name))));
  await pool.close();
  assert.deepEqual(
    runs.map(({ id }) => id),
    names,
  );
  for (const index of [1, 3]) {
    assert.equal(runs[index]?.verdict, "unverified");
    assert.match(runs[index]?.problems[0]?.message ?? "", /worker that read this run died/);
  }
  assert.match(runs[3]?.problems[0]?.message ?? "", /a fault of ours/);
});

test("a worker that wants more memory than it may have dies alone", async () => {
  const hungry: Script = {
    eval: true,
    code: `
      const { parentPort } = require("node:worker_threads");
      parentPort.on("message", ({ id, plan }) => {
        const kept = [];
        while (plan.id === "bad") kept.push(new Array(10000).fill({ id }));
        parentPort.postMessage({ id, run: { schema: 1, id: plan.id } });
      });`,
  };
  const pool = createPool(1, choices, hungry, 32);
  const [bad, good] = await Promise.all([pool.verify(toPlan("bad")), pool.verify(toPlan("good"))]);
  await pool.close();
  assert.equal(bad.verdict, "unverified");
  assert.match(bad.problems[0]?.message ?? "", /memory/);
  assert.equal(good.id, "good");
});

test("closing drops what is under way and what waits", async () => {
  const pool = createPool(1, choices, fragile);
  const asked = [pool.verify(toPlan("never")), pool.verify(toPlan("a"))];
  const settled = Promise.allSettled(asked);
  await pool.close();
  assert.deepEqual(
    (await settled).map(({ status }) => status),
    ["rejected", "rejected"],
  );
  await assert.rejects(pool.verify(toPlan("a")), /cancelled/);
});

test("any number of threads gives the same runs in the same order", async (t) => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 12; i++) {
    // The first ones are the longest, so that they end last.
    const lines = Array.from({ length: (12 - i) * 40 }, (_, n) => ({ type: "command", command: `ls ${i} ${n}`, output: "x" }));
    files[`${String(i).padStart(2, "0")}.jsonl`] = recording(session, ...lines);
  }
  files["broken.jsonl"] = `${quiet}{broken\n`;
  const { runs } = planScan([makeFolder(t, files)]);
  const collect = async (jobs: number): Promise<string[]> => {
    const lines: string[] = [];
    for await (const { run } of judgePlans(runs, choices, jobs)) lines.push(JSON.stringify(run));
    return lines;
  };
  const [one, three] = [await collect(1), await collect(3)];
  assert.equal(one.length, 13);
  assert.deepEqual(three, one);
  assert.match(one[12] ?? "", /"verdict":"unverified"/);
});

test("a file that is gone by the time it is read makes its run unverified", async (t) => {
  const folder = makeFolder(t, { "a.jsonl": quiet });
  const { runs } = planScan([folder]);
  const gone = runs.map((plan) => ({ ...plan, sources: plan.sources.map((source) => ({ ...source, file: path.join(folder, "gone") })) }));
  for await (const { run } of judgePlans(gone, choices, 1)) {
    assert.equal(run.verdict, "unverified");
    assert.match(run.problems[0]?.message ?? "", /there is no such file/);
  }
});
