/** How a body becomes lines: which parts of a long one are kept, where long lines are broken, and what each line shows. */
import type { Body } from "./bodies";
import type { PageOptions, Spot } from "./page";
import { toColumn, toOffset, toVisible } from "./visible";

export interface Line {
  /** Characters `start` to `end` of the body's text; the same for a line that says what is left out. */
  start: number;
  end: number;
  /** The column at which the text begins. */
  column: number;
  shown: string;
  /** How many characters are left out here. */
  left?: number;
}

interface Stretch {
  start: number;
  end: number;
}

/** In characters: what is kept around a quoted text in a body that is shortened, and how far a cut looks for a line end. */
const around = 200;
/** A quoted text over this is itself shortened. */
const longestKept = 32 * 1024;

/** @param quoted what must stay readable */
export function layOut({ text, gutter }: Pick<Body, "text" | "gutter">, quoted: readonly Stretch[], options: PageOptions): Line[] {
  const { value } = text;
  const lines: Line[] = [];
  let at = 0;
  for (const kept of chooseKept(value, quoted, options.maxBodyChars)) {
    if (kept.start > at) lines.push(sayLeft(value, at, kept.start));
    addLines(lines, value, kept, gutter, options.maxLineChars);
    at = kept.end;
  }
  if (at < value.length) lines.push(sayLeft(value, at, value.length));
  return lines;
}

function sayLeft(value: string, start: number, end: number): Line {
  const size = value.length >= 10_000 ? `${Math.round(value.length / 1000)} KB` : `${value.length} characters`;
  return { start, end: start, column: 0, shown: `... ${end - start} characters are left out | show all ${size}`, left: end - start };
}

/** Ascending and apart. */
function chooseKept(value: string, quoted: readonly Stretch[], most: number): Stretch[] {
  const all = { start: 0, end: value.length };
  if (value.length <= most) return [all];
  const half = most >> 1;
  const wanted: Stretch[] = [
    { start: 0, end: half },
    { start: value.length - half, end: value.length },
  ];
  for (const { start, end } of quoted) {
    const cuts =
      end - start <= longestKept
        ? [{ start, end }]
        : [
            { start, end: start + half },
            { start: end - half, end },
          ];
    for (const cut of cuts) wanted.push({ start: cut.start - around, end: cut.end + around });
  }
  const snapped = wanted
    .map(({ start, end }) => ({ start: snapBack(value, Math.max(0, start)), end: snapOn(value, Math.min(value.length, end)) }))
    .sort((a, b) => a.start - b.start);
  const kept: Stretch[] = [];
  for (const next of snapped) {
    const last = kept.at(-1);
    // A gap that is shorter than the line that would name it is shown.
    if (last && next.start <= last.end + 80) last.end = Math.max(last.end, next.end);
    else kept.push({ ...next });
  }
  return kept;
}

/** The start of the line, when it is near; never between the halves of a pair. */
function snapBack(value: string, at: number): number {
  const line = value.lastIndexOf("\n", at - 1) + 1;
  if (at === 0 || at - line <= around) return at === 0 ? 0 : line;
  return isInPair(value, at) ? at - 1 : at;
}

/** Behind the line's end, when it is near. */
function snapOn(value: string, at: number): number {
  if (at >= value.length || value[at - 1] === "\n") return Math.min(at, value.length);
  const line = value.slice(at, at + around).indexOf("\n");
  if (line >= 0) return at + line + 1;
  return isInPair(value, at) ? at + 1 : at;
}

function isInPair(value: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(value[at - 1] ?? "") && /[\udc00-\udfff]/.test(value[at] ?? "");
}

function addLines(lines: Line[], value: string, { start, end }: Stretch, gutter: string, most: number): void {
  for (let from = start; from < end;) {
    const newline = value.indexOf("\n", from);
    const next = newline === -1 || newline >= end ? end : newline + 1;
    let to = newline === -1 || newline >= end ? end : newline;
    if (to > from && value[to - 1] === "\r" && to < next) to--;
    addLine(lines, value, from, to, gutter, most);
    from = next;
  }
}

/** A long line goes on behind a gutter that ends in a backslash. */
function addLine(lines: Line[], value: string, start: number, end: number, gutter: string, most: number): void {
  const mark = `${gutter.trimEnd() || " "}\\`.padEnd(gutter.length, " ");
  for (let from = start, isFirst = true; isFirst || from < end; isFirst = false) {
    let to = endLine(value, from, from + most, end);
    let shown = toVisible(value.slice(from, to));
    // What is written as code points takes up to nine units for one.
    if (shown.length > most) {
      to = endLine(value, from, from + Math.max(2, Math.floor(most / 9)), end);
      shown = toVisible(value.slice(from, to));
    }
    // No white space at the end of an empty line.
    const own = shown === "" ? gutter.trimEnd() : isFirst ? gutter : mark;
    lines.push({ start: from, end: to, column: own.length, shown: `${own}${shown}` });
    from = to;
  }
}

/** Never between the halves of a pair, and always behind `from`. */
function endLine(value: string, from: number, wanted: number, end: number): number {
  const to = Math.min(end, wanted);
  return to < end && to - 1 > from && isInPair(value, to) ? to - 1 : to;
}

/** Where an offset of the body's text is shown: the last line that starts at or before it. Lines count from the body's first. */
export function findSpot(lines: readonly Line[], value: string, offset: number, isEnd = false): Spot {
  let low = 0;
  let high = lines.length - 1;
  // The end of a range belongs to the line of its last character.
  const goal = isEnd ? offset - 1 : offset;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle]?.start ?? 0) <= goal) low = middle;
    else high = middle - 1;
  }
  const line = lines[low];
  if (!line) return { line: 0, column: 0 };
  return { line: low, column: line.column + toColumn(value.slice(line.start, line.end), offset - line.start) };
}

/** The offset in the body's text of a column in one of its lines. */
export function findOffset(line: Line, value: string, column: number): number {
  return line.start + toOffset(value.slice(line.start, line.end), Math.max(0, column - line.column));
}
