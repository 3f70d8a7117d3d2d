/** What statements assert, and which of two asks less. */
import { describe, test } from "node:test";
import assert from "node:assert/strict";
import fc from "fast-check";
import { assertionChanges } from "../../../src/core/facts/assertion-changes";
import { weakened } from "../../../src/core/facts/assertion-order";
import { rowsOf, statementsOf } from "../../../src/core/facts/assertion-rows";
import { type Asserted, readAssertions } from "../../../src/core/facts/assertions";
import type { CaseLanguage } from "../../../src/core/facts/cases";
import { type DiffLine, readDiff } from "../../../src/core/text/diff";

const text = (value: string) => ({ value, origin: { from: "join" as const, pieces: [{ length: value.length }] } });

function read(source: string, language: CaseLanguage = "python"): Asserted[] {
  const lines: DiffLine[] = source
    .split("\n")
    .map((value) => ({ kind: " ", value, at: { text: text(value), start: 0, end: value.length } }));
  return statementsOf(rowsOf(lines, language), language).flatMap((statement) => readAssertions(statement, language));
}

const brief = (source: string, language?: CaseLanguage): string[] =>
  read(source, language).map(
    (one) => `${one.isNegated ? "not " : ""}${one.family} ${one.subjects.join("~")}${one.expected === undefined ? "" : ` ${one.expected}`}`,
  );

describe("Python", () => {
  const table: readonly [string, readonly string[]][] = [
    ["assert a.b == 3, 'message, with (brackets)'", ["equal a.b 3"]],
    ["assert 3 == a.b", ["equal a.b 3"]],
    ["assert (a == 1 and b != 2)", ["equal a 1", "different b 2"]],
    ["assert not a", ["not truthy a"]],
    ["assert x in y", ["contains y x"]],
    ["assert x in (1, 2)", ["one-of x"]],
    ["assert x == 1 or x == 2", ["one-of x"]],
    ["assert x is None", ["none x"]],
    ["assert x is not None", ["exists x"]],
    ["assert len(x) == 2", ["length x 2"]],
    ["self.assertEqual(f(1, 'a,b'), 2)", ['equal f(1,"a,b") 2']],
    ["self.assertEqual(\n    f(\n        1,\n    ),\n    2,\n)", ["equal f(1) 2"]],
    ["self.assertTrue(isinstance(x, int))", ["type x int"]],
    ["response.client.assertContains(response, 'x')", ['contains response "x"']],
    ["with pytest.raises(ValueError, match='x'):", ["raises ValueError"]],
    ["assert x  # == 3", ["truthy x"]],
    ["assertion = 3", []],
    ["s = 'assert x == 1'", []],
    ["s = '''\nassert x == 1\n'''", []],
    ["def assert_it(x):", []],
  ];
  for (const [source, expected] of table) test(source, () => assert.deepEqual(brief(source), expected));

  test("a hunk that begins inside a text: its lines are no code", () => {
    assert.deepEqual(brief('assert x == 1\n""")\nassert y == 2'), ["equal y 2"]);
  });
  test("a statement cut off by the end of the hunk is not known", () => {
    assert.deepEqual(
      read("assert f(\n    1,").map((one) => one.family),
      ["unknown"],
    );
  });
  test("tolerances are in units of the value", () => {
    assert.equal(read("assert x == pytest.approx(2.0, rel=0.25)")[0]?.tolerance, 0.5);
    assert.equal(read("assert x == pytest.approx(2.0, abs=0.01)")[0]?.tolerance, 0.01);
    assert.equal(read("self.assertAlmostEqual(x, 2.0, places=3)")[0]?.tolerance, 0.001);
    assert.equal(read("assert x == pytest.approx(y, rel=delta)")[0]?.tolerance, undefined);
  });
});

describe("JavaScript", () => {
  const table: readonly [string, readonly string[]][] = [
    ["expect(a.b()).toBe(3);", ["equal a.b() 3"]],
    ["expect(a)\n  .not\n  .toContain('x');", ['not contains a "x"']],
    ["await expect(f()).rejects.toThrow(TypeError)", ["raises f()"]],
    ["expect(a).to.be.true;", ["boolean a true"]],
    ["a.b.should.equal(3);", ["equal a.b 3"]],
    ["assert.deepStrictEqual(a, [1, 2]);", ["equal a [1,2]"]],
    ["assert(a === 3 && b);", ["equal a 3", "truthy b"]],
    ["expect(a.length).toBe(2)", ["length a 2"]],
    ["expect(a).toHaveLength(2)", ["length a 2"]],
    ["// expect(a).toBe(1)", []],
    ["const s = `\nexpect(a).toBe(1)\n`;", []],
    ["expect(a).toBe;", ["vacuous a"]],
  ];
  for (const [source, expected] of table) test(source, () => assert.deepEqual(brief(source, "javascript"), expected));
});

describe("the order", () => {
  const ladder = ["assert x == 3", "assert x >= 3", "assert isinstance(x, int)", "assert x is not None", "assert x is x"];
  test("each step down is weaker, and no step up is", () => {
    for (const [i, upper] of ladder.entries()) {
      for (const lower of ladder.slice(i + 1)) {
        const [a, b] = [read(upper)[0], read(lower)[0]];
        assert.ok(a && b);
        // What a bound and a type ask of a number cannot be compared.
        if (upper.includes(">=") && lower.includes("isinstance")) continue;
        assert.ok(weakened(a, b), `${upper} → ${lower}`);
        assert.equal(weakened(b, a), undefined, `${lower} → ${upper}`);
      }
    }
  });
});

test("no text makes it throw, and no two assertions are each weaker than the other", () => {
  const word = fc.constantFrom(
    "assert",
    "expect(",
    "self.assertEqual(",
    ")",
    "(",
    "x",
    "y",
    "==",
    "in",
    "or",
    "and",
    "not",
    "True",
    ".toBe(",
    ".not",
    ",",
    "'",
    '"',
    "`",
    "/*",
    "[",
    "]",
    "1",
    "\n",
    " ",
    "\\",
    "#",
    "//",
    "with pytest.raises(",
    "try:",
    "except:",
    "}",
    "{",
    "should",
    "assert.",
    "approx(",
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 30 }),
      fc.constantFrom<CaseLanguage>("python", "javascript", "go", "rust", "java"),
      (words, language) => {
        const found = read(words.join(" "), language);
        for (const a of found) for (const b of found) assert.ok(!(weakened(a, b) && weakened(b, a)));
        const value = words.join(" ").replaceAll("\n", "\n+");
        assertionChanges(
          readDiff(text(`--- a/tests/test_a.py\n+++ b/tests/test_a.py\n@@ -1,2 +1,9 @@\n def test_a():\n-    assert x == 1\n+${value}\n`)),
        );
      },
    ),
    { numRuns: 400 },
  );
});

test("a long line costs little", () => {
  const value = `assert ${"f(".repeat(900)}`;
  assert.equal(read(value).length, 1);
});
