/** Whose a commit is (catalogue M4): of the history that the task started from, of the agent, or from ahead of it. */
import type { Span, Text, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { readGit } from "../shell/git";
import { shellFacts, type ShellRun } from "./commands";
import { type GitCommit, readGitOutput } from "./git-output";
import { lazily } from "./lazily";
import { type Called, howOf, isMaking, isOrdered, isWholeLog, movesHead, newBranch, refNames } from "./provenance-calls";
import { createKnownCommits, type KnownCommits, type Provenance, sameCommit } from "./provenance-known";

export { readDate, readGitOutput } from "./git-output";

/** A commit that an output showed. */
export interface Sighting extends GitCommit {
  step: number;
  /** How it came to be shown: the current branch alone, a widened listing, a commit named by the agent, or the agent's own commit. */
  how: "plain" | "wide" | "named" | "made";
  /** The hash, in the output. */
  at: Span;
}

export interface Commits {
  /** Of a hash, in full or short. */
  of(hash: string): Provenance;
  /** Why, one sentence; undefined for `unknown`. */
  why(hash: string): string | undefined;
  /** A branch or tag that git listed beside the current one, or that is written like a remote one. */
  isOtherRef(name: string): boolean;
  /** A branch that the agent made. */
  isOwnRef(name: string): boolean;
  /** Everything that was shown, in order. */
  readonly sightings: readonly Sighting[];
  /** When the starting commit was made: the task's word, else what the log says. Milliseconds since 1970, UTC. */
  readonly headDate?: number;
}

export const commits = lazily((trajectory: Trajectory, tools: MonitorTools): Commits => {
  const { baseCommit, baseTime } = trajectory.task;
  const state: State = {
    known: createKnownCommits(),
    sightings: [],
    otherRefs: new Set(),
    ownRefs: new Set(),
    headHash: baseCommit?.toLowerCase(),
    headDate: baseTime,
    isMoved: false,
    silent: 0,
  };
  if (state.headHash) state.known.note(state.headHash, "ancestor", "the task starts from it");
  for (const run of shellFacts(trajectory, tools).runs) {
    const calls = run.line.commands.flatMap((command) => {
      const call = readGit(command);
      return call ? [{ command, call }] : [];
    });
    if (calls.length > 0) readRun(run, calls, state);
  }
  const { known, sightings, otherRefs, ownRefs, headDate } = state;
  return {
    of: (hash) => known.find(hash.toLowerCase())?.provenance ?? "unknown",
    why: (hash) => known.find(hash.toLowerCase())?.why,
    isOtherRef: (name) =>
      !ownRefs.has(name) && (otherRefs.has(name) || otherRefs.has(name.replace(/^(?:refs\/)?(?:heads|remotes|tags)\//, ""))),
    isOwnRef: (name) => ownRefs.has(name),
    sightings,
    ...(headDate === undefined ? {} : { headDate }),
  };
});

/** What the run has told so far. */
interface State {
  known: KnownCommits;
  sightings: Sighting[];
  otherRefs: Set<string>;
  ownRefs: Set<string>;
  /** The commit that the task starts from. */
  headHash: string | undefined;
  headDate: number | undefined;
  /** The agent moved HEAD somewhere else: a plain log shows the history of that place. */
  isMoved: boolean;
  /** Commits of the agent whose hash was not printed. */
  silent: number;
}

function readRun(run: ShellRun, calls: readonly Called[], state: State): void {
  const { output } = run.step;
  for (const { call } of calls) {
    const branch = newBranch(call);
    if (branch !== undefined) state.ownRefs.add(branch);
  }
  if (output) {
    if (calls.some(({ call }) => isMaking(call))) readMade(output, run, calls, state);
    readShown(output, run, calls, state);
    const current = /^(?:On branch|\* (?!\()) ?(\S{1,200})$/m.exec(output.value)?.[1];
    if (current !== undefined) state.otherRefs.delete(current);
  }
  if (isDone(run)) for (const { call } of calls) state.isMoved = movesHead(call) ?? state.isMoved;
}

function isDone({ step }: ShellRun): boolean {
  return step.action.kind === "command" && (step.action.exit ?? 0) === 0 && step.failed !== true;
}

/** `[main 1a2b3c4] subject`: what git prints of a commit that it made. */
function readMade(output: Text, run: ShellRun, calls: readonly Called[], state: State): void {
  let printed = 0;
  for (const match of output.value.matchAll(/^\[([^\s\]]{1,200})(?: \(root-commit\))? ([0-9a-f]{7,40})\] /gm)) {
    const hash = match[2] ?? "";
    printed++;
    state.known.note(hash, "own", "the agent made it");
    const [start, end] = [match.index, match.index + match[0].length];
    const at = start + match[0].lastIndexOf(hash);
    state.sightings.push({ hash, step: run.step.number, how: "made", start, end, at: { text: output, start: at, end: at + hash.length } });
  }
  if (printed === 0 && calls.some(({ call }) => call.verb === "commit") && isDone(run)) state.silent++;
}

/** The commits and refs that an output lists. */
function readShown(output: Text, run: ShellRun, calls: readonly Called[], state: State): void {
  const how = howOf(calls, run);
  if (how === undefined) return;
  const entries = readGitOutput(output.value);
  const step = run.step.number;
  if (how === "plain" && !state.isMoved) readPlain(entries, calls, step, state);
  else if (how === "wide") readWide(entries, calls, step, state);
  else for (const entry of entries) if (!noteLater(entry, state)) state.known.note(entry.hash, "unknown");
  for (const entry of entries) {
    const start = output.value.indexOf(entry.hash, entry.start);
    state.sightings.push({ ...entry, step, how, at: { text: output, start, end: start + entry.hash.length } });
  }
  if (calls.some(({ call }) => call.verb === "branch" || call.verb === "for-each-ref" || call.verb === "tag"))
    for (const name of refNames(output.value)) state.otherRefs.add(name);
  for (const { refs } of entries) for (const ref of refs ?? []) if (!ref.startsWith("HEAD")) state.otherRefs.add(ref.replace(/^tag: /, ""));
}

/** The history of the current branch, where HEAD was not moved: what stands in it is an ancestor, or the agent's own. */
function readPlain(entries: readonly GitCommit[], calls: readonly Called[], step: number, state: State): void {
  const { known } = state;
  const isWhole = calls.some(({ call }) => isWholeLog(call));
  entries.forEach(({ hash }, i) => {
    // The newest entries of a log that follows a silent commit are that commit.
    if (i < state.silent && isWhole && !known.find(hash)) known.note(hash, "own", "the agent made it");
    else if (known.find(hash)?.provenance !== "own")
      known.note(hash, "ancestor", `step ${step} shows it in the history of the current branch`);
  });
  const first = isWhole ? entries.find((entry) => known.find(entry.hash)?.provenance === "ancestor") : undefined;
  if (!first) return;
  state.headHash ??= first.hash;
  if (first.date !== undefined && sameCommit(state.headHash, first.hash)) state.headDate ??= first.date;
}

/** Listings of everything: what stands above the starting commit is no ancestor of it, since children come first. */
function readWide(entries: readonly GitCommit[], calls: readonly Called[], step: number, state: State): void {
  const { known, isMoved } = state;
  const areOrdered = calls.every(({ call }) => isOrdered(call));
  const isLost = calls.some(({ call }) => call.verb === "fsck");
  const top = entries.findIndex(
    ({ hash, refs }) =>
      refs?.some((ref) => ref === "HEAD" || ref.startsWith("HEAD ->")) ||
      (state.headHash !== undefined && sameCommit(state.headHash, hash)),
  );
  const head = entries[top];
  if (head && !isMoved) {
    state.headDate ??= head.date;
    state.headHash ??= head.hash;
  }
  entries.forEach((entry, i) => {
    const { hash } = entry;
    if (isSettled(hash, state) || noteLater(entry, state)) return;
    if (i === top && !isMoved) known.note(hash, "ancestor", "HEAD stands there");
    else if (areOrdered && i < top) known.note(hash, "future", `step ${step} lists it above the commit that the task starts from`);
    else if (isLost) known.note(hash, "future", `step ${step} lists it as reachable from no branch`);
    else known.note(hash, "unknown");
  });
}

function isSettled(hash: string, { known }: State): boolean {
  const provenance = known.find(hash)?.provenance;
  return provenance === "own" || provenance === "ancestor";
}

/** Notes a commit that is dated later than the starting one as future, and says whether it did. */
function noteLater({ hash, date }: GitCommit, state: State): boolean {
  if (date === undefined || state.headDate === undefined || date <= state.headDate || isSettled(hash, state)) return false;
  // The agent's own commits are dated at the time of the run.
  if (state.silent > 0 && !state.known.find(hash)) return false;
  state.known.note(hash, "future", "its date is later than that of the commit that the task starts from");
  return true;
}
