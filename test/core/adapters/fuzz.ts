/** Shared by the adapters' tests: the laws that every reader keeps. */
import assert from "node:assert/strict";
import type { Adapter } from "../../../src/core/adapter";
import type { Origin, Text, Trajectory } from "../../../src/core/model";
import { createLocator } from "../../../src/core/text/locate";
import { createDraft } from "../../../src/core/draft";
import { readLines } from "../../../src/core/text/records";
import { spanOf } from "../../../src/core/text/text";
import { readSample, textsOf, toSource } from "./render";

/** Without the records' identity, so that two readings can be compared. */
function comparable(run: Partial<Trajectory>): unknown {
  return JSON.parse(JSON.stringify(run, (key, value: unknown) => (key === "source" ? undefined : value))) as unknown;
}

/** Invariant 7: bytes that come in small pieces give the same trajectory. */
export function checkChunks(adapter: Adapter, name: string, bytes: Uint8Array): void {
  const whole = comparable(readSample(adapter, name, bytes));
  if (adapter.records === "json" || adapter.records === "text") return;
  for (const piece of [1, 7, 64, 4093])
    assert.deepEqual(comparable(readSample(adapter, name, bytes, piece)), whole, `${name} in pieces of ${piece} bytes`);
  const draft = createDraft(name, adapter);
  const reader = adapter.open(draft);
  // As a file grows: a record at a time, with nothing known of what comes.
  for (const { ref, text = "" } of readLines(toSource(name, bytes))) {
    let value: unknown;
    try {
      value = adapter.records === "json-lines" ? JSON.parse(text) : undefined;
    } catch {
      continue;
    }
    reader.take({ ref, text, value });
  }
  reader.end();
  const { steps, messages } = whole as Trajectory;
  assert.deepEqual(comparable({ steps: draft.steps, messages: draft.messages }), { steps, messages }, `${name} record by record`);
}

/** mulberry32: small, seeded, the same everywhere. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Invariant 2: cut anywhere and with bytes flipped, the sample is read, its reader never fails, and the positions hold. */
export function checkDamage(adapter: Adapter, name: string, bytes: Uint8Array, rounds = 120): void {
  const random = createRandom(bytes.length);
  for (let round = 0; round < rounds; round++) {
    const damaged = round % 3 === 0 ? bytes.slice(0, Math.floor(random() * bytes.length)) : bytes.slice();
    if (round % 3 !== 0) {
      const flips = 1 + Math.floor(random() * (round % 3 === 1 ? 3 : 60));
      for (let i = 0; i < flips; i++) {
        const at = Math.floor(random() * damaged.length);
        damaged[at] = round % 2 === 0 ? (damaged[at] ?? 0) ^ (1 << Math.floor(random() * 8)) : 32 + Math.floor(random() * 95);
      }
    }
    const run = readSample(adapter, name, damaged);
    for (const problem of run.problems) assert.doesNotMatch(problem.message, /reader failed|could not be read/, `${name}, round ${round}`);
    assert.ok(Array.isArray(run.steps));
    if (round % 10 === 1) checkPositions(run, damaged);
  }
}

function isMade(origin: Origin): boolean {
  return origin.from === "join" ? origin.pieces.every((piece) => !piece.of || isMade(piece.of)) : "of" in origin && isMade(origin.of);
}

function isPlainRange(origin: Origin): boolean {
  return (
    origin.from === "record" || (origin.from === "slice" && isPlainRange(origin.of)) || (origin.from === "json" && isPlainRange(origin.of))
  );
}

/** Unescapes a raw range as often as strings are nested in strings, until it is the quoted text. */
function unescapes(raw: string, quoted: string, depth = 3): boolean {
  if (raw === quoted) return true;
  if (depth === 0) return false;
  try {
    return unescapes(JSON.parse(`"${raw}"`) as string, quoted, depth - 1);
  } catch {
    return false;
  }
}

/** Invariant 5: each text of each step and message is found in the raw file, and the range decodes to it. The count of those checked. */
export function checkPositions(run: Trajectory, bytes: Uint8Array): number {
  const locator = createLocator();
  let checked = 0;
  const check = (text: Text, where: string): void => {
    if (text.value === "" || isMade(text.origin)) return;
    // Long texts: their two ends and a place in the middle.
    const { length } = text.value;
    const spans =
      length <= 300
        ? [[0, length]]
        : [
            [0, 100],
            [length - 100, length],
            [length >> 1, (length >> 1) + 50],
          ];
    for (const [start = 0, end = 0] of spans) {
      if (/[\uDC00-\uDFFF]/.test(text.value[start] ?? "") || /[\uD800-\uDBFF]/.test(text.value[end - 1] ?? "")) continue;
      const found = locator.locate(spanOf(text, start, end));
      assert.ok(found, `${where} is found`);
      if (isPlainRange(text.origin)) assert.ok(found.exact, `${where} is exact`);
      if (!found.exact) continue;
      const raw = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(found.start.byte, found.end.byte));
      const quoted = text.value.slice(start, end);
      assert.ok(unescapes(raw, quoted), `${where}: ${JSON.stringify(raw)} decodes to ${JSON.stringify(quoted)}`);
      checked++;
    }
  };
  for (const step of run.steps) for (const [field, text] of textsOf(step)) check(text, `step ${step.number} ${field}`);
  run.messages.forEach((message, i) => message.parts.forEach((part, k) => check(part.text, `message ${i} part ${k}`)));
  if (run.patch) check(run.patch, "patch");
  return checked;
}

/** All laws at once, for one sample. */
export function checkLaws(adapter: Adapter, name: string, bytes: Uint8Array): Trajectory {
  checkChunks(adapter, name, bytes);
  checkDamage(adapter, name, bytes);
  const run = readSample(adapter, name, bytes);
  assert.ok(checkPositions(run, bytes) > 0, "something was found in the raw file");
  for (const step of run.steps)
    assert.ok(run.messages[step.message]?.parts[step.part] ?? step.action.kind === "other", `step ${step.number} has its part`);
  assert.equal(toSource(name, bytes).size, bytes.length);
  return run;
}
