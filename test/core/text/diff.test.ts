import { test } from "node:test";
import assert from "node:assert/strict";
import { applyPatch, createTwoFilesPatch, parsePatch } from "diff";
import fc from "fast-check";
import { made } from "../../../src/core/text/text";
import { movedLines, pairMoves, readDiff, type FilePatch, type Hunk, type Patch } from "../../../src/core/text/diff";

const read = (...lines: string[]): Patch => readDiff(made(lines.join("\n")));
const only = (patch: Patch): FilePatch => {
  assert.equal(patch.files.length, 1, "one file");
  return patch.files[0] as FilePatch;
};
const shown = (hunk: Hunk | undefined): string[] =>
  (hunk?.lines ?? []).map((line) => `${line.kind}${line.value}${line.noNewline ? "$" : ""}`);

test("a git patch gives names, counts, numbers and positions", () => {
  const value = [
    "diff --git a/src/app.py b/src/app.py",
    "index 83db48f..bf269f4 100644",
    "--- a/src/app.py",
    "+++ b/src/app.py",
    "@@ -10,3 +10,4 @@ def run():",
    " one",
    "-two",
    "+2",
    "+3",
    " four",
    "",
  ].join("\n");
  const patch = readDiff(made(value));
  const file = only(patch);
  assert.deepEqual(patch.problems, []);
  assert.equal(file.kind, "modified");
  assert.equal(file.oldPath, "src/app.py");
  assert.equal(file.newPath, "src/app.py");
  assert.equal(file.complete, true);
  assert.equal(value.slice(file.whole.start, file.whole.end), value);
  assert.equal(value.slice(file.header.start, file.header.end).split("\n").length, 4);
  const hunk = file.hunks[0];
  assert.equal(hunk?.section, "def run():");
  assert.deepEqual([hunk?.oldStart, hunk?.oldCount, hunk?.newStart, hunk?.newCount], [10, 3, 10, 4]);
  assert.deepEqual(
    hunk?.lines.map((line) => [line.kind, line.old, line.new]),
    [
      [" ", 10, 10],
      ["-", 11, undefined],
      ["+", undefined, 11],
      ["+", undefined, 12],
      [" ", 12, 13],
    ],
  );
  for (const line of hunk?.lines ?? []) assert.equal(value.slice(line.at.start, line.at.end), line.value);
});

