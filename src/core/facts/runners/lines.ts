import type { Line } from "./types";

/** Escape sequences of terminals, also where the escape character itself was lost or made printable. */
const ESCAPES = /[\u001b\u009b]\[?[0-?]{0,32}[ -/]{0,4}[@-~]|\u001b\][^\u0007\u001b]{0,500}\u0007?|(?:\^\[)?\[\d{1,3}(?:;\d{1,3}){0,4}m/g;

/** No summary line is longer; longer lines are kept to this length for matching. */
const LONGEST = 2_000;

/**
 * The lines of an output, without escapes and without an indentation that all of them share (a pasted console has one).
 * A carriage return begins a line, too: progress bars overwrite theirs.
 */
export function splitLines(output: string): Line[] {
  const lines: { text: string; start: number; end: number }[] = [];
  let start = 0;
  for (let at = 0; at <= output.length; at++) {
    const code = at < output.length ? output.charCodeAt(at) : 10;
    if (code !== 10 && code !== 13) continue;
    lines.push({ text: clean(output.slice(start, Math.min(at, start + LONGEST))), start, end: at });
    if (code === 13 && output.charCodeAt(at + 1) === 10) at++;
    start = at + 1;
  }
  const shared = sharedIndent(lines);
  if (shared > 0) for (const line of lines) line.text = line.text.slice(Math.min(shared, leadingSpaces(line.text)));
  return lines;
}

function clean(text: string): string {
  const plain = text.includes("\u001b") || text.includes("\u009b") || text.includes("m") ? text.replace(ESCAPES, "") : text;
  return plain.trimEnd();
}

function leadingSpaces(text: string): number {
  let count = 0;
  while (text.charCodeAt(count) === 32) count++;
  return count;
}

/** The first line often stands behind a mark of the console and is not counted. */
function sharedIndent(lines: readonly Line[]): number {
  let least = Infinity;
  for (let i = 1; i < lines.length && least > 0; i++) {
    const text = lines[i]?.text ?? "";
    if (text !== "") least = Math.min(least, leadingSpaces(text));
  }
  return Number.isFinite(least) ? least : 0;
}

/** The title inside a bar such as `==== 3 passed in 0.1s ====`; undefined when the line is no bar with a title. */
export function barTitle(text: string, sign: string): string | undefined {
  if (!text.startsWith(sign) || !text.endsWith(sign)) return undefined;
  let from = 0;
  while (text[from] === sign) from++;
  let to = text.length;
  while (to > from && text[to - 1] === sign) to--;
  return text[from] === " " && text[to - 1] === " " && to - from > 2 ? text.slice(from + 1, to - 1) : undefined;
}

/** The whole line is this sign, at least `least` times. */
export function isRule(text: string, sign: string, least: number): boolean {
  if (text.length < least) return false;
  for (const letter of text) if (letter !== sign) return false;
  return true;
}

/** A mark that a harness or a shell tool puts where it left text out. */
export function isElision(text: string): boolean {
  return /^<\/?(?:output_head|output_tail|elided_chars)>$|^\.{3,}$|^\[?\.{3} ?(?:\d+ (?:characters|lines) )?(?:truncated|omitted|elided)/i.test(
    text,
  );
}
