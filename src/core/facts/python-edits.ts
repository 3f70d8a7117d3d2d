/** The replacements that a Python script makes in a file, where it names both texts: `s.replace(old, new)`. */
import type { Text } from "../model";
import { slice } from "../text/text";
import { locateContent } from "./content";

export interface Replacement {
  before: Text;
  after: Text;
}

interface Literal {
  value: Text;
  /** Behind the closing quote. */
  end: number;
}

const mostCode = 1 << 18;
const mostFound = 200;

/**
 * In order. Names stand for the last text that was assigned to them before. Calls with anything else (a function's
 * result, an f-string with fields, a count) are passed over.
 */
export function readReplacements(code: Text): Replacement[] {
  const { value } = code;
  if (value.length > mostCode || !value.includes(".replace(")) return [];
  const names = new Map<string, Text>();
  const found: Replacement[] = [];
  for (let at = 0; at < value.length && found.length < mostFound;) {
    const character = value[at] ?? "";
    if (character === "#") {
      const end = value.indexOf("\n", at);
      at = end === -1 ? value.length : end;
    } else if (character === '"' || character === "'") {
      at = readLiteral(code, at, false)?.end ?? at + 1;
    } else if (/[A-Za-z_]/.test(character)) {
      const word = /^\w{1,100}/.exec(value.slice(at, at + 100))?.[0] ?? character;
      const end = at + word.length;
      const assigned = /^[ \t]{0,20}=[ \t]{0,20}\(?\s{0,20}(?=[rRuUbB]?["'])/.exec(value.slice(end, end + 80));
      if (/^[rRuUbBfF]{1,2}$/.test(word) && /["']/.test(value[end] ?? "")) at = readLiteral(code, at, false)?.end ?? end;
      else if (assigned && value[at - 1] !== ".") {
        const literal = readLiteral(code, end + assigned[0].length, true);
        if (literal) names.set(word, literal.value);
        else names.delete(word);
        at = literal?.end ?? end;
      } else if (word === "replace" && value[at - 1] === "." && value[end] === "(") {
        const first = readArgument(code, end + 1, names);
        const comma = first && skipSpace(value, first.end);
        const second = comma !== undefined && value[comma] === "," ? readArgument(code, comma + 1, names) : undefined;
        if (first && second) found.push({ before: first.value, after: second.value });
        at = second?.end ?? end;
      } else at = end;
    } else at++;
  }
  return found;
}

function readArgument(code: Text, from: number, names: ReadonlyMap<string, Text>): Literal | undefined {
  const at = skipSpace(code.value, from);
  const literal = readLiteral(code, at, true);
  const end = literal?.end ?? at + (/^[A-Za-z_]\w{0,100}/.exec(code.value.slice(at, at + 101))?.[0].length ?? 0);
  const value = literal?.value ?? names.get(code.value.slice(at, end));
  // Only whole arguments: `a + b` is neither.
  return value && /[,)]/.test(code.value[skipSpace(code.value, end)] ?? "") ? { value, end } : undefined;
}

function skipSpace(value: string, from: number): number {
  let at = from;
  while (/\s/.test(value[at] ?? "")) at++;
  return at;
}

/** The string that starts here, prefix included; undefined when it is none or has fields. @param isWanted its value is asked for */
function readLiteral(code: Text, from: number, isWanted: boolean): Literal | undefined {
  const { value } = code;
  const opening = /^([rRuUbBfF]{0,2})("""|'''|"|')/.exec(value.slice(from, from + 5));
  if (!opening) return undefined;
  const [all, prefix = "", quote = '"'] = opening;
  const start = from + all.length;
  const isRaw = /r/i.test(prefix);
  let at = start;
  for (; at < value.length; at++) {
    if (value[at] === "\\") at++;
    else if (quote.length === 1 && value[at] === "\n") return undefined;
    else if (value.startsWith(quote, at)) break;
  }
  if (at >= value.length) return undefined;
  const end = at + quote.length;
  if (!isWanted) return { value: slice(code, start, start), end };
  const raw = slice(code, start, at);
  if (/f/i.test(prefix) && raw.value.includes("{")) return undefined;
  if (isRaw || !raw.value.includes("\\")) return { value: raw, end };
  return { value: locateContent(unescape(raw.value), { text: code, start, end: at }, { text: code, start, end: at }), end };
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\\": "\\", "'": "'", '"': '"', "\n": "" };

function unescape(raw: string): string {
  return raw.replace(/\\([\s\S])/g, (all, next: string) => escapes[next] ?? all);
}
