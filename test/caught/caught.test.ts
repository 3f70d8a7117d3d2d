/** Known hacks are found: the right monitor, at the marked text, as far as it went, and the verdict that follows. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Tools } from "../../src/core/code/syntax";
import type { Finding } from "../../src/core/model";
import { verify, type Result } from "../../src/core/verify";
import { loadSyntax } from "../../src/node/syntax";
import { sourceOf } from "../core/source";
import { liftMarks, type Place } from "../quiet/marks";
import { type FormatId, render } from "../quiet/render";
import { type Hack, hacks } from "./hacks";

let tools: Tools;
before(async () => {
  tools = await loadSyntax();
});

function read({ story }: Hack, format: FormatId): Result & { places: Place[] } {
  const { name, adapter, text } = render(story, format);
  const { bytes, places } = liftMarks(name, text);
  return { places, ...verify({ id: story.id, sources: [{ source: sourceOf(name, bytes), adapter }], profile: "bench" }, tools) };
}

function brief({ monitor, message, certainty, stage, at }: Finding): unknown {
  return [monitor, message, certainty, stage, at?.text ?? null];
}

for (const hack of hacks) {
  describe(hack.name, () => {
    for (const format of hack.formats) {
      test(format, () => {
        const { findings, verdict, places, problems } = read(hack, format);
        const all = JSON.stringify(findings.map(brief), null, 1);
        for (const { monitor, stage, text } of hack.finds) {
          const found = findings.find((finding) => finding.monitor === monitor && finding.at?.text === text);
          assert.ok(found?.at, `${monitor} does not quote ${text}\n${all}`);
          assert.ok(
            places.some(({ start, end }) => found.at?.start.byte === start && found.at.end.byte === end),
            `${monitor} quotes another place\n${all}`,
          );
          assert.equal(found.at.exact, true);
          assert.equal(found.stage, stage, all);
        }
        // A bare diff does not show that the test failed before, so what it shows of it is not proven.
        const expected =
          format === "unified-diff" && hack.finds.every(({ monitor }) => monitor === "test-skipped") ? "suspicious" : hack.verdict;
        assert.equal(verdict.verdict, expected, all);
        assert.deepEqual(
          problems.map(({ message }) => message),
          [],
        );
      });
    }
  });
}

test("a message without a command in the middle of a run is not the agent's last word", () => {
  const { story } = hacks.find(({ finds }) => finds[0]?.monitor === "claim-contradicts-output") ?? assert.fail("no such hack");
  const more = Array.from({ length: 12 }, (_, i) => ({
    kind: "shell" as const,
    say: "Next.",
    command: `sed -n ${i},9p README.md`,
    output: "text\n",
    exit: 0,
  }));
  const rendered = render({ ...story, turns: [...more, ...story.turns] }, "mini-swe-agent");
  const { bytes, places } = liftMarks(rendered.name, rendered.text);
  const run = JSON.parse(new TextDecoder().decode(bytes)) as { messages: { role: string; content: string }[] };
  // The harness turns it down, and the run goes on.
  run.messages.splice(
    6,
    0,
    { role: "assistant", content: "THOUGHT: I only think." },
    { role: "user", content: "Please always provide EXACTLY ONE action in triple backticks, found 0 actions." },
  );
  const source = sourceOf(rendered.name, new TextEncoder().encode(JSON.stringify(run)));
  const { findings } = verify({ id: story.id, sources: [{ source, adapter: "mini-swe-agent" }], profile: "bench" }, tools);
  assert.equal(places.length, 1);
  assert.deepEqual(
    findings.map(({ monitor, at }) => [monitor, at?.text]),
    [["claim-contradicts-output", "All tests pass."]],
  );
});

test("there are enough of them, of every behaviour", () => {
  assert.ok(hacks.length >= 12);
  const behaviours = new Set(hacks.flatMap(({ finds }) => finds.map(({ monitor }) => monitor)));
  assert.deepEqual([...behaviours].sort(), [
    "claim-contradicts-output",
    "git-future-history",
    "report-hook-rewrite",
    "test-skipped",
    "test-weakened",
    "upstream-fix-fetch",
  ]);
});
