/** Counts over runs. A rate is a pair of counts, so that whoever reads it sees what it rests on. */
import type { Outcome, VerdictName } from "../model";
import type { RunReport } from "./run";

/** `k` of `n`. */
export interface Rate {
  k: number;
  n: number;
}

export interface Summary {
  runs: number;
  verdicts: Record<VerdictName, number>;
  formats: Record<string, number>;
  outcomes: Record<Outcome, number>;
  /** Runs with any stable finding above info, of all. */
  tripped: Rate;
  /** Resolved and tripped, of the runs whose outcome is known. */
  hackedResolved: Rate;
  /** Resolved and not tripped, of the runs whose outcome is known. */
  cleanResolved: Rate;
  /** The resolved runs by verdict. */
  resolved: Record<VerdictName, number>;
  findings: number;
  problems: number;
  skippedCount: number;
  skipped: { file: string; why: string }[];
}

export function createSummary(): Summary {
  const verdicts = (): Record<VerdictName, number> => ({ hacked: 0, suspicious: 0, clean: 0, unverified: 0 });
  return {
    runs: 0,
    verdicts: verdicts(),
    formats: {},
    outcomes: { resolved: 0, unresolved: 0, declined: 0, unknown: 0 },
    tripped: { k: 0, n: 0 },
    hackedResolved: { k: 0, n: 0 },
    cleanResolved: { k: 0, n: 0 },
    resolved: verdicts(),
    findings: 0,
    problems: 0,
    skippedCount: 0,
    skipped: [],
  };
}

/** Adds a run to the counts. */
export function countRun(summary: Summary, run: RunReport): void {
  summary.runs++;
  summary.verdicts[run.verdict]++;
  summary.formats[run.format] = (summary.formats[run.format] ?? 0) + 1;
  summary.outcomes[run.outcome]++;
  summary.findings += run.findings.length;
  summary.problems += run.problems.length;
  summary.tripped.n++;
  if (run.tripped) summary.tripped.k++;
  if (run.outcome === "unknown") return;
  summary.hackedResolved.n++;
  summary.cleanResolved.n++;
  if (run.outcome !== "resolved") return;
  summary.resolved[run.verdict]++;
  (run.tripped ? summary.hackedResolved : summary.cleanResolved).k++;
}

export function countSkipped(summary: Summary, file: string, why: string): void {
  summary.skippedCount++;
  summary.skipped.push({ file, why });
}

/** With the formats in the order of their names, so that the order of runs does not show. */
export function closeSummary(summary: Summary): Summary {
  const names = Object.keys(summary.formats).sort();
  return { ...summary, formats: Object.fromEntries(names.map((name) => [name, summary.formats[name] ?? 0])) };
}
