import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readRunnerOutput } from "../../../../src/core/facts/runners";
import type { RunnerName, RunnerResult } from "../../../../src/core/facts/runners";

const bar = (title: string, sign = "="): string => {
  const fill = sign.repeat(Math.max(1, Math.floor((78 - title.length) / 2)));
  return `${fill} ${title} ${fill}`;
};
const rule = (sign: string, length = 70): string => sign.repeat(length);
const lines = (...list: string[]): string => `${list.join("\n")}\n`;

interface Case {
  name: string;
  output: string;
  hint?: RunnerName;
  /** One entry a run: runner, status, then passed, failed, errored, skipped, total where the case is about them. */
  runs: (readonly [RunnerName, RunnerResult["status"], ...(number | null)[]])[];
  truncated?: boolean;
  failures?: string[];
  first?: Partial<RunnerResult["failures"][number]>;
  /** Exactly this text is the last run's summary. */
  summary?: string;
}

const header = lines(
  bar("test session starts"),
  "platform linux -- Python 3.11.7, pytest-9.0.3, pluggy-1.6.0",
  "rootdir: /srv/shop",
  "collected 3 items",
  "",
);
const failing = lines(
  header.trimEnd(),
  "",
  "test_shop.py .F.                                                         [100%]",
  "",
  bar("FAILURES"),
  bar("test_total", "_"),
  "",
  "    def test_total():",
  ">       assert total([1, 2]) == 4",
  "E       assert 3 == 4",
  "E        +  where 3 = total([1, 2])",
  "",
  "test_shop.py:7: AssertionError",
  bar("short test summary info"),
  "FAILED test_shop.py::test_total - assert 3 == 4",
  bar("1 failed, 2 passed in 0.03s"),
);
const inner = lines(
  bar("test session starts"),
  "collected 1 item",
  "",
  "test_inner.py F        [100%]",
  "",
  bar("FAILURES"),
  bar("test_inner", "_"),
  "E   assert 0",
  bar("9 failed in 0.01s"),
);

