/** A run's final patch as a unified diff, and the step that wrote each line that it adds. */
import { adapters } from "../core/adapters";
import type { Tools } from "../core/code/syntax";
import { finalPatch, stepOfLine } from "../core/facts/patch";
import type { Trajectory } from "../core/model";
import { readTrajectory } from "../core/read";
import type { FilePatch, Hunk } from "../core/text/diff";
import { createLocator, type Locator } from "../core/text/locate";
import { spanOf } from "../core/text/text";
import type { Choices, Plan } from "./plan";
import { withRun } from "./verify-run";

export interface LineStep {
  path: string;
  /** On the new side, from 1. */
  line: number;
  step: number;
  /** Where the step's act stands in the raw log: an absolute path, line and column from 1. Absent when it was put together. */
  at?: { file: string; line: number; column: number };
}

/** More lines than this are not traced: each one is looked for in everything that the run wrote. */
const mostTraced = 2000;

/** @throws when a file of the run cannot be opened */
export function patchOfPlan(plan: Plan, tools: Tools, choices: Choices): { diff: string; steps: LineStep[] } {
  return withRun(plan, choices, (run) => {
    const trajectory = readTrajectory(run, adapters);
    const locator = createLocator();
    const kit = { parse: tools.parse, whole: locator.whole };
    const places = new Map<number, LineStep["at"]>();
    const find = (number: number): LineStep["at"] => {
      if (!places.has(number)) places.set(number, findStep(trajectory, number, plan, locator));
      return places.get(number);
    };
    const files = finalPatch(trajectory, kit).files.map(numberLines);
    const steps: LineStep[] = [];
    let traced = 0;
    for (const { newPath, hunks } of files) {
      if (newPath === undefined) continue;
      for (const { kind, value, new: line } of hunks.flatMap(({ lines }) => lines)) {
        if (kind !== "+" || line === undefined || traced++ >= mostTraced) continue;
        const step = stepOfLine(trajectory, kit, newPath, value);
        const at = step === undefined ? undefined : find(step);
        if (step !== undefined) steps.push({ path: newPath, line, step, ...(at ? { at } : {}) });
      }
    }
    return { diff: files.map(writeFile).join(""), steps };
  });
}

function findStep(trajectory: Trajectory, number: number, plan: Plan, locator: Locator): LineStep["at"] {
  const step = trajectory.steps.find((one) => one.number === number);
  const text = step && trajectory.messages[step.message]?.parts[step.part]?.text;
  const at = text && locator.locate(spanOf(text));
  const source = at && plan.sources.find(({ name }) => name === at.file);
  return at && source ? { file: source.file, line: at.start.line, column: at.start.column } : undefined;
}

/**
 * Edits of files whose content is not known have no line numbers, or numbers of the pieces: they are put one behind the other, so that
 * the diff can be read. Numbers that ascend already stay as they are.
 */
function numberLines(file: FilePatch): FilePatch {
  let [nextOld, nextNew] = [1, 1];
  const hunks = file.hunks.map((hunk): Hunk => {
    const [oldCount, newCount] = [countSide(hunk, "+"), countSide(hunk, "-")];
    // A hunk without lines on a side names the line before it.
    const given = [hunk.oldStart + (oldCount === 0 ? 1 : 0), hunk.newStart + (newCount === 0 ? 1 : 0)] as const;
    const isSound = given[0] >= nextOld && given[1] >= nextNew;
    let [old, now] = isSound ? given : [nextOld, nextNew];
    const [oldStart, newStart] = [old - (oldCount === 0 ? 1 : 0), now - (newCount === 0 ? 1 : 0)];
    const lines = hunk.lines.map((line) => ({
      ...line,
      ...(line.kind === "+" ? {} : { old: old++ }),
      ...(line.kind === "-" ? {} : { new: now++ }),
    }));
    [nextOld, nextNew] = [old, now];
    return { ...hunk, oldStart, oldCount, newStart, newCount, lines };
  });
  return { ...file, hunks };
}

function countSide({ lines }: Hunk, without: "+" | "-"): number {
  return lines.filter(({ kind }) => kind !== without).length;
}

function writeFile({ oldPath, newPath, kind, hunks }: FilePatch): string {
  const [before, after] = [oldPath ?? newPath ?? "", newPath ?? oldPath ?? ""].map((path) => path.replace(/[\r\n]/g, " "));
  const heads = [`diff --git a/${before} b/${after}`];
  if (oldPath === undefined) heads.push("new file mode 100644");
  else if (newPath === undefined) heads.push("deleted file mode 100644");
  else if (kind === "renamed") heads.push(`rename from ${before}`, `rename to ${after}`);
  if (hunks.length > 0)
    heads.push(`--- ${oldPath === undefined ? "/dev/null" : `a/${before}`}`, `+++ ${newPath === undefined ? "/dev/null" : `b/${after}`}`);
  const body = hunks.flatMap(({ oldStart, oldCount, newStart, newCount, lines }) => [
    `@@ -${oldStart},${oldCount} +${newStart},${newCount} @@`,
    ...lines.flatMap(({ kind: sign, value, noNewline }) => [`${sign}${value}`, ...(noNewline ? ["\\ No newline at end of file"] : [])]),
  ]);
  return `${[...heads, ...body].join("\n")}\n`;
}
