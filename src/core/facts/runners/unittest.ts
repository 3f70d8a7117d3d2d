import { isRule } from "./lines";
import { countResult, MAX_FAILURES, MAX_MESSAGE, uncounted } from "./types";
import type { Found, Line, RunnerFailure, RunnerName, RunnerResult } from "./types";

const DJANGO =
  /^(?:Testing against Django installed in |(?:Creating|Cloning|Destroying|Using existing|Got an error creating the) test database|System check identified |Found \d+ test\(s\)\.$)/;
const RAN = /^Ran (\d+) tests? in \d+(?:\.\d+)?s$/;
const VERDICT = /^(OK|FAILED|NO TESTS RAN)(?: \(([a-z]+[a-z ]*=\d+(?:, [a-z ]+=\d+)*)\))?$/;
/** Prints of the tests may come between the two lines of a summary. */
const NEAR = 8;

/** Every run of unittest or of Django's runner, which prints the same summary. */
export function readUnittest(lines: readonly Line[], hint: RunnerName | undefined): Found[] {
  const isHinted = hint === "unittest" || hint === "django";
  const isDjango = hint === "django" || lines.some((line) => DJANGO.test(line.text));
  const runner: RunnerName = isDjango ? "django" : "unittest";
  const found: Found[] = [];
  let failures: RunnerFailure[] = [];
  let from = 0;
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (!line) continue;
    const failure = readFailure(lines, i);
    if (failure && failures.length < MAX_FAILURES) failures.push(failure);
    const ran = RAN.exec(line.text);
    const isFramed = ran && (isRule(lines[i - 1]?.text ?? "", "-", 60) || i === 0 || isHinted);
    const at = ran ? findVerdict(lines, i + 1) : isHinted && VERDICT.test(line.text) ? i : -1;
    if (ran ? !isFramed : at < 0) continue;
    const result = ran ? summarise(runner, Number(ran[1]), lines[at]) : alone(runner, line);
    result.summary = { start: line.start, end: lines[at]?.end ?? line.end };
    result.failures = failures;
    if (result.total !== null && result.errored === result.total && result.total > 0 && failures.length > 0 && failures.every(isUnloaded))
      result.status = "broken";
    found.push({ result, from: i, to: Math.max(i, at), encloses: false });
    failures = [];
    i = Math.max(i, at);
    from = i + 1;
  }
  if (found.length === 0 || failures.length > 0) found.push(...unfinished(lines, runner, isHinted, isDjango, failures, from));
  return found;
}

function findVerdict(lines: readonly Line[], from: number): number {
  for (let i = from; i < lines.length && i < from + NEAR; i++) {
    const text = lines[i]?.text ?? "";
    if (VERDICT.test(text)) return i;
    if (RAN.test(text)) return -1;
  }
  return -1;
}

function readCounts(list: string | undefined): Map<string, number> {
  const counts = new Map<string, number>();
  for (const part of list?.split(", ") ?? []) {
    const equals = part.indexOf("=");
    counts.set(part.slice(0, equals), Number(part.slice(equals + 1)));
  }
  return counts;
}

function summarise(runner: RunnerName, ran: number, verdict: Line | undefined): RunnerResult {
  const match = verdict ? VERDICT.exec(verdict.text) : null;
  if (!match) return { ...uncounted(runner, "unknown", true), total: ran };
  const counts = readCounts(match[2]);
  const errored = counts.get("errors") ?? 0;
  const unexpected = counts.get("unexpected successes") ?? 0;
  const failed = (counts.get("failures") ?? 0) + errored + unexpected;
  const skipped = counts.get("skipped") ?? 0;
  const other = counts.get("expected failures") ?? 0;
  // A failing set-up of a class is an error of no test; subtests may fail more than once in one.
  const passed = Math.max(0, ran - failed - skipped - other);
  const result = countResult(runner, { passed, failed, errored, skipped, other });
  result.total = ran;
  if (match[1] === "FAILED") result.status = "red";
  return result;
}

/** Only the last line was kept (`| tail -1`). */
function alone(runner: RunnerName, line: Line): RunnerResult {
  const match = VERDICT.exec(line.text);
  const counts = readCounts(match?.[2]);
  const status = match?.[1] === "OK" ? "green" : match?.[1] === "FAILED" ? "red" : "empty";
  const result = uncounted(runner, status, false);
  if (status === "red") {
    result.errored = counts.get("errors") ?? 0;
    result.failed = (counts.get("failures") ?? 0) + result.errored + (counts.get("unexpected successes") ?? 0);
  }
  if (status === "green") result.failed = result.errored = 0;
  result.skipped = counts.get("skipped") ?? (status === "empty" ? null : 0);
  return result;
}

/** A block that reports a failure begins with a rule of `=` and a line `FAIL: test_name (place)`. */
function readFailure(lines: readonly Line[], index: number): RunnerFailure | undefined {
  const line = lines[index];
  const match = line && /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S.*)$/.exec(line.text);
  if (!match || !isRule(lines[index - 1]?.text ?? "", "=", 60)) return undefined;
  const failure: RunnerFailure = { name: match[1] ?? "", start: line.start, end: line.end };
  for (let i = index + 1; i < lines.length && i < index + 400; i++) {
    const text = lines[i]?.text ?? "";
    if (isRule(text, "=", 60) || (isRule(text, "-", 60) && i > index + 3)) break;
    if (failure.message === undefined && /^[A-Za-z_][\w.]*(?:Error|Exception|Warning|Failure|Exit|Interrupt|DoesNotExist)\b/.test(text))
      failure.message = text.slice(0, MAX_MESSAGE);
  }
  const sides = /^AssertionError: (.{1,200}?) != (.{1,200})$/.exec(failure.message ?? "");
  // By custom the value that was got comes first.
  if (sides?.[1] !== undefined && sides[2] !== undefined) {
    failure.actual = sides[1];
    failure.expected = sides[2];
  }
  return failure;
}

function isUnloaded(failure: RunnerFailure): boolean {
  return failure.name.includes("_FailedTest");
}

/** A run that was cut before its summary: known by its reports of failures, by Django's own lines, or by the hint and its progress. */
function unfinished(
  lines: readonly Line[],
  runner: RunnerName,
  isHinted: boolean,
  isDjango: boolean,
  failures: RunnerFailure[],
  from: number,
): Found[] {
  const rest = lines.slice(from);
  const begun = rest.some((line) => /^(?:Testing against Django installed in |Found \d+ test\(s\)\.$)/.test(line.text));
  const progress = isHinted && rest.some((line) => /^[.FEsxu]{2,}$/.test(line.text) || /^test\w* \(.{1,200}\).* \.\.\. /.test(line.text));
  const red =
    failures.length > 0 ||
    (isHinted &&
      rest.some((line) => /^[.sxu]*[FE][.FEsxu]*$/.test(line.text) || /^test\w* \(.{1,200}\).* \.\.\. (?:FAIL|ERROR)$/.test(line.text)));
  if (failures.length === 0 && !((begun && isDjango && from === 0) || progress)) return [];
  const crash = !red && rest.some((line) => line.text === "Traceback (most recent call last):");
  const result = uncounted(runner, red ? "red" : crash ? "broken" : "unknown", !crash);
  result.failures = failures;
  return [{ result, from, to: lines.length - 1, encloses: false }];
}
