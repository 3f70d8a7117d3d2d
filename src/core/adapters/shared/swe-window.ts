/**
 * SWE-agent's editor shows a file through a window: a header with the path, then numbered lines. An edit by
 * line numbers says nothing of what it replaces, so the replaced lines are taken from the last window shown.
 */
import type { Text } from "../../model";
import { join, slice } from "../../text/text";

export interface Window {
  path: Text;
  /** Lines in the whole file, as the header says. */
  total: number;
  lines: ReadonlyMap<number, Text>;
}

const header = /^\[File: ([^\n]{1,1000}) \((\d{1,9}) lines? total\)\]\r?$/gm;
/** An edit that the linter refused shows what it would have been, and then what the file really holds. */
const original = "This is the original code before your edit";

/**
 * The last window in an observation.
 * @param isRefused the observation refuses an edit: only what stands behind the words for the original counts
 */
export function readWindow(observation: Text, isRefused: boolean): Window | undefined {
  const { value } = observation;
  const from = isRefused ? value.lastIndexOf(original) : 0;
  if (from === -1) return undefined;
  let found: RegExpExecArray | undefined;
  header.lastIndex = from;
  for (let match = header.exec(value); match; match = header.exec(value)) found = match;
  const path = found?.[1];
  if (!found || path === undefined) return undefined;
  const pathStart = found.index + "[File: ".length;
  return {
    path: slice(observation, pathStart, pathStart + path.length),
    total: Number(found[2]),
    lines: readLines(observation, found.index + found[0].length + 1),
  };
}

/** Numbered lines in ascending order, as many as follow each other without a gap. */
function readLines(observation: Text, from: number): Map<number, Text> {
  const lines = new Map<number, Text>();
  const { value } = observation;
  let at = from;
  let next: number | undefined;
  while (at < value.length) {
    const newline = value.indexOf("\n", at);
    const end = newline === -1 ? value.length : newline;
    const number = /^(\d{1,9}):/.exec(value.slice(at, Math.min(end, at + 12)));
    if (number) {
      const line = Number(number[1]);
      if (next !== undefined && line !== next) break;
      next = line + 1;
      const stop = value[end - 1] === "\r" ? end - 1 : end;
      lines.set(line, slice(observation, at + number[0].length, Math.max(at + number[0].length, stop)));
    } else if (next !== undefined || !/^[([]\d{1,9} more lines above[)\]]\r?$/.test(value.slice(at, Math.min(end, at + 40)))) break;
    at = end + 1;
  }
  return lines;
}

/** Lines `first` to `last` as one text; undefined when one of them was not shown. */
export function linesOf(window: Window | undefined, first: number, last: number): Text | undefined {
  if (!window || last < first || last - first > 2000) return undefined;
  const pieces: (Text | string)[] = [];
  for (let line = first; line <= last; line++) {
    const text = window.lines.get(line);
    if (!text) return undefined;
    if (pieces.length > 0) pieces.push("\n");
    pieces.push(text);
  }
  const only = pieces[0];
  return pieces.length === 1 && typeof only === "object" ? only : join(pieces);
}

/** Commands that may rewrite a file behind the editor's back: after one of them no window is believed. */
export function mayRewrite(command: string): boolean {
  return /(?:^|[\s;&|(])(?:sed|perl|git|mv|cp|rm|tee|patch|black|isort|autopep8|ruff|dos2unix|truncate|ed|awk|dd|unzip|tar)\b|>|<<|\bpython[\d.]{0,6}\s{1,4}-(?:\s|c)|--fix\b|--in-?place\b/.test(
    command,
  );
}
