/** Findings and runs for the tests of reports. */
import type { Finding } from "../../../src/core/model";
import { failedRun, type RunReport } from "../../../src/core/reports/run";

export function makeFinding(parts: Partial<Finding> = {}): Finding {
  const at = {
    file: "logs/a.jsonl",
    start: { line: 3, column: 7, byte: 99 },
    end: { line: 3, column: 12, byte: 104 },
    text: "git log --all",
    exact: true,
  };
  return {
    fingerprint: "00112233aabbccdd",
    monitor: "git-future-history",
    version: 1,
    family: "PEEK",
    severity: "high",
    certainty: "certain",
    stage: "effective",
    status: "stable",
    message: "The fix was read from the history.",
    why: "A graded run must not see it.",
    data: {},
    step: 4,
    message_part: null,
    authorised: false,
    disclosed: false,
    at,
    target: { path: "src/a.py", side: "new", start: 10, end: 12 },
    related: [{ message: "The patch repeats it", at }],
    ...parts,
  };
}

export function makeRun(parts: Partial<RunReport> = {}): RunReport {
  const run = failedRun({ id: "a__b-1", file: "logs/a.jsonl", format: "recording" }, "");
  return { ...run, verdict: "clean", reason: null, problems: [], steps: 5, ...parts };
}
