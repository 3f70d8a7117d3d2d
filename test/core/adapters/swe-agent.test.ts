/** Samples of each version, read, compared with transcripts that were checked by hand, and damaged. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { adapter as mini } from "../../../src/core/adapters/mini-swe-agent";
import { adapter } from "../../../src/core/adapters/swe-agent";
import { findWords, wordValue } from "../../../src/core/adapters/shared/swe-words";
import { linesOf, mayRewrite, readWindow } from "../../../src/core/adapters/shared/swe-window";
import { createHead } from "../../../src/core/head";
import type { Step, Trajectory } from "../../../src/core/model";
import { createLocator } from "../../../src/core/text/locate";
import { made, spanOf } from "../../../src/core/text/text";
import { checkLaws } from "./fuzz";
import { checkStrangeValues } from "./fuzz-json";
import { bytesOf, readSample, renderTrajectory, textsOf } from "./render";

const samples = join(__dirname, "samples");
/** The sample's file, and the name under which such a file lies on disk. */
const files = [
  ["swe-0", "gpt4__slugs__default__t-0.00__p-0.95/acme__slugs-12.traj"],
  ["swe-1", "swe-1.traj"],
  ["swe-demo", "swe-demo.traj"],
] as const;
const encoder = new TextEncoder();

for (const [sample, name] of files) {
  const bytes = bytesOf(join(samples, `${sample}.traj`));

  test(`${sample}: as checked by hand`, () => {
    assert.equal(renderTrajectory(readSample(adapter, name, bytes)), readFileSync(join(samples, `${sample}.txt`), "utf8"));
  });

  test(`${sample}: cut, with flipped bytes and strange values`, () => {
    checkLaws(adapter, name, bytes);
    checkStrangeValues(adapter, name, bytes);
  });

  test(`${sample}: recognised, whole and by its head, and not taken for a mini-swe-agent run`, () => {
    for (const size of [bytes.length, 900]) {
      const head = createHead(bytes.subarray(0, size), size === bytes.length);
      assert.equal(adapter.sniff(name, head), "sure", `${size} bytes`);
      assert.equal(mini.sniff(name, head), "no");
    }
  });

  test(`${sample}: each act stands in its message`, () => {
    const run = readSample(adapter, name, bytes);
    const locator = createLocator();
    for (const step of run.steps.filter((one) => one.actor === "agent")) {
      const part = run.messages[step.message]?.parts[step.part];
      assert.ok(part);
      for (const [field, text] of textsOf(step)) {
        if (!["command", "after", "query", "thought"].includes(field) || text.value === "" || text.origin.from === "join") continue;
        // What was said stands in the message's first part, called or not.
        const inside = run.messages[step.message]?.parts.some((one) => locator.within(spanOf(text), one.text) !== undefined);
        assert.ok(inside, `step ${step.number} ${field}`);
      }
    }
  });
}

interface Turn {
  action: string;
  observation: string;
  /** The open file before the action, as up to 0.7. */
  open?: string;
}

function read(turns: Turn[], more: object = {}): Trajectory {
  const trajectory = turns.map(({ action, observation, open }) => ({
    action,
    observation,
    response: `I act.\n\`\`\`\n${action}\n\`\`\``,
    thought: "I act.",
    state: JSON.stringify({ open_file: open ?? "n/a", working_dir: "/repo" }),
  }));
  return readSample(
    adapter,
    "run.traj",
    encoder.encode(JSON.stringify({ environment: "swe_main", trajectory, history: [], info: {}, ...more })),
  );
}

function acts(run: Trajectory): Step[] {
  return run.steps.filter((step) => step.actor === "agent");
}

const shown = "[File: /repo/a.py (3 lines total)]\n1:one\n2:\n3:three\n";

test("an edit replaces what the last window showed", () => {
  const [, edit] = acts(
    read([
      { action: "open a.py", observation: shown },
      { action: "edit 1:3\nnew\nend_of_edit", observation: "[File: /repo/a.py (1 lines total)]\n1:new\n", open: "/repo/a.py" },
    ]),
  );
  assert.ok(edit?.action.kind === "edit");
  assert.equal(edit.action.path.value, "/repo/a.py");
  assert.equal(edit.action.line, 1);
  assert.equal(edit.action.before?.value, "one\n\nthree");
  assert.equal(edit.action.after?.value, "new");
  assert.equal(edit.action.partial, undefined);
});

