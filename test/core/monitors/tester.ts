/** Runs a monitor's table of cases, and refuses sloppy tables. */
import assert from "node:assert/strict";
import type { Case, Expected, Monitor, RecordingLine } from "../../../src/core/monitor";
import type { Finding } from "../../../src/core/model";
import type { Tools } from "../../../src/core/code/syntax";
import { sourceOf } from "../source";
import { verify, type Result } from "../../../src/core/verify";

const open = "«";
const close = "»";

export interface Mark {
  start: number;
  end: number;
  text: string;
}

/** The recording's bytes without marks, and where each marked text stands in them. */
export function render(lines: readonly RecordingLine[], profile: Case["profile"]): { bytes: Uint8Array; marks: Mark[] } {
  const hasSession = lines[0]?.type === "session";
  const all = hasSession ? lines : [{ type: "session", version: 1, profile: profile ?? "bench" }, ...lines];
  const text = `${all.map((line) => JSON.stringify(hasSession && line.type === "session" && profile ? { ...line, profile } : line)).join("\n")}\n`;
  const marks: Mark[] = [];
  let clean = "";
  let from: number | undefined;
  for (const c of text) {
    if (c === open) {
      assert.equal(from, undefined, "marks may not be nested");
      from = clean.length;
    } else if (c === close) {
      assert.notEqual(from, undefined, "a mark is closed that was never opened");
      const raw = clean.slice(from);
      marks.push({ start: Buffer.byteLength(clean.slice(0, from)), end: Buffer.byteLength(clean), text: JSON.parse(`"${raw}"`) as string });
      from = undefined;
    } else clean += c;
  }
  assert.equal(from, undefined, "a mark is never closed");
  return { bytes: new TextEncoder().encode(clean), marks };
}

export function runCase(monitor: Monitor, bytes: Uint8Array, tools: Tools): Result {
  return verify({ sources: [{ source: sourceOf("case.jsonl", bytes), adapter: "recording" }], profile: "auto" }, tools, {
    monitors: [monitor],
  });
}

/** Checks one case. Throws with what was expected and what was found. */
export function checkCase(monitor: Monitor, example: Case, tools: Tools): void {
  const { bytes, marks } = render(example.run, example.profile);
  const before = JSON.stringify(example.run);
  const first = runCase(monitor, bytes, tools);
  const again = runCase(monitor, bytes, tools);
  assert.deepEqual(again.findings, first.findings, "a second run gives another answer");
  assert.equal(JSON.stringify(example.run), before, "the input was changed");
  const broken = first.problems.find((problem) => problem.message.includes("failed"));
  assert.equal(broken, undefined, broken?.message);
  const found = first.findings.filter((finding) => finding.severity !== "info" && finding.certainty !== "info" && !finding.authorised);
  const expected = example.finds ?? [];
  if (isInnocent(example)) assert.deepEqual(found.map(brief), [], "an innocent case is accused");
  if (example.isMissed) {
    assert.equal(found.length, 0, "a published miss is found now: move it to the guilty cases");
    return;
  }
  if (expected.length === 0) {
    assert.equal(marks.length, 0, "a case without findings has marks");
    return;
  }
  const all = expected.some(isMild) ? first.findings : found;
  assert.equal(all.length, expected.length, `found ${JSON.stringify(all.map(brief))}`);
  const unmarked = new Set(expected.keys());
  for (const mark of marks) {
    const index = all.findIndex(
      (finding, i) => unmarked.has(i) && finding.at?.start.byte === mark.start && finding.at.end.byte === mark.end,
    );
    assert.notEqual(index, -1, `nothing is found at «${mark.text}»; found ${JSON.stringify(all.map(brief))}`);
    unmarked.delete(index);
  }
  for (const index of unmarked) {
    const at = all[index]?.at;
    if (at)
      assert.fail(`a finding quotes unmarked text: put «» around ${JSON.stringify(at.text)} in line ${at.start.line} of the recording`);
  }
  expected.forEach((want, i) => compare(monitor, want, all[i]));
}

/** Shown, but no accusation. */
function isMild(want: Expected): boolean {
  return want.severity === "info" || want.certainty === "info" || want.authorised === true;
}

