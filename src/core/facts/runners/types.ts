/** What the output of a test runner says, and what a reader for one runner works with. */

export type RunnerName = "pytest" | "unittest" | "jest" | "vitest" | "mocha" | "node-test" | "go-test" | "cargo-test" | "django" | "sympy";

/**
 * `green`: something ran and nothing failed. `red`: something failed. `empty`: nothing ran that could have failed
 * (nothing collected, everything deselected or skipped). `broken`: the runner itself could not do its work.
 * `unknown`: the output ends before it says.
 */
export type RunStatus = "green" | "red" | "empty" | "broken" | "unknown";

/** One failed test. Offsets are UTF-16 units in the output that was given; they cover the line that names it. */
export interface RunnerFailure {
  name: string;
  start: number;
  end: number;
  message?: string;
  expected?: string;
  actual?: string;
}

export interface RunnerResult {
  runner: RunnerName;
  /** Null: the output does not say. Expected failures are in `total` alone. */
  passed: number | null;
  /** Failures, errors, and everything else that makes the run fail. */
  failed: number | null;
  /** The errors among `failed`. */
  errored: number | null;
  skipped: number | null;
  /** Tests that were run or skipped; deselected ones are not among them. */
  total: number | null;
  status: RunStatus;
  /** At most 200. */
  failures: RunnerFailure[];
  /** The line or lines that decide, in the output that was given. */
  summary?: { start: number; end: number };
  /** The run's own summary is not in the output. */
  truncated: boolean;
}

/** A line without terminal escapes; the offsets are those of the raw line without its end. */
export interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** A result with the lines that belong to its run, so that a summary printed by an inner run can be told apart. */
export interface Found {
  readonly result: RunnerResult;
  readonly from: number;
  readonly to: number;
  /** It saw where the run begins, so whatever stands in between is the run's own text. */
  readonly encloses: boolean;
}

export const MAX_FAILURES = 200;

/** Longer messages say nothing more about a failure. */
export const MAX_MESSAGE = 500;

interface Counts {
  passed?: number;
  failed?: number;
  errored?: number;
  skipped?: number;
  /** Expected failures and unexpected passes that do not make the run fail. */
  other?: number;
}

/** Whole counts of one run: what is not mentioned is zero. */
export function countResult(runner: RunnerName, counts: Counts): RunnerResult {
  const { passed = 0, failed = 0, errored = 0, skipped = 0, other = 0 } = counts;
  const status: RunStatus = failed > 0 ? "red" : passed + other > 0 ? "green" : "empty";
  return { runner, passed, failed, errored, skipped, total: passed + failed + skipped + other, status, failures: [], truncated: false };
}

/** A run whose counts are not in the output. */
export function uncounted(runner: RunnerName, status: RunStatus, truncated: boolean): RunnerResult {
  return { runner, passed: null, failed: null, errored: null, skipped: null, total: null, status, failures: [], truncated };
}
