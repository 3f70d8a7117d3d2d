import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { adapters } from "../../src/core/adapters";
import { readTrajectory } from "../../src/core/read";
import { readRuns } from "../../src/node/stream";
import { diff, quiet, recording, session } from "./folder";

async function* feed(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  let at = 0;
  for (let i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? bytes.length;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** One line a run: where it starts, its format, its commands, and its problems. */
async function read(text: string | Uint8Array, sizes: readonly number[] = [65536]): Promise<string[]> {
  const found: string[] = [];
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  for await (const { line, run, close } of readRuns(feed(bytes, sizes), adapters, "-")) {
    const read = readTrajectory({ ...run, profile: "auto" }, adapters);
    const acts = read.steps.flatMap(({ action }) => (action.kind === "command" ? [action.command.value] : [])).join(",");
    const attempt = run.attempt === undefined ? "" : ` (${run.attempt})`;
    const lines = read.problems.map(({ at }) => at?.text.origin).map((origin) => (origin?.from === "record" ? origin.record.line : "?"));
    found.push(
      `${line} ${run.id ?? "-"}${attempt} ${read.format} [${acts}]${read.patch ? " patch" : ""}${lines.length > 0 ? ` problems at ${lines.join(",")}` : ""}`,
    );
    close();
  }
  return found;
}

const named = (id: string, command: string): string => recording({ ...session, task: { id } }, { type: "command", command });
const prediction = (id: string): string => `${JSON.stringify({ instance_id: id, model_patch: diff })}\n`;
const whole = (command: string): string => {
  const messages = [
    { role: "system", content: "s" },
    { role: "user", content: "u" },
    { role: "assistant", content: `THOUGHT: t\n\n\`\`\`bash\n${command}\n\`\`\`` },
    { role: "user", content: "<returncode>0</returncode>\n<output>\nok\n</output>" },
  ];
  const info = { exit_status: "Submitted", submission: "", model_stats: {}, mini_version: "1.0.0", config: {} };
  return `${JSON.stringify({ info, messages, trajectory_format: "mini-swe-agent-1" })}\n`;
};

test("a recording's runs end where the next one begins", async () => {
  assert.deepEqual(await read(named("a", "ls") + named("b", "pwd") + quiet), [
    "1 a recording [ls]",
    "3 b recording [pwd]",
    "5 - recording [ls]",
  ]);
});

test("a document a line is a run a line", async () => {
  assert.deepEqual(await read(whole("ls") + whole("pwd")), ["1 - mini-swe-agent [ls]", "2 - mini-swe-agent [pwd]"]);
});

test("a run is handed on before the stream goes on", async () => {
  let given = 0;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    for (const text of [whole("ls"), named("a", "ls"), named("b", "ls")]) {
      given++;
      yield Buffer.from(text);
    }
  }
  const seen: number[] = [];
  for await (const { close } of readRuns(chunks(), adapters, "-")) {
    seen.push(given);
    close();
  }
  assert.deepEqual(seen, [1, 3, 3]);
});

test("predictions are runs without steps; one id twice is two attempts", async () => {
  assert.deepEqual(await read(prediction("a__b-1") + prediction("a__b-1")), ["1 a__b-1 none [] patch", "2 a__b-1 (2) none [] patch"]);
});

test("a broken line belongs to the run that it stands in, or is a run that cannot be read", async () => {
  assert.deepEqual(await read(`${named("a", "ls")}{broken\n${named("b", "ls")}`), [
    "1 a recording [ls] problems at 3",
    "4 b recording [ls]",
  ]);
  assert.deepEqual(await read(`{broken\n${whole("ls")}`), ["1 - none [] problems at ?,1", "2 - mini-swe-agent [ls]"]);
  assert.deepEqual(await read(`${whole("ls")}{broken\n${prediction("a")}`), [
    "1 - mini-swe-agent [ls]",
    "2 - none [] problems at ?,2",
    "3 a none [] patch",
  ]);
});

test("what is no JSON is tried as a whole", async () => {
  const [found, ...more] = await read(diff);
  assert.match(found ?? "", /^1 - unified-diff .* patch$/);
  assert.deepEqual(more, []);
  const pretty = JSON.stringify(JSON.parse(whole("ls")), null, 2);
  assert.deepEqual(await read(pretty), ["1 - mini-swe-agent [ls]"]);
});

test("an empty stream holds no run", async () => {
  assert.deepEqual(await read(""), []);
  assert.deepEqual(await read("\n\n"), []);
});

test("a long run is kept on the disk and read back the same", async () => {
  const lines = Array.from({ length: 400 }, (_, i) => ({ type: "command", command: `echo ${i}`, output: "x".repeat(60_000) }));
  const found = await read(recording({ ...session, task: { id: "a" } }, ...lines) + named("b", "ls"));
  assert.equal(found.length, 2);
  assert.match(found[0] ?? "", /^1 a recording \[echo 0,echo 1,.*echo 399\]$/);
  assert.equal(found[1], "402 b recording [ls]");
});

test("how the stream is cut does not matter", async () => {
  const text = Buffer.from(`${named("a", "ls é")}{broken\n${quiet}${quiet}`);
  const expected = await read(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }), async (sizes) => {
      assert.deepEqual(await read(text, sizes), expected);
    }),
    { numRuns: 60 },
  );
});
