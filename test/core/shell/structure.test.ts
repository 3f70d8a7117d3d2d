import { test } from "node:test";
import assert from "node:assert/strict";
import { emptyState, nextState, readShell, withScript } from "../../../src/core/shell/read";
import { parser, readSession, showCommands } from "./show";

test("pipes, operators, masking and background", async () => {
  const { read } = await readSession(["a && b || true; c | d & e"]);
  const seen = read.commands.map((c) => [c.name, c.joined, c.masked, c.background, c.pipedFrom ?? -1, c.pipedTo ?? -1]);
  assert.deepEqual(seen, [
    ["a", ";", true, false, -1, -1],
    ["b", "&&", true, false, -1, -1],
    ["true", "||", true, false, -1, -1],
    ["c", ";", true, true, -1, 4],
    ["d", "|", true, true, 3, -1],
    ["e", "&", false, false, -1, -1],
  ]);
});

const MASKED: readonly (readonly [line: string, program: string, masked: boolean])[] = [
  ["pytest", "pytest", false],
  ["cd x && pytest", "pytest", false],
  ["pytest && echo ok", "pytest", false],
  ["pytest || true", "pytest", true],
  ["pytest || exit 1", "pytest", false],
  ["pytest || { echo failed; exit 1; }", "pytest", false],
  ["pytest || { echo failed; }", "pytest", true],
  ["pytest || { echo failed; exit; }", "pytest", true],
  ["pytest || exit 0", "pytest", true],
  ["pytest && echo ok || true", "pytest", true],
  ["pytest; true", "pytest", true],
  ["pytest\necho done", "pytest", true],
  ["set -e; pytest; echo done", "pytest", false],
  ["set -euo pipefail\npytest | tail -1\necho done", "pytest", false],
  ["pytest | tail -1", "pytest", true],
  ["set -o pipefail; pytest | tail -1", "pytest", false],
  ["echo x | pytest", "pytest", false],
  ["pytest &", "pytest", true],
  ["(pytest) || true", "pytest", true],
  ["(cd x; pytest)", "pytest", false],
  ["(pytest; echo x)", "pytest", true],
  ["if pytest; then echo ok; fi", "pytest", true],
  ["bash -c 'pytest' | tail", "pytest", true],
  ["bash -c 'pytest || true'", "pytest", true],
  ["bash -c 'pytest'", "pytest", false],
  ["bash -ec 'pytest; echo x'", "pytest", false],
  ["timeout 5 pytest || :", "pytest", true],
];

for (const [line, program, masked] of MASKED) {
  test(`${masked ? "masked" : "not masked"}: ${line}`, async () => {
    const { read } = await readSession([line]);
    const found = read.commands.filter((command) => command.name === program);
    assert.equal(found.length, 1);
    assert.equal(found[0]?.masked, masked);
  });
}

test("a folder is tracked, and a subshell's stays inside", async () => {
  const { read, state } = await readSession(["ls; cd a && make; (cd b; pytest); cd ../c; ls; cd /x/y; ls; cd -; ls"]);
  const folders = read.commands.filter((command) => command.name !== "cd").map((command) => command.cwd ?? "");
  assert.deepEqual(folders, ["", "a", "a/b", "c", "/x/y", "c"]);
  assert.equal(state.cwd, "c");
});

test("an unknown folder is not guessed", async () => {
  const { read } = await readSession(["cd $SOMEWHERE && ls"]);
  assert.equal(read.commands[1]?.cwd, "\0");
  const again = await readSession(["cd $(git rev-parse --show-toplevel); ls"]);
  assert.equal(again.read.commands.at(-1)?.cwd, "\0");
});

test("a failed cd alone changes nothing", async () => {
  const tools = await parser();
  const read = readShell("cd a", emptyState, tools);
  assert.equal(nextState("cd a", read, emptyState, false).cwd, "");
  assert.equal(nextState("cd a", read, emptyState, true).cwd, "a");
  assert.equal(nextState("cd a", read, emptyState).cwd, "a");
});

test("a pipe's stages and background jobs change nothing for later lines", async () => {
  const { state } = await readSession(["x=1 | cd a", "y=2 &", "echo | (z=3; cd b)"]);
  assert.deepEqual([...state.variables.keys()], []);
  assert.equal(state.cwd, "");
});

test("the state before a line stays as it was", async () => {
  const before = withScript(emptyState, "a.sh", "ls");
  await readSession(["x=1; alias l=ls; f() { ls; }; git config alias.x y; echo pwd > a.sh; cd q"], before);
  assert.deepEqual(
    [before.variables.size, before.aliases.size, before.functions.size, before.gitAliases.size, before.cwd],
    [0, 0, 0, 0, ""],
  );
  assert.deepEqual([...before.scripts], [["a.sh", "ls"]]);
  assert.equal(emptyState.scripts.size, 0);
});