const CASES: readonly Case[] = [
  {
    name: "pytest: green",
    output: header + lines("test_shop.py ...   [100%]", "", bar("3 passed in 0.01s")),
    runs: [["pytest", "green", 3, 0, 0, 0, 3]],
  },
  {
    name: "pytest: a failure with what was compared",
    output: failing,
    runs: [["pytest", "red", 2, 1, 0, 0, 3]],
    failures: ["test_shop.py::test_total"],
    first: { actual: "3", expected: "4", message: "assert 3 == 4" },
    summary: bar("1 failed, 2 passed in 0.03s"),
  },
  {
    name: "pytest: colours inside the counts",
    output: `\u001b[31m======= \u001b[31m\u001b[1m1 failed\u001b[0m, \u001b[32m2 passed\u001b[0m\u001b[31m in 0.12s\u001b[0m\u001b[31m =======\u001b[0m\n`,
    runs: [["pytest", "red", 2, 1, 0, 0, 3]],
  },
  { name: "pytest: lines that end in CRLF", output: failing.replace(/\n/g, "\r\n"), runs: [["pytest", "red", 2, 1, 0, 0, 3]] },
  {
    name: "pytest -q",
    output: "...                                                    [100%]\n3 passed in 0.01s\n",
    runs: [["pytest", "green", 3, 0, 0, 0, 3]],
    summary: "3 passed in 0.01s",
  },
  {
    name: "pytest: a long run",
    output: `${bar("5 passed, 1 skipped, 2 warnings in 71.02s (0:01:11)")}\n`,
    runs: [["pytest", "green", 5, 0, 0, 1, 6]],
  },
  {
    name: "pytest: old wording of the time",
    output: `${bar("5 passed, 1 pytest-warnings in 0.23 seconds")}\n`,
    runs: [["pytest", "green", 5, 0, 0, 0, 5]],
  },
  {
    name: "pytest: expected failures are neither passed nor failed",
    output: `${bar("1 passed, 2 xfailed, 1 xpassed in 0.10s")}\n`,
    runs: [["pytest", "green", 1, 0, 0, 0, 4]],
  },
  { name: "pytest: nothing ran", output: header + `${bar("no tests ran in 0.01s")}\n`, runs: [["pytest", "empty", 0, 0, 0, 0, 0]] },
  { name: "pytest: all deselected", output: header + `${bar("7 deselected in 0.02s")}\n`, runs: [["pytest", "empty", 0, 0, 0, 0, 0]] },
  { name: "pytest: all skipped", output: header + `${bar("2 skipped in 0.02s")}\n`, runs: [["pytest", "empty", 0, 0, 0, 2, 2]] },
  {
    name: "pytest: only collected",
    output: lines("test_shop.py::test_total", "", "2 tests collected in 0.01s"),
    runs: [["pytest", "empty", 0, 0, 0, 0, 0]],
  },
  {
    name: "pytest: an error while collecting",
    output:
      header +
      lines(
        bar("ERRORS"),
        bar("ERROR collecting test_shop.py", "_"),
        "E   ModuleNotFoundError: No module named 'shop'",
        bar("short test summary info"),
        "ERROR test_shop.py",
        bar("Interrupted: 1 error during collection", "!"),
        bar("1 error in 0.09s"),
      ),
    runs: [["pytest", "broken", 0, 1, 1, 0, 1]],
    failures: ["test_shop.py"],
  },
  {
    name: "pytest: a file that is not there",
    output: header + lines(bar("no tests ran in 0.00s"), "ERROR: file or directory not found: test_shp.py", ""),
    runs: [["pytest", "broken", 0, 0, 0, 0, 0]],
  },
  {
    name: "pytest: a usage error",
    output: lines("ERROR: usage: pytest [options] [file_or_dir] [file_or_dir] [...]", "pytest: error: unrecognized arguments: --fast"),
    hint: "pytest",
    runs: [["pytest", "broken"]],
  },
  {
    name: "pytest: an internal error",
    output:
      header + lines("INTERNALERROR> Traceback (most recent call last):", "INTERNALERROR> KeyError: 'x'", "", bar("no tests ran in 0.02s")),
    runs: [["pytest", "broken", 0, 0, 0, 0, 0]],
  },
  {
    name: "pytest: not installed",
    output: "/usr/bin/python3: No module named pytest\n",
    hint: "pytest",
    runs: [["pytest", "broken", null, null, null, null, null]],
  },
  {
    name: "pytest: cut by a time-out",
    output: header + "test_shop.py ...",
    runs: [["pytest", "unknown", null, null, null, null, null]],
    truncated: true,
  },
  {
    name: "pytest: cut after a failure was seen",
    output: header + lines("test_shop.py .F", "<elided_chars>"),
    runs: [["pytest", "red", null, null, null, null, null]],
    truncated: true,
  },
  {
    name: "pytest: interrupted by hand",
    output: header + lines("test_shop.py ..", bar("KeyboardInterrupt", "!"), bar("2 passed in 3.00s")),
    runs: [["pytest", "unknown", 2, 0, 0, 0, 2]],
  },
  {
    name: "pytest: a run printed by a failing test does not win",
    output: failing.replace(
      "test_shop.py:7: AssertionError\n",
      `test_shop.py:7: AssertionError\n${bar("Captured stdout call", "-")}\n${inner}`,
    ),
    runs: [["pytest", "red", 2, 1, 0, 0, 3]],
    failures: ["test_shop.py::test_total"],
    summary: bar("1 failed, 2 passed in 0.03s"),
  },
  {
    name: "pytest: another runner's summary printed by a failing test does not count",
    output:
      "building\n" +
      failing.replace(
        "test_shop.py:7: AssertionError\n",
        `test_shop.py:7: AssertionError\n${bar("Captured stderr call", "-")}\n${lines("..", rule("-"), "Ran 2 tests in 0.001s", "", "OK")}`,
      ),
    runs: [["pytest", "red", 2, 1, 0, 0, 3]],
  },
  {
    name: "pytest: the tail of a report with an inner run's summary",
    output: lines(
      bar("9 failed in 0.01s"),
      bar("Captured stderr call", "-"),
      "noise",
      bar("short test summary info"),
      "FAILED test_a.py::test_one",
      bar("1 failed, 4 passed in 0.20s"),
    ),
    runs: [["pytest", "red", 4, 1, 0, 0, 5]],
  },
  {
    name: "pytest: two runs, red and then green",
    output: failing + header + `test_shop.py ...\n${bar("3 passed in 0.01s")}\n`,
    runs: [
      ["pytest", "red", 2, 1, 0, 0, 3],
      ["pytest", "green", 3, 0, 0, 0, 3],
    ],
  },
  {
    name: "pytest: with xdist",
    output: lines(bar("test session starts"), "4 workers [120 items]", ".......... [100%]", bar("120 passed in 8.10s")),
    runs: [["pytest", "green", 120, 0, 0, 0, 120]],
  },
  {
    name: "pytest: only the failures were kept",
    output: "FAILED test_shop.py::test_total - assert 3 == 4\n",
    hint: "pytest",
    runs: [["pytest", "red", null, null, null, null, null]],
    truncated: true,
    failures: ["test_shop.py::test_total"],
  },
  {
    name: "pytest: pasted from a console, indented",
    output: lines("⎿  collected 3 items", `     ${bar("3 passed in 0.01s")}`),
    runs: [["pytest", "green", 3, 0, 0, 0, 3]],
  },

  {
    name: "unittest: green",
    output: lines("...", rule("-"), "Ran 3 tests in 0.001s", "", "OK"),
    runs: [["unittest", "green", 3, 0, 0, 0, 3]],
    summary: "Ran 3 tests in 0.001s\n\nOK",
  },
  {
    name: "unittest: failures, errors and skips",
    output: lines(
      "EFs..",
      rule("="),
      "ERROR: test_b (test_shop.Total)",
      rule("-"),
      "Traceback (most recent call last):",
      '  File "test_shop.py", line 4, in test_b',
      "KeyError: 'x'",
      "",
      rule("="),
      "FAIL: test_a (test_shop.Total)",
      rule("-"),
      "Traceback (most recent call last):",
      '  File "test_shop.py", line 9, in test_a',
      "AssertionError: 3 != 4",
      "",
      rule("-"),
      "Ran 5 tests in 0.002s",
      "",
      "FAILED (failures=1, errors=1, skipped=1)",
    ),
    runs: [["unittest", "red", 2, 2, 1, 1, 5]],
    failures: ["test_b (test_shop.Total)", "test_a (test_shop.Total)"],
  },
  {
    name: "unittest: nothing ran",
    output: lines("", rule("-"), "Ran 0 tests in 0.000s", "", "OK"),
    runs: [["unittest", "empty", 0, 0, 0, 0, 0]],
  },
  {
    name: "unittest: nothing ran, as Python 3.12 says it",
    output: lines("", rule("-"), "Ran 0 tests in 0.000s", "", "NO TESTS RAN"),
    runs: [["unittest", "empty", 0, 0, 0, 0, 0]],
  },
  {
    name: "unittest: all skipped",
    output: lines("ss", rule("-"), "Ran 2 tests in 0.000s", "", "OK (skipped=2)"),
    runs: [["unittest", "empty", 0, 0, 0, 2, 2]],
  },
  {
    name: "unittest: expected failures",
    output: lines("x.", rule("-"), "Ran 2 tests in 0.000s", "", "OK (expected failures=1)"),
    runs: [["unittest", "green", 1, 0, 0, 0, 2]],
  },
  {
    name: "unittest: an unexpected success fails the run",
    output: lines("u", rule("-"), "Ran 1 test in 0.000s", "", "FAILED (unexpected successes=1)"),
    runs: [["unittest", "red", 0, 1, 0, 0, 1]],
  },
  {
    name: "unittest: prints between the two lines",
    output: lines(rule("-"), "Ran 1 test in 0.000s", "closing", "", "OK"),
    runs: [["unittest", "green", 1, 0, 0, 0, 1]],
  },
  {
    name: "unittest: a module that cannot be loaded",
    output: lines(
      "E",
      rule("="),
      "ERROR: test_shop (unittest.loader._FailedTest.test_shop)",
      rule("-"),
      "ImportError: Failed to import test module: test_shop",
      "",
      rule("-"),
      "Ran 1 test in 0.000s",
      "",
      "FAILED (errors=1)",
    ),
    runs: [["unittest", "broken", 0, 1, 1, 0, 1]],
  },
  {
    name: "unittest: only the last line was kept",
    output: "FAILED (failures=2)\n",
    hint: "unittest",
    runs: [["unittest", "red", null, 2, 0, 0, null]],
  },
  {
    name: "django: green with databases around it",
    output: lines(
      "Creating test database for alias 'default'...",
      "System check identified no issues (0 silenced).",
      "..",
      rule("-"),
      "Ran 2 tests in 0.010s",
      "",
      "OK",
      "Destroying test database for alias 'default'...",
    ),
    runs: [["django", "green", 2, 0, 0, 0, 2]],
  },
  {
    name: "django: cut before its summary",
    output: lines("Testing against Django installed in '/srv/django' with up to 2 processes", "Found 31 test(s)."),
    runs: [["django", "unknown", null, null, null, null, null]],
    truncated: true,
  },
  {
    name: "django: could not start",
    output: lines(
      "Traceback (most recent call last):",
      '  File "manage.py", line 3, in <module>',
      "ModuleNotFoundError: No module named 'django'",
    ),
    hint: "django",
    runs: [["django", "broken", null]],
  },

  {
    name: "sympy: green",
    output: lines(bar("test process starts"), "shop/tests/test_a.py[3] ...     [OK]", "", bar("tests finished: 3 passed, in 0.10 seconds")),
    runs: [["sympy", "green", 3, 0, 0, 0, 3]],
  },
  {
    name: "sympy: red, whatever its exit code",
    output: lines(
      bar("test process starts"),
      "shop/tests/test_a.py[6] ...Ff.     [FAIL]",
      "",
      rule("_", 80),
      bar("shop/tests/test_a.py:test_b", "_"),
      '  File "shop/tests/test_a.py", line 8, in test_b',
      "AssertionError",
      "",
      bar("tests finished: 4 passed, 1 failed, 1 expected to fail, in 0.10 seconds"),
      "DO *NOT* COMMIT!",
    ),
    runs: [["sympy", "red", 4, 1, 0, 0, 6]],
    failures: ["shop/tests/test_a.py:test_b"],
  },
  {
    name: "sympy: a summary too long for one line",
    output: lines(
      bar("test process starts"),
      " tests finished: 41 passed, 5 skipped, 2 expected to fail, 2 exceptions, ",
      "in 0.26 seconds ",
      "DO *NOT* COMMIT!",
    ),
    runs: [["sympy", "red", 41, 2, 2, 5, 50]],
  },
  {
    name: "sympy: cut",
    output: lines(bar("test process starts"), "shop/tests/test_a.py[6] ...     [FAIL]"),
    runs: [["sympy", "red", null]],
    truncated: true,
  },

  {
    name: "jest: a failure",
    output: lines(
      "PASS src/a.test.js",
      "FAIL src/b.test.js",
      "  ● total › adds",
      "",
      "    expect(received).toBe(expected) // Object.is equality",
      "",
      "    Expected: 4",
      "    Received: 3",
      "",
      "Test Suites: 1 failed, 1 passed, 2 total",
      "Tests:       1 failed, 1 skipped, 3 passed, 5 total",
      "Snapshots:   0 total",
      "Time:        0.5 s",
    ),
    runs: [["jest", "red", 3, 1, 0, 1, 5]],
    failures: ["total › adds"],
    first: { expected: "4", actual: "3" },
    summary: "Tests:       1 failed, 1 skipped, 3 passed, 5 total",
  },
  {
    name: "jest: green",
    output: lines("PASS src/a.test.ts (5.1 s)", "", "Test Suites: 1 passed, 1 total", "Tests:       3 passed, 3 total"),
    runs: [["jest", "green", 3, 0, 0, 0, 3]],
  },
  {
    name: "jest: a suite that does not load",
    output: lines(
      "FAIL src/b.test.js",
      "  ● Test suite failed to run",
      "",
      "    Cannot find module './b'",
      "",
      "Test Suites: 1 failed, 1 total",
      "Tests:       0 total",
    ),
    runs: [["jest", "broken", 0, 1, 1, 0, 1]],
  },
  {
    name: "jest: no tests",
    output: lines("No tests found, exiting with code 1", "Run with `--passWithNoTests` to exit with code 0"),
    runs: [["jest", "empty", 0, 0, 0, 0, 0]],
  },
  { name: "jest: cut", output: lines("FAIL src/b.test.js", "  ● adds"), runs: [["jest", "red", null]], truncated: true },

  {
    name: "vitest: green",
    output: lines(
      "",
      " RUN  v3.2.4 /srv/shop",
      "",
      " ✓ src/a.test.ts (3 tests) 5ms",
      "",
      " Test Files  1 passed (1)",
      "      Tests  3 passed (3)",
      "   Start at  10:00:00",
    ),
    runs: [["vitest", "green", 3, 0, 0, 0, 3]],
  },
  {
    name: "vitest: a failure",
    output: lines(
      " RUN  v3.2.4 /srv/shop",
      " ❯ src/b.test.ts (2 tests | 1 failed) 7ms",
      "   × total > adds 3ms",
      "",
      " FAIL  src/b.test.ts > total > adds",
      "AssertionError: expected 3 to be 4 // Object.is equality",
      "",
      " Test Files  1 failed | 2 passed (3)",
      "      Tests  1 failed | 4 passed | 1 skipped (6)",
    ),
    runs: [["vitest", "red", 4, 1, 0, 1, 6]],
    failures: ["src/b.test.ts > total > adds"],
  },
  {
    name: "vitest: errors outside of tests",
    output: lines(" RUN  v3.2.4 /srv/shop", " Test Files  1 passed (1)", "      Tests  1 passed (1)", "     Errors  1 error"),
    runs: [["vitest", "red", 1, 1, 1, 0, 2]],
  },
  {
    name: "vitest: no files",
    output: lines(" RUN  v3.2.4 /srv/shop", "", "No test files found, exiting with code 1"),
    runs: [["vitest", "empty", 0, 0, 0, 0, 0]],
  },
  {
    name: "mocha: one failing",
    output: lines(
      "  total",
      "    ✔ counts",
      "    1) adds",
      "",
      "  1 passing (7ms)",
      "  1 pending",
      "  1 failing",
      "",
      "  1) total",
      "       adds:",
      "     AssertionError",
    ),
    runs: [["mocha", "red", 1, 1, 0, 1, 3]],
    failures: ["total"],
  },

  {
    name: "node: the spec reporter",
    output: lines(
      "✔ adds (1.6ms)",
      "✖ subtracts (1.5ms)",
      "  AssertionError [ERR_ASSERTION]: 1 == 2",
      "    actual: 1,",
      "    expected: 2,",
      "",
      "ℹ tests 3",
      "ℹ suites 0",
      "ℹ pass 1",
      "ℹ fail 1",
      "ℹ cancelled 0",
      "ℹ skipped 0",
      "ℹ todo 1",
      "ℹ duration_ms 169.5",
      "",
      "✖ failing tests:",
      "",
      "✖ subtracts (1.5ms)",
    ),
    runs: [["node-test", "red", 1, 1, 0, 1, 3]],
    failures: ["subtracts"],
    first: { actual: "1", expected: "2" },
  },
  {
    name: "node: TAP",
    output: lines(
      "TAP version 13",
      "# Subtest: adds",
      "ok 1 - adds",
      "not ok 2 - subtracts",
      "  ---",
      "  error: '1 == 2'",
      "  expected: 2",
      "  actual: 1",
      "  ...",
      "1..2",
      "# tests 2",
      "# suites 0",
      "# pass 1",
      "# fail 1",
      "# cancelled 0",
      "# skipped 0",
      "# todo 0",
      "# duration_ms 60.1",
    ),
    runs: [["node-test", "red", 1, 1, 0, 0, 2]],
    failures: ["subtracts"],
  },
  {
    name: "node: everything is skipped or to do",
    output: lines("ℹ tests 2", "ℹ suites 0", "ℹ pass 0", "ℹ fail 0", "ℹ cancelled 0", "ℹ skipped 1", "ℹ todo 1", "ℹ duration_ms 9"),
    runs: [["node-test", "empty", 0, 0, 0, 2, 2]],
  },
  {
    name: "node: a cancelled test is a failure",
    output: lines("ℹ tests 2", "ℹ suites 0", "ℹ pass 1", "ℹ fail 0", "ℹ cancelled 1", "ℹ skipped 0", "ℹ todo 0", "ℹ duration_ms 9"),
    runs: [["node-test", "red", 1, 1, 1, 0, 2]],
  },

  {
    name: "go: packages",
    output: lines("ok  \texample.com/shop\t0.012s", "?   \texample.com/shop/cmd\t[no test files]"),
    runs: [["go-test", "green", null, 0, 0, null, null]],
    summary: "ok  \texample.com/shop\t0.012s",
  },
  {
    name: "go: a failing test",
    output: lines(
      "--- FAIL: TestTotal (0.00s)",
      "    shop_test.go:9: got 3, want 4",
      "FAIL",
      "FAIL\texample.com/shop\t0.004s",
      "ok  \texample.com/shop/cart\t(cached)",
      "FAIL",
    ),
    runs: [["go-test", "red", null, 1, 0, null, null]],
    failures: ["TestTotal"],
    first: { message: "shop_test.go:9: got 3, want 4" },
    summary: "FAIL\texample.com/shop\t0.004s",
  },
  {
    name: "go -v",
    output: lines(
      "=== RUN   TestA",
      "--- PASS: TestA (0.00s)",
      "=== RUN   TestB",
      "    --- SKIP: TestB/x (0.00s)",
      "--- SKIP: TestB (0.00s)",
      "PASS",
      "ok  \texample.com/shop\t0.012s",
    ),
    runs: [["go-test", "green", 1, 0, 0, 1, 2]],
  },
  {
    name: "go: does not build",
    output: lines(
      "# example.com/shop [example.com/shop.test]",
      "./shop_test.go:7:2: undefined: total",
      "FAIL\texample.com/shop [build failed]",
      "FAIL",
    ),
    runs: [["go-test", "broken", 0, 1, 1, null, null]],
  },
  {
    name: "go: nothing matches -run",
    output: lines("testing: warning: no tests to run", "PASS", "ok  \texample.com/shop\t0.002s [no tests to run]"),
    runs: [["go-test", "empty", 0, 0, 0, null, null]],
  },
  {
    name: "go: red and then green",
    output: lines("--- FAIL: TestTotal (0.00s)", "FAIL", "FAIL\texample.com/shop\t0.004s", "ok  \texample.com/shop\t0.004s"),
    runs: [
      ["go-test", "red", null, 1, 0, null, null],
      ["go-test", "green", null, 0, 0, null, null],
    ],
  },
  {
    name: "go -json",
    output: lines(
      '{"Action":"run","Package":"p","Test":"TestA"}',
      '{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0}',
      '{"Action":"fail","Package":"p","Test":"TestB","Elapsed":0}',
      '{"Action":"fail","Package":"p","Elapsed":0.1}',
    ),
    runs: [["go-test", "red", 1, 1, 0, 0, 2]],
    failures: ["TestB"],
  },

  {
    name: "cargo: a failure",
    output: lines(
      "   Compiling shop v0.1.0 (/srv/shop)",
      "    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.93s",
      "     Running unittests src/lib.rs (target/debug/deps/shop-1)",
      "",
      "running 3 tests",
      "test good ... ok",
      "test off ... ignored",
      "test bad ... FAILED",
      "",
      "failures:",
      "",
      "---- bad stdout ----",
      "",
      "thread 'bad' panicked at src/lib.rs:2:19:",
      "assertion `left == right` failed",
      "  left: 1",
      " right: 2",
      "",
      "failures:",
      "    bad",
      "",
      "test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.12s",
      "",
      "error: test failed, to rerun pass `--lib`",
    ),
    runs: [["cargo-test", "red", 1, 1, 0, 1, 3]],
    failures: ["bad"],
    first: { actual: "1", expected: "2", message: "assertion `left == right` failed" },
  },
  {
    name: "cargo: several binaries are one run",
    output: lines(
      "running 2 tests",
      "test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
      "",
      "   Doc-tests shop",
      "",
      "running 1 test",
      "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.20s",
    ),
    runs: [["cargo-test", "green", 3, 0, 0, 0, 3]],
  },
  {
    name: "cargo: nothing ran",
    output: lines("running 0 tests", "", "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 4 filtered out; finished in 0.00s"),
    runs: [["cargo-test", "empty", 0, 0, 0, 0, 0]],
  },
  {
    name: "cargo: does not compile",
    output: lines(
      "error[E0425]: cannot find function `total` in this scope",
      "error: could not compile `shop` (lib test) due to 1 previous error",
    ),
    runs: [["cargo-test", "broken", null]],
  },
  { name: "cargo: cut", output: lines("running 3 tests", "test good ... ok"), runs: [["cargo-test", "unknown", null]], truncated: true },
  {
    name: "cargo nextest",
    output: lines("        FAIL [   0.003s] shop bad", "     Summary [   0.005s] 4 tests run: 3 passed, 1 failed, 0 skipped"),
    runs: [["cargo-test", "red", 3, 1, 0, 0, 4]],
  },

  {
    name: "prose about tests",
    output: lines(
      "3 passed, so I went on.",
      "All tests passed in 3 seconds",
      "the tests failed: 3",
      "Tests: see below",
      "OK",
      "FAILED",
      "Ran 3 tests in a hurry",
      "# tests are fun",
      "ok then",
    ),
    runs: [],
  },
  {
    name: "a search that hits words of runners",
    output: lines(
      'src/run.py:10:    print("==== 3 passed in 0.1s ====")',
      "docs/a.md:3:Ran 3 tests in 0.001s",
      "README:7: test result: ok. 1 passed; 0 failed; 0 ignored;",
    ),
    runs: [],
  },
  { name: "an empty output", output: "", hint: "pytest", runs: [] },
];

