/**
 * From a span back to the raw file. The chain of decodings is done again for the one record that holds the
 * span, this time with positions; nothing of this is paid for texts that no finding quotes.
 */
import type { Location, Origin, Position, RecordRef, Span, Text } from "../model";
import { findUnderAnsi, stripAnsi } from "./ansi";
import { findInString, findValue, valueAt } from "./json";
import { decodeUtf8, findBytes } from "./utf8";

/** A range in a record's text, in UTF-16 units. */
interface RawSpan {
  record: RecordRef;
  start: number;
  end: number;
  exact: boolean;
}

/** A text opened: its whole value, and the way up. */
interface Opened {
  value: string;
  up(start: number, end: number): RawSpan[];
}

const longestQuote = 2000;

export interface Locator {
  /** The place in the raw file; null for a text that stands nowhere. */
  locate(span: Span): Location | null;
  /** The span's offsets in a text that it was decoded from; undefined when it was not. */
  within(span: Span, ancestor: Text): { start: number; end: number } | undefined;
  /** A text's value in full, read again when it was cut. */
  whole(text: Text): string;
}

/** Keeps the last record that was opened, since findings cluster. */
export function createLocator(): Locator {
  let cached: { record: RecordRef; bytes: Uint8Array; text: string; value?: { parsed: unknown } } | undefined;

  function read(record: RecordRef): { bytes: Uint8Array; text: string } {
    if (cached?.record !== record) {
      const bytes = record.source.read(record.start, record.end);
      cached = { record, bytes, text: decodeUtf8(bytes) };
    }
    return cached;
  }

  function parse(record: RecordRef): unknown {
    const { text } = read(record);
    if (cached && !cached.value) cached.value = { parsed: parseJson(text) };
    return cached?.value?.parsed;
  }

  function open(origin: Origin): Opened {
    if (origin.from === "record") {
      const { record, path } = origin;
      const raw = read(record).text;
      const asItIs: Opened = { value: raw, up: (start, end) => [{ record, start, end, exact: true }] };
      if (!path) return asItIs;
      return openJson(asItIs, path, () => parse(record));
    }
    if (origin.from === "join") return openJoin(origin.pieces);
    const parent = open(origin.of);
    if (origin.from === "json") return openJson(parent, origin.path, () => parseJson(parent.value));
    if (origin.from === "slice") {
      const { start: from, end: to } = origin;
      return { value: parent.value.slice(from, to), up: (start, end) => parent.up(from + start, from + end) };
    }
    if (origin.from === "ansi") {
      return {
        value: stripAnsi(parent.value),
        up: (start, end) => {
          const [from = 0, to = from] = findUnderAnsi(parent.value, [start, Math.max(start, end - 1)]);
          return parent.up(from, end > start ? to + 1 : from);
        },
      };
    }
    const { head, mark, tail } = origin;
    const whole = parent.value;
    const lift = (at: number): number => (at <= head ? at : at < head + mark ? head : at - head - mark + tail);
    return {
      value: `${whole.slice(0, head)}${" ".repeat(mark)}${whole.slice(tail)}`,
      up: (start, end) =>
        parent.up(lift(start), lift(end)).map((span) => ({ ...span, exact: span.exact && (end <= head || start >= head + mark) })),
    };
  }

  function openJoin(pieces: readonly { length: number; of?: Origin }[]): Opened {
    const opened = pieces.map((piece) => (piece.of ? open(piece.of) : undefined));
    return {
      value: pieces.map((piece, i) => opened[i]?.value.slice(0, piece.length).padEnd(piece.length) ?? " ".repeat(piece.length)).join(""),
      up: (start, end) => {
        const spans: RawSpan[] = [];
        let at = 0;
        pieces.forEach((piece, i) => {
          const from = Math.max(start, at);
          const to = Math.min(end, at + piece.length);
          const inside = from < to || (start === end && from === to && spans.length === 0);
          if (inside) spans.push(...(opened[i]?.up(from - at, to - at) ?? []));
          at += piece.length;
        });
        const covers = start === end || pieces.some((piece, i) => piece.of && isWithin(pieces, i, start, end));
        return covers ? spans : spans.map((span) => ({ ...span, exact: false }));
      },
    };
  }

  function locate(span: Span): Location | null {
    const spans = open(span.text.origin).up(span.start, span.end);
    const first = spans[0];
    if (!first) return null;
    const same = spans.filter((other) => other.record.source === first.record.source);
    const places = same.map((raw) => place(raw, read(raw.record).bytes, read(raw.record).text));
    const start = places.reduce((least, p) => (p.start.byte < least.byte ? p.start : least), places[0]?.start ?? zero);
    const end = places.reduce((most, p) => (p.end.byte > most.byte ? p.end : most), places[0]?.end ?? zero);
    const exact = spans.length === 1 && first.exact;
    const text = span.text.value.slice(span.start, Math.min(span.end, span.start + longestQuote));
    return { file: first.record.source.name, start, end, text, exact };
  }

  function within(span: Span, ancestor: Text): { start: number; end: number } | undefined {
    let origin = span.text.origin;
    let { start, end } = span;
    // A cut ancestor stands for its whole text, so that offsets do not depend on what was kept.
    const goal = ancestor.origin.from === "cut" ? ancestor.origin.of : ancestor.origin;
    for (;;) {
      if (isSame(origin, goal)) return { start, end };
      if (origin.from === "slice") [start, end] = [start + origin.start, end + origin.start];
      else if (origin.from === "json") {
        const raw = open(origin.of).value;
        const found = findValue(raw, origin.path);
        if (!found) return undefined;
        if (found.isString) [start = 0, end = start] = findInString(raw, found.start, [start, end]);
        else [start, end] = [start + found.start, end + found.start];
      } else if (origin.from === "ansi") {
        const [from = 0, to = from] = findUnderAnsi(open(origin.of).value, [start, Math.max(start, end - 1)]);
        [start, end] = [from, end > start ? to + 1 : from];
      } else if (origin.from === "cut") {
        const { head, mark, tail } = origin;
        const lift = (at: number): number => (at <= head ? at : at < head + mark ? head : at - head - mark + tail);
        [start, end] = [lift(start), lift(end)];
      } else return undefined;
      origin = origin.of;
    }
  }

  return {
    locate,
    within,
    whole: (text) => (text.total === undefined || text.origin.from !== "cut" ? text.value : open(text.origin.of).value),
  };
}

