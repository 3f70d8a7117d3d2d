import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createHead, peekKeys } from "../../src/core/head";

test("key paths of a JSON document, three deep, arrays as []", () => {
  const keys = peekKeys('{"info":{"a":{"b":{"c":1}},"x,{":"}"},"messages":[{"role":"user","parts":["k:"]},{"n":1}],"s":"{\\"no\\":1}"}');
  assert.deepEqual(
    [...keys].sort(),
    ["info", "info.a", "info.a.b", "info.x,{", "messages", "messages.[].n", "messages.[].parts", "messages.[].role", "s"].sort(),
  );
  assert.deepEqual([...peekKeys('[{"role":1},{"content":[]}]')], ["[].role", "[].content"]);
});

test("a document that is cut off anywhere gives a part of the keys, and nothing else", () => {
  const whole = JSON.stringify({
    info: { exit: "Submitted", config: { agent: { t: 'say "x": {' } } },
    messages: [{ role: "system", content: "a\\" }],
  });
  const all = peekKeys(whole);
  for (let end = 0; end <= whole.length; end++)
    for (const key of peekKeys(whole.slice(0, end))) assert.ok(all.has(key) || end < whole.length, key);
});

test("never throws, whatever the text", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("{", "}", "[", "]", '"', "\\", ",", ":", "a", "\n"), maxLength: 200 }),
      (text) => void peekKeys(text),
    ),
  );
  fc.assert(fc.property(fc.uint8Array(), fc.boolean(), (bytes, isWhole) => void createHead(bytes, isWhole)));
});

test("records are the first lines that are JSON; a document has none of its own lines", () => {
  const lines = createHead(new TextEncoder().encode('{"a":1}\n\nbroken\n{"b":2}\n{"cut":'), false);
  assert.deepEqual(lines.records, [{ a: 1 }, { b: 2 }]);
  assert.equal(createHead(new TextEncoder().encode('{\n  "a": 1\n}'), true).records.length, 0);
  assert.deepEqual(createHead(new TextEncoder().encode('\ufeff{"a":1}'), true).document, { a: 1 });
});
