import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { JsonPath, RecordRef, Text } from "../../../src/core/model";
import { createLocator } from "../../../src/core/text/locate";
import { cut, fromJson, fromRecord, join, made, plain, slice, spanOf, trim } from "../../../src/core/text/text";
import { readDocument, readLines } from "../../../src/core/text/records";
import { sourceOf } from "../source";

function record(raw: string | Uint8Array, line = 1): { ref: RecordRef; bytes: Uint8Array } {
  const bytes = typeof raw === "string" ? new TextEncoder().encode(raw) : raw;
  return { ref: { source: sourceOf("file", bytes), start: 0, end: bytes.length, line }, bytes };
}

/** Every string in a JSON value, with its path. */
function* strings(value: unknown, path: JsonPath = []): Generator<{ path: JsonPath; value: string }> {
  if (typeof value === "string") yield { path, value };
  else if (Array.isArray(value)) for (const [i, item] of value.entries()) yield* strings(item, [...path, i]);
  else if (typeof value === "object" && value !== null)
    for (const [key, item] of Object.entries(value)) yield* strings(item, [...path, key]);
}

/** Any character, often an awkward one. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom("\\", '"', "\n", "\r\n", "\t", "\0", "é", "é", "😀", "\u2028", "/", "\ud800", " ", "a"),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 40,
});
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
})).value;

/** The same JSON, escaped in another way: every unit as \uXXXX with probability, and with white space. */
function respell(value: unknown, seed: number): string {
  let state = seed >>> 0;
  const next = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const out = JSON.stringify(value, null, next() < 0.5 ? 2 : undefined);
  const spelledOut = out.replace(/"((?:[^"\\]|\\.)*)"/g, (_, body: string) => {
    const spelled = body.replace(/\\u[0-9a-f]{4}|\\.|[^\\]/g, (unit) => {
      if (unit.length > 1 || next() < 0.7) return unit === "/" && next() < 0.5 ? "\\/" : unit;
      return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    });
    return `"${spelled}"`;
  });
  // A half pair cannot stand raw in a file: it goes the way any reader would see it.
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(spelledOut));
}

