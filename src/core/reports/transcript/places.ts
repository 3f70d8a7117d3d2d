/** From a place in the raw file to the text of a step that was decoded from it. */
import type { Location, Origin, RecordRef, Text, Trajectory } from "../../model";
import type { Locator } from "../../text/locate";
import { type Body, listBodies } from "./bodies";
import type { PartName } from "./page";

/** Characters of one text of one step. */
export interface Passage {
  step: number;
  part: PartName;
  start: number;
  end: number;
}

/** What to look for: bytes of a file, and the characters that they stand for, as far as they are known. */
export type Wanted = Pick<Location, "file" | "text"> & { start: { byte: number }; end: { byte: number } };

/** How many places where the same characters stand are compared with the raw file, in one text. */
const mostTries = 64;
/** How many other steps are looked through when the evidence is not in the step of its finding. */
const mostSteps = 400;

/** The bodies of a step with their texts in full, so that offsets do not depend on what was kept of them. */
export function openBodies(trajectory: Trajectory, number: number, locator: Locator): Body[] {
  return listBodies(trajectory, number).map((body) => ({ ...body, text: openText(body.text, locator) }));
}

function openText(text: Text, locator: Locator): Text {
  if (text.total === undefined || text.origin.from !== "cut") return text;
  return { value: locator.whole(text), origin: text.origin.of };
}

/** Looks in the step of the finding first. @returns nothing when no step shows the place. */
export function findPassage(trajectory: Trajectory, locator: Locator, wanted: Wanted, step: number): Passage | undefined {
  const own = findInStep(trajectory, locator, wanted, step, true);
  if (own || wanted.text === "") return own;
  let tries = 0;
  // The evidence stands near the finding more often than far away.
  for (const number of listOutward(step, trajectory.steps.length)) {
    if (tries >= mostSteps) return undefined;
    const bodies = listBodies(trajectory, number);
    if (!bodies.some(({ text }) => coversByte(text.origin, wanted) && text.value.includes(wanted.text))) continue;
    tries++;
    const found = findInStep(trajectory, locator, wanted, number, false);
    if (found) return found;
  }
  return undefined;
}

function* listOutward(step: number, count: number): Generator<number> {
  for (let away = 1; away <= count; away++) {
    if (step - away >= 0) yield step - away;
    if (step + away <= count) yield step + away;
  }
}

/** @param isThorough also where the shown text differs from the quoted one, by terminal escapes for example */
function findInStep(trajectory: Trajectory, locator: Locator, wanted: Wanted, step: number, isThorough: boolean): Passage | undefined {
  // What was done comes before what was said of it: a message may hold the command as text.
  const covering = listBodies(trajectory, step).filter(({ text }) => coversByte(text.origin, wanted));
  const bodies = covering.map((body) => ({ ...body, text: openText(body.text, locator) })).sort((a, b) => rank(a) - rank(b));
  for (const { part, text } of bodies) {
    const found = findQuoted(text, locator, wanted);
    if (found) return { step, part, ...found };
  }
  if (!isThorough) return undefined;
  for (const { part, text } of bodies) {
    const found = findBytes(text, locator, wanted);
    if (found) return { step, part, ...found };
  }
  return undefined;
}

function rank({ part }: Body): number {
  return part === "message" || part === "thought" ? 1 : 0;
}

/** The quoted characters, where they come from the very bytes. */
function findQuoted(text: Text, locator: Locator, wanted: Wanted): { start: number; end: number } | undefined {
  if (wanted.text === "") return undefined;
  let at = text.value.indexOf(wanted.text);
  for (let tries = 0; at !== -1 && tries < mostTries; tries++, at = text.value.indexOf(wanted.text, at + 1)) {
    const end = at + wanted.text.length;
    const place = locator.locate({ text, start: at, end });
    if (!isFile(place, wanted) || place?.start.byte !== wanted.start.byte) continue;
    if (place.end.byte === wanted.end.byte) return { start: at, end };
    // A quote is cut at 2,000 characters: its end is found by its byte.
    if (place.end.byte < wanted.end.byte) return { start: at, end: searchByte(text, locator, wanted.end.byte, end, "end") };
  }
  return undefined;
}

/** By bisection: in a text that stands in one piece of the raw file, later characters come from later bytes. */
function findBytes(text: Text, locator: Locator, wanted: Wanted): { start: number; end: number } | undefined {
  const start = searchByte(text, locator, wanted.start.byte, 0, "start");
  const end = searchByte(text, locator, wanted.end.byte, start, "end");
  const place = locator.locate({ text, start, end });
  const isIt = isFile(place, wanted) && place?.start.byte === wanted.start.byte && place.end.byte === wanted.end.byte;
  return isIt ? { start, end } : undefined;
}

/** The first offset whose character starts at or behind the byte, or (as an end) up to which the byte is reached. */
export function searchByte(text: Text, locator: Locator, byte: number, from: number, edge: "start" | "end"): number {
  let low = from;
  let high = text.value.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const at =
      edge === "start"
        ? locator.locate({ text, start: middle, end: Math.min(middle + 1, text.value.length) })?.start.byte
        : locator.locate({ text, start: Math.max(0, middle - 1), end: middle })?.end.byte;
    if (at === undefined || at < byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isFile(place: Location | null, { file }: Wanted): boolean {
  return place?.file === file;
}

/** Whether a record of the text holds the bytes. */
export function coversByte(origin: Origin, { file, start, end }: Pick<Wanted, "file" | "start" | "end">): boolean {
  return listRecords(origin).some((record) => record.source.name === file && record.start <= start.byte && end.byte <= record.end);
}

/** The records that a text comes from, by its pieces. */
export function listRecords(origin: Origin): RecordRef[] {
  let at = origin;
  for (;;) {
    if (at.from === "record") return [at.record];
    if (at.from === "join") return at.pieces.flatMap(({ of }) => (of ? listRecords(of) : []));
    at = at.of;
  }
}
