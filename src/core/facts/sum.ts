/** The sum of all that was done to files: the patch of a run that brings none of its own. */
import type { Span, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import type { FilePatch, Hunk, Patch } from "../text/diff";
import { readGit } from "../shell/git";
import { made, spanOf } from "../text/text";
import { shellFacts } from "./commands";
import type { FileState } from "./compose";
import { changes } from "./files";
import { compareContents } from "./hunks";
import { lazily } from "./lazily";
import { emptyRope } from "./rope";
import { shownFiles } from "./shown";
import { createWritten, knownPaths, madeFolders } from "./sum-before";
import { commitTree, isNew, take, type Tree } from "./sum-tree";

/**
 * The edits and file effects put together, file by file, in the order in which the files were first touched.
 * Every line stands in the text of the step that wrote it. Files whose earlier content is not known in full have
 * `complete: false`, and lines without numbers.
 */
export const sumOfChanges = lazily((trajectory: Trajectory, tools: MonitorTools): Patch => {
  const tree: Tree = {
    files: new Map(),
    stashes: [],
    made: madeFolders(trajectory, tools),
    isKnown: knownPaths(trajectory),
    shown: shownFiles(trajectory, tools),
  };
  const written = createWritten(trajectory);
  const commits = stepsThatCommit(trajectory, tools);
  let next = 0;
  for (const change of changes(trajectory, tools)) {
    const before = next;
    while ((commits[next] ?? Infinity) < change.step) next++;
    if (next > before) commitTree(tree);
    if (change.kind === "delete" && !tree.files.has(change.path) && written.accountsFor(change)) tree.made.add(change.path);
    written.add(change);
    if (!change.failed) take(tree, change);
  }
  const files = [...tree.files].flatMap(([path, state]) => toFilePatch(path, state) ?? []);
  return { files, problems: [] };
});

/** What was changed before such a step is what a later restore brings back. */
function stepsThatCommit(trajectory: Trajectory, tools: MonitorTools): number[] {
  const steps: number[] = [];
  for (const { step, line } of shellFacts(trajectory, tools).runs) {
    const isDone = step.action.kind === "command" && (step.action.exit ?? 0) === 0;
    if (isDone && line.commands.some((command) => readGit(command)?.verb === "commit")) steps.push(step.number);
  }
  return steps;
}

function toFilePatch(path: string, state: FileState): FilePatch | undefined {
  const isAdded = isNew(state);
  if (state.isDeleted && isAdded) return undefined;
  const base = state.base ?? (isAdded ? emptyRope : undefined);
  const { hunks, complete } = hunksOf(state, base);
  const isMoved = !isAdded && state.origin !== path;
  const isMode = state.mode !== undefined && hunks.length === 0 && complete;
  if (hunks.length === 0 && complete && !isAdded && !isMoved && !isMode && !state.isDeleted) return undefined;
  const kind = state.isDeleted
    ? "deleted"
    : isAdded
      ? state.copiedFrom !== undefined
        ? "copied"
        : "added"
      : isMoved
        ? "renamed"
        : isMode
          ? "mode"
          : "modified";
  const at: Span = hunks[0]?.lines.find((line) => line.kind !== " ")?.at ?? spanOf(made(path));
  const oldPath = kind === "copied" ? state.copiedFrom : isAdded ? undefined : state.origin;
  return {
    ...(oldPath === undefined ? {} : { oldPath }),
    ...(state.isDeleted ? {} : { newPath: path }),
    kind,
    hunks,
    header: at,
    whole: at,
    complete: complete && state.isOriginKnown,
  };
}

function hunksOf(state: FileState, base: FileState["base"]): { hunks: Hunk[]; complete: boolean } {
  if (state.isDeleted) return { hunks: base ? compareContents(base, emptyRope, true) : [], complete: base !== undefined };
  if (state.now) return { hunks: compareContents(base ?? emptyRope, state.now, base !== undefined), complete: base !== undefined };
  const hunks = [...state.fragments.flatMap((fragment) => compareContents(fragment.before, fragment.after, false)), ...state.hunks];
  // Edits that cancel each other out leave nothing, as far as is known.
  return { hunks, complete: hunks.length === 0 && !state.isUnclear };
}
