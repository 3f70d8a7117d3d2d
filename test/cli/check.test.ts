import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import { test } from "node:test";
import { diff, makeFolder, writeFile } from "../node/folder";
import { readRuns, runCli } from "./run-cli";

test("check judges the working changes as a person's own", async (t) => {
  const folder = makeFolder(t, { "a.py": "x = 1\n" });
  const git = (...args: string[]): unknown =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=n@example.org", ...args], { cwd: folder, stdio: "ignore" });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  const unchanged = await runCli(["check"], { cwd: folder });
  assert.equal(unchanged.status, 0, unchanged.stderr);
  assert.equal(readRuns(unchanged.stdout)[0]?.observed.patch, false);
  writeFile(folder, "a.py", "x = 2\n");
  const [changed] = readRuns((await runCli(["check"], { cwd: folder })).stdout);
  assert.deepEqual([changed?.profile, changed?.observed.patch, changed?.id], ["dev", true, "working changes"]);
  const [staged] = readRuns((await runCli(["check", "--staged"], { cwd: folder })).stdout);
  assert.equal(staged?.observed.patch, false);
  const [since] = readRuns((await runCli(["check", "--base", "HEAD"], { cwd: folder })).stdout);
  assert.equal(since?.observed.patch, true);
});

test("check judges a patch, from a file or from standard input", async (t) => {
  const folder = makeFolder(t, { "x.diff": diff });
  const [file] = readRuns((await runCli(["check", path.join(folder, "x.diff")])).stdout);
  assert.deepEqual([file?.profile, file?.observed.patch], ["dev", true]);
  const [input] = readRuns((await runCli(["check", "-"], { input: diff })).stdout);
  assert.deepEqual([input?.file, input?.observed.patch], ["-", true]);
});

test("check refuses what it cannot judge: exit 2 and a sentence", async (t) => {
  const folder = makeFolder(t, { "prose.txt": "hello" });
  const cases: [string[], RegExp][] = [
    [["check"], /no git repository/],
    [["check", "nope.diff"], /nope\.diff cannot be read/],
    [["check", "prose.txt"], /holds no diff/],
    [["check", "prose.txt", "--staged"], /one of them/],
    [["check", "--base", "x", "--staged"], /not both/],
    [["check", "--base", "x"], /no git repository/],
  ];
  for (const [args, expected] of cases) {
    const done = await runCli(args, { cwd: folder });
    assert.equal(done.status, 2, args.join(" "));
    assert.match(done.stderr, expected);
  }
});
