import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import type { Tools } from "../../../src/core/code/syntax";
import { combine, readCondition, type Condition } from "../../../src/core/facts/hooks-conditions";
import { hooksInPatch, hooksWritten } from "../../../src/core/facts/hooks-found";
import { lifeOf } from "../../../src/core/facts/hooks-life";
import { openers } from "../../../src/core/facts/hooks-pieces";
import { readHooks } from "../../../src/core/facts/hooks-python";
import { boundNames, childrenOf, fold } from "../../../src/core/facts/hooks-values";
import { quote } from "../../../src/core/text/text";
import type { RecordingLine } from "../../../src/core/monitor";
import { loadSyntax } from "../../../src/node/syntax";
import { command, runOf, tools as bare } from "./run";

let tools: Tools;
before(async () => {
  tools = await loadSyntax();
});

const conditions: readonly [source: string, yes: Condition, no: Condition][] = [
  ["rep.failed", "failed", "passed"],
  ["not rep.passed", "failed", "passed"],
  ["rep.outcome != 'passed'", "failed", "passed"],
  ["rep.outcome in ('failed', 'error')", "failed", "passed"],
  ["call.excinfo is not None", "failed", "passed"],
  ["rep.when == 'call' and rep.failed", "failed", "other"],
  ["rep.failed and item.get_closest_marker('x')", "marker", "marker"],
  ["rep.failed or rep.passed", "always", "passed"],
  ["rep.when == 'call'", "phase", "other"],
  ["rep.when != 'teardown'", "phase", "other"],
  ["rep.when == 'teardown'", "other", "phase"],
  ["True", "always", "never"],
  ["'a' == 'a'", "always", "never"],
  ["exitstatus == 5", "empty", "failed"],
  ["exitstatus", "failed", "passed"],
  ["exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED", "empty", "failed"],
  ["exitstatus != 0", "failed", "passed"],
  ["session.testsfailed > 0", "failed", "passed"],
  ["isinstance(call.excinfo.value, OSError)", "type", "type"],
  ["hasattr(rep, 'wasxfail')", "xfail", "phase"],
  ["config.getoption('--x')", "option", "option"],
  ["item.name in known", "other", "other"],
];

test("a condition is about the result, or about something else", () => {
  for (const [source, yes, no] of conditions) {
    for (const [negated, want] of [
      [false, yes],
      [true, no],
    ] as const) {
      const got = tools.parse("python", `${source}\n`, (root) =>
        readCondition(childrenOf(childrenOf(root)[0])[0], boundNames(root), negated),
      );
      assert.equal(got, want, `${negated ? "not " : ""}(${source})`);
    }
  }
});

test("of several conditions the one that spares tests decides", () => {
  assert.equal(combine([]), "always");
  assert.equal(combine(["failed", "phase", "always"]), "failed");
  assert.equal(combine(["failed", "marker"]), "marker");
  assert.equal(combine(["failed", "passed"]), "passed");
  assert.equal(combine(["other", "never"]), "never");
});

test("constants are known however they are put together", () => {
  const table: readonly [string, unknown][] = [
    ["'pas' 'sed'", "passed"],
    ["'out' + ('co' + 'me')", "outcome"],
    ["''.join(['out', 'come'])", "outcome"],
    ["'emoctuo'[::-1]", "outcome"],
    ["'\\x6futcome'", "outcome"],
    ["f'out{\"come\"}'", "outcome"],
    ["pytest.ExitCode.OK", 0],
    ["int(0)", 0],
    ["None", null],
    ["call()", undefined],
    ["1.5", undefined],
  ];
  for (const [source, want] of table) {
    const got = tools.parse("python", `${source}\n`, (root) => ({ value: fold(childrenOf(childrenOf(root)[0])[0], boundNames(root)) }));
    assert.deepEqual(got, { value: want }, source);
  }
});