for (const each of CASES) {
  test(each.name, () => {
    const results = readRunnerOutput(each.output, each.hint);
    assert.deepEqual(
      results.map((result, index) => {
        const numbers = [result.passed, result.failed, result.errored, result.skipped, result.total];
        return [result.runner, result.status, ...numbers.slice(0, (each.runs[index]?.length ?? 7) - 2)];
      }),
      each.runs,
    );
    const last = results.at(-1);
    assert.equal(last?.truncated ?? false, each.truncated ?? false, "truncated");
    if (each.failures) {
      assert.deepEqual(
        last?.failures.map((failure) => failure.name),
        each.failures,
      );
    }
    for (const [name, value] of Object.entries(each.first ?? {})) assert.equal(last?.failures[0]?.[name as "name"], value, name);
    if (each.summary !== undefined) assert.equal(each.output.slice(last?.summary?.start, last?.summary?.end), each.summary);
    for (const result of results) {
      for (const failure of result.failures) assert.ok(each.output.slice(failure.start, failure.end).includes(failure.name), failure.name);
    }
  });
}

test("a summary's span holds the counts it was read from", () => {
  for (const each of CASES) {
    for (const result of readRunnerOutput(each.output, each.hint)) {
      if (!result.summary || result.runner === "go-test" || /several binaries/.test(each.name)) continue;
      const text = each.output.slice(result.summary.start, result.summary.end);
      if (result.passed && result.runner !== "unittest" && result.runner !== "django")
        assert.ok(text.includes(String(result.passed)), `${each.name}: ${text}`);
      if (result.failed && result.failed !== result.errored) assert.match(text, /\d/, each.name);
    }
  }
});