const names: [name: string, lines: string[], expected: [old: string | undefined, now: string | undefined, kind: string]][] = [
  [
    "no prefixes",
    ["diff --git src/x.py src/x.py", "--- src/x.py", "+++ src/x.py", "@@ -1 +1 @@", "-a", "+b"],
    ["src/x.py", "src/x.py", "modified"],
  ],
  ["no prefixes, a folder called a", ["diff --git a/x a/x", "--- a/x", "+++ a/x", "@@ -1 +1 @@", "-a", "+b"], ["a/x", "a/x", "modified"]],
  [
    "no prefixes, a new file",
    ["diff --git b/x b/x", "new file mode 100644", "--- /dev/null", "+++ b/x", "@@ -0,0 +1 @@", "+b"],
    [undefined, "b/x", "added"],
  ],
  ["mnemonic prefixes", ["diff --git i/x w/x", "--- i/x", "+++ w/x", "@@ -1 +1 @@", "-a", "+b"], ["x", "x", "modified"]],
  [
    "custom prefixes",
    ["diff --git before/q/x after/q/x", "--- before/q/x", "+++ after/q/x", "@@ -1 +1 @@", "-a", "+b"],
    ["q/x", "q/x", "modified"],
  ],
  [
    "quoted, octal",
    [
      'diff --git "a/f\\303\\244\\"\\t.txt" "b/f\\303\\244\\"\\t.txt"',
      '--- "a/f\\303\\244\\"\\t.txt"',
      '+++ "b/f\\303\\244\\"\\t.txt"',
      "@@ -1 +1 @@",
      "-a",
      "+b",
    ],
    ['fä"\t.txt', 'fä"\t.txt', "modified"],
  ],
  [
    "spaces in a name",
    ["diff --git a/my file.txt b/my file.txt", "old mode 100644", "new mode 100755"],
    ["my file.txt", "my file.txt", "mode"],
  ],
  [
    "spaces and a tab behind",
    ["diff --git a/my file.txt b/my file.txt", "--- a/my file.txt\t", "+++ b/my file.txt\t", "@@ -1 +1 @@", "-a", "+b"],
    ["my file.txt", "my file.txt", "modified"],
  ],
  [
    "a pure rename",
    ["diff --git a/old.py b/sub/new.py", "similarity index 100%", "rename from old.py", "rename to sub/new.py"],
    ["old.py", "sub/new.py", "renamed"],
  ],
  [
    "a rename without prefixes",
    ["diff --git lib/x.py src/x.py", "similarity index 100%", "rename from lib/x.py", "rename to src/x.py"],
    ["lib/x.py", "src/x.py", "renamed"],
  ],
  [
    "a copy",
    ["diff --git a/x b/y", "similarity index 90%", "copy from x", "copy to y", "--- a/x", "+++ b/y", "@@ -1 +1 @@", "-a", "+b"],
    ["x", "y", "copied"],
  ],
  [
    "an empty new file",
    ["diff --git a/pkg/__init__.py b/pkg/__init__.py", "new file mode 100644", "index 0000000..e69de29"],
    [undefined, "pkg/__init__.py", "added"],
  ],
  [
    "a deleted file",
    ["diff --git a/x b/x", "deleted file mode 100644", "--- a/x", "+++ /dev/null", "@@ -1 +0,0 @@", "-a"],
    ["x", undefined, "deleted"],
  ],
  ["binary", ["diff --git a/x.png b/x.png", "index 1..2 100644", "Binary files a/x.png and b/x.png differ"], ["x.png", "x.png", "binary"]],
  [
    "a binary patch",
    ["diff --git a/x.png b/x.png", "index 1..2 100644", "GIT binary patch", "literal 3", "Kc$abc", ""],
    ["x.png", "x.png", "binary"],
  ],
  [
    "a submodule",
    [
      "diff --git a/sub b/sub",
      "index 1234567..89abcde 160000",
      "--- a/sub",
      "+++ b/sub",
      "@@ -1 +1 @@",
      "-Subproject commit 1234567",
      "+Subproject commit 89abcde",
    ],
    ["sub", "sub", "modified"],
  ],
  [
    "diff -u with dates",
    ["--- old/x.c\t2024-05-01 10:00:00.000000000 +0200", "+++ new/x.c\t2024-05-02 10:00:00.000000000 +0200", "@@ -1 +1 @@", "-a", "+b"],
    ["x.c", "x.c", "modified"],
  ],
  [
    "dates behind spaces",
    ["--- x.c 2024-05-01 10:00:00", "+++ x.c 2024-05-02 10:00:00", "@@ -1 +1 @@", "-a", "+b"],
    ["x.c", "x.c", "modified"],
  ],
  [
    "diff -N, a new file",
    ["--- old/x.c\t1970-01-01 00:00:00.000000000 +0000", "+++ new/x.c\t2024-05-02 10:00:00 +0000", "@@ -0,0 +1 @@", "+b"],
    [undefined, "x.c", "added"],
  ],
  [
    "Subversion",
    ["Index: trunk/x.c", "=".repeat(67), "--- trunk/x.c\t(revision 12)", "+++ trunk/x.c\t(working copy)", "@@ -1 +1 @@", "-a", "+b"],
    ["trunk/x.c", "trunk/x.c", "modified"],
  ],
  ["a new file by its names alone", ["--- /dev/null", "+++ b/x.py", "@@ -0,0 +1 @@", "+b"], [undefined, "x.py", "added"]],
];

for (const [name, lines, [old, now, kind]] of names) {
  test(`names: ${name}`, () => {
    const patch = read(...lines, "");
    const file = only(patch);
    assert.deepEqual([file.oldPath, file.newPath, file.kind], [old, now, kind]);
    assert.deepEqual(patch.problems, []);
  });
}

test("modes and similarity are kept", () => {
  const file = only(
    read("diff --git a/x b/y", "old mode 100644", "new mode 100755", "similarity index 87%", "rename from x", "rename to y"),
  );
  assert.deepEqual([file.oldMode, file.newMode, file.similarity], ["100644", "100755", 87]);
});

