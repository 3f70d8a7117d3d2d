/** The little of sed that agents edit with: replacements, and deletions, insertions and changes by line number. */
import { RE2JS } from "re2js";
import type { Text } from "../model";
import { join, made, slice } from "../text/text";
import { concat, cutRope, linesOf, rope, type Rope } from "./rope";

export interface SedResult {
  /** The content afterwards, where it was known before. */
  whole?: Rope;
  /** What was put for what, where the pattern is plain text and the content is not known. */
  replaced: { before: string; after: Text }[];
}

/** A line by number (`$` is Infinity), or by pattern. */
type Address = number | string;

interface Command {
  from?: Address;
  to?: Address;
  verb: "s" | "d" | "a" | "i" | "c";
  /** Of `s`, as written between the delimiters. */
  pattern?: string;
  text?: Text;
  isGlobal?: boolean;
  isCaseless?: boolean;
}

const mostContent = 1 << 20;

/** Undefined when the script holds anything that is not understood. @param isExtended `-E` or `-r` */
export function runSed(script: Text, content: Rope | undefined, step: number, isExtended = false): SedResult | undefined {
  const commands = parse(script);
  if (!commands || commands.length === 0) return undefined;
  if (!content || content.value.length > mostContent) return { replaced: commands.flatMap(plainReplacement) };
  let whole: Rope | undefined = content;
  for (const command of inOrder(commands) ?? []) whole = whole && run(command, whole, step, isExtended);
  return whole && inOrder(commands) ? { whole, replaced: [] } : { replaced: commands.flatMap(plainReplacement) };
}

/**
 * One command after the other over the whole content gives what sed gives line by line, when line numbers stay true:
 * from the last line up. Undefined where patterns and moving lines meet.
 */
function inOrder(commands: readonly Command[]): readonly Command[] | undefined {
  if (commands.length === 1 || commands.every((command) => command.verb === "s")) return commands;
  if (!commands.every((command) => typeof command.from === "number" && typeof command.to === "number")) return undefined;
  return [...commands].sort((a, b) => Number(b.from) - Number(a.from));
}

function parse(script: Text): Command[] | undefined {
  const { value } = script;
  const commands: Command[] = [];
  let at = 0;
  while (at < value.length) {
    const space = /^[\s;]+/.exec(value.slice(at, at + 200));
    if (space) {
      at += space[0].length;
      continue;
    }
    const first = readAddress(value, at);
    const second = first && value[first.end] === "," ? readAddress(value, first.end + 1) : undefined;
    const after = /^\s{0,8}/.exec(value.slice((second ?? first)?.end ?? at, ((second ?? first)?.end ?? at) + 9))?.[0].length ?? 0;
    at = ((second ?? first)?.end ?? at) + after;
    if (!/^[sdaic]$/.test(value[at] ?? "")) return undefined;
    const verb = value[at] as Command["verb"];
    at++;
    const from = first?.address;
    const range = from === undefined ? {} : { from, to: second?.address ?? from };
    if (verb === "d") {
      if (from === undefined) return undefined;
      commands.push({ verb, ...range });
    } else if (verb === "s") {
      const delimiter = value[at] ?? "";
      if (delimiter === "" || /[\w\s\\]/.test(delimiter)) return undefined;
      const middle = findDelimiter(value, at + 1, delimiter);
      const end = middle === -1 ? -1 : findDelimiter(value, middle + 1, delimiter);
      if (end === -1) return undefined;
      const flags = /^[gIipm0-9]{0,4}/.exec(value.slice(end + 1, end + 6))?.[0] ?? "";
      if (/[0-9m]/.test(flags)) return undefined;
      const text = unescape(slice(script, middle + 1, end), delimiter);
      commands.push({
        verb,
        ...range,
        pattern: value.slice(at + 1, middle),
        text,
        isGlobal: flags.includes("g"),
        isCaseless: /i/i.test(flags),
      });
      at = end + 1 + flags.length;
    } else {
      if (from === undefined) return undefined;
      const lead = /^[ \t]{0,8}(?:\\\n?[ \t]{0,40})?/.exec(value.slice(at, at + 60))?.[0].length ?? 0;
      // GNU sed keeps the leading space that follows `a\`.
      const isKept = /^[ \t]{0,8}\\[ \t]/.test(value.slice(at, at + 20));
      const start = isKept ? value.indexOf("\\", at) + 1 : at + lead;
      commands.push({ verb, ...range, text: unescape(slice(script, start), "\n") });
      at = value.length;
    }
  }
  return commands;
}

function readAddress(value: string, at: number): { address: Address; end: number } | undefined {
  if (value[at] === "$") return { address: Infinity, end: at + 1 };
  const number = /^\d{1,7}/.exec(value.slice(at, at + 8))?.[0];
  if (number !== undefined) return { address: Number(number), end: at + number.length };
  if (value[at] !== "/") return undefined;
  const end = findDelimiter(value, at + 1, "/");
  return end === -1 ? undefined : { address: value.slice(at + 1, end), end: end + 1 };
}

function findDelimiter(value: string, from: number, delimiter: string): number {
  for (let at = from; at < value.length; at++) {
    if (value[at] === "\\") at++;
    else if (value[at] === delimiter) return at;
  }
  return -1;
}