test("any output gives results inside its bounds, whole or cut anywhere", () => {
  const pieces = CASES.flatMap((each) => each.output.split("\n"));
  const check = (output: string, hint: RunnerName | undefined): void => {
    for (const result of readRunnerOutput(output, hint)) {
      const spans = [...result.failures, ...(result.summary ? [result.summary] : [])];
      for (const span of spans) assert.ok(span.start >= 0 && span.start <= span.end && span.end <= output.length);
      assert.ok(result.failures.length <= 200);
      if (result.status === "green") assert.equal(result.failed ?? 0, 0);
      if (result.passed !== null && result.failed !== null && result.total !== null)
        assert.ok(result.passed + result.failed + (result.skipped ?? 0) >= 0);
    }
  };
  const hints = fc.constantFrom<(RunnerName | undefined)[]>(
    undefined,
    "pytest",
    "unittest",
    "django",
    "sympy",
    "jest",
    "vitest",
    "node-test",
    "go-test",
    "cargo-test",
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), hints, (list, hint) => check(list.join("\n"), hint)),
    { numRuns: 1_500 },
  );
  fc.assert(fc.property(fc.string({ maxLength: 300 }), hints, check), { numRuns: 500 });
  for (const each of CASES) for (let cut = 0; cut < each.output.length; cut += 37) check(each.output.slice(0, cut), each.hint);
});
