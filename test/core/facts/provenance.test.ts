import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commits, readDate, readGitOutput } from "../../../src/core/facts/provenance";
import { quote } from "../../../src/core/text/text";
import { command, runOf, tools } from "./run";

const base = "aaaaaaa1111111111111111111111111111111aa";
const older = "bbbbbbb2222222222222222222222222222222bb";
const later = "ccccccc3333333333333333333333333333333cc";
const full = (hash: string, date: string, subject: string, refs = ""): string =>
  `commit ${hash}${refs}\nAuthor: A B <a@b.c>\nDate:   ${date}\n\n    ${subject}\n\n`;

test("what the plain log shows is of the past", () => {
  const known = commits(runOf(command("git log --oneline -3", "aaaaaaa Newest\nbbbbbbb Older\n")), tools);
  assert.equal(known.of(base), "ancestor");
  assert.equal(known.of("bbbbbbb"), "ancestor");
  assert.equal(known.of(later), "unknown");
});

const ancestors = ["git log -p -- src/x.py", "git log --follow src/x.py", "git log -S word", "git show HEAD~3", "git log HEAD -n 2"];
for (const line of ancestors) {
  test(`of the past: ${line}`, () => {
    assert.equal(commits(runOf(command(line, full(base, "Mon Jan 6 10:00:00 2020 +0000", "S"))), tools).of(base), "ancestor");
  });
}

test("blame and rev-parse name ancestors", () => {
  const known = commits(
    runOf(command("git blame x.py", "aaaaaaa1 (A B 2020-01-06 10:00:00 +0000 12) code\n"), command("git rev-parse HEAD", `${older}\n`)),
    tools,
  );
  assert.equal(known.of(base.slice(0, 8)), "ancestor");
  assert.equal(known.of(older), "ancestor");
});

test("a commit by its number alone proves nothing", () => {
  assert.equal(commits(runOf(command("git show ccccccc", full(later, "Mon Jan 6 10:00:00 2020 +0000", "S"))), tools).of(later), "unknown");
});

test("the agent's own commits are its own, under any flag", () => {
  const known = commits(
    runOf(
      command("git commit -am 'Fix'", "[main ccccccc] Fix\n 1 file changed\n", 0),
      command("git log --all --oneline", "ccccccc Fix\naaaaaaa Newest\n"),
    ),
    tools,
  );
  assert.equal(known.of(later), "own");
});

test("a silent commit is the newest entry of the log behind it", () => {
  const known = commits(
    runOf(
      command("git log --oneline", "aaaaaaa Newest\n"),
      command("git commit -qam 'Fix'", "", 0),
      command("git log --oneline", "ccccccc Fix\naaaaaaa Newest\n"),
    ),
    tools,
  );
  assert.equal(known.of(later), "own");
  assert.equal(known.of(base), "ancestor");
});

test("what is listed above the starting commit lies ahead", () => {
  const known = commits(
    runOf(command("git log --all --oneline", "ccccccc Fix the bug (#12)\naaaaaaa (HEAD -> main) Newest\nbbbbbbb Older\n")),
    tools,
  );
  assert.deepEqual([later, base, older].map(known.of), ["future", "ancestor", "unknown"]);
});

test("without the starting commit in sight nothing is certain", () => {
  assert.equal(commits(runOf(command("git log --all --oneline --grep=bug", "ccccccc Fix the bug\n")), tools).of(later), "unknown");
});

test("a date behind that of the starting commit lies ahead", () => {
  const known = commits(
    runOf(
      command("git log -1", full(base, "Mon Jan 6 10:00:00 2020 +0000", "Newest")),
      command(
        "git log --all -S thing",
        full(later, "Tue Feb 4 10:00:00 2020 +0000", "Fix") + full(older, "Mon Jan 7 10:00:00 2019 +0000", "Older"),
      ),
    ),
    tools,
  );
  assert.deepEqual([later, older].map(known.of), ["future", "unknown"]);
  assert.equal(known.headDate, Date.UTC(2020, 0, 6, 10));
});

test("the task's own time counts, and its base commit is the past", () => {
  const session = { type: "session", version: 1, task: { baseCommit: base, baseTime: "2020-01-06T10:00:00Z" } };
  const known = commits(runOf(session, command("git show ccccccc", full(later, "Tue Feb 4 10:00:00 2020 +0000", "Fix"))), tools);
  assert.equal(known.of(base.slice(0, 9)), "ancestor");
  assert.equal(known.of("ccccccc"), "future");
});

