/** Lines made comparable: what a leak shows and what a patch adds, without what says nothing (catalogue M5). */
import type { Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { lazily } from "./lazily";

export interface LeakLine {
  /** Normalised. */
  value: string;
  /** The line's content in the text, as offsets. */
  start: number;
  end: number;
}

const shortest = 12;
const longest = 2000;

/** Trimmed, white space collapsed, without a comment at the end; empty for a line that says nothing by itself. */
export function normaliseLine(line: string): string {
  let value = line.length > longest ? line.slice(0, longest) : line;
  value = value.trim();
  if (/^(?:#(?!include|define|if|\[)|\/\/|\/?\*|<!--|--\s|;;|"""|''')/.test(value)) return "";
  // A comment behind code; a `#` or `//` inside of a string or a URL has no space on both sides as a rule.
  const comment = /\s(?:#|\/\/)\s/.exec(value);
  if (comment && !/["'`]/.test(value.slice(comment.index))) value = value.slice(0, comment.index);
  value = value.replace(/\s+/g, " ").trim();
  if (value.length < shortest || isTrivial(value)) return "";
  return value;
}

/** Punctuation, imports, and the lines that every program has. */
function isTrivial(value: string): boolean {
  if ((value.match(/[A-Za-z0-9_]/g)?.length ?? 0) < 6) return true;
  return (
    /^(?:import |from \S+ import |#include|using |use \w+(?:::|;)|package |const \w+ = require\(|export \{|export \* from|require |\} from )/.test(
      value,
    ) ||
    /^(?:return (?:None|True|False|self|null|true|false|undefined|result);?|def __init__\(self\):|if __name__ == .__main__.:|raise NotImplementedError(?:\(\))?|else if|try:|finally:|public static void main\(.*)$/.test(
      value,
    )
  );
}

/** What a line number, a `grep` prefix or a blame column puts before the content. */
const prefix =
  /^(?:\s{0,8}\d{1,7}(?:\t|→|[:|] ?| {2})|(?:[\w.+-]+\/)*[\w.+-]+\.\w{1,6}[:-]\d{1,7}[:-]|[0-9a-f]{40}:[^:\s]{1,200}:|\^?[0-9a-f]{7,40} (?:\S+ +)?\([^)]{1,120} \d{1,7}\) ?)/;

/** The lines of a leak that count: of a diff those that it adds. */
export function leakLines(value: string, start = 0, end: number = value.length): LeakLine[] {
  const lines: LeakLine[] = [];
  const isDiff = /^(?:[|*\\/_ ]{0,40})(?:@@ -\d|diff --(?:git|cc) )/m.test(value.slice(start, end));
  let isInHunk = false;
  for (let at = start; at < end;) {
    const found = value.indexOf("\n", at);
    const next = found === -1 || found >= end ? end : found + 1;
    const line = value.slice(at, found === -1 || found >= end ? end : found).replace(/\r$/, "");
    if (isDiff) {
      if (/^[|*\\/_ ]{0,40}@@ -\d/.test(line)) isInHunk = true;
      else if (isInHunk && !/^[ +\-\\]/.test(line) && line !== "" && !/^[|*\\/_ ]{1,40}[ +\-\\]/.test(line)) isInHunk = false;
      const sign = isInHunk ? /^[|*\\/_ ]{0,40}?\+/.exec(line) : null;
      if (sign && !line.startsWith("+++ ")) push(lines, line, sign[0].length, at);
    } else push(lines, line, prefix.exec(line.slice(0, 400))?.[0].length ?? 0, at);
    at = next;
  }
  return lines;
}

function push(lines: LeakLine[], line: string, skip: number, at: number): void {
  const content = line.slice(skip);
  const value = normaliseLine(content);
  if (value === "") return;
  const lead = content.length - content.trimStart().length;
  lines.push({ value, start: at + skip + lead, end: at + skip + content.trimEnd().length });
}

/** Compound names and long ones; a word of the language or of English is not distinctive. */
export function identifiersOf(value: string): string[] {
  const found: string[] = [];
  for (const match of value.matchAll(/[A-Za-z_$][\w$]{5,80}/g)) {
    const name = match[0];
    if (/[a-z0-9]_[a-z0-9]/i.test(name) || /[a-z][A-Z]/.test(name)) found.push(name);
  }
  return found;
}

/** Who first said it. */
export interface Seen {
  /** The step in which a normalised line first stood in an output, a command, an edit or a message; 0 for the prompt. */
  line(value: string): number | undefined;
  identifier(name: string): number | undefined;
  /** Another step than these showed it before the given one. */
  isKnownBefore(value: string, step: number, leaks: ReadonlySet<number>): boolean;
  isNamedBefore(name: string, step: number, leaks: ReadonlySet<number>): boolean;
}

/** At most this many steps a line are kept: enough to tell whether one of them is no leak. */
const mostSteps = 4;

/** Every line and name of the run with the first steps that showed it. Built once, in one pass. */
export const seenLines = lazily((trajectory: Trajectory, tools: MonitorTools): Seen => {
  const lines = new Map<string, number[]>();
  const names = new Map<string, number[]>();
  const add = (map: Map<string, number[]>, key: string, step: number): void => {
    const steps = map.get(key);
    if (!steps) map.set(key, [step]);
    else if (steps.length < mostSteps && steps.at(-1) !== step) steps.push(step);
  };
  const read = (value: string, step: number): void => {
    for (const raw of value.split("\n")) {
      const line = raw.slice(0, longest);
      for (const name of identifiersOf(line)) add(names, name, step);
      // A line may stand behind a line number, or behind the sign of a diff.
      const skip = prefix.exec(line.slice(0, 400))?.[0].length ?? 0;
      for (const one of new Set([line, skip > 0 ? line.slice(skip) : line, /^[+\- ]/.test(line) ? line.slice(1) : line])) {
        const normal = normaliseLine(one);
        if (normal !== "") add(lines, normal, step);
      }
    }
  };
  if (trajectory.task.prompt) read(tools.whole(trajectory.task.prompt), 0);
  for (const step of trajectory.steps) {
    const { action } = step;
    if (step.thought) read(step.thought.value, step.number);
    if (action.kind === "message") read(action.text.value, step.number);
    else if (action.kind === "command") read(action.command.value, step.number);
    else if (action.kind === "edit") for (const text of [action.before, action.after, action.diff]) if (text) read(text.value, step.number);
    if (step.output) read(tools.whole(step.output), step.number);
  }
  const isBefore = (steps: readonly number[] | undefined, step: number, leaks: ReadonlySet<number>): boolean =>
    steps?.some((one) => one < step && !leaks.has(one)) ?? false;
  return {
    line: (value) => lines.get(value)?.[0],
    identifier: (name) => names.get(name)?.[0],
    isKnownBefore: (value, step, leaks) => isBefore(lines.get(value), step, leaks),
    isNamedBefore: (name, step, leaks) => isBefore(names.get(name), step, leaks),
  };
});
