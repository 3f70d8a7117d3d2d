/** Files that a step showed as a whole, before anything changed them: what a later write over them replaces. */
import type { Text, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { shellFacts } from "./commands";
import { type FileState, newState } from "./compose";
import { type Change, folderOf } from "./files";
import { lazily } from "./lazily";
import { repoPath, repoRoot } from "./paths";
import { rope } from "./rope";

/** By path, every whole content that was shown, in order. */
export type Shown = ReadonlyMap<string, readonly { step: number; text: Text }[]>;

/** By path, the last whole content that was shown and the step that showed it. Cut, numbered and joined outputs are left out. */
export const shownFiles = lazily((trajectory: Trajectory, tools: MonitorTools): Shown => {
  const root = repoRoot(trajectory, tools);
  const shown = new Map<string, { step: number; text: Text }[]>();
  const add = (path: string, step: number, text: Text | undefined): void => {
    if (!text || text.total !== undefined || text.value.includes("\r") || !text.value.includes("\n")) return;
    shown.set(path, [...(shown.get(path) ?? []), { step, text }]);
  };
  for (const { step, line } of shellFacts(trajectory, tools).runs) {
    if (step.action.kind !== "command" || (step.action.exit ?? 0) !== 0 || step.failed) continue;
    const acting = line.commands.filter((command) => command.name !== "cd" && command.name !== "pushd");
    const [cat] = acting;
    if (acting.length !== 1 || cat?.name !== "cat" || cat.redirects.length > 0 || cat.argv.length !== 2) continue;
    const word = cat.argv[1];
    if (word?.known && !word.value.startsWith("-"))
      add(repoPath(word.value, folderOf(cat.cwd, step.action.cwd), root), step.number, step.output);
  }
  return shown;
});

/** A file that is written over, or edited by a script, after it was shown as a whole: what it held is known. */
export function shownBefore(shown: Shown, change: Change): FileState | undefined {
  if (change.kind !== "write" && change.kind !== "unknown" && change.kind !== "edit") return undefined;
  const known = shown.get(change.path)?.findLast((one) => one.step < change.step);
  if (!known || (change.kind === "edit" && !(change.before?.value && known.text.value.includes(change.before.value)))) return undefined;
  const base = rope(known.text, 0);
  return { ...newState(change.path, change.step, true), base, now: base };
}
