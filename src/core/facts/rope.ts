/** Content put together of pieces of texts, so that every line of a file knows which step wrote it and where. */
import type { Span, Text } from "../model";
import { join, slice, spanOf } from "../text/text";

export interface RopePiece {
  text: Text;
  start: number;
  end: number;
  step: number;
}

export interface Rope {
  readonly value: string;
  readonly pieces: readonly RopePiece[];
}

export interface RopeLine {
  /** Without its line end. */
  value: string;
  at: Span;
  /** The latest step that wrote a part of it. */
  step: number;
}

export const emptyRope: Rope = { value: "", pieces: [] };

export function rope(text: Text, step: number): Rope {
  return text.value === "" ? emptyRope : { value: text.value, pieces: [{ text, start: 0, end: text.value.length, step }] };
}

export function concat(...ropes: readonly Rope[]): Rope {
  return { value: ropes.map((one) => one.value).join(""), pieces: ropes.flatMap((one) => one.pieces) };
}

export function cutRope(whole: Rope, start: number, end: number = whole.value.length): Rope {
  const pieces: RopePiece[] = [];
  let at = 0;
  for (const piece of whole.pieces) {
    const length = piece.end - piece.start;
    const from = Math.max(start, at);
    const to = Math.min(end, at + length);
    if (from < to) pieces.push({ ...piece, start: piece.start + from - at, end: piece.start + to - at });
    at += length;
    if (at >= end) break;
  }
  return { value: whole.value.slice(start, end), pieces };
}

/** The rope with `before` replaced, once or everywhere; undefined when it is not there or empty. */
export function replaceIn(whole: Rope, before: string, after: Rope, everywhere = false): Rope | undefined {
  let at = before === "" ? -1 : whole.value.indexOf(before);
  if (at === -1) return undefined;
  const parts: Rope[] = [];
  let from = 0;
  while (at !== -1) {
    parts.push(cutRope(whole, from, at), after);
    from = at + before.length;
    at = everywhere ? whole.value.indexOf(before, from) : -1;
  }
  parts.push(cutRope(whole, from));
  return concat(...parts);
}

/** The lines; a line end at the end starts no further one. */
export function linesOf(whole: Rope): RopeLine[] {
  const lines: RopeLine[] = [];
  const { value, pieces } = whole;
  let piece = 0;
  let offset = 0;
  for (let start = 0; start < value.length;) {
    const found = value.indexOf("\n", start);
    const next = found === -1 ? value.length : found + 1;
    let end = found === -1 ? value.length : found;
    if (found !== -1 && end > start && value.charCodeAt(end - 1) === 13) end--;
    while (piece < pieces.length - 1 && offset + sizeOf(pieces[piece]) <= start) offset += sizeOf(pieces[piece++]);
    const parts: RopePiece[] = [];
    for (let i = piece, at = offset; i < pieces.length && (at < end || parts.length === 0); i++) {
      const one = pieces[i];
      if (!one) break;
      const size = sizeOf(one);
      const from = Math.max(start, at);
      const to = Math.min(end, at + size);
      if (from < to || (start === end && parts.length === 0 && at + size > start))
        parts.push({ ...one, start: one.start + from - at, end: one.start + Math.max(from, to) - at });
      at += size;
    }
    lines.push({ value: value.slice(start, end), at: toSpan(parts), step: parts.reduce((latest, part) => Math.max(latest, part.step), 0) });
    start = next;
  }
  return lines;
}

function sizeOf(piece: RopePiece | undefined): number {
  return piece ? piece.end - piece.start : 0;
}

/** Of one piece: exactly there. Of several: their join, which the locator maps to the smallest range that covers them. */
function toSpan(parts: readonly RopePiece[]): Span {
  const [first] = parts;
  if (first && parts.length === 1) return { text: first.text, start: first.start, end: first.end };
  return spanOf(join(parts.map((part) => slice(part.text, part.start, part.end))));
}
