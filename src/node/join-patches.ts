/** Which patch is of which run: predictions and diffs are handed to trajectories, and another submission's are kept apart. */
import path from "node:path";
import { type Candidate, isWithin, lowest, type Nearest, push, shared } from "./join-near";

/**
 * Patches go to the one run that they are of. Of several attempts none is known to be it: their own logs say what they
 * submitted. Where two patches could be meant, the nearer one is, and one from a neighbouring submission stays its own run.
 */
export function giveTo(nearest: Nearest, sides: readonly Candidate[]): void {
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

/** A submission often has its patches twice, as `preds.json` and as `all_preds.jsonl` in one folder: the first one stands. */
export function dropTwins(rows: readonly Candidate[]): Candidate[] {
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
