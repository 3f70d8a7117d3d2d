import assert from "node:assert/strict";
import { test } from "node:test";
import { caseChanges, changedCases } from "../../../src/core/facts/direction";
import { readDiff } from "../../../src/core/text/diff";
import { made } from "../../../src/core/text/text";

function casesOf(path: string, hunks: string): string[] {
  const patch = readDiff(made(`--- a/${path}\n+++ b/${path}\n${hunks}`));
  return patch.files.flatMap((file) =>
    changedCases(file).map((one) => `${one.kind} ${one.name}${one.to === undefined || one.to === one.name ? "" : ` > ${one.to}`}`),
  );
}

/** A hunk with the counts that its lines have. */
function hunk(section: string, ...lines: string[]): string {
  const old = lines.filter((line) => !line.startsWith("+")).length;
  const now = lines.filter((line) => !line.startsWith("-")).length;
  return `@@ -10,${old} +10,${now} @@ ${section}\n${lines.join("\n")}\n`;
}

const table: readonly [name: string, path: string, hunks: string, expected: string[]][] = [
  [
    "a new case",
    "tests/test_a.py",
    hunk("", " def test_a():", "     assert f() == 1", "+", "+def test_b():", "+    assert f(2) == 2"),
    ["added test_b"],
  ],
  [
    "a case removed",
    "tests/test_a.py",
    hunk("", " def test_a():", "     assert f() == 1", "-", "-def test_b():", "-    assert f(2) == 2"),
    ["removed test_b"],
  ],
  ["a case changed", "tests/test_a.py", hunk("", " def test_a():", "-    assert f() == 1", "+    assert f() == 2"), ["modified test_a"]],
  [
    "a case cut by the hunk's edge",
    "tests/test_a.py",
    hunk("def test_far(self):", "     x = 1", "-    assert f(x) == 1", "+    assert f(x) == 2"),
    ["modified test_far"],
  ],
  [
    "a method is named with its class",
    "tests/test_a.py",
    hunk("", " class TestX(TestCase):", "     def test_a(self):", "-        self.assertEqual(f(), 1)", "+        self.assertTrue(f())"),
    ["modified TestX.test_a"],
  ],
  [
    "renamed",
    "tests/test_a.py",
    hunk("", "-def test_old():", "+def test_new():", "     value = compute(3)", "     assert value == 4"),
    ["renamed test_old > test_new"],
  ],
  [
    "moved within the file",
    "tests/test_a.py",
    hunk(
      "",
      "-def test_a():",
      "-    value = compute(3)",
      "-    assert value == 4",
      "-",
      " def test_b():",
      "     assert g() == 1",
      "+",
      "+def test_a():",
      "+    value = compute(3)",
      "+    assert value == 4",
    ),
    ["moved test_a"],
  ],
  [
    "made into a case with parameters",
    "tests/test_a.py",
    hunk(
      "",
      "-def test_one():",
      "-    assert f(1) == 10",
      "-",
      "-def test_two():",
      "-    assert f(2) == 20",
      '+@pytest.mark.parametrize("n, out", [(1, 10), (2, 20)])',
      "+def test_all(n, out):",
      "+    assert f(n) == out",
    ),
    ["parametrised test_one > test_all", "parametrised test_two > test_all", "added test_all"],
  ],
  [
    "a decorator belongs to its case",
    "tests/test_a.py",
    hunk("", "+@pytest.mark.skip", " def test_a():", "     assert f() == 1"),
    ["modified test_a"],
  ],
  [
    "the decorator of the next case is not the last one's",
    "tests/test_a.py",
    hunk("", " def test_a():", "     assert f() == 1", " ", "+@pytest.mark.skip", " def test_b():", "     assert g() == 1"),
    ["modified test_b"],
  ],
  ["a helper is no case", "tests/test_a.py", hunk("", " def helper():", "-    return 1", "+    return 2"), []],
  [
    "code behind a case is not the case",
    "tests/test_a.py",
    hunk("", " def test_a():", "     assert f() == 1", " ", " def helper():", "-    return 1", "+    return 2"),
    [],
  ],
  [
    "JavaScript",
    "a.test.ts",
    hunk(
      "",
      ' it("adds", () => {',
      "-  expect(add(1, 2)).toBe(3);",
      "+  expect(add(1, 2)).toBeDefined();",
      " });",
      '-it("subtracts", () => {',
      "-  expect(sub(2, 1)).toBe(1);",
      "-});",
    ),
    ["modified adds", "removed subtracts"],
  ],
  [
    "a skipped one in JavaScript keeps its name",
    "a.test.ts",
    hunk("", '-test("adds", () => {', '+test.skip("adds", () => {', "   expect(add(1, 2)).toBe(3);", " });"),
    ["modified adds"],
  ],
  [
    "Go",
    "a_test.go",
    hunk("", " func TestAdd(t *testing.T) {", "-\tif add(1, 2) != 3 {", "+\tif add(1, 2) == 0 {", " \t\tt.Fatal()", " \t}", " }"),
    ["modified TestAdd"],
  ],
  ["Rust", "src/lib.rs", hunk("", " #[test]", "+#[ignore]", " fn adds() {", "     assert_eq!(add(1, 2), 3);", " }"), ["modified adds"]],
  ["a Rust function without the mark", "src/lib.rs", hunk("", " fn adds() {", "-    1", "+    2", " }"), []],
  [
    "Java",
    "FooTest.java",
    hunk("", "-    @Test", "-    public void adds() {", "-        assertEquals(3, add(1, 2));", "-    }"),
    ["removed adds"],
  ],
  ["a file that holds no cases", "README.md", hunk("", "-def test_a():", "+def test_b():"), []],
];

for (const [name, path, hunks, expected] of table) {
  test(`cases: ${name}`, () => {
    assert.deepEqual(casesOf(path, hunks), expected);
  });
}

test("a case that another file takes over is moved", () => {
  const body = ["def test_moved():", "    value = compute_everything(3)", "    assert value == expected_value_of(4)"];
  const patch = readDiff(
    made(
      `--- a/tests/test_a.py\n+++ b/tests/test_a.py\n${hunk("", " import x", ...body.map((line) => `-${line}`))}--- a/tests/test_b.py\n+++ b/tests/test_b.py\n${hunk("", " import x", ...body.map((line) => `+${line}`))}`,
    ),
  );
  assert.deepEqual(
    caseChanges(patch).map(({ file, changes }) => [
      file.newPath,
      changes.map((one) => [one.kind, one.name, one.toPath, one.removed.length]),
    ]),
    [["tests/test_a.py", [["moved", "test_moved", "tests/test_b.py", 0]]]],
  );
});
