/** The sum of all changes of one file: what is known of it before the run and after it. */
import type { Text } from "../model";
import type { Hunk } from "../text/diff";
import { made } from "../text/text";
import type { Change } from "./files";
import { applyHunks } from "./hunks";
import { concat, cutRope, emptyRope, replaceIn, rope, type Rope } from "./rope";
import { runSed } from "./sed";

/** A replaced region of a file that is not known as a whole. */
export interface Fragment {
  before: Rope;
  after: Rope;
}

export interface FileState {
  /** The path at the beginning, when it was there; undefined for a file that the run made. */
  origin?: string;
  /** Whether it was there at the beginning is known. */
  isOriginKnown: boolean;
  copiedFrom?: string;
  isDeleted: boolean;
  /** The whole content at the beginning, and now, where known. */
  base?: Rope;
  now?: Rope;
  /** Without whole content: the regions that were replaced, in the order of the first edit. */
  fragments: Fragment[];
  /** Hunks of diffs that could not be joined with anything. */
  hunks: Hunk[];
  /** Something happened to it that cannot be told in lines. */
  isUnclear: boolean;
  mode?: string;
  /** The step that touched it first, and last. */
  first: number;
  last: number;
}

export function newState(path: string, step: number, isThere: boolean | undefined): FileState {
  return {
    ...(isThere === false ? {} : { origin: path }),
    isOriginKnown: isThere !== undefined,
    isDeleted: false,
    ...(isThere === false ? { base: emptyRope } : {}),
    fragments: [],
    hunks: [],
    isUnclear: false,
    first: step,
    last: step,
  };
}

/** Replaces the whole content. */
export function writeWhole(state: FileState, content: Text | undefined, step: number): void {
  // What was replaced in part is known in part no longer: the write covers it.
  state.isDeleted = false;
  state.fragments = [];
  state.hunks = [];
  state.isUnclear = false;
  if (content) state.now = rope(content, step);
  else {
    delete state.now;
    state.isUnclear = true;
  }
}

export function appendTo(state: FileState, content: Text | undefined, step: number): void {
  state.isDeleted = false;
  if (!content) {
    delete state.now;
    state.isUnclear = true;
  } else if (state.now) state.now = concat(state.now, rope(content, step));
  else if (state.origin === undefined && state.fragments.length === 0 && !state.isUnclear) state.now = rope(content, step);
  else state.fragments.push({ before: emptyRope, after: rope(content, step) });
}

/** A replacement of one text by another, wherever it stands. An empty `before` puts it in front. */
export function replaceText(state: FileState, before: Rope, after: Rope, everywhere = false): void {
  state.isDeleted = false;
  if (state.now) {
    const done = before.value === "" ? concat(after, state.now) : replaceIn(state.now, before.value, after, everywhere);
    if (done) {
      state.now = done;
      return;
    }
    forget(state);
  }
  let isDone = false;
  for (const fragment of state.fragments) {
    const done: Rope | undefined = isDone && !everywhere ? undefined : replaceIn(fragment.after, before.value, after, everywhere);
    if (done) fragment.after = done;
    isDone ||= done !== undefined;
  }
  if (isDone) return;
  let joined: Fragment = { before, after };
  // Earlier regions that lie inside of this one, or reach into it, become one with it.
  state.fragments = state.fragments.filter((fragment) => {
    const merged = mergeInto(fragment, joined);
    if (merged) joined = merged;
    return merged === undefined;
  });
  state.fragments.push(joined);
}

/** The content is not what it was thought to be: something else changed it. What was known stays as one region. */
function forget(state: FileState): void {
  if (state.now && state.base && state.base.value !== state.now.value) state.fragments.push({ before: state.base, after: state.now });
  delete state.now;
  delete state.base;
  state.isUnclear = true;
}