test("a quoted string equals the raw slice decoded, and the byte offset points at it", () => {
  fc.assert(
    fc.property(
      json,
      fc.nat(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (value, seed, a, b) => {
        const raw = respell(value, seed);
        const parsed: unknown = JSON.parse(raw);
        const { ref, bytes } = record(raw);
        const locator = createLocator();
        for (const found of strings(parsed)) {
          const [start = 0, end = 0] = [a, b].map((x) => Math.round(x * found.value.length)).sort((x, y) => x - y);
          const whole = fromRecord(found.value, ref, found.path);
          const at = locator.locate(spanOf(whole, start, end));
          assert.ok(at?.exact);
          const slice = new TextDecoder().decode(bytes.subarray(at.start.byte, at.end.byte));
          // Half a surrogate pair that stands raw in the file has no bytes of its own.
          const splits = /[\ud800-\udbff]$/.test(found.value.slice(0, start)) || /[\ud800-\udbff]$/.test(found.value.slice(0, end));
          if (!splits) assert.equal(JSON.parse(`"${slice}"`), found.value.slice(start, end));
          assert.deepEqual(linesAndColumns(raw, bytes, at.start.byte), [at.start.line, at.start.column]);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("JSON inside a JSON string, twice, and slices of it", () => {
  fc.assert(
    fc.property(json, text, fc.nat(), (value, around, seed) => {
      const raw = respell({ a: [{ b: JSON.stringify({ [around]: ["x", respell(value, seed)] }) }] }, seed + 1);
      const middle = (JSON.parse(raw) as { a: [{ b: string }] }).a[0].b;
      const [key = "", [, inner = ""] = []] = Object.entries(JSON.parse(middle) as Record<string, string[]>)[0] ?? [];
      const { ref, bytes } = record(raw);
      const outerText = fromRecord(middle, ref, ["a", 0, "b"]);
      const innerText = fromJson(inner, outerText, [key, 1]);
      const locator = createLocator();
      for (const found of strings(JSON.parse(inner))) {
        const leaf = fromJson(found.value, innerText, found.path);
        const part = slice(leaf, 1, Math.max(1, leaf.value.length - 1));
        const at = locator.locate(spanOf(part));
        assert.ok(at?.exact);
        let decoded = new TextDecoder().decode(bytes.subarray(at.start.byte, at.end.byte));
        if (/[\ud800-\udfff]/.test(part.value.replace(/[\ud800-\udbff][\udc00-\udfff]/g, ""))) continue;
        if (/[\ud800-\udbff]$/.test(found.value.slice(0, 1))) continue;
        for (let i = 0; i < 3; i++) decoded = JSON.parse(`"${decoded}"`) as string;
        assert.equal(decoded, part.value);
        const inside = locator.within(spanOf(part), outerText);
        assert.ok(inside);
        assert.equal(JSON.parse(`"${JSON.parse(`"${middle.slice(inside.start, inside.end)}"`) as string}"`), part.value);
      }
    }),
    { numRuns: 300 },
  );
});

function linesAndColumns(raw: string, bytes: Uint8Array, byte: number): [number, number] {
  const before = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, byte));
  assert.ok(raw.length >= before.length);
  const lines = before.split("\n");
  return [lines.length, (lines.at(-1) ?? "").length + 1];
}

test("equal keys: the last one counts, as in JSON.parse", () => {
  const raw = '{"a":"first","\\u0061":"last"}';
  const { ref } = record(raw);
  const at = createLocator().locate(spanOf(fromRecord("last", ref, ["a"])));
  assert.equal(at?.start.byte, raw.indexOf("last"));
});

test("a value that is no string stands for its raw text", () => {
  const raw = '{"a": {"b": [1, 2]}}';
  const { ref } = record(raw);
  const at = createLocator().locate(spanOf(fromRecord('{"b": [1, 2]}', ref, ["a"]), 1, 4));
  assert.equal(raw.slice(at?.start.byte, at?.end.byte), '"b"');
});

test("a path that leads nowhere gives the record, and says that it is not exact", () => {
  const { ref, bytes } = record('{"a":"x"}');
  const at = createLocator().locate(spanOf(fromRecord("x", ref, ["gone", 3])));
  assert.deepEqual([at?.exact, at?.start.byte, at?.end.byte], [false, 0, bytes.length]);
});

test("broken UTF-8 before the text does not move it", () => {
  const parts = [[0xff], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x28, 0xa1]];
  for (const broken of parts) {
    const bytes = Uint8Array.from([...new TextEncoder().encode('{"a":"'), ...broken, ...new TextEncoder().encode('needle"}')]);
    const { ref } = record(bytes);
    const value = (JSON.parse(new TextDecoder().decode(bytes)) as { a: string }).a;
    const start = value.indexOf("needle");
    const at = createLocator().locate(spanOf(fromRecord(value, ref, ["a"]), start, start + 6));
    assert.equal(new TextDecoder().decode(bytes.subarray(at?.start.byte, at?.end.byte)), "needle", broken.join());
  }
});

test("bytes and units agree for any bytes at all", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 20 }), (noise, more) => {
      const needle = new TextEncoder().encode("=needle=");
      const bytes = Uint8Array.from([...noise, ...needle, ...more]);
      const raw = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      const start = raw.lastIndexOf("=needle=");
      const at = createLocator().locate(spanOf(fromRecord(raw, record(bytes).ref), start, start + 8));
      assert.equal(at?.start.byte, Buffer.from(bytes).lastIndexOf("=needle="));
    }),
  );
});

test("terminal escapes are stripped and found again", () => {
  const colored = "\x1b[1m\x1b[31m3 failed\x1b[0m, \x1b]0;title\x07\x1b[32m5 passed\x1b[0m in 1s";
  const raw = JSON.stringify({ out: colored });
  const { ref } = record(raw);
  const bare = plain(fromRecord(colored, ref, ["out"]));
  assert.equal(bare.value, "3 failed, 5 passed in 1s");
  for (const word of ["3 failed", "5 passed"]) {
    const start = bare.value.indexOf(word);
    const at = createLocator().locate(spanOf(bare, start, start + word.length));
    assert.equal(raw.slice(at?.start.byte, at?.end.byte), word);
  }
});

