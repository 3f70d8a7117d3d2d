import type { RawAssignment, RawRedirect, RawSimple, RawWord } from "./raw";
import { fail, scanWord, type Scanner } from "./scan";

/** A here-document whose body comes after the line it stands in. */
export interface Pending {
  redirect: { -readonly [K in keyof RawRedirect]: RawRedirect[K] };
  delimiter: string;
  readonly literal: boolean;
  readonly tabs: boolean;
}

const ASSIGNMENT = /[A-Za-z_][A-Za-z0-9_]*\+?=/y;
const OPERATORS = ["&>>", "<<<", "<<-", "&>", ">>", ">|", ">&", "<<", "<>", "<&", ">", "<"] as const;

/** Assignments, words and redirections from the scanner's place on, up to an operator, a newline or the end. */
export function scanSimple(s: Scanner, pending: Pending[]): RawSimple | undefined {
  const assignments: RawAssignment[] = [];
  const words: RawWord[] = [];
  const redirects: RawRedirect[] = [];
  const start = s.at;
  let end = start;
  for (;;) {
    skipBlanks(s);
    if (s.at >= s.end || s.failed !== undefined) break;
    const code = s.text.charCodeAt(s.at);
    // A comment; only at the start of a word.
    if (code === 35) break;
    const redirect = scanRedirect(s, pending);
    if (redirect !== undefined) {
      redirects.push(redirect);
      end = Math.max(end, s.at);
      continue;
    }
    if (s.failed !== undefined || code === 59 || code === 38 || code === 124 || code === 10 || code === 41) break;
    if (words.length === 0) {
      const assignment = scanAssignment(s);
      if (assignment !== undefined) {
        assignments.push(assignment);
        end = s.at;
        continue;
      }
      if (s.failed !== undefined) break;
    }
    const word = scanWord(s);
    if (word === undefined) {
      if (s.failed === undefined) fail(s, "a word that cannot be read");
      break;
    }
    words.push(word);
    end = word.end;
  }
  if (s.failed !== undefined || (words.length === 0 && assignments.length === 0 && redirects.length === 0)) return undefined;
  return { kind: "simple", assignments, words, redirects, start, end };
}

function scanAssignment(s: Scanner): RawAssignment | undefined {
  ASSIGNMENT.lastIndex = s.at;
  const head = ASSIGNMENT.exec(s.text)?.[0];
  if (head === undefined || s.at + head.length > s.end) return undefined;
  const append = head.endsWith("+=");
  const name = head.slice(0, append ? -2 : -1);
  s.at += head.length;
  const start = s.at;
  const nested = s.nested?.get(start);
  if (s.text[start] === "(" && nested === undefined) {
    fail(s, "an array");
    return undefined;
  }
  const value = start < s.end ? scanWord(s) : undefined;
  if (s.failed !== undefined) return undefined;
  return { name, append, value: value ?? { parts: [{ kind: "text", value: "" }], start, end: start, quoted: false } };
}

/** One redirection, if one starts here. */
export function scanRedirect(s: Scanner, pending: Pending[]): RawRedirect | undefined {
  const { text } = s;
  const start = s.at;
  let at = start;
  while (at < s.end && isDigit(text.charCodeAt(at))) at++;
  const code = text.charCodeAt(at);
  if (code !== 60 && code !== 62 && code !== 38) return undefined;
  const operator = OPERATORS.find((o) => text.startsWith(o, at));
  if (operator === undefined || at >= s.end || (operator.startsWith("&") && at > start)) return undefined;
  if ((operator === "<" || operator === ">") && text[at + 1] === "(") return undefined;
  let fd = at > start ? Number(text.slice(start, at)) : operator.startsWith("<") ? 0 : operator.startsWith("&") ? -1 : 1;
  const explicit = at > start;
  s.at = at + operator.length;
  skipBlanks(s);
  const target = s.at < s.end ? scanWord(s) : undefined;
  if (target === undefined) {
    fail(s, "a redirection without a target");
    return undefined;
  }
  if (operator === "<<" || operator === "<<-") {
    const redirect = { fd, op: "<<" as const, target, start };
    const delimiter = target.parts.map((part) => (part.kind === "text" ? part.value : "\0")).join("");
    if (delimiter.includes("\0")) fail(s, "a here-document with a delimiter that cannot be read");
    pending.push({ redirect, delimiter, literal: target.quoted, tabs: operator === "<<-" });
    return redirect;
  }
  let op: RawRedirect["op"] = operator === "&>" ? ">" : operator === "&>>" ? ">>" : operator;
  if (operator === ">&" && !explicit && !/^(?:\d+-?|-)$/.test(text.slice(target.start, target.end))) {
    op = ">";
    fd = -1;
  }
  return { fd, op, target, start };
}

/** Blanks and continued lines. */
export function skipBlanks(s: Scanner): void {
  const { text, end } = s;
  for (;;) {
    const code = text.charCodeAt(s.at);
    if (s.at >= end) return;
    if (code === 32 || code === 9) s.at++;
    else if (code === 92 && s.at + 1 < end && text.charCodeAt(s.at + 1) === 10) s.at += 2;
    else return;
  }
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
