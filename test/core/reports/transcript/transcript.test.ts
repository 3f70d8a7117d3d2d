/** The readable transcript over real runs: every finding stands exactly where its evidence is shown, and every place leads back. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import type { Tools } from "../../../../src/core/code/syntax";
import type { RecordingLine } from "../../../../src/core/monitor";
import { type PageOptions, pageOptions, type PageRange } from "../../../../src/core/reports/transcript/page";
import { openTranscript, type Transcript } from "../../../../src/core/reports/transcript/transcript";
import { toVisible } from "../../../../src/core/reports/transcript/visible";
import { createLocator } from "../../../../src/core/text/locate";
import { plain, spanOf } from "../../../../src/core/text/text";
import { type Result, verify } from "../../../../src/core/verify";
import { loadSyntax } from "../../../../src/node/syntax";
import { sourceOf } from "../../source";

const root = path.resolve(__dirname, "../../../..");
let tools: Tools;
before(async () => {
  tools = await loadSyntax();
});

function judge(name: string, bytes: Uint8Array): Result {
  return verify({ sources: [{ source: sourceOf(name, bytes) }], profile: "bench" }, tools);
}

function record(...lines: RecordingLine[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join("\n"));
}

function open(...lines: RecordingLine[]): { transcript: Transcript; result: Result } {
  const result = judge("run.jsonl", record(...lines));
  return { transcript: openTranscript(result, tools), result };
}

/** What a range of a page shows, without the gutters of the lines that follow the first. */
function read(text: string, { start, end }: PageRange): string {
  const lines = text.split("\n").slice(start.line, end.line + 1);
  lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, end.column);
  const first = (lines[0] ?? "").slice(start.column);
  return [first, ...lines.slice(1).map((line) => line.replace(/^(?: {2}[-+]|[~>$|!#@ ](?: |$))/, ""))].join("\n");
}

/** A quote as a page shows it. A page has no line end of its own at the end of a body. */
function toShown(quote: string): string {
  return quote.split(/\r?\n/).map(toVisible).join("\n").replace(/\n$/, "");
}

const session: RecordingLine = { type: "session", version: 1 };
const red: RecordingLine = { type: "command", command: "python -m pytest -q", output: "..F\n1 failed, 2 passed in 0.12s\n", exit: 1 };
const said: RecordingLine = { type: "message", actor: "agent", text: "All 3 tests pass now." };

interface Counts {
  quoted: number;
  exact: number;
}

/** Holds the law for one run: nothing is missing, nothing is counted twice, and what is exact says what it quotes. */
function hold(name: string, result: Result, options?: Partial<PageOptions>): Counts {
  const transcript = openTranscript(result, tools, false, { ...pageOptions, ...options });
  const counts = { quoted: 0, exact: 0 };
  const seen: number[] = [];
  const steps: number[] = [];
  for (let number = 1; number <= transcript.pages; number++) {
    const page = transcript.render(number);
    const lines = page.text.split("\n");
    assert.deepEqual(page, JSON.parse(JSON.stringify(page)), `${name}: a page is plain data`);
    assert.ok(
      lines.every((line) => line.length <= (options?.maxLineChars ?? 2000) + 400),
      `${name}: a line is too long`,
    );
    for (const step of page.steps) {
      steps.push(step.number);
      assert.match(lines[step.startLine] ?? "", step.number === 0 ? /^=== patch/ : new RegExp(`^=== step ${step.number} \\| `));
    }
    // No text of the log starts a line like a heading.
    assert.equal(lines.filter((line) => line.startsWith("===")).length, page.steps.length + 1, name);
    for (const { index, range, exact } of page.findings) {
      seen.push(index);
      const { at } = result.findings[index] ?? {};
      if (!at) continue;
      counts.quoted++;
      if (!exact) continue;
      counts.exact++;
      const want = toShown(at.text);
      const got = read(page.text, range);
      assert.equal(at.text.length < 2000 ? got : got.slice(0, want.length), want, name);
      assert.equal(transcript.toRaw(number, range.start)?.start.byte, at.start.byte, name);
      assert.deepEqual(transcript.toPage(at.file, at.start.byte), { page: number, spot: range.start }, name);
    }
  }
  assert.deepEqual(
    [...seen].sort((a, b) => a - b),
    result.findings.map((_, index) => index),
    `${name}: each finding stands once`,
  );
  const wanted = result.trajectory.steps.map((step) => step.number);
  assert.deepEqual(steps, result.trajectory.patch ? [...wanted, 0] : wanted, `${name}: each step stands once`);
  return counts;
}

const samples = path.join(root, "test/core/adapters/samples");
const examples = path.join(root, "media/examples");
const files = [
  ...readdirSync(examples).map((name) => path.join(examples, name)),
  ...readdirSync(samples)
    .filter((name) => !name.endsWith(".txt"))
    .map((name) => path.join(samples, name)),
];

test("over examples and samples of every format each finding stands once, exactly on its evidence", () => {
  let quoted = 0;
  for (const file of files) {
    const counts = hold(path.basename(file), judge(path.basename(file), new Uint8Array(readFileSync(file))));
    assert.equal(counts.exact, counts.quoted, file);
    quoted += counts.quoted;
  }
  assert.ok(quoted >= 5, `only ${quoted} findings were quoted`);
});

test("the same with pages of two steps, bodies of 200 characters and lines of 40", () => {
  for (const file of files) {
    const result = judge(path.basename(file), new Uint8Array(readFileSync(file)));
    const options = { pageSteps: 2, maxBodyChars: 200, maxLineChars: 40 };
    const transcript = openTranscript(result, tools, false, { ...pageOptions, ...options });
    assert.equal(transcript.pages, Math.max(1, Math.ceil(result.trajectory.steps.length / 2)), file);
    for (let number = 1; number <= transcript.pages; number++) {
      for (const { index, range, exact } of transcript.render(number).findings) {
        const at = result.findings[index]?.at;
        if (!at || !exact) continue;
        assert.equal(transcript.toRaw(number, range.start)?.start.byte, at.start.byte, file);
      }
    }
  }
});

test("real runs of the corpus, where it is there", () => {
  const corpus = path.resolve(root, process.env["PROCTOR_CORPUS"] ?? "../shared/corpus");
  const folder = path.join(corpus, "mini-swe-agent");
  if (!existsSync(folder)) return console.log(`No corpus at ${corpus}: only the samples were read.`);
  const found = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".traj.json"));
  for (const name of found.slice(0, 10)) {
    const counts = hold(name, judge(name, new Uint8Array(readFileSync(path.join(folder, name)))));
    assert.equal(counts.exact, counts.quoted, name);
  }
});

test("a recording is read as a person reads it", () => {
  const { transcript } = open(
    { type: "session", version: 1, profile: "dev", task: { id: "t-1", prompt: "Fix it." }, agent: { name: "a", model: "m" } },
    { type: "thought", text: "First I look." },
    { type: "command", command: "cat a.py", output: "x = 1\n", exit: 0, time: "2026-01-01T00:00:00Z" },
    { type: "edit", path: "a.py", before: "x = 1", after: "x = 2\ny = 3", time: "2026-01-01T00:00:04.500Z" },
    { type: "command", command: "make", by: "builder", output: "" },
    { type: "fetch", url: "https://example.org/a|b", content: "page" },
    { type: "message", actor: "agent", text: "Done." },
    { type: "patch", diff: "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n-x = 1\n+x = 2\n+y = 3\n" },
  );
  const { text, head } = transcript.render(1);
  const lines = text.split("\n");
  assert.deepEqual(lines.slice(0, head), [
    "=== transcript | recording | t-1 | page 1 of 1",
    "Verdict    Nothing found",
    "Task       t-1",
    "Asked      Fix it.",
    "Agent      a, m",
    "Profile    bench: chosen",
    "Steps      1 to 6 of 6; 2 can change something",
    "Looked at  commands, their outputs, the patch, what the agent said, the task",
    "",
  ]);
  assert.deepEqual(lines.slice(head), [
    "=== step 1 | user | message",
    "> Fix it.",
    "",
    "=== step 2 | agent | command | exit 0",
    "~ First I look.",
    "$ cat a.py",
    "| x = 1",
    "",
    "=== step 3 | agent | edit | a.py | 4.5 s | changes",
    "  -x = 1",
    "  +x = 2",
    "  +y = 3",
    "",
    "=== step 4 | agent builder | command | printed nothing | changes",
    "$ make",
    "",
    "=== step 5 | agent | fetch",
    "@ https://example.org/a|b",
    "| page",
    "",
    "=== step 6 | agent | message",
    "> Done.",
    "",
    "=== patch",
    "  --- a/a.py",
    "  +++ b/a.py",
    "  @@ -1 +1,2 @@",
    "  -x = 1",
    "  +x = 2",
    "  +y = 3",
    "",
    "",
  ]);
});

test("evidence that was quoted without its terminal escapes is found with them", () => {
  const claim = "All 3 tests pass now.";
  const { result } = open(
    { type: "session", version: 1, task: { id: "t-1", prompt: "Fix it." } },
    { type: "command", command: "python -m pytest -q", output: "..F\n1 failed, 2 passed in 0.12s\n", exit: 1 },
    { type: "command", command: "cat log", output: "é \x1b[31mred \x1b[1mand bold\x1b[0m \u202eend\n", exit: 0 },
    { type: "message", actor: "agent", text: `\u200b So: ${claim}\n\nBye.` },
  );
  const output = result.trajectory.steps[2]?.output;
  const [finding] = result.findings;
  assert.ok(output && finding);
  const stripped = plain(output);
  const span = spanOf(stripped, stripped.value.indexOf("red"), stripped.value.indexOf("end"));
  const at = createLocator().locate(span);
  const page = openTranscript({ ...result, findings: [finding, { ...finding, step: 3, at }] }, tools).render(1);
  const [first, second] = page.findings.map(({ range, exact }) => ({ text: read(page.text, range), exact }));
  assert.deepEqual(first, { text: `[U+200B] So: ${claim}`, exact: true });
  assert.deepEqual(second, { text: "red ␛[1mand bold␛[0m [U+202E]", exact: true });
  assert.ok(page.text.includes(`> [U+200B] So: ${claim}\n`));
  assert.ok((page.findings[0]?.related.length ?? 0) > 0);
});

test("the end of a long text that was cut is found and shown in full on demand", () => {
  const output = `${"x = 1\n".repeat(100_000)}end\n`;
  const { transcript } = open(session, { type: "command", command: "cat a", output, exit: 0 });
  const { elisions, text } = transcript.render(1);
  assert.deepEqual(
    elisions.map(({ step, part, total }) => [step, part, total]),
    [[1, "output", output.length]],
  );
  assert.ok(text.length < 20_000);
  assert.equal(transcript.body(1, "output"), output);
  assert.equal(transcript.body(1, "diff"), undefined);
  assert.equal(transcript.body(9, "output"), undefined);
});

test("a page that does not exist is the nearest, and steps are shared out over pages", () => {
  const lines = Array.from({ length: 4500 }, (_, i) => ({ type: "command", command: `echo ${i}`, output: "", exit: 0 }));
  const { transcript } = open(...lines);
  assert.equal(transcript.pages, 3);
  assert.deepEqual([transcript.pageOf(1), transcript.pageOf(2000), transcript.pageOf(2001), transcript.pageOf(4500)], [1, 1, 2, 3]);
  assert.equal(transcript.render(99).page, 3);
  assert.equal(transcript.render(-1).page, 1);
  assert.equal(transcript.render(Number.NaN).page, 1);
  assert.equal(transcript.render(3).steps[0]?.number, 4001);
  assert.match(transcript.render(2).text, /\nPages {6}previous page \| next page\n/);
});

test("a place in a line of the log that shows nothing leads to the step before it, and an empty run has a page", () => {
  const bytes = record({ type: "command", command: "ls", output: "a", exit: 0 }, { type: "outcome", resolved: true });
  const transcript = openTranscript(judge("run.jsonl", bytes), tools);
  const line = transcript.render(1).steps[0]?.startLine;
  assert.deepEqual(transcript.toPage("run.jsonl", bytes.length - 3), { page: 1, spot: { line, column: 0 } });
  assert.equal(transcript.toPage("other.jsonl", 0), undefined);
  const empty = openTranscript(judge("run.jsonl", new Uint8Array()), tools);
  assert.equal(empty.pages, 1);
  assert.match(empty.render(1).text, /^=== transcript \| none \| run \| page 1 of 1\nVerdict {4}Not verified/);
  assert.equal(empty.toRaw(1, { line: 0, column: 0 }), null);
});

test("broken bytes are shown all the same", () => {
  for (const name of ["recording.jsonl", "mini-1.traj.json", "claude-code.jsonl", "swe-1.traj"]) {
    const bytes = new Uint8Array(readFileSync(path.join(samples, name)));
    for (let cut = 1; cut < 12; cut++) {
      const broken = bytes.slice(0, Math.floor((bytes.length * cut) / 12));
      for (let at = cut * 7; at < broken.length; at += 997) broken[at] = (broken[at] ?? 0) ^ 0x55;
      hold(`${name} cut at ${cut}/12`, judge(name, broken));
    }
  }
});

test("of several places with the same characters the one that was quoted is meant", () => {
  const { result } = open(session, { type: "command", command: "cat a", output: "red\nred\nred\n", exit: 0 }, red, said);
  const output = result.trajectory.steps[0]?.output;
  const [finding] = result.findings;
  assert.ok(output && finding);
  const at = createLocator().locate(spanOf(output, 4, 7));
  const page = openTranscript({ ...result, findings: [{ ...finding, step: 1, at }] }, tools).render(1);
  const first = page.text.split("\n").indexOf("| red");
  assert.deepEqual(page.findings[0]?.range, { start: { line: first + 1, column: 2 }, end: { line: first + 1, column: 5 } });
});