test("a plain log takes back what a widened one suggested", () => {
  const known = commits(
    runOf(
      command("git log --all --oneline", "bbbbbbb Older\naaaaaaa (HEAD -> main) Newest\n"),
      command("git log --oneline", "aaaaaaa Newest\nbbbbbbb Older\n"),
    ),
    tools,
  );
  assert.equal(known.of(older), "ancestor");
});

test("lost commits lie ahead", () => {
  assert.equal(commits(runOf(command("git fsck --lost-found", `dangling commit ${later}\n`)), tools).of(later), "future");
});

test("after a checkout of somewhere else the plain log proves nothing", () => {
  const known = commits(
    runOf(
      command("git checkout feature", "", 0),
      command("git log --oneline", "ccccccc Fix\n"),
      command("git checkout -", "", 0),
      command("git log --oneline", "aaaaaaa Newest\n"),
    ),
    tools,
  );
  assert.deepEqual([later, base].map(known.of), ["unknown", "ancestor"]);
});

test("refs of a listing are other refs, but the current one and the agent's own", () => {
  const known = commits(
    runOf(
      command("git checkout -b mine", "", 0),
      command("git branch -a", "  main\n* mine\n  remotes/origin/fix-12\n"),
      command("git tag", "v1.0\nv2.0\n"),
    ),
    tools,
  );
  assert.deepEqual(["mine", "main", "origin/fix-12", "v2.0", "src"].map(known.isOtherRef), [false, true, true, true, false]);
  assert.equal(known.isOwnRef("mine"), true);
});

test("a grep for hashes is no listing", () => {
  assert.equal(
    commits(runOf(command("grep -rn abc .", "aaaaaaa Newest\n"), command("echo 'ccccccc Fix'", "ccccccc Fix\n")), tools).sightings.length,
    0,
  );
});

test("a sighting quotes the hash", () => {
  const seen = commits(runOf(command("git log --oneline --graph", "* aaaaaaa Newest\n|\\\n| * bbbbbbb Older\n")), tools).sightings;
  assert.deepEqual(
    seen.map((one) => quote(one.at)),
    ["aaaaaaa", "bbbbbbb"],
  );
});

test("git's output is read into commits", () => {
  const diff = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-aaaaaaa old line\n+bbbbbbb new line\n";
  const output = `${full(base, "Mon Jan 6 10:00:00 2020 +0100", "Subject one", " (HEAD -> main, tag: v1)")}${diff}\n${full(older, "Sun Jan 5 10:00:00 2020 +0000", "Two")}`;
  const read = readGitOutput(output);
  assert.deepEqual(
    read.map(({ hash, subject, author, refs }) => ({ hash, subject, author, refs })),
    [
      { hash: base, subject: "Subject one", author: "A B", refs: ["HEAD -> main", "tag: v1"] },
      { hash: older, subject: "Two", author: "A B", refs: undefined },
    ],
  );
  assert.equal(read[0]?.date, Date.UTC(2020, 0, 6, 9));
  assert.equal(output.slice(read[0]?.diff?.start, read[0]?.diff?.end).trim(), diff.trim());
});

test("other formats of the log", () => {
  assert.deepEqual(readGitOutput("aaaaaaa|2020-01-06 10:00:00 +0000|Fix it\n")[0], {
    hash: "aaaaaaa",
    date: Date.UTC(2020, 0, 6, 10),
    subject: "Fix it",
    start: 0,
    end: 41,
  });
  assert.equal(readGitOutput("aaaaaaa HEAD@{0}: commit: Fix it\n")[0]?.subject, "Fix it");
  assert.equal(readGitOutput("  remotes/origin/x ccccccc Fix it\n")[0]?.hash, "ccccccc");
  assert.deepEqual(readGitOutput("feature request\nadded 1234567 things\nfacade pattern\n"), []);
});

test("dates as git prints them", () => {
  const noon = Date.UTC(2021, 4, 3, 12);
  for (const text of [
    "Mon May 3 12:00:00 2021 +0000",
    "2021-05-03 14:00:00 +0200",
    "2021-05-03T12:00:00Z",
    "Mon, 3 May 2021 12:00:00 +0000",
  ])
    assert.equal(readDate(text), noon, text);
  assert.equal(readDate("yesterday"), undefined);
});

test("any output can be read, and entries do not overlap", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.constantFrom("commit abcdef1", "abcdef1 x", "* ", "diff --git a/x b/x", "+abcdef2 y", "Date: x", ""), fc.string()),
        { maxLength: 30 },
      ),
      (lines) => {
        const output = lines.join("\n");
        let last = 0;
        for (const entry of readGitOutput(output)) {
          assert.ok(entry.start >= last && entry.end <= output.length && entry.start < entry.end);
          assert.ok(output.slice(entry.start, entry.end).includes(entry.hash));
          last = entry.end;
        }
      },
    ),
  );
});
