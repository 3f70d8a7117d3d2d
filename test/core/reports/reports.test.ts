import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { z } from "zod";
import type { Finding } from "../../../src/core/model";
import { redact, redactRun } from "../../../src/core/reports/redact";
import { reportSchema, runSchema, toJsonSchema } from "../../../src/core/reports/schema";
import { closeSummary, countRun, countSkipped, createSummary } from "../../../src/core/reports/summary";
import { isNotable, type Look, show, wrap, writeRun, writeSummary } from "../../../src/core/reports/text";
import { makeFinding, makeRun } from "./runs";

const look: Look = { hasColor: false, width: 80, prefix: "p/", next: new Map([["git-future-history", "Read the command."]]) };

test("a run and a report fit their schema, and an unknown field does not", () => {
  const run = makeRun({ findings: [makeFinding(), makeFinding({ at: null, target: null })] });
  assert.deepEqual(runSchema.parse(run), run);
  assert.throws(() => runSchema.parse({ ...run, more: 1 }));
  const summary = createSummary();
  countRun(summary, run);
  countSkipped(summary, "x", "empty");
  const report = { tool: { name: "n", version: "1" }, runs: [run], summary: closeSummary(summary) };
  assert.deepEqual(reportSchema.parse(report), report);
});

test("the printed schema says what the checked one does", () => {
  const { $defs } = toJsonSchema() as { $defs: { run: { properties: Record<string, unknown>; additionalProperties: boolean } } };
  assert.deepEqual(Object.keys($defs.run.properties), Object.keys(runSchema.shape));
  assert.equal($defs.run.additionalProperties, false);
  assert.ok(z.toJSONSchema(reportSchema));
});

test("rates: resolved and tripped, resolved and not, of the runs whose outcome is known", () => {
  const summary = createSummary();
  countRun(summary, makeRun({ outcome: "resolved", verdict: "hacked", tripped: true }));
  countRun(summary, makeRun({ outcome: "resolved", verdict: "clean", format: "atif" }));
  countRun(summary, makeRun({ outcome: "resolved", verdict: "clean", tripped: true }));
  countRun(summary, makeRun({ outcome: "unresolved", verdict: "suspicious", tripped: true }));
  countRun(summary, makeRun({ outcome: "unknown", verdict: "unverified" }));
  const { verdicts, formats, outcomes, tripped, hackedResolved, cleanResolved, resolved } = closeSummary(summary);
  assert.deepEqual(verdicts, { hacked: 1, suspicious: 1, clean: 2, unverified: 1 });
  assert.deepEqual(Object.entries(formats), [
    ["atif", 1],
    ["recording", 4],
  ]);
  assert.deepEqual(outcomes, { resolved: 3, unresolved: 1, declined: 0, unknown: 1 });
  assert.deepEqual(tripped, { k: 3, n: 5 });
  assert.deepEqual(hackedResolved, { k: 2, n: 4 });
  assert.deepEqual(cleanResolved, { k: 1, n: 4 });
  assert.deepEqual(resolved, { hacked: 1, suspicious: 0, clean: 2, unverified: 0 });
});

test("a finding is shown with place, step, quote, why, what is related and what next", () => {
  const finding = makeFinding();
  const text = writeRun(makeRun({ verdict: "hacked", findings: [finding], decidedBy: [finding.fingerprint], outcome: "resolved" }), look);
  assert.deepEqual(text.split("\n"), [
    "Evidence of a hack  a__b-1  recording  resolved  5 steps  profile bench (not re…",
    "  ● The fix was read from the history.",
    "    git-future-history: severity high, certainty certain, stage effective, step 4",
    "    p/logs/a.jsonl:3:7",
    "    │ git log --all",
    "    in src/a.py:10-12",
    "    Why: A graded run must not see it.",
    "    → The patch repeats it: p/logs/a.jsonl:3:7",
    "    Next: Read the command.",
    "    fingerprint 00112233aabbccdd",
    "",
    "",
  ]);
});

test("a long quote is cut at three lines", () => {
  const at = makeFinding().at;
  assert.ok(at);
  const text = writeRun(makeRun({ findings: [makeFinding({ at: { ...at, text: "1\n2\n3\n4\n5" } })] }), look);
  assert.match(text, /│ 1\n {4}│ 2\n {4}│ 3\n {4}│ … 2 more lines\n/);
});

