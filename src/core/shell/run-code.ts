import { setVariable } from "./builtins";
import { addOpaque, type CodeCall, type Frame, MAX_DEPTH } from "./frame";
import { forkScope, type Scope } from "./scope";
import type { Via, Word } from "./types";
import { parseShell, walkList } from "./walk";
import type { Output } from "./words";

/** Reads a word as shell and runs it. */
export function runCode(frame: Frame, code: Word, via: Via, call: CodeCall): Output | undefined {
  const { run } = frame;
  const trimmed = code.value.trim();
  if (trimmed === "") return undefined;
  if (trimmed.startsWith("\0")) return void addOpaque(frame, code.start, code.end, "the code that it runs is not known");
  if (frame.depth >= MAX_DEPTH || code.value.length > run.budget)
    return void addOpaque(frame, code.start, code.end, "the code is nested too deep or too long to be read");
  run.budget -= code.value.length;
  const list = parseShell(code.value, run.parser);
  if (typeof list === "string") return void addOpaque(frame, code.start, code.end, `the code that it runs could not be read: ${list}`);
  const scope = call.scope ?? forkScope(frame.scope);
  if (call.args !== undefined) setPositional(scope, call.args);
  const offset = findVerbatim(frame, code);
  const inner: Frame = {
    ...frame,
    text: code.value,
    place:
      offset === undefined ? () => ({ start: code.start, end: code.end }) : (start, end) => ({ start: start + offset, end: end + offset }),
    via: call.decoded === true || run.decoded?.has(code) === true ? "decoded" : via,
    scope,
    depth: frame.depth + 1,
    wrappers: call.wrappers ?? frame.wrappers,
  };
  return walkList(inner, list, { ...call.position, joined: ";" });
}

/** Where a word's value stands letter for letter in the given line; undefined when it does not. */
function findVerbatim(frame: Frame, word: Word): number | undefined {
  const line = frame.run.root;
  for (let k = 0; k <= 2; k++)
    if (word.start + k + word.value.length <= word.end && line.startsWith(word.value, word.start + k)) return word.start + k;
  return undefined;
}

function setPositional(scope: Scope, args: readonly Word[]): void {
  args.slice(0, 10).forEach((word, i) => setVariable(scope, String(i), word.value));
  const all = args
    .slice(1)
    .map((word) => word.value)
    .join(" ");
  setVariable(scope, "@", all);
  setVariable(scope, "*", all);
}
