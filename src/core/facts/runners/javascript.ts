import { countResult, MAX_FAILURES, MAX_MESSAGE, uncounted } from "./types";
import type { Found, Line, RunnerFailure, RunnerName, RunnerResult } from "./types";

/** The counts of a line such as `1 failed, 2 passed, 3 total` or `1 failed | 2 passed (3)`. */
function readParts(list: string, separator: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const part of list.split(separator)) {
    const match = /^\s*(\d+) ([a-z]+)\s*$/.exec(part);
    if (match?.[2] !== undefined) counts.set(match[2], Number(match[1]));
  }
  return counts;
}

function add(failures: RunnerFailure[], name: string, line: Line): void {
  if (failures.length >= MAX_FAILURES || failures.some((failure) => failure.name === name)) return;
  failures.push({ name, start: line.start, end: line.end });
}

function compare(failure: RunnerFailure | undefined, text: string): void {
  const match = /^\s+(Expected|Received): +(\S.*)$/.exec(text);
  if (!failure || !match) return;
  if (match[1] === "Expected") failure.expected ??= (match[2] ?? "").slice(0, MAX_MESSAGE);
  else failure.actual ??= (match[2] ?? "").slice(0, MAX_MESSAGE);
}

/** Jest: the line `Tests:` decides, beside `Test Suites:`, which counts files that could not be loaded. */
export function readJest(lines: readonly Line[], hinted: boolean): Found[] {
  const found: Found[] = [];
  let from = -1;
  let red = false;
  let unloaded = 0;
  let suites: { line: Line; failed: number } | undefined;
  let failures: RunnerFailure[] = [];
  const close = (result: RunnerResult, to: number): void => {
    result.failures = failures;
    found.push({ result, from: from < 0 ? to : from, to, encloses: from >= 0 });
    from = -1;
    red = false;
    unloaded = 0;
    suites = undefined;
    failures = [];
  };
  lines.forEach((line, index) => {
    const { text } = line;
    const header = /^(PASS|FAIL) {1,2}\S+\.[cm]?[jt]sx?(?: \(.*\))?$/.exec(text);
    if (header) {
      if (from < 0) from = index;
      red ||= header[1] === "FAIL";
      return;
    }
    const bullet = /^\s{2}● (\S.*)$/.exec(text);
    if (bullet?.[1] !== undefined && from >= 0) {
      if (bullet[1] === "Test suite failed to run") unloaded++;
      else if (!/^Console$|^Cannot log after/.test(bullet[1])) add(failures, bullet[1], line);
      return;
    }
    compare(failures.at(-1), text);
    const all = /^Test Suites: +(\d.*\d+ (?:of \d+ )?total)$/.exec(text);
    if (all) suites = { line, failed: readParts(all[1] ?? "", ",").get("failed") ?? 0 };
    const tests = /^Tests: +(\d.*) total$/.exec(text);
    if (tests && (suites || hinted)) {
      const counts = readParts(tests[1] ?? "", ",");
      const broken = suites && suites.failed > 0 && !counts.has("failed") ? suites.failed : Math.min(unloaded, suites?.failed ?? 0);
      const result = countResult("jest", {
        passed: counts.get("passed") ?? 0,
        failed: (counts.get("failed") ?? 0) + broken,
        errored: broken,
        skipped: (counts.get("skipped") ?? 0) + (counts.get("pending") ?? 0) + (counts.get("todo") ?? 0),
      });
      if (broken > 0 && /^0$/.test((tests[1] ?? "").trim())) result.status = "broken";
      result.summary = { start: broken > 0 && suites ? suites.line.start : line.start, end: line.end };
      close(result, index);
    } else if (/^No tests found(?:, exiting with code \d| related to files changed since last commit\.)$/.test(text)) {
      close({ ...countResult("jest", {}), summary: { start: line.start, end: line.end } }, index);
    }
  });
  if (from >= 0) close(uncounted("jest", red || failures.length > 0 ? "red" : "unknown", true), lines.length - 1);
  return found;
}