/** `later.before` is text as it is after `earlier`: the two as one region, when they touch. */
function mergeInto(earlier: Fragment, later: Fragment): Fragment | undefined {
  const value = earlier.after.value;
  if (value.trim() === "") return undefined;
  const inner = replaceIn(later.before, value, earlier.before);
  if (inner) return { before: inner, after: later.after };
  const least = Math.min(value.length, later.before.value.length, 400);
  for (let size = least; size >= 12; size--) {
    // The end of the earlier region is the beginning of the later one, or the other way round.
    if (value.endsWith(later.before.value.slice(0, size))) {
      return {
        before: concat(earlier.before, cutRope(later.before, size)),
        after: concat(cutRope(earlier.after, 0, value.length - size), later.after),
      };
    }
    if (later.before.value.endsWith(value.slice(0, size))) {
      const kept = later.before.value.length - size;
      return { before: concat(cutRope(later.before, 0, kept), earlier.before), after: concat(later.after, cutRope(earlier.after, size)) };
    }
  }
  return undefined;
}

/** The hunks of a diff, applied where the content is known, else joined with the regions that they touch. */
export function applyDiff(state: FileState, hunks: readonly Hunk[], step: number): void {
  state.isDeleted = false;
  if (state.now) {
    const done = applyHunks(state.now, hunks, step);
    if (done) {
      state.now = done;
      return;
    }
    forget(state);
  }
  for (const hunk of hunks) {
    const before = ropeOf(hunk, "-", step);
    const touched = state.hunks.filter((other) => overlaps(other, hunk));
    const isInside =
      before.value !== "" &&
      state.fragments.some((fragment) => fragment.after.value.includes(before.value) || mergeInto(fragment, { before, after: before }));
    if ((touched.length === 0 && !isInside) || before.value === "") {
      state.hunks.push(hunk);
      continue;
    }
    state.hunks = state.hunks.filter((other) => !touched.includes(other));
    for (const other of touched) state.fragments.push({ before: ropeOf(other, "-", 0), after: ropeOf(other, "+", step) });
    replaceText(state, before, ropeOf(hunk, "+", step));
  }
}

function overlaps(a: Hunk, b: Hunk): boolean {
  const written = new Set(a.lines.filter((line) => line.kind === "+" && line.value.trim().length > 3).map((line) => line.value));
  return b.lines.some((line) => line.kind !== "+" && written.has(line.value));
}

/** One side of a hunk. */
function ropeOf(hunk: Hunk, kind: "+" | "-", step: number): Rope {
  const lines = hunk.lines.filter((line) => line.kind === " " || line.kind === kind);
  return concat(
    ...lines.flatMap((line) => [
      line.value === "" ? emptyRope : { value: line.value, pieces: [{ ...line.at, step: line.kind === "+" ? step : 0 }] },
      newline,
    ]),
  );
}

const newline: Rope = rope(made("\n"), 0);

/** An editor script; what it does is only known for plain replacements, and by line numbers in known content. */
export function runScript(state: FileState, change: Change): void {
  if (change.replacements) {
    // `replace` does nothing where the text is not found, so known content stays known.
    for (const { before, after } of change.replacements) {
      if (before.value !== "" && (!state.now || state.now.value.includes(before.value)))
        replaceText(state, rope(before, change.step), rope(after, change.step), true);
    }
    if (!state.now) state.isUnclear = true;
    return;
  }
  const isExtended = change.command?.argv.some((word) => /^-[a-zA-Z]*[Er]/.test(word.value) || word.value === "--regexp-extended") ?? false;
  const done = change.script && change.command?.name !== "perl" ? runSed(change.script, state.now, change.step, isExtended) : undefined;
  if (done?.whole) {
    state.now = done.whole;
    return;
  }
  if (state.now) forget(state);
  state.isUnclear = true;
  for (const { before, after } of done?.replaced ?? []) {
    // The pattern's own place in the script is not kept: what was replaced stood in the file.
    replaceText(state, rope(made(before), change.step), rope(after, change.step), true);
  }
}
