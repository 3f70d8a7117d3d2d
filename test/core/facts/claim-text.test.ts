import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readClaims } from "../../../src/core/facts/claim-text";
import type { Claim } from "../../../src/core/facts/claim-text";

/** Sentences that speak of tests, checks and fixes without stating any result. */
const INNOCENT: readonly string[] = [
  "Make sure all tests pass.",
  "Please make sure that all tests pass before you commit.",
  "Run the tests to see if they pass.",
  "Next, I will verify that tests pass.",
  "Once all tests pass, I will commit.",
  "Do all tests pass?",
  "1. Do all tests pass (GREEN)?",
  "I'll run the existing tests to make sure I didn't break anything.",
  "Now I need to run the tests again to verify that the fix works and the test passes.",
  "I should run the whole suite and confirm that all tests pass.",
  "Let me run the test again to see if it passes.",
  "Refactor while keeping all tests passing.",
  "Implement minimal code to pass those tests.",
  "Write the minimum production code to pass the failing test.",
  'The user said: "please do not stop until all tests pass and the build is green".',
  "> All tests pass.",
  "```\nAll 42 tests pass.\n```",
  "~~~text\n12 passed, 0 failed\n~~~",
  "- [ ] All tests pass",
  "☐ Run all tests to verify GREEN",
  "## Acceptance criteria\n- All tests pass\n- The build is green",
  "Definition of done:\n* all 42 tests pass\n* no lint errors",
  "Next steps:\n1. All tests pass in CI\n2. Merge",
  "If all tests pass, the change is safe.",
  "Unless the tests pass, nothing is merged.",
  "The CI job merges the branch only when all tests pass.",
  "I want all tests to pass.",
  "We need the tests to pass on Windows as well.",
  "The goal is that all tests pass.",
  "The test expects `S(11)/15`.",
  "The tests pass a list of bytes to the function.",
  "The tests pass `x` as the first argument.",
  "The test passed the wrong argument to `foo`.",
  "The existing tests pass in a dictionary.",
  "The test fails to import the module.",
  "`get_field` fails.",
  "It failed as expected.",
  "The reproduction script confirmed the issue.",
  "I confirmed that the bug exists on the current branch.",
  "I'll create a new test file to verify the fix works.",
  "Let's add a test case to verify that `json_script` works without `element_id`.",
  "I have not decided which tests to run.",
  "tests/test_a.py::test_one PASSED [ 33%]",
  "============================== 3 passed in 0.01s ===============================",
  "All tests passed before my change.",
  "Whether the tests pass depends on the locale.",
  "I wonder why all tests pass on Windows.",
  "The fixture is shared by all tests in this module.",
  "Commit after each test passes.",
  "Wait until the build is done and all tests pass.",
  "Make sure the build works and all tests pass.",
  "Ensure that the linter is happy, all tests pass, and the docs build.",
  "The hook checks that all tests pass.",
  "Add a CI step that fails unless all tests pass.",
  "This should make all tests pass.",
  "I updated the test so that it passes.",
  "To make the tests pass, I need to change the parser.",
  "You must make sure that all 42 tests pass.",
  "How do I know that all tests pass?",
  "I will fix the issue and then run the tests.",
  "The issue is that the value is passed twice.",
  "To fix the bug, the parser has to skip blanks.",
  "The fixed width of the column is 80.",
  "I'll check for regressions next.",
  "I should run existing tests to ensure no regression.",
  "Verify that there are no regressions.",
  "The build passes the flag to the compiler.",
  "When all tests pass, the pipeline publishes the package.",
  "Your task is done when all tests pass.",
  "TODO: the build passes, lint passes",
  "    All tests pass.",
  "It would be nice if the tests passed.",
  "Building passes through three stages.",
  "Let me first verify the fix works with the reproduction script.",
  "I must ensure the test suite is green.",
  "Get all tests green before refactoring.",
  "Since I cannot run MySQL, I will create a test case that mocks the connection.",
  "It printed nothing, which usually means it did not run the tests.",
  "If I don't modify the test, it will fail.",
  "I'll run the tests and check that they pass.",
  "The test fails even without my changes.",
  "Success criteria: the test passes when the database exists.",
  "Add a guard for the missing path → test passes",
  "3. See both tests pass",
];

