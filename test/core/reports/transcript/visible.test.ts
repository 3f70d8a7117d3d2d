import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { toColumn, toName, toOffset, toVisible } from "../../../../src/core/reports/transcript/visible";

const awkward = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      "\x1b",
      "\0",
      "\r",
      "\t",
      "\u202e",
      "\u200b",
      "\u2028",
      "\ufeff",
      "\ud83d",
      "\udc00",
      "😀",
      "é",
      "\u{e0041}",
      "\x9b",
      "a",
      "[U+202E]",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 30,
});

test("controls have a picture, and what turns or hides text is written as its code point", () => {
  assert.equal(toVisible("a\x1b[31mred\0\x7f"), "a␛[31mred␀␡");
  assert.equal(toVisible("x\u202ey\u2066z\u200b"), "x[U+202E]y[U+2066]z[U+200B]");
  assert.equal(toVisible("\u{e0041}\ufeff\u2028\u0085"), "[U+E0041][U+FEFF][U+2028][U+0085]");
  assert.equal(toVisible("half \ud83d, whole 😀"), "half [U+D83D], whole 😀");
  assert.equal(toVisible("tab\tnaïve 日本 👩‍💻"), "tab\tnaïve 日本 👩‍💻");
});

test("what is visible holds nothing that acts, and making it visible again changes nothing", () => {
  fc.assert(
    fc.property(awkward, (raw) => {
      const shown = toVisible(raw);
      assert.doesNotMatch(shown, /[\x00-\x08\x0a-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/);
      assert.equal(toVisible(shown), shown);
    }),
  );
});

test("a column leads back to the offset that it came from", () => {
  fc.assert(
    fc.property(awkward, (raw) => {
      let at = 0;
      for (const character of raw) {
        assert.equal(toOffset(raw, toColumn(raw, at)), at);
        at += character.length;
      }
      assert.equal(toOffset(raw, toVisible(raw).length), raw.length);
      assert.equal(toOffset(raw, 1e6), raw.length);
    }),
  );
});

test("inside of a written code point stands the character itself", () => {
  assert.equal(toOffset("ab\u202ecd", 5), 2);
  assert.equal(toOffset("ab\u202ecd", 10), 3);
});

test("a name is one line without bars, of bounded length", () => {
  assert.equal(toName(" a\n=== step 9 | agent \x1b[2J", 100), "a === step 9 agent ␛[2J");
  assert.equal(toName("x".repeat(50), 10), "xxxxxxx...");
  assert.equal(toName("😀".repeat(50), 10), "😀😀😀...");
});
