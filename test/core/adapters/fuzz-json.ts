/** For formats of one JSON document: damage that leaves valid JSON, with values of the wrong kind in any place. */
import assert from "node:assert/strict";
import type { Adapter } from "../../../src/core/adapter";
import { checkPositions, createRandom } from "./fuzz";
import { readSample } from "./render";

const strange: readonly unknown[] = [
  null,
  0,
  -1,
  1e308,
  true,
  "",
  "x",
  "\u0000\ud800",
  [],
  {},
  [null],
  [[]],
  { role: 3 },
  { content: {} },
  "```bash\n```",
  "n/a",
  [{ text: 5 }],
];

/** Replaces, removes and repeats values of the sample in random places: the reader never fails, and what it quotes is there. */
export function checkStrangeValues(adapter: Adapter, name: string, bytes: Uint8Array, rounds = 200): void {
  const text = new TextDecoder().decode(bytes);
  const random = createRandom(bytes.length + 1);
  for (let round = 0; round < rounds; round++) {
    const document: unknown = JSON.parse(text);
    const changes = 1 + Math.floor(random() * 3);
    for (let i = 0; i < changes; i++) change(document, random);
    const damaged = new TextEncoder().encode(JSON.stringify(document));
    const run = readSample(adapter, name, damaged);
    for (const problem of run.problems) assert.doesNotMatch(problem.message, /reader failed|could not be read:/, `${name}, round ${round}`);
    for (const step of run.steps)
      assert.ok(step.message < Math.max(1, run.messages.length), `${name}, round ${round}, step ${step.number}`);
    if (round % 5 === 0) checkPositions(run, damaged);
  }
}

function change(root: unknown, random: () => number): void {
  let at = root;
  for (;;) {
    if (typeof at !== "object" || at === null) return;
    const keys = Object.keys(at);
    const key = keys[Math.floor(random() * keys.length)];
    if (key === undefined) return;
    const holder = at as Record<string, unknown>;
    const inside = holder[key];
    if (typeof inside === "object" && inside !== null && random() < 0.8) {
      at = inside;
      continue;
    }
    const way = random();
    if (way < 0.15) delete holder[key];
    else if (way < 0.25 && Array.isArray(at)) (at as unknown[]).push(inside);
    else holder[key] = strange[Math.floor(random() * strange.length)];
    return;
  }
}
