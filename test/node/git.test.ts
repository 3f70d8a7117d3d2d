import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { test, type TestContext } from "node:test";
import { applyPatch, parsePatch } from "diff";
import { workingDiff } from "../../src/node/git";
import { makeFolder, writeFile } from "./folder";

function git(folder: string, ...args: string[]): string {
  const identity = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

function makeRepository(t: TestContext, files: Record<string, string>): string {
  const folder = makeFolder(t, files);
  git(folder, "init", "-q");
  git(folder, "add", ".");
  git(folder, "commit", "-qm", "first");
  return folder;
}

async function diffOf(folder: string, options: Parameters<typeof workingDiff>[1] = {}): Promise<string> {
  const found = await workingDiff(folder, options);
  assert.ok("bytes" in found, "why" in found ? found.why : "");
  return Buffer.from(found.bytes).toString();
}

test("tracked changes, renames and new files are in the diff", async (t) => {
  const folder = makeRepository(t, { "a.py": "one\ntwo\n", "old.py": "same\ncontent\nhere\n", ".gitignore": "*.log\n" });
  writeFile(folder, "a.py", "one\nthree\n");
  git(folder, "mv", "old.py", "new.py");
  writeFile(folder, "fresh file.py", "x = 1\ny = 2");
  writeFile(folder, "ignored.log", "no");
  writeFile(folder, "empty", "");
  writeFile(folder, "data.bin", new Uint8Array([0, 1, 2]));
  const text = await diffOf(folder);
  assert.match(text, /-two\n\+three/);
  assert.match(text, /rename from old\.py\nrename to new\.py/);
  assert.match(text, /diff --git a\/empty b\/empty\nnew file mode 100644\n/);
  assert.match(text, /Binary files \/dev\/null and b\/data\.bin differ/);
  assert.doesNotMatch(text, /ignored/);
  const fresh = parsePatch(text).find(({ newFileName }) => newFileName === "b/fresh file.py");
  assert.ok(fresh);
  assert.equal(applyPatch("", fresh), "x = 1\ny = 2");
});

test("an added file applies to nothing and gives its content", async (t) => {
  const contents = ["a\n", "a", "a\n\nb\n", "\n", "a\r\nb\r\n", "--- x\n+++ y\n@@ -1 +1 @@\n"];
  for (const content of contents) {
    const folder = makeRepository(t, { keep: "x\n" });
    writeFile(folder, "new.txt", content);
    const text = await diffOf(folder);
    const theirs = execFileSync("git", ["apply", "--check", "-"], { cwd: makeRepository(t, { keep: "x\n" }), input: text });
    assert.equal(theirs.toString(), "");
    const [patch] = parsePatch(text);
    assert.ok(patch);
    assert.equal(applyPatch("", patch), content);
  }
});

test("staged changes only, and changes since a revision", async (t) => {
  const folder = makeRepository(t, { "a.py": "one\n", "b.py": "one\n" });
  writeFile(folder, "a.py", "staged\n");
  git(folder, "add", "a.py");
  writeFile(folder, "b.py", "not staged\n");
  const staged = await diffOf(folder, { staged: true });
  assert.match(staged, /\+staged/);
  assert.doesNotMatch(staged, /not staged/);
  git(folder, "commit", "-qam", "second");
  assert.equal(await diffOf(folder), "");
  assert.match(await diffOf(folder, { base: "HEAD~1" }), /\+not staged/);
  const wrong = await workingDiff(folder, { base: "--output=x" });
  assert.match("why" in wrong ? wrong.why : "", /no such revision/);
  assert.equal(fs.existsSync(path.join(folder, "x")), false);
});

test("before the first commit everything is new", async (t) => {
  const folder = makeFolder(t, { "a.py": "one\n", "b.py": "two\n" });
  git(folder, "init", "-q");
  git(folder, "add", "a.py");
  const text = await diffOf(folder);
  assert.match(text, /\+one/);
  assert.match(text, /\+two/);
});

test("nothing that the repository names is ever run, and nothing is written", async (t) => {
  const folder = makeRepository(t, { "a.py": "one\n", ".gitattributes": "*.py filter=evil diff=evil\n" });
  const mark = path.join(makeFolder(t), "ran");
  const script = writeFile(makeFolder(t), "evil.sh", `#!/bin/sh\necho ran >> '${mark}'\ncat\n`);
  fs.chmodSync(script, 0o755);
  for (const name of ["core.fsmonitor", "core.pager", "diff.external", "core.sshCommand", "core.askPass"])
    git(folder, "config", name, script);
  for (const name of ["filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv", "diff.evil.command"]) {
    git(folder, "config", name, script);
  }
  git(folder, "config", "filter.evil.required", "true");
  for (const hook of ["post-index-change", "pre-auto-gc", "fsmonitor-watchman"]) {
    fs.copyFileSync(script, path.join(folder, ".git/hooks", hook));
  }
  fs.rmSync(mark, { force: true });
  writeFile(folder, "a.py", "two\n");
  writeFile(folder, "new.py", "three\n");
  const before = fs.readFileSync(path.join(folder, ".git/index"));
  process.env.GIT_EXTERNAL_DIFF = script;
  t.after(() => delete process.env.GIT_EXTERNAL_DIFF);
  const text = await diffOf(folder);
  assert.match(text, /\+two/);
  assert.match(text, /\+three/);
  assert.equal(fs.existsSync(mark), false);
  assert.deepEqual(fs.readFileSync(path.join(folder, ".git/index")), before);
});

test("a large new file is named and left out, a link is shown and not followed", async (t) => {
  const folder = makeRepository(t, { "a.py": "one\n" });
  writeFile(folder, "large.txt", "x".repeat(1024 * 1024 + 1));
  fs.symlinkSync("/etc/passwd", path.join(folder, "link"));
  const found = await workingDiff(folder, {});
  assert.ok("bytes" in found);
  assert.deepEqual(found.leftOut, ["large.txt is not looked at: it is larger than 1 MB."]);
  assert.match(
    Buffer.from(found.bytes).toString(),
    /new file mode 120000\n--- \/dev\/null\n\+\+\+ b\/link\n@@ -0,0 \+1 @@\n\+\/etc\/passwd\n\\ No newline/,
  );
});

test("outside of a repository a sentence says what to do", async (t) => {
  const found = await workingDiff(makeFolder(t), {});
  assert.match("why" in found ? found.why : "", /no git repository.*PATCH/);
});