test("content that looks like a header is decided by the counts", () => {
  const patch = read(
    "--- a/x",
    "+++ b/x",
    "@@ -1,2 +1,2 @@",
    "--- a",
    "+++ b",
    " @@ -1 +1 @@",
    "--- a/y",
    "+++ b/y",
    "@@ -1 +1 @@",
    "-p",
    "+q",
    "",
  );
  assert.deepEqual(patch.problems, []);
  assert.deepEqual(
    patch.files.map((file) => file.newPath),
    ["x", "y"],
  );
  assert.deepEqual(shown(patch.files[0]?.hunks[0]), ["--- a", "+++ b", " @@ -1 +1 @@"]);
});

test("content that looks like a header, just before the next hunk of the same file", () => {
  const patch = read("--- a/x", "+++ b/x", "@@ -1 +1 @@", "--- a", "+++ b", "@@ -9 +9 @@", "-p", "+q", "");
  assert.deepEqual(patch.problems, []);
  assert.deepEqual(only(patch).hunks.map(shown), [
    ["--- a", "+++ b"],
    ["-p", "+q"],
  ]);
});

test("the mark of a missing line end belongs to the line before", () => {
  const file = only(
    read("--- a/x", "+++ b/x", "@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+b", "\\ No newline at end of file", ""),
  );
  assert.deepEqual(shown(file.hunks[0]), ["-a$", "+b$"]);
});

test("CRLF: the line end is no content, the offsets hold", () => {
  const value = "--- a/x\r\n+++ b/x\r\n@@ -1,2 +1,2 @@\r\n-a\r\n+b\r\n c\r\n";
  const patch = readDiff(made(value));
  assert.deepEqual(patch.problems, []);
  assert.deepEqual(shown(only(patch).hunks[0]), ["-a", "+b", " c"]);
  for (const line of only(patch).hunks[0]?.lines ?? []) assert.equal(value.slice(line.at.start, line.at.end), line.value);
});

test("counts that are too small: a problem, and all lines", () => {
  const patch = read("--- a/x", "+++ b/x", "@@ -1,1 +1,1 @@", "-a", "+b", "+c", " d", "+e", " f", "", "Prose goes on here.", "");
  assert.equal(patch.problems.length, 1);
  assert.match(patch.problems[0]?.message ?? "", /promises 1 old and 1 new lines; 2 and 4 are there/);
  assert.equal(only(patch).complete, false);
  assert.deepEqual(shown(only(patch).hunks[0]), ["-a", "+b", "+c", " d", "+e"]);
});

test("counts that are too large do not swallow the next file", () => {
  const patch = read(
    "--- a/x",
    "+++ b/x",
    "@@ -1,9 +1,9 @@",
    "-a",
    "+b",
    "--- a/y",
    "+++ b/y",
    "@@ -1 +1 @@",
    "-p",
    "+q",
    "diff --git a/z b/z",
    "--- a/z",
    "+++ b/z",
    "@@ -1,4 +1,4 @@",
    "-m",
    "+n",
    "",
  );
  assert.deepEqual(
    patch.files.map((file) => file.newPath),
    ["x", "y", "z"],
  );
  assert.deepEqual(
    patch.files.map((file) => shown(file.hunks[0])),
    [
      ["-a", "+b"],
      ["-p", "+q"],
      ["-m", "+n"],
    ],
  );
  assert.deepEqual(
    patch.files.map((file) => file.complete),
    [false, true, false],
  );
});

test("prose around a patch and a mail's signature are no content", () => {
  const patch = read(
    "From 1234 Mon Sep 17 00:00:00 2001",
    "Subject: [PATCH] x",
    "",
    "Text",
    "---",
    " x | 2 +-",
    "",
    "diff --git a/x b/x",
    "--- a/x",
    "+++ b/x",
    "@@ -1 +1 @@",
    "-a",
    "+b",
    "-- ",
    "2.39.2",
    "",
  );
  assert.deepEqual(patch.problems, []);
  assert.deepEqual(shown(only(patch).hunks[0]), ["-a", "+b"]);
  assert.deepEqual(readDiff(made("--- a list\n+++ of things\nand no hunk\n")).files, []);
});