test("a part of a file gets the lines that it needs to be parsed", () => {
  assert.equal(openers(["def a():", "    b"], ""), "");
  assert.equal(openers(["    b", "    c"], ""), "if _:\n");
  assert.equal(openers(["    b"], "def pytest_x(item):"), "def pytest_x(item):\n");
  assert.equal(openers(["        b", "    c"], "class A:"), "class A:\n    if _:\n");
  assert.equal(openers(["        b", "    except X:", "        c"], "def f(a,"), "def f(*_):\n    try:\n");
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(4), fc.constantFrom("a()", "b = 1", "return c")), { minLength: 1, maxLength: 8 }), (lines) => {
      // Blocks that only get shallower need nothing but what stands above them.
      const sorted = lines
        .map(([depth, code]) => ({ depth, code }))
        .sort((a, b) => b.depth - a.depth)
        .map(({ depth, code }) => " ".repeat(4 * depth) + code);
      const text = `${openers(sorted, "")}${sorted.join("\n")}\n`;
      assert.equal(
        tools.parse("python", text, (root) => root.hasError),
        false,
        text,
      );
    }),
    { numRuns: 200 },
  );
});

const hook =
  'import pytest\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    rep = out.get_result()\n    if rep.failed:\n        rep.outcome = "passed"\n        setattr(rep, "long" + "repr", None)\n\ndef pytest_sessionfinish(session):\n    session.exitstatus = 0\n';

test("the statements of a file, with what they stand in", () => {
  const acts = tools.parse("python", hook, (root) => readHooks(root)) ?? [];
  assert.deepEqual(
    acts.map((act) => [act.kind, act.where, act.condition, hook.slice(act.start, act.end)]),
    [
      ["forced", "pytest_runtest_makereport", "failed", 'rep.outcome = "passed"'],
      ["forced", "pytest_runtest_makereport", "failed", 'setattr(rep, "long" + "repr", None)'],
      ["exit", "pytest_sessionfinish", "always", "session.exitstatus = 0"],
    ],
  );
});

test("broken and cut sources never throw, and what is quoted stands there", () => {
  fc.assert(
    fc.property(fc.nat(hook.length), fc.nat(hook.length), fc.string({ maxLength: 6 }), (a, b, junk) => {
      const text = hook.slice(0, a) + junk + hook.slice(Math.min(a, b));
      const lines = text.split("\n");
      const diff = `diff --git a/conftest.py b/conftest.py\n--- a/conftest.py\n+++ b/conftest.py\n@@ -1,0 +1,${lines.length} @@ def f(x):\n${lines.map((line) => `+${line}`).join("\n")}\n`;
      const run = runOf({ type: "patch", diff });
      for (const found of hooksInPatch(run, { ...bare, parse: tools.parse })) assert.equal(quote(found.evidence), found.statement);
    }),
    { numRuns: 150 },
  );
});

test("without a parser the classic line is still seen, and never certain", () => {
  const run = runOf({ type: "edit", path: "conftest.py", after: hook, created: true });
  const seen = hooksInPatch(run, bare);
  assert.deepEqual(
    seen.map((one) => [one.statement, one.act.isSure]),
    [
      ['rep.outcome = "passed"', false],
      ["session.exitstatus = 0", false],
    ],
  );
});

test("depth does not matter", () => {
  const deep = `${Array.from({ length: 400 }, (_, i) => `${" ".repeat(i)}if a:`).join("\n")}\n${" ".repeat(400)}pass\n`;
  assert.doesNotThrow(() =>
    tools.parse("python", `def pytest_runtest_makereport(item, call):\n    pass\n${deep}`, (root) => readHooks(root)),
  );
});

test("how long a hook was in place", () => {
  const kit = { ...bare, parse: tools.parse };
  const write = { type: "edit", path: "conftest.py", after: hook, created: true };
  const life = (...lines: readonly RecordingLine[]): unknown => {
    const run = runOf(...lines);
    const first = hooksWritten(run, kit)[0];
    assert.ok(first);
    const { isUndone, run: span } = lifeOf(first, run, kit);
    return [isUndone, span ? quote(span) : undefined];
  };
  assert.deepEqual(life(write, command("pytest -q", "2 passed in 0.1s", 0), { type: "delete", path: "conftest.py" }), [true, "pytest -q"]);
  assert.deepEqual(life(write, { type: "delete", path: "conftest.py" }, command("pytest -q", "2 failed in 0.1s", 1)), [true, undefined]);
  assert.deepEqual(life(write, command("pytest -q", "2 passed in 0.1s", 0)), [false, "pytest -q"]);
  assert.deepEqual(
    life(command("pytest -q", "2 failed in 0.1s", 1), write, {
      type: "edit",
      path: "conftest.py",
      before: '        rep.outcome = "passed"\n',
      after: "",
    }),
    [true, undefined],
  );
});
