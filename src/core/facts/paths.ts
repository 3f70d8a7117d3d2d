/** Which file of the repository a path names, however the agent wrote it. */
import type { Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { shellFacts } from "./commands";
import { lazily } from "./lazily";

/**
 * A path relative to the repository's root, with `/` and without `.` and `..`.
 * Outside of the root it stays absolute (`/tmp/x`, `~/.npmrc`, `C:/x`), or starts with `../` when no root is known.
 * @param cwd the folder that a relative path is meant in; the root when left out
 */
export function repoPath(path: string, cwd?: string, root?: string): string {
  let full = withSlashes(path.startsWith("file://") ? path.slice(7) : path);
  if (!isAbsolute(full)) {
    const folder = cwd === undefined ? undefined : withSlashes(cwd);
    if (folder !== undefined && folder !== "") full = `${isAbsolute(folder) || root === undefined ? folder : `${root}/${folder}`}/${full}`;
  }
  full = normalise(full);
  if (!isAbsolute(full)) return full;
  const base = root === undefined ? guessRoot(full) : normalise(withSlashes(root));
  if (base === undefined) return full;
  if (full === base) return ".";
  return base !== "/" && full.startsWith(`${base}/`) ? full.slice(base.length + 1) : full;
}

/** Whether a path as `repoPath` gives it lies in the repository. */
export function isInRepository(path: string): boolean {
  return !isAbsolute(path) && path !== ".." && !path.startsWith("../");
}

/** Of POSIX, of Windows, or in the home folder. */
export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path) || path === "~" || path.startsWith("~/");
}

/** A backslash separates folders in what looks like a Windows path; elsewhere it is a character of the name. */
function withSlashes(path: string): string {
  if (!path.includes("\\")) return path;
  return /^[A-Za-z]:\\/.test(path) || path.startsWith("\\\\") || !path.includes("/") || path.startsWith(".\\")
    ? path.replaceAll("\\", "/")
    : path;
}

function normalise(path: string): string {
  const prefix = /^(?:[A-Za-z]:\/|~(?=\/|$)|\/)?/.exec(path)?.[0] ?? "";
  const out: string[] = [];
  for (const part of path.slice(prefix.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && out.length > 0 && out.at(-1) !== "..") out.pop();
    else if (part !== ".." || prefix === "") out.push(part);
  }
  const rest = out.join("/");
  if (prefix === "~") return rest === "" ? "~" : `~/${rest}`;
  return prefix === "" ? rest || "." : prefix + rest;
}

/** Folders in which harnesses put the repository. */
function guessRoot(path: string): string | undefined {
  return /^\/(?:testbed|repo)(?=\/|$)/.exec(path)?.[0] ?? /^\/workspace\/[^/]+(?=\/.)/.exec(path)?.[0];
}

/** Never the repository: what they hold is somebody else's. */
const neverRoots = new Set(["/", "/root", "/home", "/tmp", "/var", "/usr", "/etc", "/opt", "/workspace", "/mnt", "/Users", "~"]);

function canBeRoot(folder: string): boolean {
  return (
    isAbsolute(folder) &&
    !neverRoots.has(folder) &&
    !folder.startsWith("/tmp/") &&
    !/^\/(?:home|Users)\/[^/]+$/.test(folder) &&
    !folder.includes("\0")
  );
}

/**
 * The repository's folder, absolute; undefined when nothing tells. In this order: where the final patch and an absolute
 * path of an edit agree, a harness's usual folder, and the folder in which most commands ran.
 */
export const repoRoot = lazily((trajectory: Trajectory, tools: MonitorTools): string | undefined => {
  const byPatch = rootFromPatch(trajectory);
  if (byPatch !== undefined) return byPatch;
  const counts = new Map<string, number>();
  const count = (folder: string): void => {
    const path = normalise(withSlashes(folder));
    const root = guessRoot(path) ?? guessRoot(`${path}/x`) ?? path;
    if (canBeRoot(root)) counts.set(root, (counts.get(root) ?? 0) + 1);
  };
  for (const step of trajectory.steps) {
    if (step.action.kind === "command" && step.action.cwd !== undefined) count(step.action.cwd);
    else if (step.action.kind === "edit" || step.action.kind === "read") {
      const guess = guessRoot(normalise(withSlashes(step.action.path.value)));
      if (guess !== undefined) count(guess);
    }
  }
  for (const run of shellFacts(trajectory, tools).runs) {
    for (const command of run.line.commands) {
      const target = command.name === "cd" || command.name === "pushd" ? command.argv[1] : undefined;
      if (target?.known && isAbsolute(target.value)) count(target.value);
    }
  }
  let best: string | undefined;
  for (const [folder, times] of counts) if (best === undefined || times > (counts.get(best) ?? 0)) best = folder;
  if (best === undefined) return undefined;
  // Work in a folder below: the folder above is the root when it was a working folder, too.
  for (const folder of counts.keys()) if (best.startsWith(`${folder}/`)) best = folder;
  return best;
});

/** The patch names files from the root, an edit may name the same file in full: what stands before is the root. */
function rootFromPatch(trajectory: Trajectory): string | undefined {
  if (!trajectory.patch) return undefined;
  const named = new Set<string>();
  for (const match of trajectory.patch.value.matchAll(/^(?:\+\+\+|---) [ab]\/([^\t\n\r]{1,400})/gm))
    if (match[1]?.includes("/")) named.add(match[1]);
  for (const { action } of trajectory.steps) {
    if (action.kind !== "edit") continue;
    const path = normalise(withSlashes(action.path.value));
    if (!isAbsolute(path)) continue;
    for (let at = path.indexOf("/", 1); at !== -1; at = path.indexOf("/", at + 1)) {
      if (named.has(path.slice(at + 1)) && canBeRoot(path.slice(0, at))) return path.slice(0, at);
    }
  }
  return undefined;
}