test("no control character of a log reaches the terminal", () => {
  const control = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
  const nasty = fc.string({
    unit: fc.constantFrom("\x1b", "[", "3", "1", "m", "\x07", "\r", "\n", "\x00", "\u202e", "\x9b", "a", "é", " "),
  });
  fc.assert(
    fc.property(nasty, nasty, (first, second) => {
      const at = { ...(makeFinding().at as NonNullable<Finding["at"]>), text: first, file: second };
      const finding = makeFinding({
        message: first,
        why: second,
        at,
        target: { path: second, side: "old", start: 1, end: 1 },
        related: [{ message: first, at }],
      });
      const run = makeRun({ id: first, attempt: second, findings: [finding], problems: [{ message: first, at }] });
      assert.doesNotMatch(writeRun(run, look), control);
      const summary = createSummary();
      countRun(summary, run);
      countSkipped(summary, first, second);
      assert.doesNotMatch(writeSummary(summary, look), control);
    }),
  );
  assert.equal(show("a\x1b[31mb\x7f\u202e"), "a␛[31mb␡\\u{202e}");
});

test("an unverified run says why even when nothing is a problem", () => {
  const observed = { ...makeRun().observed, opaque: 2 };
  assert.match(writeRun(makeRun({ verdict: "unverified", observed }), look), /2 executed payloads could not be read/);
  assert.match(writeRun(makeRun({ verdict: "unverified" }), look), /an output that would decide a finding is missing/);
});

test("what may be left to a count: clean, without a finding above info", () => {
  assert.equal(isNotable(makeRun()), false);
  assert.equal(isNotable(makeRun({ findings: [makeFinding({ severity: "info" })] })), false);
  assert.equal(isNotable(makeRun({ findings: [makeFinding({ status: "trial" })] })), true);
  assert.equal(isNotable(makeRun({ verdict: "unverified" })), true);
});

test("skipped files are grouped by reason", () => {
  const summary = createSummary();
  for (const name of ["a", "b", "c", "d"]) countSkipped(summary, name, "empty");
  countSkipped(summary, "e", "binary");
  assert.equal(writeSummary(summary, look), "Passed over: 5 files.\n  4 × empty: a, b, c, …\n  1 × binary: e\n");
});

test("wrapped text keeps every word and the width", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 12 }), { minLength: 1 }), (list) => {
      const lines = wrap(list.join(" "), 30, "  - ");
      assert.deepEqual(lines.map((line) => line.slice(4)).join(" "), list.join(" "));
      for (const line of lines) assert.ok(line.length <= 30);
    }),
  );
});

test("secrets are masked, and ordinary text is left alone", () => {
  const cases: [string, string][] = [
    ["key sk-abcdefghijklmnop1234 end", "key [key] end"],
    ["ghp_ABCDEFGHIJKLMNOPQRST1234", "[token]"],
    ["AKIAIOSFODNN7EXAMPLE", "[key]"],
    ["Authorization: Bearer abcdefghijklmnopqrstu", "Authorization: Bearer [token]"],
    ["https://me:hunter22@host/x", "https://me:[password]@host/x"],
    ['API_KEY="abcdef123456"', 'API_KEY="[secret]"'],
    ["mail jane.doe@example.org now", "mail [e-mail] now"],
    ["/home/jane/work/a.py and /Users/bob/x", "/home/[user]/work/a.py and /Users/[user]/x"],
    ["C:\\Users\\bob\\x", "C:\\Users\\[user]\\x"],
  ];
  for (const [text, masked] of cases) assert.equal(redact(text), masked);
  for (const text of ["git log --all", "tests/test_token.py", "@decorator def f(): pass", "a@b", "/homework/x"])
    assert.equal(redact(text), text);
});

test("masking twice is masking once, and takes linear time", () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(redact(redact(text)), redact(text))));
  for (const text of [
    "a.".repeat(50_000),
    "a_".repeat(50_000),
    "sk-".repeat(50_000),
    "/home/".repeat(30_000),
    "eyJ".repeat(50_000),
    "x://a".repeat(30_000),
  ])
    redact(text);
});

test("a masked run keeps its shape, its ids and its places", () => {
  const finding = makeFinding({ message: "by jane.doe@example.org", data: { path: "/home/jane/x" } });
  const masked = redactRun(makeRun({ findings: [finding], decidedBy: [finding.fingerprint] }));
  assert.deepEqual(runSchema.parse(masked), masked);
  assert.equal(masked.findings[0]?.message, "by [e-mail]");
  assert.deepEqual(masked.findings[0]?.data, { path: "/home/[user]/x" });
  assert.equal(masked.findings[0]?.fingerprint, finding.fingerprint);
  assert.deepEqual(masked.findings[0]?.at, finding.at);
});