function isInnocent(example: Case): boolean {
  return (example.finds ?? []).every(isMild);
}

function compare(monitor: Monitor, want: Expected, got: Finding | undefined): void {
  assert.ok(got, `missing: ${want.message}`);
  const template = monitor.messages[want.message];
  assert.ok(template !== undefined, `unknown message id ${want.message}`);
  assert.ok(matches(template, got.message), `message ${JSON.stringify(got.message)} is not of the form ${JSON.stringify(template)}`);
  assert.doesNotMatch(got.message, /\{\w+\}/, "an unfilled placeholder");
  if (want.stage) assert.equal(got.stage, want.stage, `stage of ${got.message}`);
  if (want.certainty) assert.equal(got.certainty, want.certainty, `certainty of ${got.message}`);
  if (want.severity) assert.equal(got.severity, want.severity, `severity of ${got.message}`);
  if (want.authorised !== undefined) assert.equal(got.authorised, want.authorised, `authorised of ${got.message}`);
  if (want.disclosed !== undefined) assert.equal(got.disclosed, want.disclosed, `disclosed of ${got.message}`);
  for (const [i, text] of (want.related ?? []).entries()) assert.equal(got.related[i]?.at?.text, text, `related place ${i + 1}`);
  if (want.target) assert.equal(got.target && `${got.target.path}:${got.target.start}`, want.target);
}

function matches(template: string, message: string): boolean {
  const parts = template.split(/\{\w+\}/);
  let at = 0;
  for (const part of parts) {
    const found = message.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return message.startsWith(parts[0] ?? "");
}

/** The fields of each line of a recording: a misspelt one would let an innocent case pass for the wrong reason. */
const fields: Readonly<Record<string, string>> = {
  session: "version profile task agent attempt cwd",
  message: "actor text",
  thought: "text",
  summary: "text",
  command: "command cwd output exit blocked trusted timedOut",
  edit: "path before after created diff failed all partial",
  delete: "path failed",
  move: "from path failed",
  read: "path content failed",
  search: "query content failed",
  fetch: "url content failed",
  other: "name text",
  gap: "why",
  patch: "diff",
  outcome: "resolved declined",
};

function checkLines(example: Case): void {
  example.run.forEach((line, i) => {
    const known = fields[line.type];
    const where = `case "${example.name}", line ${i + 1}`;
    assert.ok(known !== undefined, `${where}: unknown type ${line.type}`);
    const allowed = new Set(`${known} type time by id cut`.split(" "));
    for (const key of Object.keys(line)) assert.ok(allowed.has(key), `${where}: unknown field ${key} of ${line.type}`);
  });
}

/** The whole table: enough of each kind, no name twice, every message used. */
export function checkTable(monitor: Monitor, cases: readonly Case[]): void {
  const names = cases.map((example) => example.name);
  assert.equal(new Set(names).size, names.length, "two cases have one name");
  const guilty = cases.filter((example) => !isInnocent(example) && !example.isMissed);
  const innocent = cases.filter((example) => isInnocent(example) && !example.isMissed);
  assert.ok(guilty.length >= 3, `${guilty.length} guilty cases; three are needed`);
  assert.ok(innocent.length >= 3, `${innocent.length} innocent cases; three are needed`);
  const used = new Set(cases.flatMap((example) => (example.finds ?? []).map((want) => want.message)));
  const unused = Object.keys(monitor.messages).filter((id) => !used.has(id));
  assert.deepEqual(unused, [], "messages that no case uses");
  for (const example of cases) checkLines(example);
  for (const text of [monitor.why, monitor.next, ...monitor.falseAlarms])
    assert.doesNotMatch(text, /^Say (why|what|which)\b/, "the scaffold's words still stand");
  const bodies = cases.map((example) => JSON.stringify(example.run));
  assert.equal(new Set(bodies).size, bodies.length, "two cases are the same");
}

function brief(finding: Finding): string {
  return `${finding.message} [${finding.severity} ${finding.certainty} ${finding.stage}] ${JSON.stringify(finding.at?.text ?? null)}`;
}
