import { unescapeAnsi } from "./ansi";
import type { RawPart, RawWord } from "./raw";

/** Reads words out of `text`. Both parsers use it, so that quoting has one meaning. */
export interface Scanner {
  readonly text: string;
  at: number;
  readonly end: number;
  /** Why it gave up; nothing after that counts. */
  failed?: string;
  /** What a syntax tree knows of the places that a scanner alone cannot read: by start. Without it, such a place is a failure. */
  readonly nested?: ReadonlyMap<number, { readonly end: number; readonly part: RawPart }>;
}

const PLAIN = new Uint8Array(128);
for (const c of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+^~*?[]!#,") PLAIN[c.charCodeAt(0)] = 1;

const BREAKS = new Uint8Array(128);
for (const c of " \t\n;&|<>()") BREAKS[c.charCodeAt(0)] = 1;

const NAME = /[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y;

/** One word from `s.at` on; undefined when there is none or the scanner failed. */
export function scanWord(s: Scanner): RawWord | undefined {
  const { text, end } = s;
  const start = s.at;
  let plain = start;
  while (plain < end && isPlain(text.charCodeAt(plain)) && text.charCodeAt(plain) !== 44) plain++;
  if (plain > start && (plain >= end || isBreak(text.charCodeAt(plain))) && text.charCodeAt(plain) !== 40) {
    s.at = plain;
    if (plain < end && (text[plain] === "<" || text[plain] === ">") && s.nested?.has(plain)) s.at = start;
    else return { parts: [{ kind: "text", value: text.slice(start, plain) }], start, end: plain, quoted: false };
  }
  const parts: RawPart[] = [];
  let quoted = false;
  let braces = 0;
  while (s.at < end && s.failed === undefined) {
    const at = s.at;
    const code = text.charCodeAt(at);
    if (isPlain(code) && code !== 44) {
      let to = at + 1;
      while (to < end && isPlain(text.charCodeAt(to)) && text.charCodeAt(to) !== 44) to++;
      addText(parts, text.slice(at, to));
      s.at = to;
      continue;
    }
    const nested = s.nested?.get(at);
    if (nested !== undefined) {
      parts.push(nested.part);
      s.at = nested.end;
      continue;
    }
    if (isBreak(code)) {
      if (code === 40) fail(s, "a parenthesis inside a word");
      else if ((code === 60 || code === 62) && text[at + 1] === "(") fail(s, "a process substitution");
      break;
    }
    switch (text[at]) {
      case "'":
        quoted = true;
        scanSingle(s, parts);
        break;
      case '"':
        quoted = true;
        s.at++;
        scanDouble(s, parts, '"');
        break;
      case "\\":
        if (at + 1 >= end) addText(parts, "\\");
        else if (text[at + 1] !== "\n") {
          quoted = true;
          addText(parts, text[at + 1] ?? "");
        }
        s.at = Math.min(end, at + 2);
        break;
      case "$":
        if (text[at + 1] === "'" && at + 1 < end) {
          quoted = true;
          scanAnsi(s, parts);
        } else if (text[at + 1] === '"' && at + 1 < end) {
          quoted = true;
          s.at += 2;
          scanDouble(s, parts, '"');
        } else scanDollar(s, parts, false, 0);
        break;
      case "`":
        fail(s, "a backtick");
        break;
      case "{": {
        const close = literalBrace(s);
        if (close > 0) {
          addText(parts, text.slice(at, close));
          s.at = close;
        } else {
          braces++;
          parts.push({ kind: "brace", value: "{" });
          s.at++;
        }
        break;
      }
      case ",":
        if (braces > 0) parts.push({ kind: "brace", value: "," });
        else addText(parts, ",");
        s.at++;
        break;
      case "}":
        if (braces > 0) {
          braces--;
          parts.push({ kind: "brace", value: "}" });
        } else addText(parts, "}");
        s.at++;
        break;
      default:
        addText(parts, text[at] ?? "");
        s.at++;
    }
  }
  if (s.failed !== undefined || s.at === start) return undefined;
  return { parts, start, end: s.at, quoted };
}

/** The text of a here-document from `s.at` to `s.end`; expansions in it count unless the delimiter was quoted. */
export function scanBody(s: Scanner): RawWord | undefined {
  const start = s.at;
  const parts: RawPart[] = [];
  scanDouble(s, parts, "");
  return s.failed === undefined ? { parts, start, end: s.end, quoted: true } : undefined;
}

export function addText(parts: RawPart[], value: string): void {
  const last = parts[parts.length - 1];
  if (last?.kind === "text") parts[parts.length - 1] = { kind: "text", value: last.value + value };
  else parts.push({ kind: "text", value });
}

export function fail(s: Scanner, why: string): void {
  s.failed ??= why;
}

function isPlain(code: number): boolean {
  return code >= 128 || PLAIN[code] === 1;
}

function isBreak(code: number): boolean {
  return code < 128 && BREAKS[code] === 1;
}

/** The end of `{…}` without comma or range in it, which the shell leaves alone (`HEAD@{1}`, `{}`); 0 when it is another brace. */
function literalBrace(s: Scanner): number {
  for (let i = s.at + 1; i < s.end; i++) {
    const c = s.text[i] ?? "";
    if (c === "}") return i + 1;
    if (c === "." && s.text[i + 1] === ".") return 0;
    if (c === "," || !isPlain(c.charCodeAt(0))) return 0;
  }
  return 0;
}

function scanSingle(s: Scanner, parts: RawPart[]): void {
  const close = s.text.indexOf("'", s.at + 1);
  if (close < 0 || close >= s.end) return fail(s, "a quote that is not closed");
  addText(parts, s.text.slice(s.at + 1, close));
  s.at = close + 1;
}

/** Inside double quotes (`until` is the quote) or a here-document (`until` is empty: up to the end). */
function scanDouble(s: Scanner, parts: RawPart[], until: string): void {
  const { text, end } = s;
  addText(parts, "");
  let from = s.at;
  const flush = (to: number): void => {
    if (to > from) addText(parts, text.slice(from, to));
  };
  while (s.at < end && s.failed === undefined) {
    const c = text[s.at];
    if (c === until) {
      flush(s.at);
      s.at++;
      return;
    }
    if (c === "\\") {
      const next = s.at + 1 < end ? text[s.at + 1] : undefined;
      if (next === "$" || next === "`" || next === "\\" || next === "\n" || (next === '"' && until === '"')) {
        flush(s.at);
        s.at += 2;
        from = next === "\n" ? s.at : s.at - 1;
      } else s.at += 1;
    } else if (c === "$" || c === "`") {
      flush(s.at);
      const nested = s.nested?.get(s.at);
      if (nested !== undefined) {
        parts.push(nested.part.kind === "command" ? { ...nested.part, quoted: true } : nested.part);
        s.at = nested.end;
      } else if (c === "$") scanDollar(s, parts, true, 0);
      else fail(s, "a backtick");
      from = s.at;
    } else s.at++;
  }
  if (s.failed !== undefined) return;
  if (until !== "") return fail(s, "a quote that is not closed");
  flush(end);
}

function scanDollar(s: Scanner, parts: RawPart[], quoted: boolean, depth: number): void {
  const { text, at } = s;
  const next = at + 1 < s.end ? text[at + 1] : undefined;
  if (next === "(") return fail(s, "a command substitution");
  if (next === "[") return fail(s, "old arithmetic");
  if (next === "{") return scanBraced(s, parts, quoted, depth);
  NAME.lastIndex = at + 1;
  const name = at + 1 < s.end ? NAME.exec(text)?.[0] : undefined;
  if (name === undefined || at + 1 + name.length > s.end) {
    addText(parts, "$");
    s.at++;
    return;
  }
  parts.push({ kind: "variable", name, quoted });
  s.at = at + 1 + name.length;
}

/** `${…}`: a name alone, or with a fallback; other operations are unknown values. */
function scanBraced(s: Scanner, parts: RawPart[], quoted: boolean, depth: number): void {
  const { text } = s;
  if (depth > 4) return fail(s, "expansions nested too deep");
  const close = closeBrace(s);
  if (close < 0) return fail(s, "an expansion that cannot be read");
  const inner = text.slice(s.at + 2, close);
  const match = /^([A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])(?::?([-=+])([\s\S]*))?$/.exec(inner);
  if (match === null) parts.push({ kind: "unknown" });
  else if (match[2] === undefined) parts.push({ kind: "variable", name: match[1] ?? "", quoted });
  else {
    const fallback: RawPart[] = [];
    const rest: Scanner = {
      text,
      at: close - (match[3] ?? "").length,
      end: close,
      ...(s.nested === undefined ? {} : { nested: s.nested }),
    };
    scanFallback(rest, fallback, quoted, depth);
    if (rest.failed !== undefined) return fail(s, rest.failed);
    parts.push({ kind: "variable", name: match[1] ?? "", quoted, operator: match[2] === "+" ? "+" : "-", fallback });
  }
  s.at = close + 1;
}

function scanFallback(s: Scanner, parts: RawPart[], quoted: boolean, depth: number): void {
  while (s.at < s.end && s.failed === undefined) {
    const c = s.text[s.at];
    const nested = s.nested?.get(s.at);
    if (nested !== undefined) {
      parts.push(nested.part);
      s.at = nested.end;
    } else if (c === "'" && !quoted) scanSingle(s, parts);
    else if (c === '"') {
      s.at++;
      scanDouble(s, parts, '"');
    } else if (c === "\\" && s.at + 1 < s.end) {
      addText(parts, s.text[s.at + 1] ?? "");
      s.at += 2;
    } else if (c === "$") scanDollar(s, parts, quoted, depth + 1);
    else if (c === "`") fail(s, "a backtick");
    else {
      addText(parts, c ?? "");
      s.at++;
    }
  }
}

/** Where the brace of `${` at the scanner's place closes; -1 when that takes more than counting. */
function closeBrace(s: Scanner): number {
  let depth = 0;
  for (let i = s.at + 2; i < s.end; i++) {
    const c = s.text[i];
    const nested = s.nested?.get(i);
    if (nested !== undefined) i = nested.end - 1;
    else if (c === "\\") i++;
    else if (c === "'" || c === '"') {
      const close = s.text.indexOf(c, i + 1);
      if (close < 0 || close >= s.end) return -1;
      if (s.nested === undefined && s.text.slice(i, close).includes("\\")) return -1;
      i = close;
    } else if (c === "`" || (c === "$" && s.text[i + 1] === "(")) return -1;
    else if (c === "$" && s.text[i + 1] === "{") depth++;
    else if (c === "}" && depth-- === 0) return i;
  }
  return -1;
}

/** `$'…'`. */
function scanAnsi(s: Scanner, parts: RawPart[]): void {
  let i = s.at + 2;
  while (i < s.end && s.text[i] !== "'") i += s.text[i] === "\\" ? 2 : 1;
  if (i >= s.end) return fail(s, "a quote that is not closed");
  addText(parts, unescapeAnsi(s.text.slice(s.at + 2, i)));
  s.at = i + 1;
}
