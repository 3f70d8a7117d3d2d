/** The runs of a file that holds several. */
import type { Adapter } from "../core/adapter";
import type { Source } from "../core/model";
import { type Range, readLines } from "../core/text/records";
import { asRow, idOf } from "./entries";

export interface Part {
  range: Range;
  /** The instance id that its first record names. */
  id?: string;
}

/** One range a run, in their order; together they cover the file. */
export function listRuns(source: Source, adapter: Adapter): Part[] {
  const { begins } = adapter;
  if (!begins) return [{ range: { start: 0, end: source.size, line: 1 } }];
  const starts: { start: number; line: number; id?: string }[] = [];
  for (const { ref, text } of readLines(source)) {
    const value = text?.includes(begins.hint) ? parse(text) : undefined;
    const isStart = value !== undefined && begins.test(value);
    // What stands before the first start is a run of its own, so that it is not lost.
    if (isStart || starts.length === 0) {
      const id = isStart ? idOfRecord(value) : undefined;
      starts.push({
        start: starts.length === 0 ? 0 : ref.start,
        line: starts.length === 0 ? 1 : ref.line,
        ...(id === undefined ? {} : { id }),
      });
    }
  }
  return starts.map(({ start, line, id }, index) => ({
    range: { start, end: starts[index + 1]?.start ?? source.size, line },
    ...(id === undefined ? {} : { id }),
  }));
}

/** The instance id that a run's first record names: at its top, or in its task. */
export function idOfRecord(value: unknown): string | undefined {
  const row = asRow(value);
  const task = asRow(row?.task);
  if (typeof task?.id === "string" && task.id !== "") return task.id;
  return row && (row.instance_id !== undefined || row.org !== undefined) ? idOf(row) : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
