/** Which source line a line of a diff stands for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { mapDiffLines } from "../../src/vscode/diff-lines";

/** `side path:line text`, or `-` for what stands for nothing. */
function show(diff: string): string[] {
  return mapDiffLines(diff).map((line) => (line ? `${line.side} ${line.path}:${line.line} ${line.text}` : "-"));
}

test("kept, added and removed lines, with a removed line that looks like a header", () => {
  const diff = [
    "diff --git a/q.sql b/q.sql",
    "--- a/q.sql",
    "+++ b/q.sql",
    "@@ -3,3 +3,3 @@ select",
    " a",
    "--- old remark",
    "+++ new remark",
    " b",
    "",
  ].join("\n");
  assert.deepEqual(show(diff), [
    "-",
    "-",
    "-",
    "-",
    "new q.sql:3 a",
    "old q.sql:4 -- old remark",
    "new q.sql:4 ++ new remark",
    "new q.sql:5 b",
    "-",
  ]);
});

test("several files, a deleted one, and a name in git's quotes", () => {
  const diff = [
    "diff --git a/a.py b/a.py",
    "deleted file mode 100644",
    "--- a/a.py",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-x",
    'diff --git "a/\\303\\244 b.py" "b/\\303\\244 b.py"',
    'diff --git "a/\\303\\244 b.py" "b/\\303\\244 b.py"',
    '--- "a/\\303\\244 b.py"',
    '+++ "b/\\303\\244 b.py"',
    "@@ -0,0 +1 @@",
    "+y\r",
    "\\ No newline at end of file",
  ].join("\n");
  const lines = show(diff);
  assert.equal(lines[5], "old a.py:1 x");
  assert.equal(lines[11], "new ä b.py:1 y");
  assert.equal(lines[12], "-");
});

test("text that is no diff stands for nothing", () => {
  assert.deepEqual(show("one\ntwo"), ["-", "-"]);
  assert.deepEqual(show(""), ["-"]);
});
