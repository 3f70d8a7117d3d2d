/** Cutting a source into records. A broken record costs itself and nothing else. */
import type { RecordRef, Source } from "../model";
import { decodeUtf8 } from "./utf8";

/** In bytes. */
export const longestRecord = 64 * 1024 * 1024;
export const longestDocument = 256 * 1024 * 1024;
const chunkSize = 1024 * 1024;

/** A part of a source: one run of a file that holds several. */
export interface Range {
  start: number;
  end: number;
  line: number;
}

export function wholeOf(source: Source): Range {
  return { start: 0, end: source.size, line: 1 };
}

/**
 * The lines of a source, without their line ends and without a byte order mark; blank ones are passed over.
 * A line over 64 MB comes with `text` undefined: it is too long to be read.
 */
export function* readLines(source: Source, range: Range = wholeOf(source)): Generator<{ ref: RecordRef; text: string | undefined }> {
  let { line } = range;
  let lineStart = range.start;
  let pending: Uint8Array[] = [];
  let pendingSize = 0;
  let at = range.start;
  const take = (last: Uint8Array): { ref: RecordRef; text: string | undefined } | undefined => {
    const size = pendingSize + last.length;
    const start = lineStart;
    if (size > longestRecord) return { ref: { source, start, end: start + size, line }, text: undefined };
    return toRecord(source, pending.length === 0 ? last : concat(pending, last, size), start, line);
  };
  while (at < range.end) {
    const chunk = source.read(at, Math.min(at + chunkSize, range.end));
    if (chunk.length === 0) break;
    let from = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, from)) {
      const record = take(chunk.subarray(from, newline));
      if (record) yield record;
      lineStart = at + newline + 1;
      line++;
      from = newline + 1;
      pending = [];
      pendingSize = 0;
    }
    const rest = chunk.subarray(from);
    pendingSize += rest.length;
    // What is too long is not kept, only measured.
    if (pendingSize <= longestRecord) pending.push(rest);
    else pending = [];
    at += chunk.length;
  }
  const last = pendingSize > 0 ? take(new Uint8Array(0)) : undefined;
  if (last) yield last;
}

/** The whole range as one record; `text` undefined when it is over 256 MB. */
export function readDocument(source: Source, range: Range = wholeOf(source)): { ref: RecordRef; text: string | undefined } {
  const skip = range.start === 0 && hasMark(source.read(0, 3)) ? 3 : 0;
  const ref: RecordRef = { source, start: range.start + skip, end: range.end, line: range.line };
  if (ref.end - ref.start > longestDocument) return { ref, text: undefined };
  const bytes = source.read(ref.start, ref.end);
  return { ref: { ...ref, end: ref.start + bytes.length }, text: decodeUtf8(bytes) };
}

function toRecord(source: Source, bytes: Uint8Array, at: number, line: number): { ref: RecordRef; text: string } | undefined {
  const start = at === 0 && hasMark(bytes) ? 3 : 0;
  const end = bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
  const text = decodeUtf8(bytes.subarray(start, end));
  if (text.trim() === "") return undefined;
  return { ref: { source, start: at + start, end: at + Math.max(start, end), line }, text };
}

function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

function concat(parts: readonly Uint8Array[], last: Uint8Array, size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of [...parts, last]) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
