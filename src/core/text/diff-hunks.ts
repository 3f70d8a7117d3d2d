/** One hunk: its header's counts say how many lines it has, and where they do not, the lines themselves. */
import type { Span, Text } from "../model";
import type { DiffLine, Hunk } from "./diff";
import type { Lines } from "./diff-lines";

export interface HunkRead {
  hunk: Hunk;
  /** The line behind it. */
  next: number;
  problem?: { message: string; isCut: boolean };
}

const plainHeader = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)$/;
const combinedHeader = /^@@@{1,14} (?:-\d{1,9}(?:,\d{1,9})? ){2,15}\+\d{1,9}(?:,\d{1,9})? @@@{1,14} ?(.*)$/;
/** What models write where they do not know the numbers. */
const vagueHeader = /^@@(?: (?!-\d).*)?$/;

export function hasNumbers(line: string): boolean {
  return plainHeader.test(line);
}

export function isHunkAt(lines: Lines, i: number): boolean {
  const value = lines.at(i);
  return value.startsWith("@@") && (plainHeader.test(value) || combinedHeader.test(value) || vagueHeader.test(value));
}

/** Whether `---` and `+++` stand here, one below the other. */
export function isPairAt(lines: Lines, i: number): boolean {
  return lines.at(i).startsWith("--- ") && lines.at(i + 1).startsWith("+++ ");
}

/** @param at the header's line, for which `isHunkAt` is true */
export function readHunk(text: Text, lines: Lines, at: number): HunkRead {
  const value = lines.at(at);
  const header: Span = { text, start: lines.start(at), end: lines.end(at) };
  const match = plainHeader.exec(value);
  if (match) return readPlain(text, lines, at, header, match);
  const combined = combinedHeader.exec(value);
  return combined ? readCombined(text, lines, at, header, combined[1] ?? "") : readPlain(text, lines, at, header, null);
}

function readPlain(text: Text, lines: Lines, at: number, header: Span, match: RegExpExecArray | null): HunkRead {
  const hunk: Hunk = {
    oldStart: Number(match?.[1] ?? 1),
    oldCount: match ? Number(match[2] ?? 1) : 0,
    newStart: Number(match?.[3] ?? 1),
    newCount: match ? Number(match[4] ?? 1) : 0,
    section: match?.[5] ?? lines.at(at).replace(/^@@ ?/, "").replace(/ ?@@$/, ""),
    lines: [],
    at: header,
  };
  // A side with no lines is numbered by the line before.
  let old = hunk.oldStart + (match && hunk.oldCount === 0 ? 1 : 0);
  let now = hunk.newStart + (match && hunk.newCount === 0 ? 1 : 0);
  let [oldLeft, newLeft] = [hunk.oldCount, hunk.newCount];
  let lost = 0;

  const push = (kind: DiffLine["kind"], i: number, isLost = false): void => {
    const content = isLost ? "" : lines.at(i).slice(1);
    const start = lines.start(i) + (isLost ? 0 : 1);
    hunk.lines.push({
      kind,
      value: content,
      at: { text, start, end: start + content.length },
      ...(kind === "+" || !match ? {} : { old: old++ }),
      ...(kind === "-" || !match ? {} : { new: now++ }),
    });
    if (kind !== "+") oldLeft--;
    if (kind !== "-") newLeft--;
    lost = isLost ? lost + 1 : 0;
  };

  let i = at + 1;
  for (; i < lines.count && (oldLeft > 0 || newLeft > 0); i++) {
    const sign = lines.at(i)[0];
    if (sign === undefined) {
      if (i === lines.count - 1 && lines.isOpenEnd) break;
      push(" ", i, true);
    } else if (sign === "\\") markEnd(hunk);
    else if (sign !== " " && sign !== "+" && sign !== "-") break;
    else if (sign === "-" && isHeaderInside(lines, i, oldLeft, newLeft)) break;
    else push(sign, i);
  }
  // A context line that lost its space cannot be told from the blank line behind a hunk that is too short.
  if (oldLeft > 0 || newLeft > 0) {
    for (; lost > 0; lost--) {
      hunk.lines.pop();
      oldLeft++;
      newLeft++;
      i--;
    }
  }
  const isShort = oldLeft > 0 || newLeft > 0;
  const overflow = isShort ? i : findOverflow(lines, i);
  let isOver = false;
  for (; i < overflow; i++) {
    const sign = lines.at(i)[0];
    if (sign === "\\") markEnd(hunk);
    else if (sign === "+" || sign === "-" || sign === " ") push(sign, i);
    isOver ||= sign !== "\\";
  }
  if (!match) return { hunk, next: i, problem: { message: "A hunk header without line numbers.", isCut: false } };
  if (!isOver && oldLeft === 0 && newLeft === 0) return { hunk, next: i };
  const { oldCount, newCount } = hunk;
  const message = `The hunk header promises ${oldCount} old and ${newCount} new lines; ${oldCount - oldLeft} and ${newCount - newLeft} are there.`;
  return { hunk, next: i, problem: { message, isCut: isShort && text.value.slice(lines.start(i)).trim() === "" } };
}

