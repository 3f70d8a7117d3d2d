import { test } from "node:test";
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { adapter } from "../../../src/core/adapters/unified-diff";
import { createHead } from "../../../src/core/head";
import { checkLaws } from "./fuzz";
import { bytesOf, readSample, renderTrajectory } from "./render";

const samples = join(import.meta.dirname, "samples");
const encode = (value: string): Uint8Array => new TextEncoder().encode(value);
const sniff = (value: string, name = "x.txt"): string => adapter.sniff(name, createHead(encode(value), true));

test("the sample reads as its transcript says", () => {
  const run = readSample(adapter, "unified-diff.patch", bytesOf(join(samples, "unified-diff.patch")));
  assert.equal(renderTrajectory(run), readFileSync(join(samples, "unified-diff.txt"), "utf8"));
});

test("chunks, damage and positions", () => {
  checkLaws(adapter, "unified-diff.patch", bytesOf(join(samples, "unified-diff.patch")));
});

test("the paths and sections are slices of the patch", () => {
  const value =
    "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\ndiff --git a/y b/y\ndeleted file mode 100644\n--- a/y\n+++ /dev/null\n@@ -1 +0,0 @@\n-q\n";
  const [edit, removal] = readSample(adapter, "p.diff", encode(value)).steps;
  assert.ok(edit?.action.kind === "edit" && removal?.action.kind === "delete");
  assert.equal(edit.action.diff?.value, value.slice(0, value.indexOf("diff --git a/y")));
  assert.deepEqual(edit.action.path.origin.from === "slice" && [edit.action.path.origin.start, edit.action.path.origin.end], [
    value.indexOf("+++ b/x") + 6,
    value.indexOf("+++ b/x") + 7,
  ]);
  assert.equal(removal.action.path.value, "y");
});

test("a patch that ends within a hunk hides something; wrong counts alone do not", () => {
  const head = "diff --git a/x b/x\n--- a/x\n+++ b/x\n";
  const cut = readSample(adapter, "p.diff", encode(`${head}@@ -1,3 +1,3 @@\n-a\n+b\n`));
  assert.deepEqual(
    cut.problems.map((problem) => problem.hides),
    [true],
  );
  const lying = readSample(adapter, "p.diff", encode(`${head}@@ -1 +1 @@\n-a\n+b\n+c\n`));
  assert.deepEqual(
    lying.problems.map((problem) => problem.hides),
    [false],
  );
});

test("sniffing: patches, and documents that show one", () => {
  const plain = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";
  const git = `diff --git a/x b/x\n${plain}`;
  assert.equal(sniff(git), "sure");
  assert.equal(sniff(plain), "sure");
  assert.equal(sniff(`Subject: [PATCH] x\n\n${git}`), "sure");
  assert.equal(sniff(`commit 0123456789abcdef\nAuthor: x\n\n    text\n\n${git}`), "sure");
  assert.equal(sniff("diff --git a/x b/x\nsimilarity index 100%\nrename from x\nrename to y\n"), "sure");
  assert.equal(sniff(`Here it is:\n\n${git}`), "maybe");
  assert.equal(sniff(`# Title\n\n\`\`\`diff\n${git}\`\`\`\n`, "a.md"), "no");
  assert.equal(sniff(`${JSON.stringify({ patch: git })}\n`), "no");
  assert.equal(sniff("--- a list\n+++ of signs\n"), "no");
});

const corpus = join(
  process.env.PROCTOR_CORPUS ?? join(import.meta.dirname, "../../../../shared/corpus"),
  "swe-bench-predictions/output_diffs",
);

test("real patches of one agent are recognised and read without a problem", (t) => {
  if (!existsSync(corpus)) return t.diagnostic("no corpus here");
  let [files, edits] = [0, 0];
  for (const folder of ["pass", "fail"]) {
    for (const name of readdirSync(join(corpus, folder))) {
      const bytes = bytesOf(join(corpus, folder, name));
      if (bytes.length === 0) continue;
      assert.equal(adapter.sniff(name, createHead(bytes.subarray(0, 65536), bytes.length <= 65536)), "sure", name);
      const run = readSample(adapter, name, bytes);
      assert.deepEqual(run.problems, [], name);
      assert.equal(run.unread, 0);
      files++;
      edits += run.steps.length;
    }
  }
  assert.ok(files > 500 && edits >= files);
  t.diagnostic(`${files} patches, ${edits} steps`);
});
