/**
 * Files to runs. Trajectories, predictions, diffs and reports are joined by instance id, and only with what lies near:
 * two submissions in neighbouring folders hold the same ids and must not be mixed.
 */
import path from "node:path";
import type { Entry } from "./entries";
import { compareNames } from "./files";
import type { Gathered, Log, Placed, Row } from "./gather";
import type { Plan } from "./plan";

/** Whatever may become a run. */
interface Candidate {
  root: number;
  folder: string;
  id: string | undefined;
  plan: Plan;
  isUsed: boolean;
  /** How it came to be: nearest first takes trajectories, then predictions, then diffs. */
  rank: 0 | 1 | 2;
  reports: { placed: Placed; depth: number; resolved: boolean; isShared: boolean }[];
}

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

/** Finds the runs that a side file is about. */
interface Nearest {
  all: readonly Candidate[];
  /** The runs with this id in the nearest folder above `folder` that holds any run; all roots when its own holds none. */
  find(root: number, folder: string, id: string): { runs: Candidate[]; depth: number };
  /** All runs in that nearest folder. */
  around(root: number, folder: string): { runs: Candidate[]; depth: number };
}

function createNearest(all: readonly Candidate[]): Nearest {
  const byId = new Map<string, Candidate[]>();
  const folders = new Set<string>();
  const roots = new Set<number>();
  for (const run of all) {
    roots.add(run.root);
    if (run.id !== undefined) push(byId, run.id, run);
    for (let at = run.folder; !folders.has(`${run.root} ${at}`); at = path.dirname(at)) folders.add(`${run.root} ${at}`);
  }
  const anchorOf = (root: number, folder: string): string => {
    let at = folder;
    while (!folders.has(`${root} ${at}`) && at !== path.dirname(at)) at = path.dirname(at);
    return at;
  };
  const within = (runs: readonly Candidate[], root: number, folder: string): { runs: Candidate[]; depth: number } => {
    if (!roots.has(root)) return { runs: [...runs], depth: 0 };
    const anchor = anchorOf(root, folder);
    const isBelow = (run: Candidate): boolean => run.root === root && isWithin(run.folder, anchor);
    return { runs: runs.filter(isBelow), depth: anchor.split(path.sep).length };
  };
  return {
    all,
    find: (root, folder, id) => within(byId.get(id) ?? [], root, folder),
    around: (root, folder) => within(all, root, folder),
  };
}

/**
 * Patches go to the one run that they are of. Of several attempts none is known to be it: their own logs say what they
 * submitted. Where two patches could be meant, the nearer one is, and one from a neighbouring submission stays its own run.
 */
function giveTo(nearest: Nearest, sides: readonly Candidate[]): void {
  const claims = new Map<Candidate, Candidate[]>();
  const strangers = neighbours(nearest, sides);
  for (const side of sides) {
    if (side.isUsed || side.id === undefined || strangers.has(side)) continue;
    const { runs } = nearest.find(side.root, side.folder, side.id);
    const [only] = runs;
    if (runs.length > 1) side.isUsed = isAboutAll(runs, side);
    else if (only) push(claims, only, side);
  }
  for (const [run, claimants] of claims) {
    const closest = claimants.reduce((best, next) => (shared(run.folder, next.folder) > shared(run.folder, best.folder) ? next : best));
    for (const side of claimants) {
      const isSameTree = isWithin(side.folder, closest.folder) || isWithin(closest.folder, side.folder);
      if (isSameTree || shared(run.folder, side.folder) === shared(run.folder, closest.folder)) side.isUsed = true;
    }
    const file = closest.plan.sources[0];
    if (closest.plan.prediction) run.plan.prediction ??= closest.plan.prediction;
    else if (file && !run.plan.prediction) run.plan.diff ??= { file: file.file, name: file.name };
  }
}

/**
 * Patches of another submission that lies beside the runs: their folder is no one's above or below, and most of what it
 * holds is about tasks that the runs here never tried. A submission's own patches are about its own runs.
 */
function neighbours(nearest: Nearest, sides: readonly Candidate[]): ReadonlySet<Candidate> {
  const groups = new Map<string, { all: Candidate[]; known: number }>();
  const firsts = new Map<string, Candidate | undefined>();
  for (const side of sides) {
    if (side.id === undefined) continue;
    const { runs } = nearest.find(side.root, side.folder, side.id);
    const place = `${side.root} ${side.folder}`;
    if (!firsts.has(place)) firsts.set(place, nearest.around(side.root, side.folder).runs[0]);
    const around = firsts.get(place);
    if (!around || isWithin(around.folder, side.folder)) continue;
    const depth = shared(around.folder, side.folder);
    const key = `${side.root} ${side.folder
      .split(path.sep)
      .slice(0, depth + 1)
      .join(path.sep)}`;
    const group = groups.get(key) ?? { all: [], known: 0 };
    group.all.push(side);
    if (runs.length > 0) group.known++;
    groups.set(key, group);
  }
  return new Set([...groups.values()].filter(({ all, known }) => known * 2 < all.length).flatMap(({ all }) => all));
}

/** Several runs below the patch's folder, or in one folder beside it, are attempts of its submission; scattered ones are other submissions. */
function isAboutAll(runs: readonly Candidate[], side: Candidate): boolean {
  const [first] = runs;
  if (!first) return false;
  const together = lowest(runs, first.folder);
  return runs.every((run) => isWithin(run.folder, side.folder)) || together > shared(first.folder, side.folder);
}

/** How many folders all of the runs share with this one. Runs can be too many for the arguments of one call. */
function lowest(runs: readonly Candidate[], folder: string): number {
  return runs.reduce((least, run) => Math.min(least, shared(run.folder, folder)), Infinity);
}

function push<K, V>(table: Map<K, V[]>, key: K, value: V): void {
  const list = table.get(key);
  if (list) list.push(value);
  else table.set(key, [value]);
}

function isWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep);
}

/** How many folders two paths share from the top. */
function shared(a: string, b: string): number {
  const [left, right] = [a.split(path.sep), b.split(path.sep)];
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count++;
  return count;
}

/** A submission often has its patches twice, as `preds.json` and as `all_preds.jsonl` in one folder: the first one stands. */
function dropTwins(rows: readonly Candidate[]): Candidate[] {
  const kept = new Map<string, Candidate[]>();
  return rows.filter((row) => {
    const key = `${row.root} ${row.id ?? ""}`;
    const isTwin = kept
      .get(key)
      ?.some(
        (other) =>
          other.plan.prediction?.file !== row.plan.prediction?.file &&
          (isWithin(other.folder, row.folder) || isWithin(row.folder, other.folder)),
      );
    if (isTwin) return false;
    push(kept, key, row);
    return true;
  });
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
