/** Which line of which file a line of a unified diff stands for. */
import { readDiff } from "../core/text/diff";
import { made } from "../core/text/text";

export interface DiffLine {
  path: string;
  side: "old" | "new";
  /** From 1. */
  line: number;
  /** The line itself, without the sign and the line end. */
  text: string;
}

/**
 * Entry n - 1 is what line n of the diff stands for; heads and marks stand for nothing. Kept and added lines belong to
 * the new side, removed ones to the old.
 */
export function mapDiffLines(diff: string): (DiffLine | undefined)[] {
  const map: (DiffLine | undefined)[] = [];
  let at = 0;
  let number = 0;
  for (const file of readDiff(made(diff)).files) {
    for (const { kind, value, at: span, old, new: now } of file.hunks.flatMap(({ lines }) => lines)) {
      // Lines come in their order, so newlines are counted once over the whole diff.
      for (let next = diff.indexOf("\n", at); next !== -1 && next < span.start; next = diff.indexOf("\n", at)) {
        at = next + 1;
        number++;
      }
      const side = kind === "-" ? "old" : "new";
      const [path, line] = side === "old" ? [file.oldPath, old] : [file.newPath, now];
      if (path !== undefined && line !== undefined) map[number] = { path, side, line, text: value };
    }
  }
  return Array.from({ length: diff.split("\n").length }, (_, index) => map[index]);
}