test("context lines that lost their space", () => {
  const patch = read("--- a/x", "+++ b/x", "@@ -1,3 +1,3 @@", " a", "", "-c", "+d", "");
  assert.deepEqual(patch.problems, []);
  assert.deepEqual(shown(only(patch).hunks[0]), [" a", " ", "-c", "+d"]);
});

test("a cut patch keeps what is there and says that it is not whole", () => {
  const patch = read("diff --git a/x b/x", "--- a/x", "+++ b/x", "@@ -1,3 +1,4 @@", " a", "+b");
  assert.deepEqual(shown(only(patch).hunks[0]), [" a", "+b"]);
  assert.equal(only(patch).complete, false);
  assert.equal(only(read("diff --git a/x b/x")).newPath, "x");
});

test("hunks without a file and without numbers are read and flagged", () => {
  const bare = read("@@ -1 +1 @@", "-a", "+b", "");
  assert.deepEqual(shown(only(bare).hunks[0]), ["-a", "+b"]);
  assert.match(bare.problems[0]?.message ?? "", /without a file/);
  const vague = read("--- a/x", "+++ b/x", "@@ ... @@", " k", "-a", "+b", "");
  assert.deepEqual(shown(only(vague).hunks[0]), [" k", "-a", "+b"]);
  assert.match(vague.problems[0]?.message ?? "", /without line numbers/);
  assert.ok(only(vague).hunks[0]?.lines.every((line) => line.old === undefined && line.new === undefined));
});

test("a combined diff is read by its signs", () => {
  const patch = read(
    "diff --cc x",
    "index 1,2..3",
    "--- a/x",
    "+++ b/x",
    "@@@ -1,3 -1,2 +1,3 @@@",
    "  same",
    "- ours",
    " -theirs",
    "++both",
    " +second",
    "",
  );
  assert.match(patch.problems[0]?.message ?? "", /combined/);
  assert.deepEqual(shown(only(patch).hunks[0]), [" same", "-ours", "-theirs", "+both", "+second"]);
  assert.equal(only(patch).newPath, "x");
});

const lineOf = fc.constantFrom("", "a", "b", "-- a", "++ b", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline", " lead", "+", "-");
const fileOf = fc
  .tuple(fc.array(lineOf, { maxLength: 12 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""));

test("property: the same hunks as the library reads, and applying them gives the new file", () => {
  fc.assert(
    fc.property(fileOf, fileOf, fc.integer({ min: 0, max: 4 }), (old, now, context) => {
      fc.pre(old !== now);
      const value = createTwoFilesPatch("a/f", "b/f", old, now, undefined, undefined, { context });
      const patch = readDiff(made(value));
      assert.deepEqual(patch.problems, []);
      const file = only(patch);
      const [oracle] = parsePatch(value);
      assert.deepEqual(
        file.hunks.map((hunk) => ({
          o: hunk.oldStart,
          oc: hunk.oldCount,
          n: hunk.newStart,
          nc: hunk.newCount,
          lines: hunk.lines.map((line) => line.kind + line.value),
        })),
        oracle?.hunks.map((hunk) => ({
          // The library numbers an empty side by the line after, the format by the line before.
          o: hunk.oldLines === 0 ? hunk.oldStart - 1 : hunk.oldStart,
          oc: hunk.oldLines,
          n: hunk.newLines === 0 ? hunk.newStart - 1 : hunk.newStart,
          nc: hunk.newLines,
          lines: hunk.lines.filter((line) => !line.startsWith("\\")),
        })),
      );
      assert.equal(applyPatch(old, value), now);
      assert.equal(applyLines(old, file), now);
      for (const line of file.hunks.flatMap((hunk) => hunk.lines)) assert.equal(value.slice(line.at.start, line.at.end), line.value);
    }),
    { numRuns: 500 },
  );
});

/** Builds the new file from the old one by line numbers alone. */
function applyLines(old: string, file: FilePatch): string {
  const oldLines = old.split("\n");
  const isOldEnded = oldLines.at(-1) === "";
  if (isOldEnded) oldLines.pop();
  const out: string[] = [];
  let at = 1;
  let isEnded = true;
  const copy = (): void => {
    out.push(oldLines[at - 1] ?? "?");
    isEnded = at < oldLines.length || isOldEnded;
    at++;
  };
  for (const line of file.hunks.flatMap((hunk) => hunk.lines)) {
    if (line.kind === "+") {
      while (out.length + 1 < (line.new ?? 0)) copy();
      out.push(line.value);
    } else {
      while (at < (line.old ?? 0)) copy();
      assert.equal(oldLines[at - 1], line.value, "the old line stands where its number says");
      if (line.kind === " ") out.push(line.value);
      at++;
    }
    if (line.kind !== "-") isEnded = !line.noNewline;
  }
  while (at <= oldLines.length) copy();
  return out.length === 0 ? "" : out.join("\n") + (isEnded ? "\n" : "");
}

test("property: any text is read without an error, and each position is the quoted text", () => {
  const piece = fc.constantFrom(
    "diff --git a/x b/y",
    "--- a/x",
    "+++ b/x",
    "@@ -1,2 +1,3 @@",
    "@@ -0,0 +9 @@ x",
    "@@@ -1 -1 +1,2 @@@",
    "@@",
    " c",
    "+a",
    "-r",
    "",
    "\\ No newline at end of file",
    "rename from x",
    'rename to "\\30',
    "Index: q",
    "-- ",
    "\r",
    "Binary files a and b differ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.constantFrom("\n", "\r\n"), (lines, end) => {
      const value = lines.join(end);
      for (const file of readDiff(made(value)).files) {
        for (const line of file.hunks.flatMap((hunk) => hunk.lines)) assert.equal(value.slice(line.at.start, line.at.end), line.value);
      }
    }),
    { numRuns: 1000 },
  );
});

