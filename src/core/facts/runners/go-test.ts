import { countResult, MAX_FAILURES, MAX_MESSAGE, uncounted } from "./types";
import type { Found, Line, RunnerFailure, RunnerResult } from "./types";

interface GoRun {
  from: number;
  to: number;
  passed: number;
  failed: number;
  skipped: number;
  verbose: boolean;
  /** Packages whose tests ran, and those that could not be built. */
  ok: Line[];
  bad: Line[];
  unbuilt: Line[];
  empty: Line[];
  packages: Set<string>;
  failures: RunnerFailure[];
  panicked: boolean;
}

function begin(index: number): GoRun {
  return {
    from: index,
    to: index,
    passed: 0,
    failed: 0,
    skipped: 0,
    verbose: false,
    ok: [],
    bad: [],
    unbuilt: [],
    empty: [],
    packages: new Set(),
    failures: [],
    panicked: false,
  };
}

const PACKAGE = /^(ok {2}|FAIL|\?? {3})\t(\S+)(?:[\t ](.*))?$/;

/** `go test`, plain, `-v` or `-json`. A package that is reported again begins another run. */
export function readGoTest(lines: readonly Line[]): Found[] {
  const runs: GoRun[] = [];
  let run: GoRun | undefined;
  const at = (index: number): GoRun => {
    if (!run) runs.push((run = begin(index)));
    run.to = index;
    return run;
  };
  lines.forEach((line, index) => {
    const { text } = line;
    if (text.startsWith('{"')) {
      readJsonLine(line, index, at);
      return;
    }
    const test = /^( *)--- (PASS|FAIL|SKIP): (\S+) \(\d+(?:\.\d+)?s\)$/.exec(text);
    if (test) {
      note(at(index), test[2] ?? "", test[3] ?? "", line, (test[1] ?? "") === "");
      return;
    }
    if (/^=== RUN {3}\S/.test(text)) {
      at(index).verbose = true;
      return;
    }
    const match = PACKAGE.exec(text);
    if (match?.[2] !== undefined) {
      if (run?.packages.has(match[2])) run = undefined;
      judge(at(index), (match[1] ?? "").trim(), match[2], match[3] ?? "", line);
      return;
    }
    if (run && /^panic: |^fatal error: /.test(text)) run.panicked = true;
    const last = run?.failures.at(-1);
    if (last && last.message === undefined && /^\s+\S+\.go:\d+: \S/.test(text)) last.message = text.trim().slice(0, MAX_MESSAGE);
  });
  return runs.flatMap(finish);
}

function note(run: GoRun, verdict: string, name: string, line: Line, isTop: boolean): void {
  if (verdict === "PASS") run.verbose = true;
  if (isTop) {
    if (verdict === "PASS") run.passed++;
    else if (verdict === "FAIL") run.failed++;
    else run.skipped++;
  }
  if (verdict === "FAIL" && run.failures.length < MAX_FAILURES) run.failures.push({ name, start: line.start, end: line.end });
}

function judge(run: GoRun, verdict: string, name: string, rest: string, line: Line): void {
  run.packages.add(name);
  if (verdict === "?" || verdict === "" || rest.includes("[no tests to run]") || rest.includes("[no test files]")) run.empty.push(line);
  else if (verdict === "ok") run.ok.push(line);
  else if (/\[(?:build|setup) failed\]/.test(rest)) run.unbuilt.push(line);
  else run.bad.push(line);
}

function readJsonLine(line: Line, index: number, at: (index: number) => GoRun): void {
  if (!line.text.includes('"Action":') || !line.text.includes('"Package":')) return;
  let event: unknown;
  try {
    event = JSON.parse(line.text);
  } catch {
    return;
  }
  if (typeof event !== "object" || event === null) return;
  const { Action: action, Package: name, Test: test, FailedBuild: failedBuild } = event as Record<string, unknown>;
  if (typeof action !== "string" || typeof name !== "string") return;
  const run = at(index);
  run.verbose = true;
  if (action !== "pass" && action !== "fail" && action !== "skip") return;
  if (typeof test === "string") note(run, action.toUpperCase(), test, line, !test.includes("/"));
  else if (action === "fail") (failedBuild === undefined ? run.bad : run.unbuilt).push(line);
  else (action === "pass" ? run.ok : run.empty).push(line);
}

function finish(run: GoRun): Found[] {
  const said = run.ok.length + run.bad.length + run.unbuilt.length + run.empty.length;
  if (said === 0 && run.failed + run.passed + run.skipped === 0 && !run.verbose) return [];
  const red = run.failed > 0 || run.bad.length > 0;
  let result: RunnerResult;
  if (run.verbose) {
    // A package can fail without a failing test: a panic, a race, an exit in TestMain.
    const crashed = run.failed === 0 ? run.bad.length : 0;
    result = countResult("go-test", {
      passed: run.passed,
      failed: run.failed + crashed + run.unbuilt.length,
      errored: crashed + run.unbuilt.length,
      skipped: run.skipped,
    });
  } else {
    result = uncounted("go-test", "unknown", false);
    result.errored = run.unbuilt.length;
    result.failed = run.failed + run.unbuilt.length + (run.failed === 0 ? run.bad.length : 0);
    if (run.ok.length === 0 && !red) result.passed = 0;
  }
  result.truncated = said === 0 && !run.panicked;
  if (red) result.status = "red";
  else if (run.unbuilt.length > 0) result.status = run.ok.length > 0 ? "red" : "broken";
  else if (run.panicked) result.status = "red";
  else if (said === 0) result.status = "unknown";
  else if (run.ok.length > 0) result.status = run.verbose ? result.status : "green";
  else result.status = "empty";
  const deciding = run.bad.at(-1) ?? run.unbuilt.at(-1) ?? run.ok.at(-1) ?? run.empty.at(-1);
  if (deciding) result.summary = { start: deciding.start, end: deciding.end };
  result.failures = run.failures;
  return [{ result, from: run.from, to: run.to, encloses: false }];
}
