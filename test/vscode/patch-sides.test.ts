/** The two sides of a patch, put together from its hunks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { readPatchFiles } from "../../src/vscode/patch-sides";

const diff = [
  "diff --git a/src/a.py b/src/a.py",
  "--- a/src/a.py",
  "+++ b/src/a.py",
  "@@ -3,3 +3,4 @@",
  " three",
  "-four",
  "+FOUR",
  "+four and a half",
  " five",
  "@@ -9,2 +10,2 @@",
  " nine",
  "-ten",
  "+TEN",
  "\\ No newline at end of file",
  "diff --git a/tests/test_a.py b/tests/test_a.py",
  "deleted file mode 100644",
  "--- a/tests/test_a.py",
  "+++ /dev/null",
  "@@ -1,2 +0,0 @@",
  "-def test_a():",
  "-    assert a() == 1",
  "diff --git a/tests/test_b.py b/tests/test_b.py",
  "--- a/tests/test_b.py",
  "+++ b/tests/test_b.py",
  "@@ -1 +0,0 @@",
  "-assert b()",
  "diff --git a/x.png b/x.png",
  "Binary files a/x.png and b/x.png differ",
  "",
].join("\n");

test("both sides keep the patch's line numbers, and are the same between the hunks", () => {
  const [file] = readPatchFiles(diff);
  const sides = file?.sides();
  assert.ok(sides);
  const [old, now] = [sides.old.text.split("\n"), sides.new.text.split("\n")];
  assert.deepEqual([old[2], old[3], old[4], old[8], old[9]], ["three", "four", "five", "nine", "ten"]);
  assert.deepEqual([now[2], now[3], now[4], now[5], now[9], now[10]], ["three", "FOUR", "four and a half", "five", "nine", "TEN"]);
  assert.deepEqual(old.slice(5, 8), now.slice(6, 9));
  assert.equal(old[5], "… 3 lines that the patch does not show");
  assert.ok(sides.old.text.startsWith("… 2 lines"));
  assert.deepEqual([sides.old.lines.get(10), sides.new.lines.get(11)], [10, 11]);
});

test("a file without a newline at its end has none, on the side that says so", () => {
  const sides = readPatchFiles(diff)[0]?.sides();
  assert.deepEqual([sides?.old.text.endsWith("ten\n"), sides?.new.text.endsWith("TEN")], [true, true]);
});

test("deleted and emptied files are gone, and a binary one has nothing to show", () => {
  assert.deepEqual(
    readPatchFiles(diff).map(({ path, isGone, isBare }) => [path, isGone, isBare]),
    [
      ["src/a.py", false, false],
      ["tests/test_a.py", true, false],
      ["tests/test_b.py", true, false],
      ["x.png", false, true],
    ],
  );
});

test("numbers that do not add up still give the lines, and say where they stand", () => {
  const bad = ["--- a/a", "+++ b/a", "@@ -900000,1 +5,1 @@", "-x", "+y", "@@ -2,1 +2,1 @@", "-v", "+w", ""].join("\n");
  const sides = readPatchFiles(bad)[0]?.sides();
  assert.ok(sides);
  const lines = sides.new.text.split("\n");
  assert.equal(lines[(sides.new.lines.get(5) ?? 0) - 1], "y");
  assert.equal(lines[(sides.new.lines.get(2) ?? 0) - 1], "w");
  assert.equal(sides.old.text.split("\n").length, lines.length);
});

test("a patch that claims a far line does not fill the memory", () => {
  const far = ["--- a/a", "+++ b/a", "@@ -99999999,1 +99999999,1 @@", "-x", "+y", ""].join("\n");
  assert.ok((readPatchFiles(far)[0]?.sides().old.text.split("\n").length ?? 0) < 60_000);
});
