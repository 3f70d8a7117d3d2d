/** Small questions about parsed JSON, for readers of formats that nobody promises to keep. */
import type { Text } from "../../model";
import type { Draft, Record as Entry } from "../../adapter";
import { valueAt } from "../../text/json";
import { fromRecord } from "../../text/text";

export type Json = { readonly [key: string]: unknown };
export type Path = readonly (string | number)[];

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function stringAt(value: unknown, path: Path): string | undefined {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : undefined;
}

export function numberAt(value: unknown, path: Path): number | undefined {
  const found = valueAt(value, path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

export function listAt(value: unknown, path: Path): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

/**
 * The JSON string at a path in full, to be read and sliced; a part that is kept for long goes through `cut`.
 * A one-document format is bounded by the size of its document, so this holds nothing that was not there already.
 */
export function textAt(record: Entry, path: Path): Text | undefined {
  const value = valueAt(record.value, path);
  return typeof value === "string" ? fromRecord(value, record.ref, path) : undefined;
}

/**
 * A message's content, which is a string or a list of typed pieces: the paths of its texts, in order.
 * Pictures and other pieces carry no text and are passed over.
 */
export function textPaths(value: unknown, path: Path): Path[] {
  if (typeof value === "string") return [path];
  if (!Array.isArray(value)) return [];
  return value.flatMap((piece, i): Path[] =>
    typeof piece === "string" ? [[...path, i]] : isObject(piece) && typeof piece["text"] === "string" ? [[...path, i, "text"]] : [],
  );
}

/** The first of several paths at which a string stands, as a part of a message. */
export function firstString(draft: Draft, record: Entry, paths: readonly Path[]): Text | undefined {
  for (const path of paths) {
    const value = valueAt(record.value, path);
    if (typeof value === "string" && value.trim() !== "") return draft.string(record, path);
  }
  return undefined;
}

/** Seconds since 1970 as milliseconds; undefined for what cannot be a time. */
export function fromSeconds(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds > 0 && seconds < 1e11 ? Math.round(seconds * 1000) : undefined;
}

/** Beyond this product of lengths a search could take seconds on made-up input. */
const longestSearch = 1e10;

/**
 * Where one text stands in another, the first or the last time; -1 when it does not. Long ones that repeat themselves
 * would take quadratic time: of these only the two ends are looked at.
 */
export function placeOf(text: string, part: string, which: "first" | "last" = "first"): number {
  if (part.length > text.length) return -1;
  if (part.length > 4096 && part.length * text.length > longestSearch) {
    return text.startsWith(part) ? 0 : text.endsWith(part) ? text.length - part.length : -1;
  }
  return which === "first" ? text.indexOf(part) : text.lastIndexOf(part);
}
