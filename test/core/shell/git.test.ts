import { test } from "node:test";
import assert from "node:assert/strict";
import { readGit } from "../../../src/core/shell/git";
import { readSession } from "./show";

async function git(line: string) {
  const { read } = await readSession([line]);
  const command = read.commands[read.commands.length - 1];
  assert.ok(command !== undefined, line);
  const call = readGit(command);
  assert.ok(call !== undefined, line);
  return call;
}

/** Whether git skips its hooks: each spelling was tried in a real repository (git 2.39). */
const HOOKS: readonly (readonly [line: string, flag: string, has: boolean])[] = [
  ["git commit --no-verify -m x", "no-verify", true],
  ["git commit --no-verif -m x", "no-verify", true],
  ["git commit --no-veri -m x", "no-verify", true],
  ["git commit -n -m x", "no-verify", true],
  ["git commit -nm x", "no-verify", true],
  ["git commit -anm x", "no-verify", true],
  ["git commit --amend -n", "no-verify", true],
  ["git -C sub commit -qan -m x", "no-verify", true],
  ["git push --no-verify origin main", "no-verify", true],
  ["git merge --no-verify topic", "no-verify", true],
  ["git rebase --no-verify main", "no-verify", true],
  ["git am --no-verify 0001.patch", "no-verify", true],
  // Not a bypass.
  ["git commit --no-ver -m x", "no-verify", false],
  ["git commit --no-v -m x", "no-verify", false],
  ["git commit --no-ver -m x", "no-verbose", false],
  ["git commit -am n", "no-verify", false],
  ["git commit -am -n", "no-verify", false],
  ['git commit -m "docs: mention --no-verify"', "no-verify", false],
  ["git commit -m --no-verify", "no-verify", false],
  ["git commit -mn", "no-verify", false],
  ["git commit -F n", "no-verify", false],
  ["git commit -C HEAD", "no-verify", false],
  ["git commit -- --no-verify", "no-verify", false],
  ["git --exec-path=/x commit -m x", "no-verify", false],
  ["git push -n", "no-verify", false],
  ["git merge -n topic", "no-verify", false],
  ["git cherry-pick -n abc", "no-verify", false],
  ["git revert -n abc", "no-verify", false],
  ["git fetch -n", "no-verify", false],
  ["git log -n 5", "no-verify", false],
  ["git push -n", "dry-run", true],
  ["git merge -n topic", "no-stat", true],
  ["git cherry-pick -n abc", "no-commit", true],
  ["git log -n 5", "max-count", true],
  // Other flags that matter.
  ["git log --all", "all", true],
  ["git log --al", "all", false],
  ["git log -g", "walk-reflogs", true],
  ["git branch -avv", "all", true],
  ["git reset --hard", "hard", true],
  ["git reset --har", "hard", true],
  ["git push -f", "force", true],
  ["git push --force-with-lease", "force", false],
  ["git clean -fdx", "force", true],
  ["git commit -a", "all", true],
  ["git log -S --all", "all", false],
  ["git log -S--all -p", "all", false],
  ["git log --grep --all", "all", false],
  ["git log -- --all", "all", false],
  ["git fsck --lost-found", "lost-found", true],
  ["git fsck --lost", "lost-found", true],
  ["git fsck --no-reflogs", "no-reflogs", true],
  ["git cat-file --batch-all-objects --batch", "batch-all-objects", true],
  ["git stash -u", "include-untracked", true],
];

for (const [line, flag, has] of HOOKS) {
  test(`${line}: ${has ? "" : "no "}${flag}`, async () => {
    assert.equal((await git(line)).flags.has(flag), has);
  });
}

const CONFIG: readonly (readonly [line: string, key: string, value: string])[] = [
  ["git -c core.hooksPath=/dev/null commit -m x", "core.hooksPath", "/dev/null"],
  ["git -c core.hookspath= commit -m x", "core.hookspath", ""],
  ["git -ccore.hooksPath=x commit -m x", "core.hooksPath", "x"],
  ["GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x", "core.hooksPath", "/dev/null"],
  [`GIT_CONFIG_PARAMETERS="'core.hooksPath=/dev/null'" git commit -m x`, "core.hooksPath", "/dev/null"],
  [`env GIT_CONFIG_PARAMETERS="'core.hooksPath'='/x'" git commit -m x`, "core.hooksPath", "/x"],
];

for (const [line, key, value] of CONFIG) {
  test(`configuration of ${line}`, async () => {
    assert.deepEqual((await git(line)).globals.config, [{ key, value }]);
  });
}

test("global options are read and set apart", async () => {
  for (const line of [
    "git -C d --git-dir=.git --work-tree . --no-pager -p log --all x -- f",
    "GIT_DIR=.git GIT_WORK_TREE=. git -C d log --all x -- f",
    "git -C /a -C /b -C d --git-dir .git --work-tree=. log x --all -- f",
  ]) {
    const call = await git(line);
    assert.equal(call.verb, "log");
    assert.equal(call.globals.C, line.includes("/b") ? "/b/d" : "d");
    assert.equal(call.globals.gitDir, ".git");
    assert.equal(call.globals.workTree, ".");
    assert.ok(call.flags.has("all"));
    assert.deepEqual(
      call.positionals.map((word) => word.value),
      ["x"],
    );
    assert.deepEqual(
      call.paths.map((word) => word.value),
      ["f"],
    );
  }
});

test("values belong to their options", async () => {
  const call = await git("git commit -am n --author 'A <a@b>' --date=now -- a b");
  assert.equal(call.values.get("message")?.value, "n");
  assert.equal(call.values.get("author")?.value, "A <a@b>");
  assert.equal(call.values.get("date")?.value, "now");
  assert.deepEqual(call.positionals, []);
  assert.deepEqual(
    call.paths.map((word) => word.value),
    ["a", "b"],
  );
  assert.equal((await git("git restore -s v2.0 f")).values.get("source")?.value, "v2.0");
  assert.deepEqual(
    (await git("git checkout up -- f")).positionals.map((word) => word.value),
    ["up"],
  );
  assert.deepEqual(
    (await git("git log --max-count 3 HEAD")).positionals.map((word) => word.value),
    ["HEAD"],
  );
});

test("a command that is not git", async () => {
  const { read } = await readSession(["echo git commit --no-verify"]);
  assert.equal(readGit(read.commands[0] ?? assert.fail()), undefined);
});

test("git without a verb", async () => {
  assert.equal((await git("git --version")).verb, "");
});
