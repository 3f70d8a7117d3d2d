import { barTitle, isElision } from "./lines";
import { countResult, MAX_FAILURES, MAX_MESSAGE, uncounted } from "./types";
import type { Found, Line, RunnerFailure, RunnerResult } from "./types";

interface Summary {
  readonly line: number;
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
  readonly skipped: number;
  readonly other: number;
  /** Only a collection was asked for. */
  readonly collected: boolean;
}

interface Session {
  from: number;
  to: number;
  headed: boolean;
  /** Runs inside this run that have begun and not ended. */
  nested: number;
  /** Reports of failures have begun: what looks like a run from here on is captured text. */
  reporting: boolean;
  summary?: Summary;
  /** A summary that an inner run may have printed. */
  doubtful?: Summary;
  closed: boolean;
  listed: RunnerFailure[];
  reported: RunnerFailure[];
  seenRed: boolean;
  finished: boolean;
  brokenBy?: "internal" | "usage" | "collection";
  interrupted: boolean;
}

const KNOWN =
  /^\d+ (?:passed|failed|errors?|skipped|xfailed|xpassed|deselected|warnings?|pytest-warnings?|reruns?|subtests (?:passed|failed|skipped))$/;
const SECTION =
  /^(?:FAILURES|ERRORS|PASSES|XFAILURES|XPASSES|warnings summary.*|short test summary info|slowest .*|tests coverage|Warnings)$/;
const QUIET_PROGRESS = /^[.FEsxXfR]+ +\[ *(\d+)%\]$/;

/** `3 passed, 1 warning in 0.12s`: the words of pytest's last line, in its bar or (with -q) alone. */
function readSummary(title: string, line: number, inBar: boolean): Summary | undefined {
  const match = /^(.{1,400}) in \d+(?:\.\d+)? ?(?:s|seconds)(?: \(\d+:\d\d:\d\d\))?$/.exec(title);
  if (!match) return undefined;
  const words = match[1] ?? "";
  const none = { line, passed: 0, failed: 0, errored: 0, skipped: 0, other: 0 };
  if (words === "no tests ran") return { ...none, collected: false };
  const counts: Record<string, number> = {};
  let collected = false;
  for (const part of words.split(", ")) {
    if (/^(?:no tests|\d+(?:\/\d+)? tests?) collected(?: \(\d+ deselected\))?$/.test(part)) {
      collected = true;
      continue;
    }
    if (!KNOWN.test(part)) {
      if (inBar && /^\d+ [\w-]+(?: [\w-]+)?$/.test(part)) continue;
      return undefined;
    }
    const space = part.indexOf(" ");
    const name = part.slice(space + 1);
    counts[name === "errors" ? "error" : name] = Number(part.slice(0, space));
  }
  if (!collected && Object.keys(counts).length === 0) return undefined;
  const errored = counts.error ?? 0;
  return {
    line,
    passed: counts.passed ?? 0,
    failed: (counts.failed ?? 0) + errored,
    errored,
    skipped: counts.skipped ?? 0,
    other: (counts.xfailed ?? 0) + (counts.xpassed ?? 0),
    collected,
  };
}

/** Every pytest run in an output. With `hinted`, pytest is known to have run, and its barest forms are taken for it. */
export function readPytest(lines: readonly Line[], hinted: boolean): Found[] {
  const sessions: Session[] = [];
  let current: Session | undefined;
  const open = (line: number, headed: boolean): Session => {
    const session: Session = {
      from: line,
      to: line,
      headed,
      nested: 0,
      reporting: false,
      closed: false,
      listed: [],
      reported: [],
      seenRed: false,
      finished: false,
      interrupted: false,
    };
    sessions.push(session);
    return session;
  };
  lines.forEach((line, index) => {
    const { text } = line;
    if (text === "") return;
    const title = barTitle(text, "=");
    if (title === "test session starts") {
      if (current && !current.closed && (current.headed || current.reporting)) current.nested++;
      // Standard error, where a usage error is printed, may come first.
      else if (current && !current.closed && current.brokenBy === "usage") current.headed = true;
      else current = open(index, true);
      return;
    }
    // Another runner begins; an open run ended without a word.
    if (title === "test process starts" && !current?.reporting) {
      current = undefined;
      return;
    }
    const summary =
      title !== undefined ? readSummary(title, index, true) : /^\d|^no tests/.test(text) ? readSummary(text, index, false) : undefined;
    if (summary) {
      current ??= open(index, false);
      if (current.closed) current = open(index, false);
      if (current.nested > 0) {
        current.nested--;
        current.doubtful = summary;
      } else {
        current.summary = summary;
        current.closed = true;
      }
      current.to = index;
      return;
    }
    current = readLine(lines, index, title, current, open, hinted);
  });
  return sessions.flatMap((session) => finish(session, lines, hinted));
}

