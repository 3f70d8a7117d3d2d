import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findOffset, findSpot, layOut } from "../../../../src/core/reports/transcript/layout";
import { pageOptions } from "../../../../src/core/reports/transcript/page";
import { toVisible } from "../../../../src/core/reports/transcript/visible";
import { made } from "../../../../src/core/text/text";

const lay = (value: string, options = {}, quoted: { start: number; end: number }[] = [], gutter = "| ") =>
  layOut({ text: made(value), gutter }, quoted, { ...pageOptions, ...options });
const shown = (...args: Parameters<typeof lay>): string[] => lay(...args).map((line) => line.shown);

test("every line has the gutter, so no output can pass for a heading", () => {
  assert.deepEqual(shown("a\n\n=== step 9 | agent | command\r\nb\rc\n"), ["| a", "|", "| === step 9 | agent | command", "| b␍c"]);
  assert.deepEqual(shown("=== step 9", {}, [], "  +"), ["  +=== step 9"]);
  assert.deepEqual(shown(""), []);
});

test("a long line goes on behind a mark, and no pair of halves is broken", () => {
  assert.deepEqual(shown("abcdef", { maxLineChars: 4 }), ["| abcd", "|\\ef"]);
  assert.deepEqual(shown("abc😀d", { maxLineChars: 4 }), ["| abc", "|\\😀d"]);
  const lines = shown("\u202e".repeat(5000));
  assert.ok(lines.every((line) => line.length <= 2002));
  assert.equal(lines.join("").split("[U+202E]").length - 1, 5000);
});

test("a long body keeps its ends and what is quoted, and says how much is left out", () => {
  const value = Array.from({ length: 2000 }, (_, i) => `line ${i}\n`).join("");
  const quote = value.indexOf("line 1000\n");
  const lines = lay(value, { maxBodyChars: 1000 }, [{ start: quote, end: quote + 9 }]);
  assert.equal(lines[0]?.shown, "| line 0");
  assert.equal(lines.at(-1)?.shown, "| line 1999");
  assert.ok(lines.some((line) => line.shown === "| line 1000"));
  const gaps = lines.filter(({ left }) => left !== undefined);
  assert.equal(gaps.length, 2);
  assert.match(gaps[0]?.shown ?? "", /^\.\.\. \d+ characters are left out \| show all 19 KB$/);
  // Nothing is lost unsaid: what is shown and what is left out add up, line ends included.
  const kept = lines.reduce((sum, line) => sum + (line.left ?? line.end - line.start + 1), 0);
  assert.equal(kept, value.length);
});

test("offsets lead to places and back, whatever is left out or broken", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "😀", "\x1b", "\u202e", "b c", "\r"), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 9 }), fc.integer({ min: 10, max: 40 }), (value, maxLineChars, maxBodyChars) => {
      const lines = lay(value, { maxLineChars, maxBodyChars });
      for (const [index, line] of lines.entries()) {
        if (line.left !== undefined) continue;
        assert.equal(line.shown.slice(line.column), toVisible(value.slice(line.start, line.end)));
        for (let at = line.start; at < line.end; at += String.fromCodePoint(value.codePointAt(at) ?? 0).length) {
          const spot = findSpot(lines, value, at);
          assert.equal(spot.line, index);
          assert.equal(findOffset(line, value, spot.column), at);
        }
      }
    }),
  );
});
