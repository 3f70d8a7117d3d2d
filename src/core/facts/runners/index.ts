import { readCargoTest } from "./cargo-test";
import { readGoTest } from "./go-test";
import { readJavaScript } from "./javascript";
import { splitLines } from "./lines";
import { readPytest } from "./pytest";
import { readSympy } from "./sympy";
import { readUnittest } from "./unittest";
import { uncounted } from "./types";
import type { Found, Line, RunnerName, RunnerResult } from "./types";

export { readTestCommand } from "./command";
export type { TestCommand } from "./command";
export type { RunnerName, RunnerResult, RunStatus } from "./types";

/** More runs than this in one output are no session's work; the last ones count. */
const MAX_RUNS = 200;

/**
 * The test runs whose results an output shows, in order; none when it shows no runner's output.
 * `hint` names the runner that is known to have been called: then its bare forms count, too (one line left by `tail -1`,
 * progress without a summary, an interpreter that could not find it). Never throws; spans are UTF-16 offsets in `output`.
 */
export function readRunnerOutput(output: string, hint?: RunnerName): RunnerResult[] {
  if (output.length < 2) return [];
  const lines = splitLines(output);
  const found = [
    ...readPytest(lines, hint === "pytest"),
    ...readUnittest(lines, hint),
    ...readSympy(lines),
    ...readJavaScript(lines, hint),
    ...readGoTest(lines),
    ...readCargoTest(lines),
  ];
  const outer = dropInner(found);
  if (outer.length === 0 && hint) return readFailedStart(lines, hint);
  return outer.map((one) => one.result);
}

/** A summary between the beginning and the summary of another run was printed by that run's tests. In the order of the summaries. */
function dropInner(found: readonly Found[]): Found[] {
  const byStart = [...found].sort((a, b) => a.from - b.from);
  const outer: Found[] = [];
  // The furthest end of the runs that begin no later than the one looked at: a run inside one of them ends before it.
  let furthest = -1;
  let next = 0;
  for (const one of byStart) {
    for (let other = byStart[next]; other && other.from <= one.from; other = byStart[++next]) {
      if (other.encloses && !other.result.truncated) furthest = Math.max(furthest, other.to);
    }
    if (one.to >= furthest) outer.push(one);
  }
  return outer.sort((a, b) => a.to - b.to).slice(-MAX_RUNS);
}

/** The runner was called and never came to run a test. */
function readFailedStart(lines: readonly Line[], hint: RunnerName): RunnerResult[] {
  let traceback = false;
  for (const line of lines) {
    const { text } = line;
    const missing =
      /(?:: No module named ['"]?[\w.]+['"]?|: command not found|: No such file or directory|: not found|: cannot execute.*|can't open file .*)$/.test(
        text,
      ) && text.length < 300;
    const refused =
      /^npm (?:ERR!|error) (?:Missing script|missing script)|^error: no such (?:command|subcommand)|^go: (?:cannot find main module|go\.mod file not found)/.test(
        text,
      );
    if (text === "Traceback (most recent call last):") traceback = true;
    const died = traceback && /^[A-Za-z_][\w.]*(?:Error|Exception|NotFound|ImproperlyConfigured|Exit)\b/.test(text);
    if (missing || refused || died) return [{ ...uncounted(hint, "broken", false), summary: { start: line.start, end: line.end } }];
  }
  return [];
}
