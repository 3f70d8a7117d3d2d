import type { Frame, Run, ShellParser } from "./frame";
import { closeScope, joinPath, type Layer, openScope, setEntry } from "./scope";
import type { ShellLine, ShellState } from "./types";
import { parseShell, walkList } from "./walk";

export type { ShellParser };

export const emptyState: ShellState = {
  variables: new Map(),
  aliases: new Map(),
  functions: new Map(),
  gitAliases: new Map(),
  scripts: new Map(),
  cwd: "",
};

const MAX_LINE = 2 << 20;

/** Where the session stands after a line. Kept beside the line's reading until it is asked for, so that nothing is read twice. */
const ENDS = new WeakMap<ShellLine, { readonly before: ShellState; readonly after: ShellState }>();

/**
 * The simple commands that really run when `line` is given to a shell in `state`. It never throws, takes time in proportion to the
 * line, and answers `broken` when the line is no shell that can be read.
 */
export function readShell(line: string, state: ShellState, parser?: ShellParser): ShellLine {
  if (line.length > MAX_LINE) return { commands: [], opaque: [], broken: "the line is longer than 2 MB" };
  const list = parseShell(line, parser);
  if (typeof list === "string") return { commands: [], opaque: [], broken: list };
  const run: Run = { root: line, parser, commands: [], aside: [], opaque: [], budget: 4 * line.length + (1 << 18), running: new Set() };
  const scope = openScope(state);
  const frame: Frame = {
    run,
    text: line,
    place: (start, end) => ({ start, end }),
    via: "line",
    scope,
    depth: 0,
    aside: false,
    wrappers: [],
    masked: false,
    background: false,
  };
  walkList(frame, list, { joined: ";", masked: false, background: false, wanted: false });
  const read: ShellLine = { commands: run.commands, opaque: run.opaque };
  ENDS.set(read, { before: state, after: closeScope(scope) });
  return read;
}

/**
 * What later lines need to know of this one: assignments, exports, aliases, functions, `git config alias.*`, `cd`, and the files that
 * it wrote. `succeeded: false` keeps the folder where it was when the line did nothing but change it.
 */
export function nextState(line: string, read: ShellLine, state: ShellState, succeeded?: boolean): ShellState {
  if (read.broken !== undefined) return state;
  let end = ENDS.get(read);
  if (end === undefined || end.before !== state) {
    const again = readShell(line, state);
    end = ENDS.get(again);
  }
  if (end === undefined) return state;
  // The next line takes over; a long session must not keep every state that it went through.
  ENDS.delete(read);
  const only = read.commands.length === 1 ? read.commands[0]?.name : undefined;
  if (succeeded === false && (only === "cd" || only === "pushd" || only === "popd")) return { ...end.after, cwd: state.cwd };
  return end.after;
}

/** A file that the agent wrote by an edit tool. `path` is absolute or relative to the session's folder. */
export function withScript(state: ShellState, path: string, content: string): ShellState {
  const scripts: Layer = { map: state.scripts, own: false };
  setEntry(scripts, joinPath("", path), content);
  return { ...state, scripts: scripts.map };
}
