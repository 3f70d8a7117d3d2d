/**
 * Files to runs. Trajectories, predictions, diffs and reports are joined by instance id, and only with what lies near:
 * two submissions in neighbouring folders hold the same ids and must not be mixed.
 */
import path from "node:path";
import type { Entry } from "./entries";
import { compareNames } from "./files";
import type { Gathered, Log, Placed, Row } from "./gather";
import { type Candidate, createNearest, isWithin, lowest, type Nearest, push } from "./join-near";
import { dropTwins, giveTo } from "./join-patches";
import type { Plan } from "./plan";

/** @param tasks the rows of a task file by instance id */
export function joinRuns(gathered: Gathered, tasks?: ReadonlyMap<string, Entry>): Plan[] {
  const base = (root: number): string => gathered.bases[root] ?? "";
  nameByNeighbours(gathered, tasks);
  const logs = joinSubAgents(gathered.logs.filter((log) => !log.isDiff));
  const trajectories = logs.map(({ log, helpers }) => toCandidate(log, helpers, base(log.root)));
  const predictions = gathered.rows.map((row) => fromRow(row, base(row.root)));
  const diffs = gathered.logs.filter((log) => log.isDiff).map((log) => fromDiff(log, base(log.root)));

  const byTrajectory = createNearest(trajectories);
  giveTo(byTrajectory, predictions);
  giveTo(byTrajectory, diffs);
  const freeRows = createNearest(dropTwins(predictions.filter((candidate) => !candidate.isUsed)));
  giveTo(freeRows, diffs);
  const freeDiffs = createNearest(diffs.filter((candidate) => !candidate.isUsed));

  const levels = [byTrajectory, freeRows, freeDiffs];
  for (const placed of gathered.reports) spread(placed, levels);
  const runs = levels.flatMap((level) => level.all);
  for (const run of runs) settleOutcome(run);
  for (const run of runs) {
    const task = run.id === undefined ? undefined : tasks?.get(run.id);
    if (task) [run.plan.task, run.plan.isInstance] = [task, true];
  }
  nameAttempts(runs);
  // The order of what the person named, then that of the files.
  const order = (plan: Plan): string => plan.sources[0]?.name ?? plan.prediction?.name ?? plan.diff?.name ?? "";
  const sorted = runs.map((run, index) => ({ run, index }));
  sorted.sort((a, b) => a.run.root - b.run.root || compareNames(order(a.run.plan), order(b.run.plan)) || a.index - b.index);
  return sorted.map(({ run }) => run.plan);
}

/** Ids need not look like SWE-bench's: a log named after a row of the predictions, of a report or of the tasks is that instance's. */
function nameByNeighbours(gathered: Gathered, tasks: ReadonlyMap<string, Entry> | undefined): void {
  const known = new Set(gathered.rows.map(({ id }) => id));
  for (const { report } of gathered.reports) for (const id of report.resolved.keys()) known.add(id);
  for (const log of gathered.logs) {
    if (log.id !== undefined || log.range) continue;
    const [file = "", ...folders] = log.name.split("/").reverse();
    const names = [file];
    for (let dot = file.lastIndexOf("."); dot > 0; dot = file.lastIndexOf(".", dot - 1)) names.push(file.slice(0, dot));
    const id = [...names, ...folders].find((name) => known.has(name) || tasks?.has(name));
    if (id !== undefined) log.id = id;
  }
}

function toCandidate(log: Log, helpers: Log[], base: string): Candidate {
  const sources: Plan["sources"] = [log, ...helpers].map(({ file, name, adapter, range }, index) => ({
    file,
    name,
    adapter,
    ...(range ? { range } : {}),
    ...(index > 0 ? { by: agentOf(name) } : {}),
  }));
  const plan: Plan = { ...(log.id === undefined ? {} : { id: log.id }), isInstance: log.id !== undefined, sources, problems: [], base };
  return { root: log.root, folder: log.folder, id: log.id, plan, isUsed: false, rank: 0, reports: [] };
}

function fromRow({ root, folder, id, entry }: Row, base: string): Candidate {
  const plan: Plan = { id, isInstance: true, sources: [], prediction: entry, problems: [], base };
  return { root, folder, id, plan, isUsed: false, rank: 1, reports: [] };
}

