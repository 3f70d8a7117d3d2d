/** What lies near what: runs and the side files that may be about them, by folder. */
import path from "node:path";
import type { Placed } from "./gather";
import type { Plan } from "./plan";

/** Whatever may become a run. */
export interface Candidate {
  root: number;
  folder: string;
  id: string | undefined;
  plan: Plan;
  isUsed: boolean;
  /** How it came to be: nearest first takes trajectories, then predictions, then diffs. */
  rank: 0 | 1 | 2;
  reports: { placed: Placed; depth: number; resolved: boolean; isShared: boolean }[];
}

/** Finds the runs that a side file is about. */
export interface Nearest {
  all: readonly Candidate[];
  /** The runs with this id in the nearest folder above `folder` that holds any run; all roots when its own holds none. */
  find(root: number, folder: string, id: string): { runs: Candidate[]; depth: number };
  /** All runs in that nearest folder. */
  around(root: number, folder: string): { runs: Candidate[]; depth: number };
}

export function createNearest(all: readonly Candidate[]): Nearest {
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

export function push<K, V>(table: Map<K, V[]>, key: K, value: V): void {
  const list = table.get(key);
  if (list) list.push(value);
  else table.set(key, [value]);
}

export function isWithin(folder: string, outer: string): boolean {
  return folder === outer || folder.startsWith(outer.endsWith(path.sep) ? outer : outer + path.sep);
}

/** How many folders two paths share from the top. */
export function shared(a: string, b: string): number {
  const [left, right] = [a.split(path.sep), b.split(path.sep)];
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count++;
  return count;
}

/** How many folders all of the runs share with this one. Runs can be too many for the arguments of one call. */
export function lowest(runs: readonly Candidate[], folder: string): number {
  return runs.reduce((least, run) => Math.min(least, shared(run.folder, folder)), Infinity);
}