/** Vitest: `Tests` decides, after `Test Files`; `Errors` counts what was thrown outside of tests. */
export function readVitest(lines: readonly Line[]): Found[] {
  const found: Found[] = [];
  let from = -1;
  let red = false;
  let files: { line: Line; failed: number } | undefined;
  let failures: RunnerFailure[] = [];
  const close = (result: RunnerResult, to: number): void => {
    result.failures = failures;
    found.push({ result, from: from < 0 ? to : from, to, encloses: from >= 0 });
    from = -1;
    red = false;
    files = undefined;
    failures = [];
  };
  lines.forEach((line, index) => {
    const { text } = line;
    if (/^\s*(?:RUN|DEV) {2}v\d+\.\d+\.\d+\S* /.test(text)) {
      if (from >= 0) close(uncounted("vitest", red ? "red" : "unknown", true), index - 1);
      from = index;
      return;
    }
    const failed = /^\s*FAIL {2}(\S.* > .*|\S+\.[cm]?[jt]sx?(?: \[ .* \])?)$/.exec(text);
    if (failed?.[1] !== undefined && (from >= 0 || text.includes(" > "))) {
      if (from < 0) from = index;
      red = true;
      add(failures, failed[1], line);
      return;
    }
    const last = failures.at(-1);
    if (last && last.message === undefined && /^[A-Za-z]*Error: \S/.test(text)) last.message = text.slice(0, MAX_MESSAGE);
    if (from >= 0 && /^\s*(?:×|❯ .*\| \d+ failed)/.test(text)) red = true;
    const all = /^\s*Test Files {2}(\d+ [a-z]+(?: \| \d+ [a-z]+){0,4}|no tests)(?: \(\d+\))?$/.exec(text);
    if (all) files = { line, failed: readParts(all[1] ?? "", "|").get("failed") ?? 0 };
    const tests = /^\s*Tests {2}(\d+ [a-z]+(?: \| \d+ [a-z]+){0,4}|no tests)(?: \(\d+\))?$/.exec(text);
    if (tests && files) {
      const errors = /^\s*Errors {2}(\d+) errors?$/.exec(lines[index + 1]?.text ?? "");
      const counts = readParts(tests[1] ?? "", "|");
      const unloaded = files.failed > 0 && !counts.has("failed") ? files.failed : 0;
      const errored = unloaded + Number(errors?.[1] ?? 0);
      const result = countResult("vitest", {
        passed: counts.get("passed") ?? 0,
        failed: (counts.get("failed") ?? 0) + errored,
        errored,
        skipped: (counts.get("skipped") ?? 0) + (counts.get("todo") ?? 0),
      });
      if (unloaded > 0 && counts.size === 0) result.status = "broken";
      result.summary = {
        start: unloaded > 0 ? files.line.start : line.start,
        end: errors ? (lines[index + 1]?.end ?? line.end) : line.end,
      };
      close(result, index);
    } else if (/^No test files found, exiting with code \d$/.test(text)) {
      close({ ...countResult("vitest", {}), summary: { start: line.start, end: line.end } }, index);
    }
  });
  if (from >= 0) close(uncounted("vitest", red ? "red" : "unknown", true), lines.length - 1);
  return found;
}

/** Mocha's spec and dot reporters: `3 passing (12ms)`, then `1 pending` and `1 failing` on lines of their own. */
export function readMocha(lines: readonly Line[]): Found[] {
  const found: Found[] = [];
  lines.forEach((line, index) => {
    const passing = /^\s{0,4}(\d+) passing \(\d+(?:ms|s|m)\)$/.exec(line.text);
    if (!passing) return;
    let skipped = 0;
    let failed = 0;
    let last = index;
    for (let i = index + 1; i <= index + 2; i++) {
      const more = /^\s{0,4}(\d+) (pending|failing)$/.exec(lines[i]?.text ?? "");
      if (!more) break;
      last = i;
      if (more[2] === "pending") skipped = Number(more[1]);
      else failed = Number(more[1]);
    }
    const result = countResult("mocha", { passed: Number(passing[1]), failed, skipped });
    result.summary = { start: line.start, end: lines[last]?.end ?? line.end };
    let to = last;
    const end = Math.min(lines.length, last + 2_000);
    for (let i = last + 1; failed > 0 && i < end && result.failures.length < Math.min(failed, MAX_FAILURES); i++) {
      // Another run begins; the list of this one is not in the output.
      if (/^\s{0,4}\d+ passing \(/.test(lines[i]?.text ?? "")) break;
      const named = /^\s{0,4}\d+\) (\S.*)$/.exec(lines[i]?.text ?? "");
      const at = lines[i];
      if (named?.[1] !== undefined && at) {
        result.failures.push({ name: named[1].replace(/:$/, ""), start: at.start, end: at.end });
        to = i;
      }
    }
    found.push({ result, from: index, to, encloses: false });
  });
  return found;
}