test("moves: stated ones, and a deletion with an addition that is alike", () => {
  const body = ["def test_one():", "    assert one() == 1", "def test_two():", "    assert two() == 2", "x = 5"];
  const patch = read(
    "diff --git a/tests/test_x.py b/tests/test_x.py",
    "deleted file mode 100644",
    "--- a/tests/test_x.py",
    "+++ /dev/null",
    "@@ -1,5 +0,0 @@",
    ...body.map((line) => `-${line}`),
    "diff --git a/tests/unit/test_x.py b/tests/unit/test_x.py",
    "new file mode 100644",
    "--- /dev/null",
    "+++ b/tests/unit/test_x.py",
    "@@ -0,0 +1,4 @@",
    ...body.slice(0, 4).map((line) => `+${line}`),
    "diff --git a/other.py b/other.py",
    "new file mode 100644",
    "--- /dev/null",
    "+++ b/other.py",
    "@@ -0,0 +1,2 @@",
    "+x = 5",
    "+nothing alike here",
    "diff --git a/p b/q",
    "similarity index 90%",
    "rename from p",
    "rename to q",
    "",
  );
  assert.deepEqual(
    pairMoves(patch).map(({ from, path }) => [from, path]),
    [
      ["p", "q"],
      ["tests/test_x.py", "tests/unit/test_x.py"],
    ],
  );
  // 76 of 82 characters, line ends counted: 16 + 22 + 16 + 22, and 6 of the line that is gone.
  assert.equal(pairMoves(patch)[1]?.similarity, 76 / 82);
});

test("moved lines: blocks and long lines, not short single ones", () => {
  const patch = read(
    "--- a/x",
    "+++ b/x",
    "@@ -1,6 +1,1 @@",
    " k",
    "-def helper():",
    "-    return 1",
    "-    # done",
    "-@skip",
    "-this_is_one_long_line_of_its_own()",
    "--- a/y",
    "+++ b/y",
    "@@ -1,1 +1,7 @@",
    " k",
    "+  def helper():",
    "+",
    "+      return 1",
    "+@skip",
    "+this_is_one_long_line_of_its_own()",
    "+this_is_one_long_line_of_its_own()",
    "",
  );
  assert.deepEqual(patch.problems, []);
  // The skip marker stands before the same long line on both sides, so it moved with it.
  assert.deepEqual(
    [...movedLines(patch)].map((line) => line.new),
    [2, 4, 3, 5, 6],
  );
  const single = read("--- a/x", "+++ b/x", "@@ -1,2 +1,1 @@", " k", "-@skip", "--- a/y", "+++ b/y", "@@ -1,1 +1,2 @@", " k", "+@skip", "");
  assert.equal(movedLines(single).size, 0);
});