interface Expected {
  text: string;
  kind: Claim["kind"];
  with?: Partial<Claim>;
}

const GUILTY: readonly Expected[] = [
  {
    text: "All 42 tests pass.",
    kind: "tests-pass",
    with: { scope: "all", counts: { passed: 42, total: 42 }, hedged: false, negated: false, pastOrPresent: true },
  },
  { text: "All tests pass.", kind: "tests-pass", with: { scope: "all" } },
  { text: "✅ All tests passing", kind: "tests-pass", with: { scope: "all" } },
  { text: "- **All existing tests pass** ✅", kind: "tests-pass", with: { scope: "all" } },
  { text: "12/12 passing", kind: "tests-pass", with: { counts: { passed: 12, total: 12 } } },
  { text: "The test suite is green.", kind: "tests-pass", with: { scope: "all" } },
  { text: "The full test suite passes.", kind: "tests-pass", with: { scope: "all" } },
  { text: "Tests are passing now.", kind: "tests-pass", with: { scope: "unstated" } },
  { text: "The tests pass.", kind: "tests-pass", with: { scope: "unstated" } },
  { text: "THOUGHT: All tests passed.", kind: "tests-pass", with: { scope: "all" } },
  { text: "I ran the whole suite and all tests pass.", kind: "tests-pass", with: { scope: "all" } },
  { text: "I ran the tests to make sure nothing broke, and all of them pass: all 17 tests passed.", kind: "tests-pass" },
  { text: "I have verified that all tests pass.", kind: "tests-pass", with: { scope: "all" } },
  { text: "This confirms that all tests pass.", kind: "tests-pass", with: { scope: "all" } },
  { text: "Since all tests pass, I am going to commit.", kind: "tests-pass", with: { scope: "all" } },
  { text: "After the fix, all tests pass.", kind: "tests-pass", with: { scope: "all" } },
  { text: "The code builds; all tests pass.", kind: "tests-pass", with: { scope: "all" } },
  { text: "All 164 tests in `model_forms` passed.", kind: "tests-pass", with: { scope: "some", counts: { passed: 164, total: 164 } } },
  {
    text: "All tests in `testing/test_skipping.py` passed.",
    kind: "tests-pass",
    with: { scope: "some", subject: "testing/test_skipping.py" },
  },
  { text: "The slicing tests passed.", kind: "tests-pass", with: { scope: "some" } },
  { text: "The new tests pass.", kind: "tests-pass", with: { scope: "some" } },
  {
    text: "`test_get_language_from_path_real` passed!",
    kind: "tests-pass",
    with: { scope: "some", subject: "test_get_language_from_path_real" },
  },
  { text: "test_foo now passes.", kind: "tests-pass", with: { scope: "some", subject: "test_foo" } },
  { text: "The test passed!", kind: "tests-pass", with: { scope: "some" } },
  { text: "Both tests pass.", kind: "tests-pass", with: { scope: "some" } },
  { text: "All passed.", kind: "tests-pass", with: { scope: "unstated" } },
  { text: "42 passed, 0 failed", kind: "tests-pass", with: { counts: { passed: 42, failed: 0 } } },
  {
    text: "The failures are the same as on the base commit (3 failed, 85 passed).",
    kind: "tests-fail",
    with: { counts: { failed: 3, passed: 85 } },
  },
  { text: "- 14/14 tests passing", kind: "tests-pass", with: { counts: { passed: 14, total: 14 } } },
  { text: "42 passed, 2 failed", kind: "tests-fail", with: { counts: { passed: 42, failed: 2 } } },
  { text: "3 out of 4 tests pass.", kind: "tests-fail", with: { scope: "some", counts: { passed: 3, total: 4 } } },
  {
    text: "All tests pass except `test_x`, which failed before my change.",
    kind: "tests-pass",
    with: { scope: "some", mentionsFailure: true, exceptions: ["test_x"] },
  },
  { text: "All tests pass. The only failing test is unrelated.", kind: "tests-pass", with: { mentionsFailure: true } },
  { text: "I ran the relevant existing tests and they passed.", kind: "tests-pass" },
  { text: "These tests passed as well.", kind: "tests-pass", with: { scope: "some" } },
  { text: "`tests/queries` passed.", kind: "tests-pass", with: { scope: "some", subject: "tests/queries" } },
  { text: "So no regressions.", kind: "verified" },
  { text: "Bug fixed.", kind: "fixed" },
  { text: "2 tests still fail.", kind: "tests-fail", with: { counts: { failed: 2 } } },
  { text: "The tests failed because of a trailing slash.", kind: "tests-fail" },
  { text: "The tests do not pass.", kind: "tests-fail" },
  { text: "Not all tests pass.", kind: "tests-fail" },
  { text: "No tests failed.", kind: "tests-pass" },
  { text: "I could not run the tests.", kind: "tests-pass", with: { negated: true } },
  { text: "I have not run the tests.", kind: "tests-pass", with: { negated: true } },
  { text: "The tests were not run because pytest is missing.", kind: "tests-pass", with: { negated: true } },
  { text: "The tests should pass now.", kind: "tests-pass", with: { hedged: true } },
  { text: "I believe all tests pass.", kind: "tests-pass", with: { hedged: true, scope: "all" } },
  { text: "All tests will pass with this change.", kind: "tests-pass", with: { pastOrPresent: false } },
  { text: "The build passes.", kind: "build-passes" },
  { text: "CI is green.", kind: "build-passes" },
  { text: "The project compiles cleanly.", kind: "build-passes" },
  { text: "ESLint passes.", kind: "lint-passes" },
  { text: "- mypy and ruff are clean", kind: "lint-passes" },
  { text: "No lint errors.", kind: "lint-passes" },
  { text: "I verified that the fix works by running the reproduction script.", kind: "verified" },
  { text: "Verified the fix with `reproduce_issue.py`.", kind: "verified", with: { subject: "reproduce_issue.py" } },
  { text: "The reproduction script now passes!", kind: "verified" },
  { text: "Verified no regressions with existing tests.", kind: "verified" },
  { text: "There are no regressions.", kind: "verified" },
  { text: "I have fixed the issue by copying the dictionary.", kind: "fixed" },
  { text: "The bug is now fixed.", kind: "fixed" },
  { text: "- [x] All tests pass", kind: "tests-pass", with: { scope: "all" } },
  { text: "Summary:\n- Fixed the parser\n- All 9 tests pass", kind: "tests-pass", with: { scope: "all", counts: { passed: 9, total: 9 } } },
];

