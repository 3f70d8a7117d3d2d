import { barTitle } from "./lines";
import { countResult, MAX_FAILURES, uncounted } from "./types";
import type { Found, Line, RunnerFailure, RunnerResult } from "./types";

/** The bar is left out or the line is broken when the counts do not fit into it. */
const FINISHED = /^=* ?tests finished: (\d+ passed.*)$/;
const TIME = /^(.*)\bin \d+(?:\.\d+)? seconds(?: =*)?$/;

/** SymPy's own runner (`bin/test`, `bin/doctest`). Its exit code says nothing in old versions: the summary decides. */
export function readSympy(lines: readonly Line[]): Found[] {
  const found: Found[] = [];
  let begun = -1;
  let red = false;
  let failures: RunnerFailure[] = [];
  const close = (result: RunnerResult, to: number): void => {
    result.failures = failures;
    found.push({ result, from: begun < 0 ? to : begun, to, encloses: begun >= 0 });
    begun = -1;
    red = false;
    failures = [];
  };
  lines.forEach((line, index) => {
    const { text } = line;
    const title = barTitle(text, "=");
    const finished = readFinished(lines, index);
    if (finished) {
      const result = countResult("sympy", readCounts(finished.list));
      result.summary = { start: line.start, end: finished.end };
      close(result, index);
    } else if (title === "test process starts" || title === "doctests start" || title === "doctests starts") {
      if (begun >= 0) close(uncounted("sympy", red ? "red" : "unknown", true), index - 1);
      begun = index;
    } else if (begun >= 0 && /\[FAIL\]$/.test(text)) {
      red = true;
    } else if (/^_+ \S+\.py:\S/.test(text) && failures.length < MAX_FAILURES) {
      const name = barTitle(text, "_");
      if (name !== undefined) failures.push({ name, start: line.start, end: line.end });
    } else if (failures.length > 0 && /^[A-Za-z_][\w.]*(?:Error|Exception|Timeout)\b/.test(text)) {
      const last = failures.at(-1);
      if (last && last.message === undefined) last.message = text.slice(0, 500);
    }
  });
  if (begun >= 0) close(uncounted("sympy", red || failures.length > 0 ? "red" : "unknown", true), lines.length - 1);
  return found;
}

/** The counts between `tests finished:` and the time, which may stand on the next line. */
function readFinished(lines: readonly Line[], index: number): { list: string; end: number } | undefined {
  const line = lines[index];
  const first = FINISHED.exec(line?.text ?? "");
  if (!line || first?.[1] === undefined) return undefined;
  const whole = TIME.exec(first[1]);
  if (whole?.[1] !== undefined) return { list: whole[1], end: line.end };
  const next = lines[index + 1];
  const rest = next && TIME.exec(next.text);
  return !next || rest?.[1] === undefined ? undefined : { list: `${first[1]} ${rest[1]}`, end: next.end };
}

function readCounts(list: string): { passed: number; failed: number; errored: number; skipped: number; other: number } {
  const counts = { passed: 0, failed: 0, errored: 0, skipped: 0, other: 0 };
  for (const written of list.split(",")) {
    const part = written.trim();
    if (part === "") continue;
    const count = Number.parseInt(part, 10) || 0;
    if (part.endsWith(" passed") && !part.includes("expected to fail")) counts.passed += count;
    else if (part.endsWith(" failed")) counts.failed += count;
    else if (part.endsWith(" exceptions")) {
      counts.failed += count;
      counts.errored += count;
    } else if (part.endsWith(" skipped")) counts.skipped += count;
    else counts.other += count;
  }
  return counts;
}
