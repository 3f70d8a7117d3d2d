/** The two sides of every file of a patch, put together from its hunks where there is no repository to read them from. */
import { readDiff, type FilePatch } from "../core/text/diff";
import { made } from "../core/text/text";

export interface PatchFile {
  /** Where it stands now, or stood. */
  path: string;
  oldPath?: string;
  /** Absent when it was deleted. */
  newPath?: string;
  /** Nothing of it is left: it was deleted, or emptied, which does the same to a test. */
  isGone: boolean;
  /** Its content is no text, or nothing of it changed but its name or mode: there is nothing to show. */
  isBare: boolean;
  sides(): { old: Side; new: Side };
}

export interface Side {
  text: string;
  /** Line numbers of the patch to lines of the text, both from 1. They are the same unless the patch's numbers do not add up. */
  lines: ReadonlyMap<number, number>;
}

/** Lines between hunks are made up, so that numbers stay true; beyond this many they do not. */
const mostFill = 50_000;

export function readPatchFiles(diff: string): PatchFile[] {
  return readDiff(made(diff)).files.flatMap((file) => {
    const path = file.newPath ?? file.oldPath;
    if (path === undefined) return [];
    return [
      {
        path,
        ...(file.oldPath === undefined ? {} : { oldPath: file.oldPath }),
        ...(file.newPath === undefined ? {} : { newPath: file.newPath }),
        isGone: file.newPath === undefined || isEmptied(file),
        isBare: file.hunks.length === 0,
        sides: () => rebuild(file),
      },
    ];
  });
}

function isEmptied({ oldPath, hunks }: FilePatch): boolean {
  const [only] = hunks;
  return oldPath !== undefined && hunks.length === 1 && only?.newStart === 0 && only.lines.every(({ kind }) => kind === "-");
}

function rebuild({ hunks }: FilePatch): { old: Side; new: Side } {
  const sides = { old: startSide(), new: startSide() };
  let filled = 0;
  for (const { oldStart, oldCount, newStart, newCount, lines } of hunks) {
    // A hunk without lines on a side names the line before it.
    const gaps = [oldStart + (oldCount === 0 ? 1 : 0) - sides.old.next, newStart + (newCount === 0 ? 1 : 0) - sides.new.next];
    // Between two hunks both sides are the same, so what is filled in has to be, too.
    const gap = Math.max(0, Math.min(...gaps, mostFill - filled));
    filled += gap;
    for (const side of [sides.old, sides.new]) fill(side, gap);
    for (const { kind, value, old, new: now, noNewline } of lines) {
      if (kind !== "+") add(sides.old, value, old, noNewline ?? false);
      if (kind !== "-") add(sides.new, value, now, noNewline ?? false);
    }
  }
  return { old: finish(sides.old), new: finish(sides.new) };
}

interface Open {
  out: string[];
  lines: Map<number, number>;
  /** The number of the next line. */
  next: number;
  isCut: boolean;
}

function startSide(): Open {
  return { out: [], lines: new Map(), next: 1, isCut: false };
}

function fill(side: Open, count: number): void {
  if (count > 0) side.out.push(`… ${count} ${count === 1 ? "line" : "lines"} that the patch does not show`);
  for (let i = 1; i < count; i++) side.out.push("");
  side.next += count;
}

function add(side: Open, value: string, number: number | undefined, isCut: boolean): void {
  side.out.push(value);
  if (number !== undefined) side.lines.set(number, side.out.length);
  side.next++;
  side.isCut = isCut;
}

function finish({ out, lines, isCut }: Open): Side {
  return { text: out.length === 0 ? "" : `${out.join("\n")}${isCut ? "" : "\n"}`, lines };
}
