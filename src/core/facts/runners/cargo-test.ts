import { countResult, MAX_FAILURES, MAX_MESSAGE, uncounted } from "./types";
import type { Found, Line, RunnerFailure, RunnerResult } from "./types";

const RESULT = /^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; \d+ measured; \d+ filtered out/;
const NEXTEST = /^\s*Summary \[ *[\d.]+s\] (\d+)(?:\/\d+)? tests? run: (\d+ passed.*)$/;

interface CargoRun {
  from: number;
  to: number;
  passed: number;
  failed: number;
  skipped: number;
  binaries: number;
  /** A binary has begun (`running 3 tests`) and not reported yet. */
  open: boolean;
  red: boolean;
  unbuilt?: Line;
  deciding?: Line;
  failures: RunnerFailure[];
  inner: boolean;
}

/** `cargo test`, whose binaries report one by one and are summed, and `cargo nextest`. */
export function readCargoTest(lines: readonly Line[]): Found[] {
  const runs: CargoRun[] = [];
  let run: CargoRun | undefined;
  const at = (index: number): CargoRun => {
    if (!run)
      runs.push(
        (run = {
          from: index,
          to: index,
          passed: 0,
          failed: 0,
          skipped: 0,
          binaries: 0,
          open: false,
          red: false,
          failures: [],
          inner: false,
        }),
      );
    run.to = index;
    return run;
  };
  lines.forEach((line, index) => {
    const { text } = line;
    // Building comes first: when it comes after results, another run has begun.
    if (run && (run.binaries > 0 || run.unbuilt) && /^ +(?:Compiling \S+ v|Finished `?test`? )/.test(text)) run = undefined;
    const result = RESULT.exec(text);
    if (result) {
      const current = at(index);
      if (current.unbuilt) return;
      const failed = Number(result[3]);
      current.passed += Number(result[2]);
      current.failed += failed;
      current.skipped += Number(result[4]);
      current.binaries++;
      current.open = false;
      if (result[1] === "FAILED") current.red = true;
      if (result[1] === "FAILED" || !current.red) {
        if (!current.deciding || current.red || Number(result[2]) > 0) current.deciding = line;
      }
      return;
    }
    const next = NEXTEST.exec(text);
    if (next) {
      readNextest(at(index), next[2] ?? "", line);
      run = undefined;
      return;
    }
    if (/^running \d+ tests?$/.test(text)) at(index).open = true;
    else if (/^error: could not compile [`']/.test(text)) at(index).unbuilt ??= line;
    else if (run) readTest(run, line);
  });
  return runs.map((each) => ({ result: finish(each), from: each.from, to: each.to, encloses: false }));
}

function readNextest(run: CargoRun, list: string, line: Line): void {
  for (const part of list.split(", ")) {
    const match = /^(\d+) (passed|failed|skipped|exec failed|timed out)/.exec(part);
    const count = Number(match?.[1] ?? 0);
    if (match?.[2] === "passed") run.passed += count;
    else if (match?.[2] === "skipped") run.skipped += count;
    else run.failed += count;
  }
  run.red ||= run.failed > 0;
  run.binaries++;
  run.open = false;
  run.deciding = line;
}

function readTest(run: CargoRun, line: Line): void {
  const { text } = line;
  const failed = /^test (\S.*) \.\.\. FAILED$/.exec(text);
  if (failed?.[1] !== undefined) {
    run.red = true;
    if (run.failures.length < MAX_FAILURES) run.failures.push({ name: failed[1], start: line.start, end: line.end });
    return;
  }
  const heading = /^---- (\S.*) stdout ----$/.exec(text);
  if (heading) {
    // What follows belongs to this failure: it goes to the end of the list, where the next lines look for it.
    const index = run.failures.findIndex((failure) => failure.name === heading[1]);
    if (index >= 0) run.failures.push(...run.failures.splice(index, 1));
    run.inner = index >= 0;
    return;
  }
  const last = run.inner ? run.failures.at(-1) : undefined;
  if (!last) return;
  if (last.message === undefined && /^(?:assertion |called `|explicit panic|thread .* panicked at )/.test(text)) {
    if (!text.startsWith("thread ") || text.includes("panicked at '")) last.message = text.slice(0, MAX_MESSAGE);
  }
  const side = /^ {1,2}(left|right): (.+)$/.exec(text);
  if (side?.[1] === "left") last.actual ??= (side[2] ?? "").slice(0, MAX_MESSAGE);
  else if (side?.[1] === "right") last.expected ??= (side[2] ?? "").slice(0, MAX_MESSAGE);
}

function finish(run: CargoRun): RunnerResult {
  let result: RunnerResult;
  if (run.unbuilt) {
    result = uncounted("cargo-test", "broken", false);
    result.summary = { start: run.unbuilt.start, end: run.unbuilt.end };
  } else if (run.open || run.binaries === 0) {
    result = uncounted("cargo-test", run.red ? "red" : "unknown", true);
  } else {
    result = countResult("cargo-test", run);
    if (run.red) result.status = "red";
    if (run.deciding) result.summary = { start: run.deciding.start, end: run.deciding.end };
  }
  result.failures = run.failures;
  return result;
}
