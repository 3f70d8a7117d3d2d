/**
 * Finding a place in JSON text. `JSON.parse` has already said what the value is; this says where it stands,
 * and is only run for the few spans that a finding quotes. Iterative: depth costs no stack.
 */
import type { JsonPath } from "../model";

/** A value's raw text, quotes included, as offsets in the JSON text. */
export interface RawRange {
  start: number;
  end: number;
  isString: boolean;
}

/**
 * Where the value at `path` stands, or undefined when the path leads nowhere.
 * The text must be what `JSON.parse` accepts; of equal keys the last one counts, as it does there.
 */
export function findValue(json: string, path: JsonPath): RawRange | undefined {
  let at = skipSpace(json, 0);
  for (const key of path) {
    const next = json[at] === "{" ? findKey(json, at, String(key)) : json[at] === "[" ? findIndex(json, at, Number(key)) : undefined;
    if (next === undefined) return undefined;
    at = next;
  }
  return { start: at, end: skipValue(json, at), isString: json[at] === '"' };
}

/**
 * Offsets in a decoded JSON string, as offsets in its raw text.
 * @param start where the raw string's opening quote stands
 * @param offsets ascending UTF-16 offsets in the decoded string
 */
export function findInString(json: string, start: number, offsets: readonly number[]): number[] {
  const found: number[] = [];
  let raw = start + 1;
  let unit = 0;
  for (const offset of offsets) {
    while (unit < offset && raw < json.length) {
      const escape = json.indexOf("\\", raw);
      const plain = escape === -1 || escape - raw > offset - unit ? offset - unit : escape - raw;
      raw += plain;
      unit += plain;
      if (unit < offset) {
        raw += json[raw + 1] === "u" ? 6 : 2;
        unit += 1;
      }
    }
    found.push(raw);
  }
  return found;
}

/** The value at a path of a parsed JSON value. Own properties only. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string | number, unknown>)[key];
  }
  return at;
}

function findKey(json: string, open: number, key: string): number | undefined {
  let found: number | undefined;
  let at = skipSpace(json, open + 1);
  while (json[at] === '"') {
    const end = skipString(json, at);
    const raw = json.slice(at + 1, end - 1);
    const value = skipSpace(json, skipSpace(json, end) + 1);
    if (raw === key || (raw.includes("\\") && decodeKey(raw) === key)) found = value;
    at = skipSpace(json, skipValue(json, value));
    if (json[at] !== ",") break;
    at = skipSpace(json, at + 1);
  }
  return found;
}

function decodeKey(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

function findIndex(json: string, open: number, index: number): number | undefined {
  let at = skipSpace(json, open + 1);
  if (json[at] === "]") return undefined;
  for (let i = 0; i < index; i++) {
    at = skipSpace(json, skipValue(json, at));
    if (json[at] !== ",") return undefined;
    at = skipSpace(json, at + 1);
  }
  return at;
}

/** The offset behind the value that starts at `at`. */
export function skipValue(json: string, at: number): number {
  const first = json.charCodeAt(at);
  if (first === 0x22) return skipString(json, at);
  if (first !== 0x7b && first !== 0x5b) {
    let end = at;
    while (end < json.length && !/[\s,\]}]/.test(json[end] ?? "")) end++;
    return end;
  }
  let depth = 0;
  for (let i = at; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === 0x22) i = skipString(json, i) - 1;
    else if (code === 0x7b || code === 0x5b) depth++;
    else if (code === 0x7d || code === 0x5d) {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return json.length;
}

/** The offset behind the string whose opening quote stands at `at`. */
export function skipString(json: string, at: number): number {
  let quote = at;
  for (;;) {
    quote = json.indexOf('"', quote + 1);
    if (quote === -1) return json.length;
    let slashes = 0;
    while (json.charCodeAt(quote - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
}

function skipSpace(json: string, at: number): number {
  while (at < json.length) {
    const code = json.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at++;
  }
  return at;
}
