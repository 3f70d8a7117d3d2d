/**
 * The words of a line that calls one of SWE-agent's own tools, quotes undone, each with its place. Only the
 * plain case: where an operator of the shell joins in, the line belongs to the shell and nothing is returned.
 */
import type { Text } from "../../model";
import { join, slice } from "../../text/text";

export interface Word {
  /** Where it stands, quotes included. */
  start: number;
  end: number;
  /** Ranges whose characters make up the value, one after the other. */
  pieces: { start: number; end: number }[];
}

/**
 * @param from where to begin in the text
 * @returns the words up to the end of the text, where a line end outside quotes ends it too; undefined when
 *   the shell would have more to do than to call one command, or a quote stays open
 */
export function findWords(text: string, from = 0): { words: Word[]; end: number } | undefined {
  const words: Word[] = [];
  let at = from;
  for (;;) {
    while (text[at] === " " || text[at] === "\t" || text[at] === "\r") at++;
    if (at >= text.length || text[at] === "\n") return { words, end: at };
    if (text[at] === "#" && words.length > 0) {
      const line = text.indexOf("\n", at);
      return { words, end: line === -1 ? text.length : line };
    }
    const word = readWord(text, at);
    if (!word) return undefined;
    words.push(word);
    at = word.end;
  }
}

function readWord(text: string, start: number): Word | undefined {
  const pieces: { start: number; end: number }[] = [];
  let at = start;
  while (at < text.length) {
    const c = text[at] ?? "";
    if (c === " " || c === "\t" || c === "\n" || c === "\r") break;
    if (c === "'") {
      const end = text.indexOf("'", at + 1);
      if (end === -1) return undefined;
      pieces.push({ start: at + 1, end });
      at = end + 1;
    } else if (c === '"') {
      const end = readDouble(text, at + 1, pieces);
      if (end === undefined) return undefined;
      at = end;
    } else if (c === "\\") {
      if (at + 1 >= text.length) return undefined;
      if (text[at + 1] !== "\n") pieces.push({ start: at + 1, end: at + 2 });
      at += 2;
    } else if (";|&<>`".includes(c) || (c === "$" && text[at + 1] === "(")) return undefined;
    else {
      let end = at + 1;
      while (end < text.length && !" \t\n\r'\"\\;|&<>`$".includes(text[end] ?? "")) end++;
      pieces.push({ start: at, end });
      at = end;
    }
  }
  return { start, end: at, pieces: merge(pieces) };
}

/** The inside of double quotes; where it ends. */
function readDouble(text: string, start: number, pieces: { start: number; end: number }[]): number | undefined {
  let from = start;
  let at = start;
  for (; at < text.length && text[at] !== '"'; at++) {
    if (text[at] === "\\" && at + 1 < text.length && '"\\$`\n'.includes(text[at + 1] ?? "")) {
      pieces.push({ start: from, end: at });
      from = at + 1;
      at++;
    } else if (text[at] === "`" || (text[at] === "$" && text[at + 1] === "(")) return undefined;
  }
  if (at >= text.length) return undefined;
  pieces.push({ start: from, end: at });
  return at + 1;
}

/** Neighbours become one range, so that an ordinary word is one slice; empty ones go. */
function merge(pieces: { start: number; end: number }[]): { start: number; end: number }[] {
  const merged: { start: number; end: number }[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (last && last.end === piece.start) last.end = piece.end;
    else if (piece.end > piece.start || pieces.length === 1) merged.push({ ...piece });
  }
  return merged;
}

/** A word's value as a text: a slice where the quotes stand only around it, else its pieces joined. */
export function wordText(text: Text, word: Word): Text {
  const slices = word.pieces.map((piece) => slice(text, piece.start, piece.end));
  return slices.length === 1 && slices[0] ? slices[0] : slices.length === 0 ? slice(text, word.end, word.end) : join(slices);
}

export function wordValue(text: string, word: Word): string {
  return word.pieces.map((piece) => text.slice(piece.start, piece.end)).join("");
}
