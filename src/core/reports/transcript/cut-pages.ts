/** Where pages begin: a page has a bounded number of steps and of characters, since editors give up on large documents. */
import type { Trajectory } from "../../model";
import { listBodies } from "./bodies";
import type { PageOptions } from "./page";

/** What a heading and the lines around a step take, about. */
const overhead = 120;

/** The number of each page's first step; one page at least. */
export function cutPages(trajectory: Trajectory, options: PageOptions): number[] {
  const starts = [1];
  let count = 0;
  let chars = 0;
  let lines = 0;
  for (const { number } of trajectory.steps) {
    let size = overhead;
    let height = 2;
    for (const { text } of listBodies(trajectory, number)) {
      const shown = text.value.length <= options.maxBodyChars ? text.value : text.value.slice(0, options.maxBodyChars);
      const own = countLines(shown);
      height += own;
      // Each line has a gutter.
      size += shown.length + 3 * own;
    }
    if (count > 0 && (count >= options.pageSteps || chars + size > options.pageChars || lines + height > options.pageLines)) {
      starts.push(number);
      count = 0;
      chars = 0;
      lines = 0;
    }
    count++;
    chars += size;
    lines += height;
  }
  return starts;
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