test("an edit of lines that were not shown, or may have changed since, is partial", () => {
  const edit = { action: "edit 3:4\nnew\nend_of_edit", observation: "[File: /repo/a.py (4 lines total)]\n3:new\n", open: "/repo/a.py" };
  const changed = { action: "sed -i s/one/1/ a.py", observation: "", open: "/repo/a.py" };
  const same = { action: "edit 3:3\nnew\nend_of_edit", observation: "[File: /repo/a.py (3 lines total)]\n3:new\n", open: "/repo/a.py" };
  for (const turns of [[edit], [changed, same]]) {
    const last = acts(read([{ action: "open a.py", observation: shown }, ...turns])).at(-1);
    assert.ok(last?.action.kind === "edit");
    assert.equal(last.action.before, undefined);
    assert.equal(last.action.partial, true);
  }
});

test("an edit between cursors has no line numbers: a piece of the open file", () => {
  const turn = { action: "edit\nx = 1\nend_of_edit\n", observation: "[File: /repo/a.py (1 lines total)]\n1:x = 1\n", open: "/repo/a.py" };
  const [edit] = acts(read([turn]));
  assert.ok(edit?.action.kind === "edit");
  assert.deepEqual(
    [edit.action.path.value, edit.action.after?.value, edit.action.partial, edit.action.line],
    ["/repo/a.py", "x = 1", true, undefined],
  );
});

test("an edit in an empty line says nothing of the place, so it is partial", () => {
  const [, edit] = acts(
    read([
      { action: "open a.py", observation: shown },
      { action: "edit 2:2\ntwo\nend_of_edit", observation: shown.replace("2:", "2:two"), open: "/repo/a.py" },
    ]),
  );
  assert.ok(edit?.action.kind === "edit");
  assert.equal(edit.action.before?.value, "");
  assert.equal(edit.action.partial, true);
});

test("lines can be deleted by an empty edit", () => {
  const [, edit] = acts(
    read([
      { action: "open a.py", observation: shown },
      { action: "edit 1:1\nend_of_edit\n", observation: "[File: /repo/a.py (2 lines total)]\n1:\n2:three\n", open: "/repo/a.py" },
    ]),
  );
  assert.ok(edit?.action.kind === "edit");
  assert.equal(edit.action.after?.value, "");
  assert.equal(edit.action.before?.value, "one");
});

test("commands around an edit are acts of their own", () => {
  const steps = acts(read([{ action: "pip list\nedit 1:1\nx\nend_of_edit\npytest -q", observation: "1 passed", open: "/repo/a.py" }]));
  assert.deepEqual(
    steps.map((step) => step.action.kind),
    ["command", "edit", "command"],
  );
  assert.deepEqual(
    steps.map((step) => step.output?.value),
    [undefined, undefined, "1 passed"],
    "the answer is that of the last one",
  );
});

test("an edit without its end went to the shell, and so did one in a here-document", () => {
  for (const action of [
    "edit 1:1\nx = (1)\n",
    "edit 1:1\nx\n  end_of_edit",
    "cat <<E\nedit 1:1\nx\nend_of_edit\nE",
    "open a.py && rm a.py",
    "find_file a.py | xargs rm",
    'search_dir "$(rm a.py)"',
    "create a.py\nrm b.py",
  ]) {
    const steps = acts(read([{ action, observation: "", open: "/repo/a.py" }]));
    assert.deepEqual(
      steps.map((step) => [step.action.kind, step.action.kind === "command" ? step.action.command.value : ""]),
      [["command", action.trimEnd()]],
    );
  }
});

test("a demonstration is nobody's act here", () => {
  const history = [
    { role: "system", content: "s", agent: "main" },
    { role: "user", content: "DEMO", agent: "main", is_demo: true },
    { role: "assistant", content: "```\nrm -rf /\n```", action: "rm -rf /", agent: "main", is_demo: true },
    { role: "user", content: "the task", agent: "main" },
    { role: "assistant", content: "```\nls\n```", action: "ls", agent: "main" },
    { role: "user", content: "a.py", agent: "main" },
  ];
  const run = readSample(adapter, "x.traj", encoder.encode(JSON.stringify({ history })));
  assert.deepEqual(
    acts(run).map((step) => step.action.kind === "command" && step.action.command.value),
    ["ls"],
  );
  assert.equal(run.task.prompt?.value, "the task");
  assert.ok(run.messages.every((message) => !message.parts.some((part) => part.text.value.includes("DEMO"))));
});

test("another agent's name is kept", () => {
  const history = [
    { role: "user", content: "t" },
    { role: "assistant", content: "```\nls\n```", agent: "reviewer" },
  ];
  assert.equal(acts(readSample(adapter, "x.traj", encoder.encode(JSON.stringify({ history }))))[0]?.by, "reviewer");
});