function fromDiff({ root, folder, id, file, name, adapter, range }: Log, base: string): Candidate {
  const sources = [{ file, name, adapter, ...(range ? { range } : {}) }];
  const plan: Plan = { ...(id === undefined ? {} : { id }), isInstance: id !== undefined, sources, problems: [], base };
  return { root, folder, id, plan, isUsed: false, rank: 2, reports: [] };
}

/** Claude's sub-agents: `<session>/subagents/agent-*.jsonl` belongs to `<session>.jsonl` beside that folder. */
function joinSubAgents(logs: readonly Log[]): { log: Log; helpers: Log[] }[] {
  const byFile = new Map(logs.map((log) => [log.file, { log, helpers: [] as Log[] }]));
  const parentOf = (log: Log): { log: Log; helpers: Log[] } | undefined =>
    path.basename(log.folder) === "subagents" && path.basename(log.file).startsWith("agent-")
      ? byFile.get(`${path.dirname(log.folder)}.jsonl`)
      : undefined;
  const mains: { log: Log; helpers: Log[] }[] = [];
  for (const log of logs) {
    const parent = parentOf(log);
    if (parent) parent.helpers.push(log);
    else mains.push(log.range ? { log, helpers: [] } : (byFile.get(log.file) ?? { log, helpers: [] }));
  }
  return mains;
}

function agentOf(name: string): string {
  return path.basename(name).replace(/\.jsonl$/, "");
}

/** Hands a report's statements to the runs that they are about. */
function spread(placed: Placed, levels: readonly Nearest[]): void {
  const { root, folder, report } = placed;
  for (const [id, resolved] of report.resolved) {
    const found = levels.map((level) => level.find(root, folder, id)).filter(({ runs }) => runs.length > 0);
    const deepest = Math.max(...found.map(({ depth }) => depth));
    const { runs, depth } = found.find((each) => each.depth === deepest) ?? { runs: [], depth: 0 };
    for (const run of runs) run.reports.push({ placed, depth, resolved, isShared: runs.length > 1 });
  }
  if (!report.isClosed) return;
  const around = levels.map((level) => level.around(root, folder)).filter(({ runs }) => runs.length > 0);
  const deepest = Math.max(...around.map(({ depth }) => depth));
  for (const { runs, depth } of around.filter((each) => each.depth === deepest)) {
    for (const run of runs) {
      const isStated = run.id === undefined || !run.plan.isInstance || report.resolved.has(run.id) || report.open.has(run.id);
      if (!isStated) run.reports.push({ placed, depth, resolved: false, isShared: false });
    }
  }
}

/** The nearest reports decide, and those that stand above the run in its own folders; when they disagree, nothing is known. */
function settleOutcome(run: Candidate): void {
  const deepest = Math.max(...run.reports.map(({ depth }) => depth));
  const heard = run.reports.filter(
    ({ placed, depth, isShared }) => depth === deepest || (!isShared && isWithin(run.folder, placed.folder)),
  );
  const [first] = heard;
  if (!first) return;
  const other = heard.find(({ resolved }) => resolved !== first.resolved);
  if (other) {
    const [yes, no] = first.resolved ? [first, other] : [other, first];
    run.plan.outcome = "unknown";
    run.plan.problems.push(
      `The reports contradict each other: ${yes.placed.report.name} says resolved, ${no.placed.report.name} says not. The outcome stays unknown.`,
    );
    return;
  }
  run.plan.outcome = first.resolved ? "resolved" : "unresolved";
  if (heard.every(({ isShared }) => isShared)) {
    run.plan.problems.push(
      `${first.placed.report.name} does not say which of several attempts it is about: the outcome is taken for each.`,
    );
  }
}

/** Runs with one id are told apart by the folder in which they part, or by number. */
function nameAttempts(runs: readonly Candidate[]): void {
  const groups = new Map<string, Candidate[]>();
  for (const run of runs) {
    const key = run.id ?? (run.plan.sources[0]?.range ? `file ${run.plan.sources[0].file}` : undefined);
    if (key !== undefined) push(groups, key, run);
  }
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    const depth = lowest(group, group[0]?.folder ?? "");
    const names = group.map((run) => run.folder.split(path.sep)[depth] ?? "");
    const areApart = new Set(names).size === group.length && !names.includes("");
    group.forEach((run, index) => (run.plan.attempt = areApart ? (names[index] ?? "") : String(index + 1)));
  }
}
