/** The sum of all that was done to files: the patch of a run that brings none of its own. */
import type { Span, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import type { FilePatch, Hunk, Patch } from "../text/diff";
import { readGit } from "../shell/git";
import { made, spanOf } from "../text/text";
import { shellFacts } from "./commands";
import { appendTo, applyDiff, type FileState, newState, replaceText, runScript, writeWhole } from "./compose";
import { type Change, changes, folderOf, isTracked } from "./files";
import { compareContents } from "./hunks";
import { lazily } from "./lazily";
import { repoPath, repoRoot } from "./paths";
import { emptyRope, rope } from "./rope";

/**
 * The edits and file effects put together, file by file, in the order in which the files were first touched.
 * Every line stands in the text of the step that wrote it. Files whose earlier content is not known in full have
 * `complete: false`, and lines without numbers.
 */
export const sumOfChanges = lazily((trajectory: Trajectory, tools: MonitorTools): Patch => {
  const tree: Tree = { files: new Map(), stashes: [], made: madeFolders(trajectory, tools), isKnown: knownPaths(trajectory) };
  /** What the run wrote so far: a script that names a file may have made it. */
  let written = trajectory.steps
    .map((step) => (step.blocked && step.action.kind === "command" ? step.action.command.value : ""))
    .join("\n")
    .slice(0, mostWritten);
  const commitSteps = stepsThatCommit(trajectory, tools);
  let next = 0;
  for (const change of changes(trajectory, tools)) {
    let isCommitted = false;
    for (; (commitSteps[next] ?? Infinity) < change.step; next++) isCommitted = true;
    if (isCommitted) tree.committed = new Map([...tree.files].map(([path, state]) => [path, copyState(state)]));
    if (change.kind === "delete" && !tree.files.has(change.path) && isMadeBefore(change, written)) tree.made.add(change.path);
    if (change.after && written.length < mostWritten) written += `${change.after.value}\n`;
    if (!change.failed) take(tree, change);
  }
  const files: FilePatch[] = [];
  for (const [path, state] of tree.files) {
    const patch = toFilePatch(path, state);
    if (patch) files.push(patch);
  }
  return { files, problems: [] };
});

const mostWritten = 1 << 20;

/** A file that is deleted without having been written: of the repository, unless it was missing once or a script of the run names it. */
function isMadeBefore(change: Change, written: string): boolean {
  if (change.failed) return true;
  if (change.command && readGit(change.command)) return false;
  const name = change.path.slice(change.path.lastIndexOf("/") + 1);
  return (
    name.length > 3 &&
    !name.includes("*") &&
    (written.includes(`"${name}`) || written.includes(`'${name}`) || written.includes(`/${name}"`) || written.includes(`/${name}'`))
  );
}

/** Folders that the run makes by name: what is in them is its own. */
function madeFolders(trajectory: Trajectory, tools: MonitorTools): Set<string> {
  const root = repoRoot(trajectory, tools);
  const folders = new Set<string>();
  for (const { step, line } of shellFacts(trajectory, tools).runs) {
    const cwd = step.action.kind === "command" ? step.action.cwd : undefined;
    for (const command of line.commands) {
      if (command.name !== "mkdir") continue;
      for (const word of command.argv.slice(1))
        if (word.known && !word.value.startsWith("-")) folders.add(repoPath(word.value, folderOf(command.cwd, cwd), root));
    }
  }
  return folders;
}

function isIn(folders: ReadonlySet<string>, path: string): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) if (folders.has(path.slice(0, at))) return true;
  return false;
}

/** What was changed before such a step is what a later restore brings back. */
function stepsThatCommit(trajectory: Trajectory, tools: MonitorTools): number[] {
  const steps: number[] = [];
  for (const { step, line } of shellFacts(trajectory, tools).runs) {
    const isDone = step.action.kind === "command" && (step.action.exit ?? 0) === 0;
    if (isDone && line.commands.some((command) => readGit(command)?.verb === "commit")) steps.push(step.number);
  }
  return steps;
}

