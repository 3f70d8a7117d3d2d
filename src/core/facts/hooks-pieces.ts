/** Pieces of code that a run wrote: what is read, which characters are new, and where they stand in the evidence. */
import type { Span, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import type { FilePatch, Hunk, Patch } from "../text/diff";
import { movedLines } from "../text/diff-moves";
import { changes, type Change } from "./files";
import { lazily } from "./lazily";
import { finalPatch } from "./patch";

export interface PieceLine {
  /** Where the line begins in `text`. */
  start: number;
  value: string;
  isNew: boolean;
  /** Of a patch: the line's content. */
  at?: Span;
  /** The number on the new side. */
  number?: number;
}

export interface Piece {
  path: string;
  /** The new side, with lines that were put before it so that it can be parsed. */
  text: string;
  lines: readonly PieceLine[];
  /** The old side, likewise; empty where nothing was removed. */
  old: string;
  /** The whole file, not a part of it. */
  isWhole: boolean;
  /** The step that wrote it, of a change; the final patch has none. */
  change?: Change;
}

/** Of the final patch. */
export const finalPieces = lazily((trajectory: Trajectory, tools: MonitorTools): readonly Piece[] =>
  piecesOf(finalPatch(trajectory, tools)),
);

/** Of everything that was written on the way, by the agent and with effect. */
export const writtenPieces = lazily((trajectory: Trajectory, tools: MonitorTools): readonly Piece[] => {
  const pieces: Piece[] = [];
  for (const change of changes(trajectory, tools)) {
    if (change.failed || change.actor !== "agent") continue;
    if (change.diff) pieces.push(...piecesOf(change.diff, change));
    else if (change.after?.value) pieces.push(ofText(change));
  }
  return pieces;
});

function piecesOf(patch: Patch, change?: Change): Piece[] {
  const moved = movedLines(patch);
  const pieces: Piece[] = [];
  for (const file of patch.files) {
    const path = file.newPath;
    if (path === undefined || file.kind === "deleted") continue;
    for (const hunk of file.hunks) {
      if (!hunk.lines.some((line) => line.kind === "+" && !moved.has(line))) continue;
      pieces.push(ofHunk(path, file, hunk, moved, change));
    }
  }
  return pieces;
}

function ofHunk(path: string, file: FilePatch, hunk: Hunk, moved: ReadonlySet<Hunk["lines"][number]>, change: Change | undefined): Piece {
  const now = hunk.lines.filter((line) => line.kind !== "-");
  const head = openers(
    now.map((line) => line.value),
    hunk.section,
  );
  const lines: PieceLine[] = [];
  let start = head.length;
  for (const line of now) {
    lines.push({
      start,
      value: line.value,
      isNew: line.kind === "+" && !moved.has(line),
      at: line.at,
      ...(line.new === undefined ? {} : { number: line.new }),
    });
    start += line.value.length + 1;
  }
  const before = hunk.lines.some((line) => line.kind === "-")
    ? hunk.lines.filter((line) => line.kind !== "+").map((line) => line.value)
    : [];
  return {
    path,
    text: `${head}${now.map((line) => line.value).join("\n")}\n`,
    lines,
    old: before.length > 0 ? `${openers(before, hunk.section)}${before.join("\n")}\n` : "",
    isWhole: file.kind === "added" && file.complete,
    ...(change ? { change } : {}),
  };
}

function ofText(change: Change): Piece {
  const after = change.after?.value ?? "";
  const values = after.split("\n");
  const head = openers(values, "");
  const lines: PieceLine[] = [];
  let at = 0;
  const known = new Set(change.before?.value.split("\n").map((line) => line.trim()) ?? []);
  const isBlock = known.size > 0;
  for (const value of values) {
    const span: Span | undefined = change.after ? { text: change.after, start: at, end: at + value.length } : undefined;
    lines.push({ start: head.length + at, value, isNew: !isBlock || !known.has(value.trim()), ...(span ? { at: span } : {}) });
    at += value.length + 1;
  }
  const before = change.before?.value.split("\n") ?? [];
  return {
    path: change.path,
    text: head + after,
    lines,
    old: before.length > 1 || before[0] ? openers(before, "") + before.join("\n") : "",
    isWhole: change.kind === "create" || change.kind === "write",
    change,
  };
}

/**
 * Lines that open the blocks which a part of a file stands in: without them a parser reads an indented beginning as an
 * error. The hunk's section, if it is a Python header, stands for the function around it.
 */
export function openers(lines: readonly string[], section: string): string {
  const levels: { indent: string; isTry: boolean }[] = [];
  let least = Infinity;
  for (const line of lines) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
    if (indent.length >= least) continue;
    if (least !== Infinity) levels.push({ indent, isTry: /^\s*(?:except|finally)\b/.test(line) });
    else if (indent.length > 0) levels.push({ indent, isTry: false });
    least = indent.length;
    if (least === 0 || levels.length > 30) break;
  }
  // The first of them is where the part begins; it needs something above it, and so does the last.
  const first = levels[0]?.indent ?? "";
  const isIndented =
    lines.some((line) => line.trim() !== "") &&
    first.length > 0 &&
    lines.find((line) => line.trim() !== "" && !line.trimStart().startsWith("#"))?.startsWith(first);
  const inner = isIndented ? levels.slice(1) : levels;
  const header = /^(\s*)((?:async\s+)?def|class)\s+\w+.*$/.exec(section.slice(0, 300));
  const indent = header?.[1]?.length ?? 0;
  const out = inner
    .filter((level) => !header || level.indent.length !== indent)
    .map((level) => ({ indent: level.indent, text: `${level.indent}${level.isTry ? "try" : "if _"}:` }));
  const isDeeper = isIndented || inner.length > 0;
  if (header && isDeeper && Math.max(...levels.map((level) => level.indent.length)) > indent) {
    const isWhole = /:\s*(?:#.*)?$/.test(section);
    out.push({
      indent: header[1] ?? "",
      text: isWhole ? section : `${section.replace(/\(.*$/, "")}${section.includes("def") ? "(*_)" : ""}:`,
    });
  } else if (isIndented && inner.length === 0) out.push({ indent: "", text: "if _:" });
  return out
    .sort((a, b) => a.indent.length - b.indent.length)
    .map((one) => `${one.text}\n`)
    .join("");
}
