/** Transcripts as a worker serves them: from the disk, read again when it changes, plain data. */
import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { loadSyntax } from "../../src/node/syntax";
import { type Ask, askSchema, replySchema, type Reply } from "../../src/node/transcript-schema";
import { createTranscripts, type Transcripts } from "../../src/node/transcripts";

let folder = "";
let transcripts: Transcripts;
before(async () => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "proctor-transcripts-")));
  transcripts = createTranscripts(await loadSyntax());
});
after(() => rmSync(folder, { recursive: true, force: true }));

type Line = Record<string, unknown>;
const toText = (...lines: Line[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

function write(name: string, ...lines: Line[]): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, toText(...lines));
  return file;
}

/** Asks as it is asked over the thread: what goes in and out is checked, and is plain data. */
function ask(question: Record<string, unknown>): Reply {
  const reply = transcripts.answer(askSchema.parse({ run: 0, profile: "auto", ...question }) satisfies Ask);
  assert.deepEqual(replySchema.parse(structuredClone(reply)), reply);
  return reply;
}

const session = { type: "session", version: 1, profile: "bench", task: { id: "t-1", prompt: "Fix it." } };
const red = { type: "command", command: "python -m pytest -q", output: "..F\n1 failed, 2 passed in 0.12s\n", exit: 1 };
const claim = { type: "message", actor: "agent", text: "Here.\n\nAll 3 tests pass now." };

test("a page comes with the run's report and what to do next", () => {
  const file = write("one.jsonl", session, red, claim);
  const { page, report, runs, next } = ask({ is: "page", file, page: 1, isQuick: false });
  assert.match(page?.text ?? "", /^=== transcript \| recording \| t-1 \| page 1 of 1\n/);
  assert.equal(report?.findings[0]?.monitor, "claim-contradicts-output");
  assert.deepEqual(runs, ["t-1"]);
  assert.deepEqual(Object.keys(next ?? {}), ["claim-contradicts-output"]);
  assert.deepEqual(page?.flagged, [1]);
});

test("a file that grew is read again", () => {
  const file = write("grows.jsonl", session, red);
  const before = ask({ is: "page", file, page: 1, isQuick: false });
  appendFileSync(file, toText(claim));
  const after = ask({ is: "page", file, page: 1, isQuick: false });
  assert.equal(before.page?.steps.length, 2);
  assert.equal(after.page?.steps.length, 3);
  assert.ok(after.page?.text.includes("> All 3 tests pass now."));
});

test("from a page to the raw file and back, in the second run of a file as well", () => {
  const file = write("two.jsonl", session, red, { ...session, task: { id: "t-2" } }, red, claim);
  const { page } = ask({ is: "page", file, run: 1, page: 1, isQuick: false });
  const line = (page?.text.split("\n") ?? []).indexOf("> All 3 tests pass now.");
  const { raw } = ask({ is: "raw", file, run: 1, page: 1, spot: { line, column: 6 } });
  assert.deepEqual([raw?.file, raw?.start.line], [file, 5]);
  const { place } = ask({ is: "place", file, raw: file, line: 5, column: raw?.start.column ?? 0 });
  assert.deepEqual(place, { run: 1, page: 1, spot: { line, column: 6 } });
  assert.deepEqual(ask({ is: "page", file, page: 1, isQuick: false }).runs, ["t-1", "t-2"]);
});

test("sub-agents' logs are part of the transcript, named in their place", () => {
  const record = (uuid: string, text: string, more: Line = {}): Line => ({
    type: "assistant",
    uuid,
    sessionId: "s",
    timestamp: "2026-01-01T00:00:00.000Z",
    message: { role: "assistant", content: [{ type: "text", text }] },
    ...more,
  });
  const file = write("s.jsonl", record("1", "main"));
  const helper = write("s/subagents/agent-a1.jsonl", record("2", "helper", { isSidechain: true, agentId: "a1" }));
  const { page } = ask({ is: "page", file, page: 1, isQuick: false });
  const lines = page?.text.split("\n") ?? [];
  const line = lines.indexOf("> helper");
  assert.match(lines[line - 1] ?? "", /^=== step 2 \| agent \S+ \| message/);
  assert.equal(ask({ is: "raw", file, page: 1, spot: { line, column: 2 } }).raw?.file, helper);
});

test("the beginning of a long log is shown without reading it to its end", () => {
  const acts = Array.from({ length: 3000 }, (_, i) => ({ type: "command", command: `echo ${i}`, output: "", exit: 0 }));
  const file = write("long.jsonl", session, ...acts);
  const { page, report } = ask({ is: "page", file, page: 1, isQuick: true });
  assert.equal(report, undefined);
  assert.equal(page?.steps.length, 2000);
  assert.match(page?.text ?? "", /\nVerdict {4}being judged; the first steps are shown\n/);
  assert.equal(page?.findings.length, 0);
});

test("what cannot be had is refused with its reason", () => {
  const prose = path.join(folder, "prose.txt");
  writeFileSync(prose, "Once upon a time\n");
  assert.match(ask({ is: "page", file: prose, page: 1, isQuick: false }).refused ?? "", /^no known format\. Looked for: /);
  assert.match(ask({ is: "page", file: prose, page: 1, isQuick: true }).refused ?? "", /^no known format/);
  assert.ok(ask({ is: "page", file: path.join(folder, "none"), page: 1, isQuick: false }).refused);
  const file = write("three.jsonl", session, red);
  assert.match(ask({ is: "page", file, run: 4, page: 1, isQuick: false }).refused ?? "", /no run 5/);
  assert.match(ask({ is: "body", file, step: 9, part: "output" }).refused ?? "", /no such text/);
  assert.match(ask({ is: "raw", file, page: 1, spot: { line: 0, column: 0 } }).raw?.file ?? "", /three\.jsonl$/);
  assert.equal(ask({ is: "body", file, step: 2, part: "output" }).body, red.output);
});
