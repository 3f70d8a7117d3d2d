/** The test runner itself: a runner that calls a failure a success would make every other test worthless. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";

const root = path.resolve(__dirname, "../..");

interface Outcome {
  /** By file name, what the runner said of it: `N passed` or `N passed, N failed`. */
  files: Record<string, string>;
  last: string | undefined;
  status: number | null;
}

/** Runs the runner over files of the given texts. */
function runOver(files: Record<string, string>): Outcome {
  const folder = mkdtempSync(path.join(os.tmpdir(), "proctor-runner-"));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    // Node's runner refuses to run inside a test; the variable is how it knows.
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "NODE_TEST_CONTEXT"));
    const args = ["--import", "tsx", "src/build/run-tests.ts", "--only", "unit", "--no-build", "--folder", folder];
    const { stdout, status } = spawnSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
    const said = [...stdout.matchAll(/^(?:ok {2}|FAIL) \S*?([^/\s]+)\.test\.ts {2}(.*?) {2}\d+ ms$/gm)];
    return { files: Object.fromEntries(said.map(([, name, what]) => [name, what])), last: stdout.trimEnd().split("\n").at(-1), status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const head = 'import { describe, it, test } from "node:test";\n';

test("what passes is counted one by one: in suites, out of them, and from helpers", () => {
  const outcome = runOver({
    "suites.test.ts": `${head}test("a", () => {});\ndescribe("b", () => { it("c", () => {}); it("d", () => {}); });\n`,
    "helper.ts": `${head}export const add = (name: string) => test(name, () => {});\n`,
    "helped.test.ts": 'import { add } from "./helper";\nadd("a");\nadd("b");\n',
  });
  assert.deepEqual(outcome, { files: { suites: "3 passed", helped: "2 passed" }, last: "5 passed, 0 failed", status: 0 });
});

test("what fails is counted once, and what an ordinary count would miss is counted", () => {
  const outcome = runOver({
    "subtest.test.ts": `${head}test("a", async (t) => { await t.test("b", () => { throw new Error("x"); }); });\ntest("c", () => {});\n`,
    "empty.test.ts": "export {};\n",
    "broken.test.ts": "const x: = 1;\n",
    "thrown.test.ts": 'throw new Error("x");\n',
    "skipped.test.ts": `${head}test.skip("a", () => {});\n`,
    "todo.test.ts": `${head}test.todo("a");\n`,
    "status.test.ts": `${head}test("a", () => {});\nprocess.exitCode = 3;\n`,
    "late.test.ts": `${head}test("a", () => { setTimeout(() => { throw new Error("late"); }, 10); });\ntest("b", () => new Promise((resolve) => setTimeout(resolve, 100)));\n`,
  });
  const { late, ...files } = outcome.files;
  const one = "0 passed, 1 failed";
  const half = "1 passed, 1 failed";
  assert.deepEqual(files, { subtest: half, empty: one, broken: one, thrown: one, skipped: one, todo: one, status: half });
  // Node blames the test that runs at that moment, or only remarks on it.
  assert.match(late ?? "", /^[12] passed, [1-9] failed$/);
  assert.equal(outcome.status, 1);
});

test("no file at all is a failure", () => {
  assert.deepEqual(runOver({}), { files: {}, last: "0 passed, 1 failed", status: 1 });
});