const zero: Position = { line: 1, column: 1, byte: 0 };

function openJson(parent: Opened, path: readonly (string | number)[], parsed: () => unknown): Opened {
  const value = valueAt(parsed(), path);
  let range: ReturnType<typeof findValue>;
  const find = (): ReturnType<typeof findValue> => (range ??= findValue(parent.value, path));
  const isString = typeof value === "string";
  return {
    get value(): string {
      const found = isString ? undefined : find();
      return isString ? value : found ? parent.value.slice(found.start, found.end) : "";
    },
    up: (start, end) => {
      const found = find();
      if (!found) return parent.up(0, parent.value.length).map((span) => ({ ...span, exact: false }));
      if (!found.isString) return parent.up(found.start + start, found.start + end);
      const [from = 0, to = from] = findInString(parent.value, found.start, [start, end]);
      return parent.up(from, to);
    },
  };
}

function isWithin(pieces: readonly { length: number }[], index: number, start: number, end: number): boolean {
  let at = 0;
  for (let i = 0; i < index; i++) at += pieces[i]?.length ?? 0;
  return start >= at && end <= at + (pieces[index]?.length ?? 0);
}

function isSame(a: Origin, b: Origin): boolean {
  if (a === b) return true;
  if (a.from !== "record" || b.from !== "record" || a.record !== b.record) return false;
  const [left, right] = [a.path, b.path];
  if (!left || !right) return left === right;
  return left.length === right.length && left.every((key, i) => key === right[i]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Byte, line and column of a range in a record. */
function place(span: RawSpan, bytes: Uint8Array, text: string): { start: Position; end: Position } {
  const [startByte = 0, endByte = startByte] = findBytes(bytes, [span.start, span.end]);
  return { start: position(span.record, text, span.start, startByte), end: position(span.record, text, span.end, endByte) };
}

function position(record: RecordRef, text: string, unit: number, byte: number): Position {
  let line = record.line;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < unit; at = text.indexOf("\n", at + 1)) {
    line++;
    lineStart = at + 1;
  }
  return { line, column: unit - lineStart + 1, byte: record.start + byte };
}