/** The same text where nothing was escaped, so that it keeps its place. */
function unescape(text: Text, delimiter: string): Text {
  if (!text.value.includes("\\")) return text;
  // Piece by piece, so that what stands there verbatim keeps its place.
  const pieces: (Text | string)[] = [];
  let from = 0;
  for (const match of text.value.matchAll(/\\([\s\S])/g)) {
    const next = match[1] ?? "";
    if (next !== delimiter && next !== "n" && next !== "t") continue;
    pieces.push(slice(text, from, match.index));
    pieces.push(next === delimiter ? slice(text, match.index + 1, match.index + 2) : next === "n" ? "\n" : "\t");
    from = match.index + 2;
  }
  return join([...pieces, slice(text, from)]);
}

function run(command: Command, content: Rope, step: number, isExtended: boolean): Rope | undefined {
  const lines = linesOf(content);
  const parts: Rope[] = [];
  const regex = command.verb === "s" ? compile(command.pattern ?? "", command.isCaseless ?? false, isExtended) : undefined;
  const isIn = matchLines(
    command,
    lines.map((line) => line.value),
    isExtended,
  );
  if (!isIn || (command.verb === "s" && !regex)) return undefined;
  const text = command.text ?? made("");
  const isPlain = !/[\\&]/.test(text.value);
  const addition = rope(text, step);
  let at = 0;
  let isPastEnd = true;
  for (let number = 1; number <= lines.length; number++) {
    const found = content.value.indexOf("\n", at);
    const end = found === -1 ? content.value.length : found;
    const next = found === -1 ? end : found + 1;
    const line = cutRope(content, at, end);
    const lineEnd = cutRope(content, end, next);
    if (isIn[number - 1]) isPastEnd = false;
    if (!isIn[number - 1]) parts.push(line, lineEnd);
    else if (command.verb === "s") {
      if (!regex || !isPlain) {
        if (regex?.matcher(line.value).find()) return undefined;
        parts.push(line, lineEnd);
      } else parts.push(...substitute(line, regex, addition, command.isGlobal ?? false), lineEnd);
    } else if (command.verb === "a") parts.push(line, found === -1 ? rope(made("\n"), step) : lineEnd, addition, rope(made("\n"), step));
    else if (command.verb === "i") parts.push(addition, rope(made("\n"), step), line, lineEnd);
    else if (command.verb === "c" && !isIn[number]) parts.push(addition, rope(made("\n"), step));
    at = next;
  }
  return isPastEnd ? content : concat(...parts);
}

/** Which lines a command is for; undefined when a pattern of its addresses is not understood. */
function matchLines(command: Command, lines: readonly string[], isExtended: boolean): boolean[] | undefined {
  const { from, to } = command;
  if (from === undefined) return lines.map(() => true);
  const tests = [from, to ?? from].map((address) => {
    if (typeof address === "number")
      return (_line: string, i: number): boolean => i + 1 === Math.min(address, address === Infinity ? lines.length : address);
    const regex = compile(address, false, isExtended);
    return regex && ((line: string): boolean => regex.matcher(line).find());
  });
  const [starts, ends] = tests;
  if (!starts || !ends) return undefined;
  let isOpen = false;
  return lines.map((line, i) => {
    if (isOpen) {
      isOpen = !ends(line, i);
      return true;
    }
    if (!starts(line, i)) return false;
    isOpen = to !== from && !(typeof to === "number" && to <= i + 1);
    return true;
  });
}

function substitute(line: Rope, regex: RE2JS, addition: Rope, isGlobal: boolean): Rope[] {
  const parts: Rope[] = [];
  const matcher = regex.matcher(line.value);
  let from = 0;
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    parts.push(cutRope(line, from, start), addition);
    from = end;
    if (!isGlobal) break;
  }
  parts.push(cutRope(line, from));
  return parts;
}

/** A basic regular expression as an extended one: there, the backslash makes the operator. */
function compile(source: string, isCaseless: boolean, isExtended: boolean): RE2JS | undefined {
  if (source === "" || source.length > 500 || /\\[1-9]/.test(source)) return undefined;
  const pattern = isExtended ? source : source.replace(/\\?[(){}|+?]/g, (one) => (one.length === 2 ? one.slice(1) : `\\${one}`));
  try {
    return RE2JS.compile(
      pattern.replace(/\\([/#,|@!%"'`<>:;=&~-])/g, "$1").replace(/\\(?=$)/, ""),
      isCaseless ? RE2JS.CASE_INSENSITIVE : 0,
    );
  } catch {
    return undefined;
  }
}

/**
 * What a command puts into content that is not known. A pattern without operators stands for its text (a bare dot is taken
 * for a dot); for any other, and for what is inserted, what was there before stays unknown.
 */
function plainReplacement(command: Command): { before: string; after: Text }[] {
  const { verb, text, pattern } = command;
  if (!text || verb === "d") return [];
  if (verb !== "s") return [{ before: "", after: text.value.endsWith("\n") ? text : join([text, "\n"]) }];
  if (pattern === undefined || /[\\&]/.test(text.value)) return [];
  const source = pattern.replace(/^\^/, "").replace(/\$$/, "");
  const isPlain = !/[*[\]^]/.test(source.replace(/\\[\s\S]/g, "")) && !/\\[A-Za-z0-9(){}|+?]/.test(source);
  const before = isPlain ? source.replace(/\\([\s\S])/g, "$1") : "";
  return text.value.trim() === "" && before.trim() === "" ? [] : [{ before: before.trim() === "" ? "" : before, after: text }];
}
