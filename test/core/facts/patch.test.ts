import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { FilePatch } from "../../../src/core/text/diff";
import type { Trajectory } from "../../../src/core/model";
import type { RecordingLine } from "../../../src/core/monitor";
import { changes, fileHistory, isScratch } from "../../../src/core/facts/files";
import { addedLines, finalPatch, hunkOf, removedLines, stepOfLine } from "../../../src/core/facts/patch";
import { quote } from "../../../src/core/text/text";
import { createLocator } from "../../../src/core/text/locate";
import { command, runOf, tools } from "./run";

/** A patch in short: `path kind` and the lines with their signs. */
function show(run: Trajectory): string[] {
  return finalPatch(run, tools).files.map((file) =>
    `${nameOf(file)} ${file.kind}${file.complete ? "" : "?"}: ${linesOf(file).join(" ")}`.trim(),
  );
}

function nameOf(file: FilePatch): string {
  return file.oldPath !== undefined && file.newPath !== undefined && file.oldPath !== file.newPath
    ? `${file.oldPath}>${file.newPath}`
    : (file.newPath ?? file.oldPath ?? "");
}

function linesOf(file: FilePatch): string[] {
  return file.hunks.flatMap((hunk) => hunk.lines.filter((line) => line.kind !== " ").map((line) => line.kind + line.value));
}

test("the patch that is given is the final one", () => {
  const diff = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n";
  assert.deepEqual(show(runOf({ type: "edit", path: "y.py", created: true, after: "z\n" }, { type: "patch", diff })), [
    "x.py modified: -a +b",
  ]);
});