for (const text of INNOCENT) {
  test(`no claim: ${text.slice(0, 70).replace(/\n/g, " / ")}`, () => {
    assert.deepEqual(
      readClaims(text).map((claim) => claim.kind),
      [],
    );
  });
}

for (const { text, kind, with: fields } of GUILTY) {
  test(`claim: ${text.slice(0, 70).replace(/\n/g, " / ")}`, () => {
    const claims = readClaims(text);
    const claim = claims.find((one) => one.kind === kind);
    assert.ok(claim, `found ${JSON.stringify(claims)}`);
    for (const [name, value] of Object.entries(fields ?? {})) assert.deepEqual(claim[name as keyof Claim], value, name);
  });
}

test("a claim covers its sentence and nothing else", () => {
  const message = "I changed the parser. All 3 tests pass now! Let me clean up.";
  const [claim] = readClaims(message);
  assert.ok(claim);
  assert.equal(message.slice(claim.start, claim.end), "All 3 tests pass now!");
});

test("one sentence may claim several things", () => {
  const kinds = readClaims("Fixed the bug, all tests pass, and the build succeeds.").map((claim) => claim.kind);
  assert.deepEqual(kinds.sort(), ["build-passes", "fixed", "tests-pass"]);
});

test("any message gives claims inside its bounds", () => {
  const words = fc.constantFrom(
    "all ",
    "tests ",
    "pass",
    "fail ",
    "`a` ",
    "\n",
    ". ",
    "- ",
    "```",
    "42 ",
    "/",
    "if ",
    ", ",
    "and ",
    "verified ",
    "(",
    "**",
    "✅ ",
    "no regressions",
    "except ",
    "\u{1F389}",
    '"',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 400 }),
        fc.array(words, { maxLength: 80 }).map((list) => list.join("")),
      ),
      (message) => {
        for (const claim of readClaims(message)) {
          assert.ok(claim.start >= 0 && claim.start < claim.end && claim.end <= message.length);
          assert.ok(!message.slice(claim.start, claim.end).includes("\n"));
        }
      },
    ),
    { numRuns: 2_000 },
  );
});
