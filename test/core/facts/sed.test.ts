import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { rope } from "../../../src/core/facts/rope";
import { runSed } from "../../../src/core/facts/sed";
import { made } from "../../../src/core/text/text";

const content = "alpha\nbeta = 1\ngamma\n";

/** By GNU sed 4.9. */
const table: readonly [script: string, result: string | undefined, isExtended?: boolean][] = [
  ["s/a/X/", "Xlpha\nbetX = 1\ngXmma\n"],
  ["s/a/X/g", "XlphX\nbetX = 1\ngXmmX\n"],
  ["2s/a/X/", "alpha\nbetX = 1\ngamma\n"],
  ["s|beta = 1|beta = 2|", "alpha\nbeta = 2\ngamma\n"],
  ["s/nothing/X/", content],
  ["2d", "alpha\ngamma\n"],
  ["1,2d", "gamma\n"],
  ["2,$d", "alpha\n"],
  ["$d", "alpha\nbeta = 1\n"],
  ["/beta/d", "alpha\ngamma\n"],
  ["/alpha/,/beta/d", "gamma\n"],
  ["1a\\  new", "alpha\n  new\nbeta = 1\ngamma\n"],
  ["1a new", "alpha\nnew\nbeta = 1\ngamma\n"],
  ["/gamma/i new", "alpha\nbeta = 1\nnew\ngamma\n"],
  ["1,2c\\new", "new\ngamma\n"],
  ["1d;3d", "beta = 1\n"],
  ["s/(a)/X/", content],
  ["s/(a)/X/", "Xlpha\nbetX = 1\ngXmma\n", true],
  ["s/\\(lp\\|et\\)a*/X/", "aXha\nbX = 1\ngamma\n"],
  // Not understood: nothing is claimed.
  ["s/\\(a\\)/\\1\\1/", undefined],
  ["y/abc/xyz/", undefined],
  ["1!d", undefined],
];

for (const [script, result, isExtended] of table) {
  test(`sed ${script}${isExtended ? " -E" : ""}`, () => {
    assert.equal(runSed(made(script), rope(made(content), 1), 2, isExtended)?.whole?.value, result);
  });
}

test("without the content, what is put for what", () => {
  const replaced = (script: string): unknown => runSed(made(script), undefined, 1)?.replaced.map((one) => [one.before, one.after.value]);
  assert.deepEqual(replaced("s/a\\.b/c/"), [["a.b", "c"]]);
  assert.deepEqual(replaced("10a\\    x = 1"), [["", "    x = 1\n"]]);
  assert.deepEqual(replaced("s/a.*b/c/"), [["", "c"]]);
  assert.deepEqual(replaced("3d"), []);
  assert.equal(replaced("p;q"), undefined);
});

test("no script is a fault", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (script, text) => {
      runSed(made(script), rope(made(text), 1), 1);
      runSed(made(script), undefined, 1);
    }),
  );
});
