/** Hunks applied to content, and content compared to hunks. */
import { diffArrays } from "diff";
import type { DiffLine, Hunk } from "../text/diff";
import { made, spanOf } from "../text/text";
import { concat, cutRope, linesOf, rope, type Rope, type RopeLine } from "./rope";

/** Beyond this many differing lines the two sides are told apart as a whole. */
const mostEdits = 4000;
const contextLines = 3;

/**
 * The content with the hunks applied; undefined when one does not fit. A hunk is looked for where it says, then anywhere
 * behind the one before; of several places the nearest counts.
 */
export function applyHunks(content: Rope, hunks: readonly Hunk[], step: number): Rope | undefined {
  const lines = linesWithEnds(content);
  const values = lines.map((line) => line.value.replace(/\r?\n$/, ""));
  const parts: Rope[] = [];
  let next = 0;
  let drift = 0;
  for (const hunk of hunks) {
    const old = hunk.lines.filter((line) => line.kind !== "+");
    const wanted = Math.max(0, hunk.oldStart - (hunk.oldCount === 0 ? 0 : 1) + drift);
    const at = findLines(values, old, next, wanted);
    if (at === undefined) return undefined;
    drift += at - wanted;
    for (const line of lines.slice(next, at)) parts.push(line);
    let from = at;
    for (const line of hunk.lines) {
      if (line.kind === " ") parts.push(lines[from++] ?? rope(made(""), 0));
      else if (line.kind === "-") from++;
      else
        parts.push(
          { value: line.value, pieces: line.value === "" ? [] : [{ ...line.at, step }] },
          ...(line.noNewline ? [] : [rope(made("\n"), step)]),
        );
    }
    next = from;
  }
  for (const line of lines.slice(next)) parts.push(line);
  return concat(...parts);
}

/** In lines from 0. */
function findLines(values: readonly string[], old: readonly DiffLine[], from: number, wanted: number): number | undefined {
  const first = old[0]?.value;
  if (first === undefined) return Math.min(Math.max(wanted, from), values.length);
  const fits = (at: number): boolean => old.every((line, i) => values[at + i] === line.value);
  if (wanted >= from && fits(wanted)) return wanted;
  let best: number | undefined;
  let tried = 0;
  for (let at = values.indexOf(first, from); at !== -1 && tried < 1000; at = values.indexOf(first, at + 1), tried++) {
    if (fits(at) && (best === undefined || Math.abs(at - wanted) < Math.abs(best - wanted))) best = at;
  }
  return best;
}

function linesWithEnds(content: Rope): Rope[] {
  const lines: Rope[] = [];
  for (let start = 0; start < content.value.length;) {
    const found = content.value.indexOf("\n", start);
    const next = found === -1 ? content.value.length : found + 1;
    lines.push(next - start === content.value.length ? content : cutRope(content, start, next));
    start = next;
  }
  return lines;
}

/**
 * What turns one content into the other, as hunks with three lines of context.
 * @param isWhole the contents are whole files, so that lines have numbers
 */
export function compareContents(before: Rope, after: Rope, isWhole: boolean): Hunk[] {
  const old = linesOf(before);
  const now = linesOf(after);
  return toHunks(compareLines(old, now), isWhole);
}

interface Op {
  kind: DiffLine["kind"];
  line: RopeLine;
  old?: number;
  new?: number;
}

function compareLines(old: readonly RopeLine[], now: readonly RopeLine[]): Op[] {
  const parts = diffArrays(
    old.map((line) => line.value),
    now.map((line) => line.value),
    { maxEditLength: mostEdits },
  );
  const ops: Op[] = [];
  if (!parts) {
    old.forEach((line, i) => ops.push({ kind: "-", line, old: i + 1 }));
    now.forEach((line, i) => ops.push({ kind: "+", line, new: i + 1 }));
    return ops;
  }
  let [i, j] = [0, 0];
  for (const part of parts) {
    for (let n = part.value.length; n > 0; n--) {
      const line = part.added ? now[j] : part.removed ? old[i] : (now[j] ?? old[i]);
      if (!line) continue;
      if (part.added) ops.push({ kind: "+", line, new: ++j });
      else if (part.removed) ops.push({ kind: "-", line, old: ++i });
      else ops.push({ kind: " ", line, old: ++i, new: ++j });
    }
  }
  return ops;
}

function toHunks(ops: readonly Op[], isWhole: boolean): Hunk[] {
  const hunks: Hunk[] = [];
  let i = 0;
  while (i < ops.length) {
    const first = ops.findIndex((op, at) => at >= i && op.kind !== " ");
    if (first === -1) break;
    let last = first;
    for (let at = first; at < ops.length && at - last <= 2 * contextLines; at++) if (ops[at]?.kind !== " ") last = at;
    hunks.push(toHunk(ops.slice(Math.max(i, first - contextLines), last + contextLines + 1), isWhole));
    i = last + contextLines + 1;
  }
  return hunks;
}

function toHunk(ops: readonly Op[], isWhole: boolean): Hunk {
  const lines = ops.map((op): DiffLine => ({
    kind: op.kind,
    value: op.line.value,
    at: op.line.at,
    ...(isWhole && op.old !== undefined ? { old: op.old } : {}),
    ...(isWhole && op.new !== undefined ? { new: op.new } : {}),
  }));
  const olds = lines.filter((line) => line.kind !== "+");
  const news = lines.filter((line) => line.kind !== "-");
  const shown = lines.find((line) => line.kind !== " ") ?? lines[0];
  return {
    oldStart: olds[0]?.old ?? 0,
    oldCount: olds.length,
    newStart: news[0]?.new ?? 0,
    newCount: news.length,
    section: "",
    lines,
    at: shown?.at ?? spanOf(made("")),
  };
}