const sums: readonly { name: string; lines: readonly RecordingLine[]; patch: string[] }[] = [
  {
    name: "an edit",
    lines: [{ type: "edit", path: "/testbed/a.py", before: "x = 1\ny = 2\n", after: "x = 1\ny = 3\n" }],
    patch: ["a.py modified?: -y = 2 +y = 3"],
  },
  {
    name: "an edit of an edit is one",
    lines: [
      { type: "edit", path: "a.py", before: "one\n", after: "one\ntwo\nthree\n" },
      { type: "edit", path: "a.py", before: "two\n", after: "2\n" },
    ],
    patch: ["a.py modified?: +2 +three"],
  },
  {
    name: "an edit that holds an earlier one",
    lines: [
      { type: "edit", path: "a.py", before: "beta", after: "gamma" },
      { type: "edit", path: "a.py", before: "alpha\ngamma\ndelta\n", after: "alpha\nomega\ndelta\n" },
    ],
    patch: ["a.py modified?: -beta +omega"],
  },
  {
    name: "an edit taken back",
    lines: [
      { type: "edit", path: "a.py", before: "x = 1\n", after: "x = 2\n" },
      { type: "edit", path: "a.py", before: "x = 2\n", after: "x = 1\n" },
    ],
    patch: [],
  },
  {
    name: "a new file and an edit of it",
    lines: [
      { type: "edit", path: "n.py", created: true, after: "a\nb\n" },
      { type: "edit", path: "n.py", before: "b", after: "c" },
    ],
    patch: ["n.py added: +a +c"],
  },
  {
    name: "a here-document",
    lines: [command("cat > tests/test_n.py <<'EOF'\nassert f() == 1\nEOF", "")],
    patch: ["tests/test_n.py added?: +assert f() == 1"],
  },
  {
    name: "a here-document over a file that was read",
    lines: [command("cat lib/n.py", "x\n"), command("ls", "lib/n.py\n"), command("cat > lib/n.py <<'EOF'\ny\nEOF", "")],
    patch: ["lib/n.py modified: -x +y"],
  },
  { name: "what is appended", lines: [command("echo 'import os' >> lib/n.py")], patch: ["lib/n.py added?: +import os"] },
  {
    name: "scratch that is deleted again",
    lines: [command("cat > r.py <<'EOF'\nprint(1)\nEOF"), command("python r.py"), command("rm r.py")],
    patch: [],
  },
  { name: "what was failed", lines: [{ type: "edit", path: "a.py", before: "a", after: "b", failed: true }], patch: [] },
  {
    name: "what was refused",
    lines: [
      { type: "edit", path: "a.py", before: "a", after: "b", blocked: "no" },
      { type: "command", command: "echo x > b.py", blocked: "no" },
    ],
    patch: [],
  },
  {
    name: "outside of the repository",
    lines: [command("echo x > /tmp/b.py"), { type: "edit", path: "/etc/hosts", before: "a", after: "b" }],
    patch: [],
  },
  {
    name: "restored",
    lines: [{ type: "edit", path: "a.py", before: "a\n", after: "b\n" }, command("git checkout -- a.py", "", 0)],
    patch: [],
  },
  {
    name: "restored as a whole",
    lines: [{ type: "edit", path: "a.py", before: "a\n", after: "b\n" }, command("git reset --hard", "", 0)],
    patch: [],
  },
  {
    name: "another file restored",
    lines: [{ type: "edit", path: "a.py", before: "a\n", after: "b\n" }, command("git checkout -- b.py", "", 0)],
    patch: ["a.py modified?: -a +b"],
  },
  {
    name: "a commit stays when the tree is restored",
    lines: [
      { type: "edit", path: "a.py", before: "a\n", after: "b\n" },
      command("git commit -am x", "", 0),
      command("git checkout -- .", "", 0),
    ],
    patch: ["a.py modified?: -a +b"],
  },
  {
    name: "put aside and back",
    lines: [
      { type: "edit", path: "a.py", before: "a\n", after: "b\n" },
      command("git stash", "", 0),
      command("pytest", "", 1),
      command("git stash pop", "", 0),
    ],
    patch: ["a.py modified?: -a +b"],
  },
  {
    name: "another branch carries the changes over",
    lines: [{ type: "edit", path: "a.py", before: "a\n", after: "b\n" }, command("git checkout main", "", 0)],
    patch: ["a.py modified?: -a +b"],
  },
  { name: "deleted", lines: [command("git rm tests/test_a.py", "", 0)], patch: ["tests/test_a.py deleted?:"] },
  {
    name: "a deletion that failed",
    lines: [command("rm tests/test_a.py", "rm: cannot remove 'tests/test_a.py': No such file or directory\n", 1)],
    patch: [],
  },
  {
    name: "moved",
    lines: [command("git mv tests/test_a.py tests/a_test.bak", "", 0)],
    patch: ["tests/test_a.py>tests/a_test.bak renamed:"],
  },
  { name: "moved, and the move is undone", lines: [command("mv a.py b.py"), command("mv b.py a.py")], patch: [] },
  {
    name: "a diff of a tool",
    lines: [{ type: "edit", path: "a.py", diff: "--- a/a.py\n+++ b/a.py\n@@ -4,3 +4,3 @@\n k\n-x\n+y\n l\n" }],
    patch: ["a.py modified?: -x +y"],
  },
  {
    name: "a diff of a tool, and an edit of what it wrote",
    lines: [
      { type: "edit", path: "a.py", diff: "--- a/a.py\n+++ b/a.py\n@@ -4,3 +4,3 @@\n k\n-x\n+yonder\n l\n" },
      { type: "edit", path: "a.py", diff: "--- a/a.py\n+++ b/a.py\n@@ -4,3 +4,3 @@\n k\n-yonder\n+zebra\n l\n" },
    ],
    patch: ["a.py modified?: -x +zebra"],
  },
  {
    name: "git apply",
    lines: [command("git apply <<'EOF'\n--- a/q.py\n+++ b/q.py\n@@ -1 +1 @@\n-one\n+two\nEOF", "", 0)],
    patch: ["q.py modified?: -one +two"],
  },
  {
    name: "sed with a plain pattern",
    lines: [command("sed -i 's/== 1/== 2/' tests/test_a.py", "", 0)],
    patch: ["tests/test_a.py modified?: -== 1 +== 2"],
  },
  {
    name: "sed in known content",
    lines: [{ type: "edit", path: "n.py", created: true, after: "a1\na2\nb3\n" }, command("sed -i 's/^a\\([0-9]\\)/z/' n.py", "", 0)],
    patch: ["n.py added: +z +z +b3"],
  },
  {
    name: "sed by line number in known content",
    lines: [{ type: "edit", path: "n.py", created: true, after: "a\nb\nc\n" }, command("sed -i '2d' n.py", "", 0)],
    patch: ["n.py added: +a +c"],
  },
  {
    name: "a folder made and thrown away",
    lines: [command("mkdir work"), command("python gen.py --out work"), command("rm -rf work")],
    patch: [],
  },
];

for (const { name, lines, patch } of sums) {
  test(`the sum of changes: ${name}`, () => {
    assert.deepEqual(show(runOf(...lines)), patch);
  });
}

test("every line of the sum stands in the text of the step that wrote it", () => {
  const run = runOf(
    command("cat > n.py <<'EOF'\nfirst\nsecond\nEOF"),
    { type: "edit", path: "n.py", before: "second", after: "third" },
    { type: "edit", path: "m.py", before: "old\n", after: "new\n" },
  );
  const patch = finalPatch(run, tools);
  assert.deepEqual(
    addedLines(patch).map(({ line }) => quote(line.at)),
    ["first", "third", "new"],
  );
  assert.deepEqual(
    removedLines(patch).map(({ line }) => quote(line.at)),
    ["old"],
  );
  const locator = createLocator();
  assert.deepEqual(
    addedLines(patch).map(({ line }) => locator.locate(line.at)?.start.line),
    [2, 3, 4],
  );
  assert.deepEqual(
    ["first", "third", "new", "nowhere"].map((line) => stepOfLine(run, tools, line === "new" ? "m.py" : "n.py", line)),
    [1, 2, 3, undefined],
  );
});

