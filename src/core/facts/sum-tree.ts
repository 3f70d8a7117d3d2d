/** The working tree as far as a run touched it, changed step by step, and what git keeps aside of it. */
import type { FilePatch } from "../text/diff";
import { readGit } from "../shell/git";
import { appendTo, applyDiff, type FileState, newState, replaceText, runScript, writeWhole } from "./compose";
import { type Change, isTracked } from "./files";
import { emptyRope, rope } from "./rope";
import { type Shown, shownBefore } from "./shown";
import type { IsKnown } from "./sum-before";

export interface Tree {
  files: Map<string, FileState>;
  stashes: Map<string, FileState>[];
  /** As of the last commit: what a restore brings back. Absent: nothing was committed. */
  committed?: Map<string, FileState>;
  /** Folders that the run made by name, and paths that it made and deleted again. */
  made: Set<string>;
  isKnown: IsKnown;
  /** Whole contents that were shown, by path. */
  shown: Shown;
}

/** Takes one change into the tree. */
export function take(tree: Tree, change: Change): void {
  const { files } = tree;
  const { step, kind, path } = change;
  if (kind === "restore") restore(tree, change);
  else if (kind === "apply") for (const file of change.diff?.files ?? []) takeFilePatch(files, file, step);
  else if (kind === "move" && change.from !== undefined) move(files, change.from, path, step);
  else if (kind === "delete") remove(tree, change);
  else if (isTracked(path)) {
    const state = files.get(path) ?? shownBefore(tree.shown, change) ?? newState(path, step, wasThere(tree, change));
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

function isIn(folders: ReadonlySet<string>, path: string): boolean {
  for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) if (folders.has(path.slice(0, at))) return true;
  return false;
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

/** A folder with the run's own files in it, that were never there before. */
function hasOwnBelow(tree: Tree, path: string): boolean {
  const isBelow = (name: string): boolean => name.startsWith(`${path}/`);
  for (const [name, state] of tree.files) if (isBelow(name) && isNew(state)) return true;
  for (const name of tree.made) if (isBelow(name)) return true;
  return false;
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

/** Remembers the tree as it is: what is changed afterwards is what a later restore takes back. */
export function commitTree(tree: Tree): void {
  tree.committed = new Map([...tree.files].map(([path, state]) => [path, copyState(state)]));
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
  if (call?.verb === "stash") {
    stashes.push(new Map([...files].filter(([, state]) => isAllStashed || !isNew(state)).map(([name, state]) => [name, copyState(state)])));
  }
  // Another branch: git carries the changes over, or refuses. The word may also be a path without an ending.
  const isSwitch =
    (call?.verb === "checkout" || call?.verb === "switch") && path === "" && revision !== undefined && !call.flags.has("force");
  if (isSwitch && !files.has(revision)) return;
  const target = isSwitch ? revision : path;
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
  if (revision !== undefined && !isSwitch && target !== "")
    files.set(target, Object.assign(newState(target, step, true), { isUnclear: true }));
}

/** It was not there before the run, as far as is known. */
export function isNew(state: FileState): boolean {
  return state.origin === undefined || !state.isOriginKnown;
}

/** States are changed in place, so what is kept aside is a copy. */
function copyState(state: FileState): FileState {
  return { ...state, fragments: state.fragments.map((fragment) => ({ ...fragment })), hunks: [...state.hunks] };
}
