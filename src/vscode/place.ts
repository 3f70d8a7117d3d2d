/** From places in raw files, as the core counts them, to what VS Code calls the same places. */
import { open } from "node:fs/promises";
import * as vscode from "vscode";
import type { Location, Position } from "../core/model";

/** Over this size nobody looks for stray carriage returns: VS Code does not hand such files to extensions, either. */
const largestScan = 512 * 1024 * 1024;
const chunkSize = 4 * 1024 * 1024;

/**
 * Carriage returns that no newline follows. The core ends lines at newlines only, VS Code at these as well. Offsets in bytes,
 * ascending, with the offset of the line start that precedes each (by newlines only).
 */
export interface StrayReturns {
  readonly at: readonly number[];
}

const none: StrayReturns = { at: [] };

/** Looks for stray carriage returns before byte `end` of a file. What cannot be read has none. */
export async function findStrayReturns(file: string, end: number): Promise<StrayReturns> {
  if (end > largestScan) return none;
  const handle = await open(file, "r").catch(() => undefined);
  if (!handle) return none;
  const at: number[] = [];
  try {
    const chunk = Buffer.allocUnsafe(Math.min(chunkSize, end + 1));
    let wasReturn = false;
    let offset = 0;
    // One byte more is read: it says whether a return just before the end is stray.
    while (offset <= end) {
      const { bytesRead } = await handle.read(chunk, 0, Math.min(chunk.length, end + 1 - offset), offset);
      if (bytesRead === 0) break;
      const bytes = chunk.subarray(0, bytesRead);
      if (wasReturn && bytes[0] !== 10) at.push(offset - 1);
      for (let i = bytes.indexOf(13); i !== -1; i = bytes.indexOf(13, i + 1)) {
        if (i + 1 < bytes.length && bytes[i + 1] !== 10) at.push(offset + i);
      }
      wasReturn = bytes[bytesRead - 1] === 13;
      offset += bytesRead;
    }
    if (wasReturn) at.push(offset - 1);
  } finally {
    await handle.close();
  }
  return { at };
}

/** The last byte that any of these places needs. */
export function findEnd(locations: Iterable<Location | null>): number {
  let end = 0;
  for (const location of locations) if (location) end = Math.max(end, location.end.byte);
  return end;
}

/**
 * A place as a range of the editor. `text` gives the bytes from one offset to another as characters; it is asked only where a
 * stray carriage return stands on the same line.
 */
export async function toRange(
  location: Location,
  returns: StrayReturns,
  text: (start: number, end: number) => Promise<string>,
): Promise<vscode.Range> {
  return new vscode.Range(await toPosition(location.start, returns, text), await toPosition(location.end, returns, text));
}

async function toPosition(
  position: Position,
  { at }: StrayReturns,
  text: (start: number, end: number) => Promise<string>,
): Promise<vscode.Position> {
  const before = countBelow(at, position.byte);
  const last = at[before - 1];
  if (last === undefined) return new vscode.Position(position.line - 1, position.column - 1);
  // Whether the return stands on this line is seen by its distance: a character has at most three bytes a unit.
  const between = position.byte - last - 1;
  const isNear = between <= 3 * (position.column - 1);
  const tail = isNear ? await text(last + 1, position.byte) : "\n";
  const column = tail.includes("\n") ? position.column - 1 : tail.length;
  return new vscode.Position(position.line - 1 + before, column);
}

/** How many of the ascending numbers are below `limit`. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Characters of a part of a file; nothing when it cannot be read. */
export async function readText(file: string, start: number, end: number): Promise<string> {
  const handle = await open(file, "r").catch(() => undefined);
  if (!handle) return "";
  try {
    const bytes = Buffer.alloc(Math.max(0, end - start));
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
    return bytes.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** From a line and a column that count newlines, both from 1, to the editor's position. */
export type LineFinder = (line: number, column: number) => vscode.Position;

/** The same for text in memory; its stray carriage returns are counted, too. */
export function createLineFinder(text: string): LineFinder {
  if (!/\r(?!\n)/.test(text)) return (line, column) => new vscode.Position(line - 1, column - 1);
  // A byte order mark is no character of the editor's first line.
  const body = text.replace(/^\uFEFF/, "");
  const starts = [0, ...[...body.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const returns = [...body.matchAll(/\r(?!\n)/g)].map(({ index }) => index);
  return (line, column) => {
    const start = starts[line - 1] ?? body.length;
    const offset = start + column - 1;
    const before = countBelow(returns, offset);
    const last = returns[before - 1] ?? -1;
    return new vscode.Position(line - 1 + before, last >= start ? offset - last - 1 : column - 1);
  };
}