const absent = /No such file|not found|does not exist|can(?:not|'t) (?:open|access|stat|find|remove)/;

/** Whether a path was there before the run touched it, by what earlier steps printed of it; undefined when none names it. */
function knownPaths(trajectory: Trajectory): Tree["isKnown"] {
  const answers = new Map<string, boolean | undefined>();
  return (path, before) => {
    if (answers.has(path)) return answers.get(path);
    let answer: boolean | undefined;
    for (const step of trajectory.steps.slice(0, Math.max(0, before - 1))) {
      if (step.action.kind === "read" && !step.failed && (step.action.path.value === path || step.action.path.value.endsWith(`/${path}`)))
        answer ??= true;
      const line = step.output && lineWith(step.output.value, path);
      if (line === undefined) continue;
      answer = !absent.test(line);
      if (!answer) break;
    }
    answers.set(path, answer);
    return answer;
  };
}

/** The first line that names the path itself, and not one that ends like it. */
function lineWith(output: string, path: string): string | undefined {
  for (let at = output.indexOf(path), tried = 0; at !== -1 && tried < 50; at = output.indexOf(path, at + 1), tried++) {
    const before = output.slice(Math.max(0, at - 40), at);
    if (/[\w.-]$/.test(before) || /[\w-]/.test(output[at + path.length] ?? "")) continue;
    if (before.endsWith("/") && !/(?:^|[\s'"(:])(?:[ab.]|\/testbed|\/repo|\/[\w./-]{1,38})\/$/.test(before)) continue;
    return output.slice(output.lastIndexOf("\n", at) + 1, at + path.length + 100).split("\n", 1)[0];
  }
  return undefined;
}

/** The working tree as far as the run touched it, and what git keeps aside. */
interface Tree {
  files: Map<string, FileState>;
  stashes: Map<string, FileState>[];
  /** As of the last commit: what a restore brings back. Absent: nothing was committed. */
  committed?: Map<string, FileState>;
  /** Paths that the run made and deleted again. */
  made: Set<string>;
  isKnown(path: string, before: number): boolean | undefined;
}

function take(tree: Tree, change: Change): void {
  const { files } = tree;
  const { step, kind, path } = change;
  if (kind === "restore") restore(tree, change);
  else if (kind === "apply") for (const file of change.diff?.files ?? []) takeFilePatch(files, file, step);
  else if (kind === "move" && change.from !== undefined) move(files, change.from, path, step);
  else if (kind === "delete") remove(tree, change);
  else if (isTracked(path)) {
    const state = files.get(path) ?? newState(path, step, wasThere(tree, change));
    files.set(path, state);
    state.last = step;
    if (kind === "create" || kind === "write") writeWhole(state, change.after, step);
    else if (kind === "append") appendTo(state, change.after, step);
    else if (kind === "edit" && change.diff) for (const file of change.diff.files) applyDiff(state, file.hunks, step);
    else if (kind === "edit")
      replaceText(
        state,
        change.before ? rope(change.before, step) : emptyRope,
        change.after ? rope(change.after, step) : emptyRope,
        change.all,
      );
    else if (kind === "copy") copy(files, change, state);
    else if (kind === "chmod") state.mode = change.mode ?? "";
    else runScript(state, change);
  }
}

/** Whether a path that is touched for the first time was there before; undefined when nothing tells. */
function wasThere(tree: Tree, change: Change): boolean | undefined {
  const { kind, path, step } = change;
  if (kind === "create" || isIn(tree.made, path) || change.diff?.files[0]?.kind === "added") return false;
  if (kind !== "write" && kind !== "append" && kind !== "copy") return true;
  return tree.isKnown(path, step);
}

function takeFilePatch(files: Map<string, FileState>, file: FilePatch, step: number): void {
  const path = file.newPath ?? file.oldPath;
  if (path === undefined || !isTracked(path)) return;
  if (file.kind === "renamed" && file.oldPath !== undefined) move(files, file.oldPath, path, step);
  const state = files.get(path) ?? newState(path, step, file.kind !== "added" && file.kind !== "copied");
  files.set(path, state);
  state.last = step;
  if (file.kind === "added") state.now ??= emptyRope;
  // What a deletion removes is what stood there, unless it is known better.
  if (file.kind !== "deleted" || (!state.now && state.fragments.length === 0)) applyDiff(state, file.hunks, step);
  if (file.kind === "deleted") state.isDeleted = true;
}

/** A folder with the run's own files in it, that were never there before. */
function hasOwnBelow(tree: Tree, path: string): boolean {
  const isBelow = (name: string): boolean => name.startsWith(`${path}/`);
  for (const [name, state] of tree.files) if (isBelow(name) && (state.origin === undefined || !state.isOriginKnown)) return true;
  for (const name of tree.made) if (isBelow(name)) return true;
  return false;
}

function remove(tree: Tree, change: Change): void {
  const { files } = tree;
  const { path } = change;
  const isClean = change.command !== undefined && readGit(change.command)?.verb === "clean";
  const isAll = path === "." || path === "";
  if (isAll && !isClean) return;
  if (!isClean && isTracked(path) && !files.has(path) && !isIn(tree.made, path) && !hasOwnBelow(tree, path))
    files.set(path, newState(path, change.step, true));
  for (const [other, state] of [...files]) {
    const isMeant = other === path || isAll || (change.recursive === true && other.startsWith(`${path}/`));
    if (!isMeant) continue;
    // A file of unknown age that only the run wrote to was the run's own.
    const isOwn = state.origin === undefined || (!state.isOriginKnown && (state.now !== undefined || state.isUnclear));
    if (isOwn) {
      files.delete(other);
      tree.made.add(other);
    } else if (!isClean) {
      Object.assign(state, { isDeleted: true, fragments: [], hunks: [], last: change.step });
      delete state.now;
    }
  }
}

function move(files: Map<string, FileState>, from: string, to: string, step: number): void {
  const moved = [...files].filter(([path]) => path === from || path.startsWith(`${from}/`));
  if (moved.length === 0 && isTracked(from)) moved.push([from, newState(from, step, true)]);
  for (const [path, state] of moved) {
    files.delete(path);
    const target = to + path.slice(from.length);
    state.last = step;
    if (!isTracked(target)) {
      if (state.origin !== undefined && state.isOriginKnown)
        files.set(path, { ...newState(state.origin, state.first, true), isDeleted: true, last: step });
      continue;
    }
    // A new file that is moved over an old one is a change of the old one.
    const old = files.get(target);
    if (state.origin === undefined && old?.origin !== undefined && state.now) {
      Object.assign(old, { now: state.now, isDeleted: false, fragments: [], hunks: [], last: step });
    } else files.set(target, state);
  }
  // From outside, with content that nobody showed.
  if (moved.length === 0 && isTracked(to)) {
    files.set(to, Object.assign(files.get(to) ?? newState(to, step, undefined), { isUnclear: true, isDeleted: false, last: step }));
  }
}

function copy(files: Map<string, FileState>, change: Change, state: FileState): void {
  const source = change.from === undefined ? undefined : files.get(change.from);
  delete state.now;
  Object.assign(state, { isDeleted: false, fragments: [], hunks: [] });
  if (source?.now) state.now = source.now;
  else {
    if (change.from !== undefined && isTracked(change.from)) state.copiedFrom = change.from;
    state.isUnclear = true;
  }
}

function restore(tree: Tree, change: Change): void {
  const { files, stashes } = tree;
  const { path, revision, step } = change;
  const call = change.command ? readGit(change.command) : undefined;
  if (call?.verb === "stash" && revision !== undefined) {
    for (const [name, state] of stashes.at(-1) ?? []) files.set(name, copyState(state));
    if (call.positionals[0]?.value !== "apply") stashes.pop();
    return;
  }
  const isAllStashed = call?.flags.has("include-untracked") === true || call?.flags.has("all") === true;
  const isNew = (state: FileState): boolean => state.origin === undefined || !state.isOriginKnown;
  if (call?.verb === "stash") {
    stashes.push(new Map([...files].filter(([, state]) => isAllStashed || !isNew(state)).map(([name, state]) => [name, copyState(state)])));
  }
  // Another branch: git carries the changes over, or refuses. The word may also be a path without an ending.
  const isSwitch =
    (call?.verb === "checkout" || call?.verb === "switch") && path === "" && revision !== undefined && !call.flags.has("force");
  const named = isSwitch ? files.get(revision) : undefined;
  if (isSwitch && !named) return;
  const target = named ? (revision ?? "") : path;
  if (target !== "" && !isTracked(target)) return;
  for (const [name, state] of [...files]) {
    const isMeant = target === "" || name === target || name.startsWith(`${target}/`) || state.origin === target;
    if (!isMeant) continue;
    const kept = tree.committed?.get(name);
    // Untracked files stay: git restores what it knows.
    if (kept) files.set(name, copyState(kept));
    else if (!isNew(state) || isAllStashed || name === target) files.delete(name);
  }
  for (const [name, state] of tree.committed ?? [])
    if ((target === "" || name === target) && !files.has(name)) files.set(name, copyState(state));
  if (revision !== undefined && !named && target !== "")
    files.set(target, Object.assign(newState(target, step, true), { isUnclear: true }));
}

/** States are changed in place, so what is kept aside is a copy. */
function copyState(state: FileState): FileState {
  return { ...state, fragments: state.fragments.map((fragment) => ({ ...fragment })), hunks: [...state.hunks] };
}

function toFilePatch(path: string, state: FileState): FilePatch | undefined {
  const isNew = state.origin === undefined || !state.isOriginKnown;
  if (state.isDeleted && isNew) return undefined;
  const base = state.base ?? (isNew ? emptyRope : undefined);
  const { hunks, complete } = hunksOf(state, base);
  const isMoved = !isNew && state.origin !== path;
  const isMode = state.mode !== undefined && hunks.length === 0 && complete;
  if (hunks.length === 0 && complete && !isNew && !isMoved && !isMode && !state.isDeleted) return undefined;
  const kind = state.isDeleted
    ? "deleted"
    : isNew
      ? state.copiedFrom !== undefined
        ? "copied"
        : "added"
      : isMoved
        ? "renamed"
        : isMode
          ? "mode"
          : "modified";
  const at: Span = hunks[0]?.lines.find((line) => line.kind !== " ")?.at ?? spanOf(made(path));
  const oldPath = kind === "copied" ? state.copiedFrom : isNew ? undefined : state.origin;
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