test("a line that only a script wrote belongs to the step with the script", () => {
  const run = runOf(
    command("python - <<'EOF'\ns = open('a.py').read()\nopen('a.py','w').write(s.replace('x', 'magic_value = 17'))\nEOF", "", 0),
  );
  assert.equal(stepOfLine(run, tools, "a.py", "magic_value = 17"), 1);
});

test("the hunk of a line", () => {
  const run = runOf({ type: "patch", diff: "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n" });
  assert.equal(hunkOf(finalPatch(run, tools), "x.py", 9)?.lines[1]?.value, "d");
  assert.equal(hunkOf(finalPatch(run, tools), "x.py", 5), undefined);
});

test("what was tried in vain is among the changes, and not in the history", () => {
  const run = runOf({ type: "edit", path: "a.py", before: "a", after: "b", failed: true }, command("sed -i 's/a/b/' a.py", "", 0));
  assert.deepEqual(
    changes(run, tools).map(({ kind, failed, via }) => [kind, failed, via]),
    [
      ["edit", true, "tool"],
      ["unknown", false, "shell"],
    ],
  );
  assert.equal(fileHistory(run, tools).get("a.py")?.length, 1);
});

test("scratch is the agent's own and gone at the end", () => {
  const run = runOf(command("echo x > a.py"), command("rm a.py"), command("echo y > b.py"), {
    type: "edit",
    path: "c.py",
    before: "1",
    after: "2",
  });
  assert.deepEqual(
    ["a.py", "b.py", "c.py", "d.py"].map((path) => isScratch(run, tools, path)),
    [true, false, false, false],
  );
});

const word = fc.constantFrom("a", "b", "c", "d\n", "e\n", "f ", "\n");
const snippet = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(""));
interface Cut {
  at: number;
  length: number;
  after: string;
}
const cuts = fc.array(fc.record({ at: fc.nat(400), length: fc.integer({ min: 1, max: 20 }), after: snippet }), { maxLength: 8 });

/** Edits as an agent would write them: a text that stands there once, and another for it. */
function editAll(start: string, all: readonly Cut[]): { edits: { before: string; after: string }[]; end: string } {
  let now = start;
  const edits: { before: string; after: string }[] = [];
  for (const cut of all) {
    const at = cut.at % Math.max(1, now.length);
    const before = now.slice(at, at + cut.length);
    if (before === "" || now.indexOf(before) !== now.lastIndexOf(before)) continue;
    now = now.slice(0, at) + cut.after + now.slice(at + before.length);
    edits.push({ before, after: cut.after });
  }
  return { edits, end: now };
}

test("edits of a new file sum up to its last content", () => {
  fc.assert(
    fc.property(
      fc.array(snippet, { minLength: 1, maxLength: 20 }).map((all) => all.join("")),
      cuts,
      (start, all) => {
        const { edits, end } = editAll(start, all);
        const run = runOf(
          { type: "edit", path: "n.py", created: true, after: start },
          ...edits.map((one) => ({ type: "edit", path: "n.py", ...one })),
        );
        const lines = addedLines(finalPatch(run, tools)).map(({ line }) => line.value);
        assert.deepEqual(lines, end === "" ? [] : end.replace(/\n$/, "").split("\n"));
      },
    ),
    { numRuns: 150 },
  );
});

test("every added line of the sum is quoted exactly, and none is invented", () => {
  const line = fc.integer({ min: 100, max: 999 }).map((n) => `line ${n}\n`);
  fc.assert(
    fc.property(
      fc.uniqueArray(line, { minLength: 4, maxLength: 20 }),
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 1, max: 3 }), line), { maxLength: 6 }),
      (base, moves) => {
        let now = [...base];
        const edits: { before: string; after: string }[] = [];
        for (const [at, size, added] of moves) {
          const from = at % now.length;
          if (now.includes(added)) continue;
          const old = now.slice(from, from + size);
          now = [...now.slice(0, from), added, ...old.slice(1), ...now.slice(from + size)];
          edits.push({ before: old.join(""), after: [added, ...old.slice(1)].join("") });
        }
        const patch = finalPatch(runOf(...edits.map((one) => ({ type: "edit", path: "a.py", ...one }))), tools);
        const added = addedLines(patch).map(({ line: one }) => `${one.value}\n`);
        const removed = removedLines(patch).map(({ line: one }) => `${one.value}\n`);
        for (const { line: one } of [...addedLines(patch), ...removedLines(patch)]) assert.equal(quote(one.at), one.value);
        assert.deepEqual(added.filter((one) => !removed.includes(one)).sort(), now.filter((one) => !base.includes(one)).sort());
        assert.deepEqual(removed.filter((one) => !added.includes(one)).sort(), base.filter((one) => !now.includes(one)).sort());
      },
    ),
    { numRuns: 150 },
  );
});
