/** Making texts. Cheap: an object a text; nothing is scanned. */
import type { JsonPath, Origin, RecordRef, Span, Text } from "../model";
import { hasAnsi, stripAnsi } from "./ansi";

/** The JSON string at `path` of a record; without a path, the record itself. */
export function fromRecord(value: string, record: RecordRef, path?: JsonPath): Text {
  return { value, origin: path ? { from: "record", record, path } : { from: "record", record } };
}

/** Characters `start` to `end` of a text. */
export function slice(text: Text, start: number, end: number = text.value.length): Text {
  if (start <= 0 && end >= text.value.length) return text;
  return { value: text.value.slice(start, end), origin: { from: "slice", of: text.origin, start: Math.max(0, start), end } };
}

/** Without white space at both ends. */
export function trim(text: Text): Text {
  const start = text.value.length - text.value.trimStart().length;
  return slice(text, start, Math.max(start, text.value.trimEnd().length));
}

/** The JSON string at `path` in JSON that stands in a string. */
export function fromJson(value: string, of: Text, path: JsonPath): Text {
  return { value, origin: { from: "json", of: of.origin, path } };
}

/** Without terminal escapes. The same text when there are none. */
export function plain(text: Text): Text {
  return hasAnsi(text.value) ? { value: stripAnsi(text.value), origin: { from: "ansi", of: text.origin } } : text;
}

/** Texts one after the other; plain strings in between come from the reader. */
export function join(pieces: readonly (Text | string)[]): Text {
  return {
    value: pieces.map((piece) => (typeof piece === "string" ? piece : piece.value)).join(""),
    origin: {
      from: "join",
      pieces: pieces.map((piece) =>
        typeof piece === "string" ? { length: piece.length } : { length: piece.value.length, of: piece.origin },
      ),
    },
  };
}

/** A text that stands nowhere in the input. */
export function made(value: string): Text {
  return { value, origin: { from: "join", pieces: [{ length: value.length }] } };
}

export function spanOf(text: Text, start = 0, end: number = text.value.length): Span {
  return { text, start, end };
}

/** A span inside a slice or other part, as the quoted characters. */
export function quote(span: Span): string {
  return span.text.value.slice(span.start, span.end);
}

/** In UTF-16 units. A longer value keeps its head and tail. */
export const longestValue = 256 * 1024;

/**
 * The text with at most `limit` characters kept, half at each end. What is left out can be read again
 * through the origin (`whole`).
 */
export function cut(text: Text, limit: number = longestValue): Text {
  const total = text.value.length;
  if (total <= limit) return text;
  const head = limit >> 1;
  const tail = total - (limit - head);
  const mark = `\n[… ${tail - head} characters left out …]\n`;
  const origin: Origin = { from: "cut", of: text.origin, head, mark: mark.length, tail };
  // A slice would keep the long string alive behind the short one, so the kept ends are copied.
  const value = copyString(text.value.slice(0, head)) + mark + copyString(text.value.slice(tail));
  return { value, origin, total };
}

function copyString(value: string): string {
  return JSON.parse(JSON.stringify(value)) as string;
}
