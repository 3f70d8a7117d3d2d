/** From a byte of the raw file to the step that it belongs to. */
import type { Trajectory } from "../../model";
import type { Locator } from "../../text/locate";
import { type Body, listBodies } from "./bodies";
import { coversByte, listRecords, openBodies, type Passage, searchByte } from "./places";

/** Up to this many steps are looked at one by one. */
const few = 8;

/**
 * The step whose text holds the byte; where none does (a title, a bracket), the last one that begins before it.
 * @returns undefined when nothing of the file is shown
 */
export function findStepAt(trajectory: Trajectory, locator: Locator, file: string, byte: number): number | undefined {
  if (findByte(trajectory, locator, 0, file, byte)) return 0;
  const covering: number[] = [];
  let before: number | undefined;
  let first: number | undefined;
  const edge = { byte };
  for (const { number } of trajectory.steps) {
    const bodies = listBodies(trajectory, number);
    if (bodies.some(({ text }) => coversByte(text.origin, { file, start: edge, end: edge }))) covering.push(number);
    const records = bodies.flatMap(({ text }) => listRecords(text.origin)).filter(({ source }) => source.name === file);
    if (records.length > 0) first ??= number;
    if (records.some(({ start }) => start <= byte)) before = number;
  }
  if (covering.length === 0) return before ?? first;
  const near = covering.length <= few ? covering : bisect(trajectory, locator, covering, byte);
  return near.find((step) => findByte(trajectory, locator, step, file, byte) !== undefined) ?? near.at(-1);
}

/** In one document the steps stand in their order, so the one wanted is found by where each begins. */
function bisect(trajectory: Trajectory, locator: Locator, steps: readonly number[], byte: number): number[] {
  let low = 0;
  let high = steps.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const text = openBodies(trajectory, steps[middle] ?? 0, locator)[0]?.text;
    const start = text && locator.locate({ text, start: 0, end: 0 })?.start.byte;
    if (start !== undefined && start <= byte) low = middle;
    else high = middle - 1;
  }
  return steps.slice(Math.max(0, low - 2), low + 2).sort((a, b) => Math.abs(a - (steps[low] ?? 0)) - Math.abs(b - (steps[low] ?? 0)));
}

/** The character of the step's texts that stands at the byte. */
export function findByte(trajectory: Trajectory, locator: Locator, step: number, file: string, byte: number): Passage | undefined {
  const edge = { byte };
  const holds = ({ text }: Body): boolean => {
    if (!coversByte(text.origin, { file, start: edge, end: edge })) return false;
    const place = locator.locate({ text, start: 0, end: text.value.length });
    return place?.file === file && place.start.byte <= byte && byte <= place.end.byte;
  };
  const body = openBodies(trajectory, step, locator).find(holds);
  if (!body) return undefined;
  const at = searchByte(body.text, locator, byte, 0, "start");
  return { step, part: body.part, start: at, end: at };
}