test("text made of pieces: exact inside one, the smallest cover across two", () => {
  const raw = '{"head":"one two","tail":"three four"}';
  const { ref } = record(raw);
  const whole = join([fromRecord("one two", ref, ["head"]), "\n…\n", fromRecord("three four", ref, ["tail"])]);
  const locator = createLocator();
  const quoteOf = (start: number, end: number): [string, boolean] => {
    const at = locator.locate(spanOf(whole, start, end));
    return [raw.slice(at?.start.byte, at?.end.byte), at?.exact ?? false];
  };
  assert.deepEqual(quoteOf(4, 7), ["two", true]);
  assert.deepEqual(quoteOf(10, 15), ["three", true]);
  assert.deepEqual(quoteOf(4, 15), ['two","tail":"three', false]);
  assert.equal(locator.locate(spanOf(made("nowhere"))), null);
});

test("a long value keeps head and tail, and is read again in full", () => {
  const value = `${"a".repeat(300_000)}needle${"b".repeat(600_000)}`;
  const raw = JSON.stringify({ x: value });
  const { ref } = record(raw);
  const short = cut(fromRecord(value, ref, ["x"]));
  assert.equal(short.total, value.length);
  assert.ok(short.value.length < 257 * 1024);
  const locator = createLocator();
  assert.equal(locator.whole(short), value);
  const end = locator.locate(spanOf(short, short.value.length - 5, short.value.length));
  assert.deepEqual([end?.end.byte, end?.exact], [raw.length - 2, true]);
  const part = slice(short, short.value.length - 5);
  assert.deepEqual(locator.within(spanOf(part), short), { start: value.length - 5, end: value.length });
  const across = locator.locate(spanOf(short, 131_000, 131_200));
  assert.equal(across?.exact, false);
});

test("trim keeps the place", () => {
  const raw = '{"x":"  \\n git log \\t "}';
  const { ref } = record(raw);
  const at = createLocator().locate(spanOf(trim(fromRecord("  \n git log \t ", ref, ["x"]))));
  assert.equal(raw.slice(at?.start.byte, at?.end.byte), "git log");
});

test("lines: byte order mark, CRLF, blank lines, no newline at the end, and long ones", () => {
  const long = "x".repeat(900_000);
  const bytes = new TextEncoder().encode(`\ufeffone\r\n\n  \ntwo é\n${long}\nlast`);
  const rows = [...readLines(sourceOf("f", bytes))];
  assert.deepEqual(
    rows.map((row) => row.text?.length),
    [3, 5, 900_000, 4],
  );
  assert.deepEqual(
    rows.map((row) => row.ref.line),
    [1, 4, 5, 6],
  );
  for (const row of rows) assert.equal(new TextDecoder().decode(bytes.subarray(row.ref.start, row.ref.end)), row.text);
});

test("lines come out the same however the bytes are handed over", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "é", "\n", "\r\n", "😀", "{}", " "), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      (parts, size) => {
        const bytes = new TextEncoder().encode(parts.join(""));
        const slow = {
          name: "f",
          size: bytes.length,
          read: (start: number, end: number) => bytes.subarray(start, Math.min(end, start + size)),
        };
        const plainRows = [...readLines(sourceOf("f", bytes))].map((row) => [row.text, row.ref.start, row.ref.end, row.ref.line]);
        assert.deepEqual(
          [...readLines(slow)].map((row) => [row.text, row.ref.start, row.ref.end, row.ref.line]),
          plainRows,
        );
      },
    ),
  );
});

test("a document over the limit is not read", () => {
  const huge = { name: "f", size: 300 * 1024 * 1024, read: (start: number, end: number) => new Uint8Array(Math.min(3, end - start)) };
  assert.equal(readDocument(huge).text, undefined);
});

test("any text of any record can be located", () => {
  fc.assert(
    fc.property(json, (value) => {
      const raw = JSON.stringify(value);
      const { ref } = record(raw);
      const texts: Text[] = [...strings(value)].map((found) => fromRecord(found.value, ref, found.path));
      for (const item of texts) assert.ok(createLocator().locate(spanOf(item, 0, 0)));
    }),
  );
});
