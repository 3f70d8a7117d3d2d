/** What the run leaves behind: the final patch as given, or the sum of all that was done to files. */
import type { Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { type DiffLine, type FilePatch, type Hunk, type Patch, readDiff } from "../text/diff";
import { changes } from "./files";
import { lazily } from "./lazily";
import { sumOfChanges } from "./sum";

/** The trajectory's own patch when it has one, else `sumOfChanges`. */
export const finalPatch = lazily((trajectory: Trajectory, tools: MonitorTools): Patch =>
  trajectory.patch ? readDiff(trajectory.patch) : sumOfChanges(trajectory, tools),
);

/** A line of a patch, and where it is. */
export interface PatchLine {
  file: FilePatch;
  hunk: Hunk;
  line: DiffLine;
}

export function addedLines(patch: Patch): PatchLine[] {
  return pick(patch, "+");
}

export function removedLines(patch: Patch): PatchLine[] {
  return pick(patch, "-");
}

function pick(patch: Patch, kind: DiffLine["kind"]): PatchLine[] {
  const lines: PatchLine[] = [];
  for (const file of patch.files)
    for (const hunk of file.hunks) for (const line of hunk.lines) if (line.kind === kind) lines.push({ file, hunk, line });
  return lines;
}

/** The hunk that has this line of the new side, else of the old side. Lines from 1. */
export function hunkOf(patch: Patch, path: string, line: number): Hunk | undefined {
  const hunks = patch.files.filter((file) => file.newPath === path || file.oldPath === path).flatMap((file) => file.hunks);
  return (
    hunks.find((hunk) => hunk.lines.some((one) => one.new === line)) ?? hunks.find((hunk) => hunk.lines.some((one) => one.old === line))
  );
}

/** The number of the step that wrote an added line: the last one whose text holds it; undefined when none does. */
export function stepOfLine(trajectory: Trajectory, tools: MonitorTools, file: string, line: string): number | undefined {
  const wanted = line.trim();
  if (wanted === "") return undefined;
  const all = changes(trajectory, tools);
  const holds = (text: { value: string } | undefined): boolean => text?.value.includes(wanted) ?? false;
  for (let i = all.length - 1; i >= 0; i--) {
    const change = all[i];
    if (!change || change.failed || (change.path !== file && change.path !== "")) continue;
    if (holds(change.after) || holds(change.script) || change.replacements?.some((one) => holds(one.after))) return change.step;
    if (
      change.diff?.files.some((one) =>
        one.hunks.some((hunk) => hunk.lines.some((added) => added.kind === "+" && added.value.includes(wanted))),
      )
    )
      return change.step;
  }
  // A script that the agent ran wrote it: the line stands in the command.
  for (let i = trajectory.steps.length - 1; i >= 0; i--) {
    const step = trajectory.steps[i];
    if (step?.action.kind === "command" && step.actor === "agent" && !step.blocked && step.action.command.value.includes(wanted))
      return step.number;
  }
  return undefined;
}
