/** What was there before the run: which paths are the repository's and which ones the run made itself. */
import type { Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { readGit } from "../shell/git";
import { shellFacts } from "./commands";
import { type Change, folderOf } from "./files";
import { repoPath, repoRoot } from "./paths";

/** Folders that the run makes by name: what is in them is its own. */
export function madeFolders(trajectory: Trajectory, tools: MonitorTools): Set<string> {
  const root = repoRoot(trajectory, tools);
  const folders = new Set<string>();
  for (const { step, line } of shellFacts(trajectory, tools).runs) {
    const cwd = step.action.kind === "command" ? step.action.cwd : undefined;
    for (const command of line.commands) {
      if (command.name !== "mkdir") continue;
      for (const word of command.argv.slice(1))
        if (word.known && !word.value.startsWith("-")) folders.add(repoPath(word.value, folderOf(command.cwd, cwd), root));
    }
  }
  return folders;
}

interface Written {
  /** Takes in what a change wrote. */
  add(change: Change): void;
  /** Whether a file that nothing was seen to write, and that goes, was the run's own: it was missing once, or a script of the run names it. */
  accountsFor(deletion: Change): boolean;
}

/** In characters. */
const mostWritten = 1 << 20;

/** What the run wrote so far: a script that names a file may have made it. Commands that were refused count as well. */
export function createWritten(trajectory: Trajectory): Written {
  let written = trajectory.steps
    .map((step) => (step.blocked && step.action.kind === "command" ? step.action.command.value : ""))
    .join("\n")
    .slice(0, mostWritten);
  return {
    add({ after }) {
      if (after && written.length < mostWritten) written += `${after.value}\n`;
    },
    accountsFor({ failed, command, path }) {
      if (failed) return true;
      if (command && readGit(command)) return false;
      const name = path.slice(path.lastIndexOf("/") + 1);
      return (
        name.length > 3 && !name.includes("*") && [`"${name}`, `'${name}`, `/${name}"`, `/${name}'`].some((one) => written.includes(one))
      );
    },
  };
}

/** Whether a path was there before that step; undefined when nothing tells. */
export type IsKnown = (path: string, before: number) => boolean | undefined;

const absent = /No such file|not found|does not exist|can(?:not|'t) (?:open|access|stat|find|remove)/;

/** Reads it off what earlier steps printed of the path. The first answer stands: later ones are of what the run made of it. */
export function knownPaths(trajectory: Trajectory): IsKnown {
  const answers = new Map<string, boolean | undefined>();
  return (path, before) => {
    if (answers.has(path)) return answers.get(path);
    let answer: boolean | undefined;
    for (const step of trajectory.steps.slice(0, Math.max(0, before - 1))) {
      if (step.action.kind === "read" && !step.failed && (step.action.path.value === path || step.action.path.value.endsWith(`/${path}`)))
        answer ??= true;
      const line = step.output && lineWith(step.output.value, path);
      if (line === undefined) continue;
      answer = !absent.test(line);
      if (!answer) break;
    }
    answers.set(path, answer);
    return answer;
  };
}

/** The first line that names the path itself, and not one that ends like it. */
function lineWith(output: string, path: string): string | undefined {
  for (let at = output.indexOf(path), tried = 0; at !== -1 && tried < 50; at = output.indexOf(path, at + 1), tried++) {
    const before = output.slice(Math.max(0, at - 40), at);
    if (/[\w.-]$/.test(before) || /[\w-]/.test(output[at + path.length] ?? "")) continue;
    if (before.endsWith("/") && !/(?:^|[\s'"(:])(?:[ab.]|\/testbed|\/repo|\/[\w./-]{1,38})\/$/.test(before)) continue;
    return output.slice(output.lastIndexOf("\n", at) + 1, at + path.length + 100).split("\n", 1)[0];
  }
  return undefined;
}