function markEnd(hunk: Hunk): void {
  const last = hunk.lines.at(-1);
  if (last) last.noNewline = true;
}

/** Content only where the counts leave room for exactly these two lines, since a line that starts with `@@` never is content. */
function isHeaderInside(lines: Lines, i: number, oldLeft: number, newLeft: number): boolean {
  return isPairAt(lines, i) && isHunkAt(lines, i + 2) && !(oldLeft === 1 && newLeft === 1);
}

/** Behind the last line that a hunk with too small counts still holds; `from` when its counts were right. */
function findOverflow(lines: Lines, from: number): number {
  let end = from;
  for (let i = from; i < lines.count; i++) {
    const value = lines.at(i);
    const sign = value[0];
    if (sign !== " " && sign !== "+" && sign !== "-" && sign !== "\\") break;
    // The signature of a mail, and the next file.
    if (value === "-- " || value === "--" || (sign === "-" && isPairAt(lines, i))) break;
    if (sign !== " ") end = i + 1;
  }
  return end;
}

/** A merge's diff has one column of signs a parent. The old numbers are the first parent's. */
function readCombined(text: Text, lines: Lines, at: number, header: Span, section: string): HunkRead {
  const value = lines.at(at);
  const parents = (/^@+/.exec(value)?.[0].length ?? 3) - 1;
  const ranges = [...value.slice(0, 400).matchAll(/[-+](\d{1,9})(?:,(\d{1,9}))?/g)].slice(0, parents + 1);
  const starts = ranges.map((range) => Number(range[1]));
  const left = ranges.map((range) => Number(range[2] ?? 1));
  const hunk: Hunk = {
    oldStart: starts[0] ?? 1,
    oldCount: left[0] ?? 0,
    newStart: starts[parents] ?? 1,
    newCount: left[parents] ?? 0,
    section,
    lines: [],
    at: header,
  };
  let [old, now] = [hunk.oldStart, hunk.newStart];
  let i = at + 1;
  for (; i < lines.count && left.some((count) => count > 0); i++) {
    const line = lines.at(i);
    const signs = line.slice(0, parents);
    if (line[0] === "\\") {
      markEnd(hunk);
      continue;
    }
    if (signs.length < parents || /[^ +-]/.test(signs)) break;
    const kind = signs.includes("-") ? "-" : signs.includes("+") ? "+" : " ";
    // A removed line stood in the parents that mark it; any other in those that do not.
    const stood = (parent: number): boolean => (kind === "-" ? signs[parent] === "-" : signs[parent] !== "+");
    const start = lines.start(i) + parents;
    const content = line.slice(parents);
    hunk.lines.push({
      kind,
      value: content,
      at: { text, start, end: start + content.length },
      ...(stood(0) ? { old: old++ } : {}),
      ...(kind === "-" ? {} : { new: now++ }),
    });
    for (let parent = 0; parent < parents; parent++) if (stood(parent)) left[parent] = (left[parent] ?? 0) - 1;
    if (kind !== "-") left[parents] = (left[parents] ?? 0) - 1;
  }
  return { hunk, next: i, problem: { message: "A combined diff of a merge: read as far as its signs tell.", isCut: false } };
}