test("a state follows from the line alone when its reading was made elsewhere", async () => {
  const tools = await parser();
  const line = "x=1; cd a; echo ls > f.sh";
  const read = readShell(line, emptyState, tools);
  const direct = nextState(line, read, emptyState);
  const copied = nextState(line, structuredClone(read), emptyState);
  assert.deepEqual(copied, direct);
  assert.deepEqual(
    [...direct.variables].filter(([name]) => name === "x"),
    [["x", "1"]],
  );
  assert.deepEqual([...direct.scripts], [["a/f.sh", "ls\n"]]);
});

test("a script of an edit tool is run by a shell, by any spelling of its path", async () => {
  const state = withScript(emptyState, "/repo/x.sh", "git log --all");
  for (const line of ["sh /repo/x.sh", "sh x.sh", "cd sub; sh ../x.sh", "/repo/./x.sh"]) {
    const { read } = await readSession([line], state);
    assert.ok(showCommands(read).includes("script: git log --all"), line);
  }
  const { read } = await readSession(["sh y.sh"], state);
  assert.deepEqual(showCommands(read), ["line: sh y.sh"]);
});

test("places are those of the given line", async () => {
  const line = "cd a && sudo git log --all | head; bash -c 'git show x' <<< y";
  const { read } = await readSession([line]);
  const text = read.commands.map((command) => line.slice(command.start, command.end));
  assert.deepEqual(text, ["cd a", "sudo git log --all", "head", "bash -c 'git show x' <<< y", "git show x"]);
  const words = read.commands[1]?.argv.map((word) => line.slice(word.start, word.end));
  assert.deepEqual(words, ["git", "log", "--all"]);
  assert.deepEqual(read.commands[1]?.wrappers, ["sudo"]);
});

test("places inside here-documents and code are exact where the text is verbatim", async () => {
  const line = "bash <<'EOF'\nls\ngit log --all\nEOF";
  const { read } = await readSession([line]);
  assert.deepEqual(read.commands.map((command) => line.slice(command.start, command.end)).slice(1), ["ls", "git log --all"]);
  const code = `python -c 'import os; os.system("git log --all")'`;
  const second = (await readSession([code])).read.commands[1];
  assert.equal(code.slice(second?.start, second?.end), "git log --all");
  const decoded = "echo Z2l0IGxvZyAtLWFsbAo= | base64 -d | sh";
  const third = (await readSession([decoded])).read.commands[3];
  assert.equal(decoded.slice(third?.start, third?.end), "Z2l0IGxvZyAtLWFsbAo=");
});

test("assignments before a command belong to it, and env's too", async () => {
  const { read, state } = await readSession(["A=1 env B=2 git log"]);
  assert.deepEqual(
    read.commands[0]?.assignments.map((a) => [a.name, a.value.value]),
    [
      ["A", "1"],
      ["B", "2"],
    ],
  );
  assert.deepEqual(read.commands[0]?.wrappers, ["env"]);
  assert.equal(state.variables.has("A"), false);
});

test("literal input is kept on the command", async () => {
  const { read } = await readSession(["cat <<'EOF' | grep x\nab\nEOF"]);
  assert.equal(read.commands[0]?.stdin?.value, "ab\n");
  assert.equal(read.commands[1]?.stdin?.value, "ab\n");
});

test("code in another language stands on its command", async () => {
  const { read } = await readSession(["python3 - <<'EOF'\nprint(1)\nEOF"]);
  assert.equal(read.commands[0]?.code?.language, "python");
  assert.equal(read.commands[0]?.code?.text.value, "print(1)\n");
  const { read: node } = await readSession(["node -e 'x()'"]);
  assert.equal(node.commands[0]?.code?.language, "javascript");
});

test("what is no shell is broken, and claims nothing", async () => {
  for (const line of ["echo 'never closed", "if true; then", "a && ", ")("]) {
    const { read } = await readSession([line]);
    assert.ok(read.broken !== undefined || read.opaque.length > 0, line);
    if (read.broken !== undefined) assert.deepEqual(read.commands, []);
  }
});

test("without a parser the lexer's lines are read, and others are broken", () => {
  assert.deepEqual(showCommands(readShell("git log | cat", emptyState)), ["line: git log", "line: cat"]);
  assert.ok(readShell("for x in a; do ls; done", emptyState).broken !== undefined);
});

test("an empty line and a comment run nothing", async () => {
  for (const line of ["", "  \n\n", "# only a comment", ";"]) assert.deepEqual((await readSession([line])).read.commands, [], line);
});

test("nesting and cycles end", async () => {
  const deep = `bash -c '${"eval ".repeat(400)}ls'`;
  assert.ok((await readSession([deep])).read.commands.length > 0);
  const cycle = await readSession(["f() { g; }; g() { f; }; f", "alias a=b; alias b=a", "a"]);
  assert.ok(cycle.read.commands.length <= 2);
  const many = await readSession([`${"( ".repeat(300)}ls${" )".repeat(300)}`]);
  assert.ok(many.read.broken !== undefined || many.read.opaque.length > 0);
});