const NODE_COUNT = /^(?:ℹ|#) (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (\d+)/;

/** Node's own runner: eight counts in a row, marked `ℹ` by the spec reporter and `#` in TAP. */
export function readNodeTest(lines: readonly Line[], hinted: boolean): Found[] {
  const found: Found[] = [];
  let begun = -1;
  let failures: RunnerFailure[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    if (!line) continue;
    if (line.text === "TAP version 13" && begun < 0) begun = i;
    const failure = readNodeFailure(lines, i, hinted || begun >= 0);
    if (failure && !failure.name.startsWith("failing tests:")) {
      if (begun < 0) begun = i;
      // The spec reporter repeats its failures after the counts.
      const before = found.at(-1);
      if (before && begun >= 0 && before.result.failures.some((known) => known.name === failure.name)) begun = -1;
      else if (failures.length < MAX_FAILURES) failures.push(failure);
    }
    const block = readNodeCounts(lines, i);
    if (!block) continue;
    const { counts, last } = block;
    const cancelled = counts.get("cancelled") ?? 0;
    const result = countResult("node-test", {
      passed: counts.get("pass") ?? 0,
      failed: (counts.get("fail") ?? 0) + cancelled,
      errored: cancelled,
      skipped: (counts.get("skipped") ?? 0) + (counts.get("todo") ?? 0),
    });
    result.failures = failures;
    result.summary = { start: line.start, end: lines[last]?.end ?? line.end };
    found.push({ result, from: begun < 0 ? i : begun, to: last, encloses: false });
    failures = [];
    begun = -1;
    i = last;
  }
  if (begun >= 0 && (lines[begun]?.text === "TAP version 13" || (hinted && found.length === 0))) {
    const result = uncounted("node-test", failures.length > 0 ? "red" : "unknown", true);
    // Plain TAP of another runner says the same words; only a hint makes it Node's.
    if (hinted) found.push({ result: { ...result, failures }, from: begun, to: lines.length - 1, encloses: false });
  }
  return found;
}

function readNodeCounts(lines: readonly Line[], from: number): { counts: Map<string, number>; last: number } | undefined {
  if (!/^(?:ℹ|#) tests \d+$/.test(lines[from]?.text ?? "")) return undefined;
  const counts = new Map<string, number>();
  let last = from;
  for (let i = from; i < lines.length && i < from + 8; i++) {
    const match = NODE_COUNT.exec(lines[i]?.text ?? "");
    if (match?.[1] === undefined || counts.has(match[1])) break;
    counts.set(match[1], Number(match[2]));
    last = i;
  }
  return counts.has("pass") && counts.has("fail") && counts.has("cancelled") ? { counts, last } : undefined;
}

function readNodeFailure(lines: readonly Line[], index: number, isTap: boolean): RunnerFailure | undefined {
  const line = lines[index];
  if (!line) return undefined;
  const spec = /^\s*✖ (\S.*?) \(\d+(?:\.\d+)?ms\)$/.exec(line.text);
  const tap = isTap ? /^\s*not ok \d+ - (\S.*)$/.exec(line.text) : null;
  const name = spec?.[1] ?? tap?.[1];
  if (name === undefined || / # (?:TODO|SKIP)\b/i.test(name)) return undefined;
  const failure: RunnerFailure = { name, start: line.start, end: line.end };
  for (let i = index + 1; i < lines.length && i < index + 40; i++) {
    const text = lines[i]?.text ?? "";
    if (/^\s*(?:✖|✔|ok |not ok |\.\.\.$)/.test(text)) break;
    const field = /^\s+(error|expected|actual): (.+?),?$/.exec(text);
    if (field?.[1] === "error") failure.message ??= (field[2] ?? "").slice(0, MAX_MESSAGE);
    else if (field?.[1] === "expected") failure.expected ??= (field[2] ?? "").slice(0, MAX_MESSAGE);
    else if (field?.[1] === "actual") failure.actual ??= (field[2] ?? "").slice(0, MAX_MESSAGE);
    else if (i === index + 1 && spec) failure.message = text.trim().slice(0, MAX_MESSAGE);
  }
  return failure;
}

/** The JavaScript runners, each with the hint that concerns it. */
export function readJavaScript(lines: readonly Line[], hint: RunnerName | undefined): Found[] {
  return [...readJest(lines, hint === "jest"), ...readVitest(lines), ...readMocha(lines), ...readNodeTest(lines, hint === "node-test")];
}
