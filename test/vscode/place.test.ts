/** Places in raw files, as the core counts them, and as an editor does. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import fc from "fast-check";
import "./fake";
import { createLineFinder, findStrayReturns, readText, toRange } from "../../src/vscode/place";
import type { Location } from "../../src/core/model";

let folder = "";
before(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "proctor-place-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** As an editor counts: a line ends at a newline, at a carriage return, and at both together once. */
function toEditor(text: string, at: number): [line: number, character: number] {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  return [lines.length - 1, lines.at(-1)?.length ?? 0];
}

/** As the core counts: newlines only, from 1. */
function toCore(text: string, at: number): Location["start"] {
  const before = text.slice(0, at);
  return { line: before.split("\n").length, column: at - before.lastIndexOf("\n"), byte: Buffer.byteLength(before) };
}

const pieces = fc.array(fc.constantFrom("a", "é", "😀", "\r", "\n", "\r\n", "long "), { maxLength: 30 });

/** Places between characters, but none inside of a line end. */
function listPlaces(text: string): number[] {
  const all = Array.from({ length: text.length + 1 }, (_, at) => at);
  return all.filter((at) => !/[\ud800-\udbff]$/.test(text.slice(0, at)) && !(text[at - 1] === "\r" && text[at] === "\n"));
}

test("law: with stray returns anywhere, a place of the core is the same place of the editor, from memory and from the disk", async () => {
  const file = path.join(folder, "any.txt");
  await fc.assert(
    fc.asyncProperty(pieces, async (parts) => {
      const text = parts.join("");
      writeFileSync(file, text);
      const finder = createLineFinder(text);
      const returns = await findStrayReturns(file, Buffer.byteLength(text));
      for (const at of listPlaces(text)) {
        const start = toCore(text, at);
        const location = { file: "any.txt", start, end: start, text: "", exact: true };
        const range = await toRange(location, returns, (from, to) => readText(file, from, to));
        assert.deepEqual([range.start.line, range.start.character], toEditor(text, at), JSON.stringify([text, at]));
        const found = finder(start.line, start.column);
        assert.deepEqual([found.line, found.character], toEditor(text, at), JSON.stringify([text, at]));
      }
    }),
    { numRuns: 60 },
  );
});

test("a stray return at the end of a block that is read at once is seen, and one before a newline is none", async () => {
  const file = path.join(folder, "edge.txt");
  const block = 4 * 1024 * 1024;
  writeFileSync(file, `${"x".repeat(block - 1)}\ry`);
  assert.deepEqual((await findStrayReturns(file, block + 1)).at, [block - 1]);
  writeFileSync(file, `${"x".repeat(block - 1)}\r\n`);
  assert.deepEqual((await findStrayReturns(file, block + 1)).at, []);
});

test("a file that cannot be read has no stray returns", async () => {
  assert.deepEqual((await findStrayReturns(path.join(folder, "none"), 10)).at, []);
  assert.equal(await readText(path.join(folder, "none"), 0, 10), "");
});
