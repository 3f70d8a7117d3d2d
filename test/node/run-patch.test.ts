/** The runs of a folder as an editor asks for them, and what a run leaves behind. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { readDiff } from "../../src/core/text/diff";
import { made } from "../../src/core/text/text";
import { doJob } from "../../src/node/jobs";
import { loadSyntax } from "../../src/node/syntax";

let folder = "";

before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "proctor-patches-"));
  mkdirSync(path.join(folder, "runs"));
});

after(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, ...lines: object[]): string {
  const file = path.join(folder, "runs", name);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

async function ask(job: Parameters<typeof doJob>[0]): ReturnType<typeof doJob> {
  return doJob(job, await loadSyntax(), { profile: "auto" });
}

test("a folder is planned without being judged, and says what it skipped", async () => {
  write("a.jsonl", { type: "session", version: 1, task: { id: "a-1" } }, { type: "message", actor: "agent", text: "Hello." });
  writeFileSync(path.join(folder, "runs/x.bin"), "\0\0\0");
  const { plans, skipped, runs, refused } = await ask({ is: "plan", folder: path.join(folder, "runs") });
  assert.deepEqual(
    plans?.map(({ id }) => id),
    ["a-1"],
  );
  assert.deepEqual([skipped, runs, refused], [{ binary: 1 }, [], undefined]);
});

test("a folder without runs is refused with what was looked for", async () => {
  mkdirSync(path.join(folder, "empty"));
  const { refused } = await ask({ is: "plan", folder: path.join(folder, "empty") });
  assert.match(refused ?? "", /^empty\. Looked for: /);
});

test("a run's patch is the sum of its edits, and each added line knows its step and where that stands", async () => {
  const file = write(
    "b.jsonl",
    { type: "session", version: 1, task: { id: "b-1" } },
    { type: "edit", path: "src/new.py", after: "one = 1\ntwo = 2\n", created: true },
    { type: "command", command: "ls", output: "src\n", exit: 0 },
    { type: "edit", path: "src/old.py", before: "a = 1", after: "a = 2" },
    { type: "edit", path: "src/old.py", before: "z = 1\n", after: "z = 2\nzz = 3\n" },
  );
  const { plans } = await ask({ is: "plan", folder: path.join(folder, "runs") });
  const plan = plans?.find(({ id }) => id === "b-1");
  assert.ok(plan);
  const { changes, steps } = await ask({ is: "patch", plan });
  const patch = readDiff(made(changes?.diff ?? ""));
  assert.deepEqual(patch.problems, []);
  assert.deepEqual(
    patch.files.map(({ newPath, kind }) => [newPath, kind]),
    [
      ["src/new.py", "added"],
      ["src/old.py", "modified"],
    ],
  );
  const added = patch.files.flatMap(({ hunks }) => hunks.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "+")));
  assert.deepEqual(
    added.map(({ value }) => value),
    ["one = 1", "two = 2", "a = 2", "z = 2", "zz = 3"],
  );
  assert.equal(steps?.length, 5);
  // Pieces of a file whose content is unknown stand one behind the other, so that no two lines share a number.
  const numbers = steps?.filter(({ path: name }) => name === "src/old.py").map(({ line }) => line);
  assert.equal(new Set(numbers).size, 3);
  for (const step of steps ?? []) assert.equal(step.at?.file, file);
  assert.deepEqual([...new Set(steps?.map(({ at }) => at?.line))], [2, 4, 5]);
});

test("a patch that the run brings is shown as it is", async () => {
  const diff = "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -7,2 +7,2 @@\n same\n-old\n+new\n";
  write("c.jsonl", { type: "session", version: 1, task: { id: "c-1" } }, { type: "patch", diff });
  const { plans } = await ask({ is: "plan", folder: path.join(folder, "runs") });
  const plan = plans?.find(({ id }) => id === "c-1");
  assert.ok(plan);
  assert.equal((await ask({ is: "patch", plan })).changes?.diff, diff);
});
