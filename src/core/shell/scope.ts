import type { ShellState } from "./types";

/** A map that is copied when it is first written, so that subshells and session states cost nothing until they differ. */
export interface Layer {
  map: ReadonlyMap<string, string>;
  own: boolean;
}

/** What is known while a line runs. A value that is not known holds `\0`. */
export interface Scope {
  readonly variables: Layer;
  readonly aliases: Layer;
  readonly functions: Layer;
  readonly gitAliases: Layer;
  readonly scripts: Layer;
  cwd: string;
  /** `set -e` and `set -o pipefail`. */
  errexit: boolean;
  pipefail: boolean;
}

/** Only as many entries are kept, the oldest go first: copying stays cheap, however long the session. */
const MAX_ENTRIES = 1000;

export function openScope(state: ShellState): Scope {
  const layer = (map: ReadonlyMap<string, string>): Layer => ({ map, own: false });
  return {
    variables: layer(state.variables),
    aliases: layer(state.aliases),
    functions: layer(state.functions),
    gitAliases: layer(state.gitAliases),
    scripts: layer(state.scripts),
    cwd: state.cwd,
    errexit: false,
    pipefail: false,
  };
}

/** A subshell: it sees everything, and what it changes stays inside, files apart. */
export function forkScope(scope: Scope): Scope {
  const layer = (of: Layer): Layer => {
    of.own = false;
    return { map: of.map, own: false };
  };
  return {
    ...scope,
    variables: layer(scope.variables),
    aliases: layer(scope.aliases),
    functions: layer(scope.functions),
    // Files and git's configuration outlive a subshell.
    gitAliases: scope.gitAliases,
    scripts: scope.scripts,
  };
}

export function setEntry(layer: Layer, key: string, value: string | undefined): void {
  if (value === undefined && !layer.map.has(key)) return;
  if (!layer.own) {
    layer.map = new Map(layer.map);
    layer.own = true;
  }
  const map = layer.map as Map<string, string>;
  // Written again, an entry is the newest one.
  map.delete(key);
  if (value === undefined) return;
  map.set(key, value);
  const oldest = map.size > MAX_ENTRIES ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
}

/** The scope's lasting part. */
export function closeScope(scope: Scope): ShellState {
  for (const layer of [scope.variables, scope.aliases, scope.functions, scope.gitAliases, scope.scripts]) layer.own = false;
  return {
    variables: scope.variables.map,
    aliases: scope.aliases.map,
    functions: scope.functions.map,
    gitAliases: scope.gitAliases.map,
    scripts: scope.scripts.map,
    cwd: scope.cwd,
  };
}

/** Joins `path` to `folder` and takes out `.` and `..`; relative results are relative to the session's folder. */
export function joinPath(folder: string, path: string): string {
  const absolute = path.startsWith("/");
  const whole = absolute || folder === "" ? path : `${folder}/${path}`;
  const rooted = whole.startsWith("/");
  const out: string[] = [];
  for (const piece of whole.split("/")) {
    if (piece === "" || piece === ".") continue;
    if (piece === ".." && out.length > 0 && out[out.length - 1] !== "..") out.pop();
    else if (piece !== ".." || !rooted) out.push(piece);
  }
  return (rooted ? "/" : "") + out.join("/");
}

/** The content that the agent last wrote to a path. A relative and an absolute spelling of one path meet by their ending. */
export function findScript(scope: Scope, path: string): { readonly key: string; readonly content: string } | undefined {
  const { map } = scope.scripts;
  if (map.size === 0 || path === "" || path.includes("\0")) return undefined;
  const key = joinPath(scope.cwd, path);
  const exact = map.get(key);
  if (exact !== undefined) return { key, content: exact };
  const rooted = key.startsWith("/");
  let found: { key: string; content: string } | undefined;
  for (const [other, content] of map) {
    if (other.startsWith("/") === rooted) continue;
    if (rooted ? key.endsWith(`/${other}`) : other.endsWith(`/${key}`)) found = { key: other, content };
  }
  return found;
}