/** Lines that belong to a run and are neither its first nor its last. */
function readLine(
  lines: readonly Line[],
  index: number,
  title: string | undefined,
  current: Session | undefined,
  open: (line: number, headed: boolean) => Session,
  hinted: boolean,
): Session | undefined {
  const line = lines[index];
  if (!line) return current;
  const { text } = line;
  const bar = barTitle(text, "_");
  const isSection = title !== undefined && SECTION.test(title);
  const isCaptured = text.startsWith("-") && /^-+ Captured .{1,60} -+$/.test(text);
  const progress = QUIET_PROGRESS.exec(text);
  if (current?.closed && progress) current = open(index, false);
  if (current?.closed) {
    if (isFatal(text) && current.summary && current.summary.passed + current.summary.failed === 0) current.brokenBy = "usage";
    // Something of a report follows: the summary just read was printed by a test, and the run goes on.
    if (!isSection && !isCaptured && !(bar !== undefined && current.reporting)) return current;
    current.closed = false;
    if (current.summary) current.doubtful = current.summary;
    delete current.summary;
  }
  if (!current) {
    if (!isSection && !(hinted && (progress || isListed(text) || isFatal(text)))) return current;
    current = open(index, false);
  }
  current.to = index;
  if (isElision(text)) current.nested = 0;
  if (current.nested > 0) return current;
  if (isSection) {
    if (title === "FAILURES" || title === "ERRORS" || title === "PASSES") current.reporting = true;
    if (title === "FAILURES" || title === "ERRORS") current.seenRed = true;
    if (title === "short test summary info") current.listed = [];
  } else if (bar !== undefined && current.reporting) {
    if (current.reported.length < MAX_FAILURES && /^[\w./\\:<[]/.test(bar) && !bar.startsWith("_")) {
      current.reported.push({
        name: bar.replace(/^(?:ERROR (?:at (?:setup|teardown) of|collecting)|Doctest:?) /, ""),
        start: line.start,
        end: line.end,
      });
    }
    if (bar.startsWith("ERROR collecting ")) current.brokenBy ??= "collection";
  } else if (isListed(text)) {
    current.seenRed = true;
    if (current.listed.length < MAX_FAILURES) current.listed.push(readListed(line));
  } else if (text.startsWith("E  ")) {
    explain(current.reported.at(-1), text);
  } else if (progress) {
    if (/[FE]/.test(text.slice(0, text.indexOf(" ")))) current.seenRed = true;
    if (progress[1] === "100") current.finished = true;
  } else if (!current.reporting) {
    if (/^\S+\.py [.sxXfR]*[FE][.FEsxXfR]*(?: +\[ *\d+%\])?$/.test(text) || /^\S+::\S.* (?:FAILED|ERROR)(?: +\[ *\d+%\])?$/.test(text))
      current.seenRed = true;
    if (text.startsWith("INTERNALERROR>")) current.brokenBy = "internal";
    else if (isFatal(text)) current.brokenBy ??= "usage";
  }
  const stop = barTitle(text, "!");
  if (stop !== undefined) {
    if (/^Interrupted: \d+ errors? during collection$/.test(stop)) current.brokenBy = "collection";
    else if (/KeyboardInterrupt|outcomes\.Exit|^Interrupted: (?!stopping)/.test(stop)) current.interrupted = true;
  }
  return current;
}

/** Messages with which pytest gives up before it collects. */
function isFatal(text: string): boolean {
  return /^ERROR: (?:usage:|not found:|file or directory not found:|file not found:|found no collectors|Wrong expression|while parsing)|^(?:pytest|py\.test|__main__\.py): error: |^ImportError while loading conftest |^INTERNALERROR>/.test(
    text,
  );
}

function isListed(text: string): boolean {
  return /^(?:FAILED|ERROR) (?:\S+\.(?:py|txt|rst|md)|\S+::)/.test(text);
}

function readListed(line: Line): RunnerFailure {
  const text = line.text.slice(line.text.indexOf(" ") + 1);
  const parameters = text.indexOf("] - ");
  const cut = text.includes("[") && parameters > 0 ? parameters + 1 : text.indexOf(" - ");
  const failure: RunnerFailure = { name: cut < 0 ? text : text.slice(0, cut), start: line.start, end: line.end };
  if (cut >= 0) failure.message = text.slice(cut + 3, cut + 3 + MAX_MESSAGE);
  return failure;
}

/** The first `E` line under a failure's bar says what was wrong; `assert a == b` also what was got and wanted. */
function explain(failure: RunnerFailure | undefined, text: string): void {
  if (!failure || failure.message !== undefined) return;
  failure.message = text.slice(1).trim().slice(0, MAX_MESSAGE);
  const compared = /^(?:AssertionError: )?assert (.+)$/.exec(failure.message);
  const sides = compared?.[1]?.split(" == ");
  if (sides?.length === 2 && sides[0] !== undefined && sides[1] !== undefined) {
    failure.actual = sides[0];
    failure.expected = sides[1];
  }
}

function finish(session: Session, lines: readonly Line[], hinted: boolean): Found[] {
  const after = session.doubtful ? lines.slice(session.doubtful.line + 1, session.to + 40).filter((line) => line.text !== "").length : 0;
  // An inner run that never ended took the outer's summary: nothing follows it.
  const summary = session.summary ?? (session.doubtful && after <= 3 ? session.doubtful : undefined);
  const failures = merge(session.listed, session.reported);
  let result: RunnerResult;
  if (summary) {
    result = countResult("pytest", summary);
    const line = lines[summary.line];
    if (line) result.summary = { start: line.start, end: line.end };
    if (session.brokenBy === "internal" || (session.brokenBy && summary.passed + summary.failed - summary.errored === 0))
      result.status = "broken";
    else if (session.interrupted && result.status !== "red") result.status = "unknown";
    if (summary.collected) {
      result.total = 0;
      if (summary.errored > 0) result.status = "broken";
    }
  } else if (session.brokenBy === "usage" || session.brokenBy === "internal") {
    result = uncounted("pytest", "broken", false);
  } else {
    if (!session.headed && !session.reporting && !hinted) return [];
    const isQuiet = session.finished && !session.headed;
    const isDead = !session.seenRed && endsInTraceback(lines, session);
    result = uncounted("pytest", session.seenRed ? "red" : isDead ? "broken" : isQuiet ? "green" : "unknown", !isQuiet && !isDead);
  }
  result.failures = failures;
  return [{ result, from: session.from, to: summary?.line ?? session.to, encloses: session.headed }];
}

/** The last thing printed is an exception of the runner itself. */
function endsInTraceback(lines: readonly Line[], session: Session): boolean {
  let last = lines.length - 1;
  while (last > session.from && (lines[last]?.text === "" || isElision(lines[last]?.text ?? ""))) last--;
  if (!/^[A-Za-z_][\w.]*(?:Error|Exception|Exit)\b/.test(lines[last]?.text ?? "")) return false;
  for (let i = last - 1; i > session.from && i > last - 400; i--) if (lines[i]?.text === "Traceback (most recent call last):") return true;
  return false;
}

/** The list at the end names each failure in full; the reports know what was compared. */
function merge(listed: RunnerFailure[], reported: RunnerFailure[]): RunnerFailure[] {
  if (listed.length === 0) return reported;
  const byName = new Map(reported.map((failure) => [failure.name, failure]));
  return listed.map((failure) => {
    const report = byName.get(failure.name.split("::").slice(1).join("."));
    if (!report) return failure;
    return { ...report, ...failure, ...(report.message === undefined ? {} : { message: report.message }) };
  });
}