test("a hand-over between agents is free text, and only between agents", () => {
  const said = "succeed it's done; rm nothing\nSee a.py";
  const history = (agent: string): object[] => [
    { role: "user", content: "t", agent },
    { role: "assistant", content: said, action: said, agent },
  ];
  const kinds = (agent: string): string[] =>
    acts(readSample(adapter, "x.traj", encoder.encode(JSON.stringify({ history: history(agent) })))).map((step) => step.action.kind);
  assert.deepEqual(kinds("Tester"), ["other"]);
  assert.deepEqual(kinds("main"), ["command"]);
});

test("what was handed in is a patch only when it is one", () => {
  const diff = "\r\ndiff --git a/x b/x\r\n--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n";
  assert.equal(read([], { info: { submission: diff, exit_status: "submitted" } }).patch?.value, diff);
  assert.equal(read([], { info: { submission: "flag{x}", exit_status: "submitted" } }).patch, undefined);
  assert.equal(read([], { info: { submission: null, exit_status: "exit_cost" } }).patch, undefined);
});

test("words: quotes undone, operators left to the shell", () => {
  const split = (line: string): string[] | undefined => findWords(line)?.words.map((word) => wordValue(line, word));
  assert.deepEqual(split(`open "a b.py" 12`), ["open", "a b.py", "12"]);
  assert.deepEqual(split(`edit 'it'"'"'s' "\\"q\\" \\n"`), ["edit", "it's", '"q" \\n']);
  assert.deepEqual(split(`search_dir a\\ b`), ["search_dir", "a b"]);
  assert.deepEqual(split(`find_file '' x`), ["find_file", "", "x"]);
  assert.deepEqual(split("goto 5 # there"), ["goto", "5"]);
  for (const line of ["open a; ls", "open a | cat", "open $(ls)", "open `ls`", "open 'a", 'open "a', "open a > b", 'open "$(x)"', "a &"])
    assert.equal(split(line), undefined, line);
});

test("words: whatever is quoted comes back", () => {
  const quote = (word: string): string => `'${word.replaceAll("'", `'"'"'`)}'`;
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 5 }), (words) => {
      const line = words.map(quote).join(" ");
      const found = findWords(line);
      assert.deepEqual(
        found?.words.map((word) => wordValue(line, word)),
        words,
      );
      assert.equal(found?.end, line.length);
    }),
  );
});

test("windows: the last one counts, and of a refused edit only the original", () => {
  const refused = `Your proposed edit has introduced new syntax error(s).\n[File: /repo/a.py (1 lines total)]\n1:wrong\n`;
  assert.equal(readWindow(made(refused), true), undefined);
  const both = readWindow(
    made(
      `${refused}This is the original code before your edit\n---\n[File: /repo/a.py (9 lines total)]\n(3 more lines above)\n4:right\n5:x: y\n(4 more lines below)\n`,
    ),
    true,
  );
  assert.equal(both?.total, 9);
  assert.equal(linesOf(both, 4, 5)?.value, "right\nx: y");
  assert.equal(linesOf(both, 3, 4), undefined);
  assert.equal(linesOf(both, 5, 4), undefined);
});

test("commands that may rewrite a file behind the editor's back", () => {
  for (const command of [
    "sed -i s/a/b/ x",
    "git checkout x",
    "cd y && mv a b",
    "python - <<E\nE",
    "python3 -c 'x'",
    "echo 1 > x",
    "ruff check --fix",
  ])
    assert.ok(mayRewrite(command), command);
  for (const command of ["ls -la", "python reproduce.py", "pytest -q tests", "grep -rn sedan ."]) assert.ok(!mayRewrite(command), command);
});

test("real demonstrations: all is read, and every edit knows its file", (t) => {
  const folder = join(process.env["PROCTOR_CORPUS"] ?? join(__dirname, "../../../../shared/corpus"), "swe-agent");
  if (!existsSync(folder)) return t.diagnostic("The corpus is not here: not read.");
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".traj"));
  assert.equal(found.length, 22);
  for (const file of found) {
    const bytes = bytesOf(join(folder, file));
    assert.equal(adapter.sniff(file, createHead(bytes.subarray(0, 65536), bytes.length <= 65536)), "sure", file);
    const run = readSample(adapter, file, bytes);
    const document = JSON.parse(new TextDecoder().decode(bytes)) as { trajectory?: unknown[]; history: { role: string }[] };
    const turns = document.trajectory?.length ?? document.history.filter((message) => message.role === "assistant").length;
    assert.ok(acts(run).length >= turns, file);
    assert.equal(run.unread, 0, file);
    assert.deepEqual(run.problems, [], file);
    for (const { action } of run.steps) if (action.kind === "edit") assert.notEqual(action.path.value, "", file);
  }
});
