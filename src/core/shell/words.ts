import type { RawList, RawPart, RawWord } from "./raw";
import type { Scope } from "./scope";
import type { Word } from "./types";

/** What a substitution printed, where it is known. `decoded`: it came out of base64 and the like. */
export interface Output {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly decoded: boolean;
}

export interface Resolver {
  readonly scope: Scope;
  /** Positions of the text being read, in the line that was given. */
  place(start: number, end: number): { start: number; end: number };
  /** Runs the commands inside and answers with what they print. */
  substitute(list: RawList, process: boolean): Output | undefined;
  /** Remembers things about a word that its type does not hold. */
  noteDecoded(word: Word): void;
  noteProcess(word: Word, output: Output | undefined): void;
}

const MAX_VALUE = 1 << 20;
const MAX_FIELDS = 256;

/** The fields that a word becomes: several when braces or unquoted values split it, none when it is empty. */
export function resolveFields(raw: RawWord, r: Resolver): Word[] {
  const only = raw.parts.length === 1 ? raw.parts[0] : undefined;
  if (only?.kind === "text") return [makeWord(only.value, raw, r)];
  const out: Word[] = [];
  const many = raw.parts.some((part) => part.kind === "brace") ? expandBraces(raw.parts) : [raw.parts];
  for (const parts of many) resolveParts(parts, raw, r, true, out);
  return out;
}

/** The same without splitting: assignments, redirection targets, here-documents. */
export function resolveValue(raw: RawWord, r: Resolver): Word {
  const only = raw.parts.length === 1 ? raw.parts[0] : undefined;
  if (only?.kind === "text") return makeWord(only.value, raw, r);
  const out: Word[] = [];
  resolveParts(raw.parts, raw, r, false, out);
  return out[0] ?? makeWord("", raw, r);
}

function makeWord(value: string, raw: RawWord, r: Resolver): Word {
  const { start, end } = r.place(raw.start, raw.end);
  return { value, known: !value.includes("\0"), start, end, quoted: raw.quoted };
}

function resolveParts(parts: readonly RawPart[], raw: RawWord, r: Resolver, split: boolean, out: Word[]): void {
  let current = "";
  let started = raw.quoted;
  let decoded = false;
  let process: { output: Output | undefined } | undefined;
  const flush = (): void => {
    if (!started || out.length >= MAX_FIELDS) return;
    const word = makeWord(current, raw, r);
    if (decoded) r.noteDecoded(word);
    if (process !== undefined) r.noteProcess(word, process.output);
    out.push(word);
    current = "";
    started = false;
  };
  const add = (value: string, quoted: boolean): void => {
    if (current.length + value.length > MAX_VALUE) value = "\0";
    if (!split || quoted || !/[ \t\n]/.test(value)) {
      current += value;
      if (value !== "") started = true;
      return;
    }
    const fields = value.split(/[ \t\n]+/);
    fields.forEach((field, i) => {
      if (i > 0) flush();
      current += field;
      if (field !== "") started = true;
    });
  };
  for (const part of parts) {
    switch (part.kind) {
      case "text":
        current += part.value;
        if (part.value !== "") started = true;
        break;
      case "brace":
        current += part.value;
        started = true;
        break;
      case "variable":
        add(lookUp(part, raw, r), part.quoted);
        break;
      case "command": {
        const output = r.substitute(part.list, false);
        if (output?.decoded === true) decoded = true;
        add(output === undefined ? "\0" : output.text.replace(/\n+$/, ""), part.quoted);
        break;
      }
      case "process":
        process = { output: r.substitute(part.list, true) };
        current += "\0";
        started = true;
        break;
      default:
        current += "\0";
        started = true;
    }
  }
  flush();
}

function lookUp(part: RawPart & { kind: "variable" }, raw: RawWord, r: Resolver): string {
  const value = r.scope.variables.map.get(part.name);
  const fallback = (): string => {
    const out: Word[] = [];
    resolveParts(part.fallback ?? [], { ...raw, quoted: true }, r, false, out);
    return out[0]?.value ?? "";
  };
  if (part.operator === "-") return value === undefined || value === "" ? fallback() : value;
  if (part.operator === "+") return value === undefined ? "\0" : value === "" ? "" : fallback();
  return value ?? "\0";
}

/** `a{b,c}d` → `abd acd`; braces that do not expand become text. At most 256 results. */
function expandBraces(parts: readonly RawPart[]): (readonly RawPart[])[] {
  const open = parts.findIndex((part) => part.kind === "brace" && part.value === "{");
  if (open < 0) return [parts];
  let depth = 0;
  let close = -1;
  const commas: number[] = [];
  for (let i = open; i < parts.length && close < 0; i++) {
    const part = parts[i];
    if (part?.kind !== "brace") continue;
    if (part.value === "{") depth++;
    else if (part.value === "}" && --depth === 0) close = i;
    else if (part.value === "," && depth === 1) commas.push(i);
  }
  const asText = (): (readonly RawPart[])[] =>
    expandBraces([...parts.slice(0, open), { kind: "text", value: "{" }, ...parts.slice(open + 1)]);
  if (close < 0 || parts.length > 512) return close < 0 && parts.length <= 512 ? asText() : [parts];
  let alternatives: (readonly RawPart[])[];
  if (commas.length > 0) {
    const edges = [open, ...commas, close];
    alternatives = edges.slice(1).map((edge, i) => parts.slice((edges[i] ?? 0) + 1, edge));
  } else {
    const inner = parts.slice(open + 1, close);
    const range = inner.length === 1 && inner[0]?.kind === "text" ? /^(-?\d{1,4})\.\.(-?\d{1,4})$/.exec(inner[0].value) : null;
    if (range === null) return asText();
    const from = Number(range[1]);
    const to = Number(range[2]);
    const count = Math.min(Math.abs(to - from) + 1, 64);
    alternatives = Array.from({ length: count }, (_, i) => [{ kind: "text", value: String(from + (to < from ? -i : i)) }]);
  }
  const before = parts.slice(0, open);
  const tails = expandBraces(parts.slice(close + 1));
  const out: (readonly RawPart[])[] = [];
  for (const alternative of alternatives) {
    for (const middle of expandBraces(alternative)) {
      for (const tail of tails) {
        if (out.length >= MAX_FIELDS) return out;
        out.push([...before, ...middle, ...tail]);
      }
    }
  }
  return out;
}
