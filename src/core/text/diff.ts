/**
 * Reads patches, with the position of every line: git's, `diff -u`, Subversion's, mails, and what models write.
 * Never throws; what does not add up is a problem and is still read line by line.
 */
import type { Span, Text } from "../model";
import { hasNumbers, isHunkAt, isPairAt, readHunk } from "./diff-hunks";
import { splitLines } from "./diff-lines";
import { readName, splitGitLine, stripPrefixes, unquote, type HeaderName } from "./diff-paths";

export { movedLines, pairMoves } from "./diff-moves";

export interface DiffLine {
  kind: " " | "+" | "-";
  /** Without the sign and without the line end (`\n` or `\r\n`). */
  value: string;
  /** The content, where it stands in the text that was read. */
  at: Span;
  /** Line numbers from 1, on the sides that have the line. */
  old?: number;
  new?: number;
  /** The file ends here without a line end. */
  noNewline?: boolean;
}

export interface Hunk {
  oldStart: number;
  oldCount: number;
  newStart: number;
  newCount: number;
  /** What stands behind the second `@@`. */
  section: string;
  lines: DiffLine[];
  /** The header line. */
  at: Span;
}

export interface FilePatch {
  /** Absent when there was no file before. */
  oldPath?: string;
  /** Absent when there is no file afterwards. */
  newPath?: string;
  kind: "added" | "deleted" | "modified" | "renamed" | "copied" | "mode" | "binary";
  oldMode?: string;
  newMode?: string;
  /** In percent, as git states it. */
  similarity?: number;
  hunks: Hunk[];
  /** From the first header line to the last one before the first hunk. */
  header: Span;
  /** From the first header line to the end of the last hunk's last line, its line end included. */
  whole: Span;
  /** All lines that the headers promised are there. */
  complete: boolean;
}

export interface Patch {
  files: FilePatch[];
  problems: {
    message: string;
    at: Span;
    /** The text ended before the hunk did: what is missing could be anything. */
    isCut?: boolean;
  }[];
}

/** A file while it is read. */
interface Open {
  first: number;
  lastHeader: number;
  last: number;
  pair?: { old: string; new: string };
  old?: HeaderName;
  now?: HeaderName;
  from?: string;
  to?: string;
  only?: string;
  isNew: boolean;
  isDeleted: boolean;
  isCopy: boolean;
  isBinary: boolean;
  isGit: boolean;
  oldMode?: string;
  newMode?: string;
  similarity?: number;
  hunks: Hunk[];
  complete: boolean;
}

export function readDiff(text: Text): Patch {
  const lines = splitLines(text.value);
  const files: FilePatch[] = [];
  const problems: Patch["problems"] = [];
  let file: Open | undefined;

  const line = lines.at;
  const span = (from: number, to = from): Span => ({ text, start: lines.start(from), end: lines.end(to) });

  function complain(message: string, at: number, isCut = false): void {
    problems.push({ message, at: span(at), ...(isCut ? { isCut } : {}) });
    if (file) file.complete = false;
  }

  function begin(at: number, isGit: boolean): Open {
    finish();
    file = {
      first: at,
      lastHeader: at,
      last: at,
      isGit,
      isNew: false,
      isDeleted: false,
      isCopy: false,
      isBinary: false,
      hunks: [],
      complete: true,
    };
    return file;
  }

  function finish(): void {
    if (file)
      files.push(close(file, { text, start: lines.start(file.first), end: lines.next(file.last) }, span(file.first, file.lastHeader)));
    file = undefined;
  }

  function takeHunk(at: number): number {
    file ??= begin(at, false);
    if (file.first === at) complain("A hunk without a file header.", at);
    const { hunk, next, problem } = readHunk(text, lines, at);
    file.hunks.push(hunk);
    file.last = next - 1;
    if (problem) complain(problem.message, at, problem.isCut);
    return next;
  }

  function readPair(i: number): void {
    if (!file || file.hunks.length > 0 || file.old) {
      // `diff -ru` names the pair again on a line of its own.
      const isNamed = i > 0 && /^diff .*-/.test(line(i - 1).slice(0, 200)) && file?.last !== i - 1;
      begin(isNamed ? i - 1 : i, false);
    }
    if (!file) return;
    file.old = readName(line(i).slice(4));
    file.now = readName(line(i + 1).slice(4));
    file.last = file.lastHeader = i + 1;
  }

  let i = 0;
  while (i < lines.count) {
    const value = line(i);
    if (value.startsWith("diff --git ")) {
      const pair = splitGitLine(value.slice(11));
      Object.assign(begin(i, true), pair ? { pair } : {});
    } else if (value.startsWith("diff --cc ") || value.startsWith("diff --combined ")) {
      const name = value.slice(value.indexOf(" ", 5) + 1);
      begin(i, true).only = unquote(name, 0)?.name ?? name;
    } else if (value.startsWith("Index: ")) begin(i, false).only = value.slice(7).trim();
    else if (isPairAt(lines, i) && (isHunkAt(lines, i + 2) || (file?.isGit && file.hunks.length === 0) || i + 2 >= lines.count)) {
      readPair(i);
      i += 2;
      continue;
    } else if (isHunkAt(lines, i) && (file || hasNumbers(value))) {
      i = takeHunk(i);
      continue;
    } else if (file && file.hunks.length === 0 && readExtended(file, value)) file.last = file.lastHeader = i;
    i++;
  }
  finish();
  return { files: files.filter((one) => one.hunks.length > 0 || one.kind !== "modified" || !one.complete || isGitEmpty(one)), problems };
}

/** A `diff --git` line with nothing behind it is kept: a cut patch ends so. */
function isGitEmpty(file: FilePatch): boolean {
  return file.header.text.value.startsWith("diff --git ", file.header.start);
}

/** Git's extended header lines; whether this is one. */
function readExtended(file: Open, value: string): boolean {
  const match =
    /^(old mode|new mode|deleted file mode|new file mode|(?:dis)?similarity index|rename from|rename to|copy from|copy to|index|mode) (.*)$/.exec(
      value,
    );
  const [, name, rest = ""] = match ?? [];
  const path = (): string => unquote(rest, 0)?.name ?? rest;
  if (name === "old mode") file.oldMode = rest;
  else if (name === "new mode") file.newMode = rest;
  else if (name === "deleted file mode") Object.assign(file, { isDeleted: true, oldMode: rest });
  else if (name === "new file mode") Object.assign(file, { isNew: true, newMode: rest });
  else if (name === "similarity index") file.similarity = Number.parseInt(rest, 10) || 0;
  else if (name === "rename from" || name === "copy from") Object.assign(file, { from: path(), isCopy: name === "copy from" });
  else if (name === "rename to" || name === "copy to") file.to = path();
  else if (name === "index") {
    const mode = / (\d{6})$/.exec(rest)?.[1];
    if (mode) Object.assign(file, { oldMode: file.oldMode ?? mode, newMode: file.newMode ?? mode });
  } else if (/^(?:Binary files .* differ|GIT binary patch|Files .* differ)$/.test(value)) file.isBinary = true;
  else return name !== undefined || /^={10,}$/.test(value);
  return true;
}

function close(file: Open, whole: Span, header: Span): FilePatch {
  const { pair, only } = file;
  const first = file.hunks[0];
  const isAbsentOld = file.isNew || (file.old?.isAbsent ?? false) || (!file.isGit && first?.oldStart === 0 && first.oldCount === 0);
  const isAbsentNew = file.isDeleted || (file.now?.isAbsent ?? false);
  const names = stripPrefixes(file.old ? file.old.path : pair?.old, file.now ? file.now.path : pair?.new, pair);
  const oldPath = file.from ?? names.old ?? only;
  const newPath = file.to ?? names.new ?? only;
  const isMode = first === undefined && file.oldMode !== undefined && file.newMode !== undefined && file.oldMode !== file.newMode;
  const kind = ((): FilePatch["kind"] => {
    if (file.from !== undefined) return file.isCopy ? "copied" : "renamed";
    if (isAbsentOld && !isAbsentNew) return "added";
    if (isAbsentNew) return "deleted";
    return file.isBinary ? "binary" : isMode ? "mode" : "modified";
  })();
  return {
    ...(oldPath === undefined || kind === "added" ? {} : { oldPath }),
    ...(newPath === undefined || kind === "deleted" ? {} : { newPath }),
    kind,
    ...(file.oldMode === undefined ? {} : { oldMode: file.oldMode }),
    ...(file.newMode === undefined ? {} : { newMode: file.newMode }),
    ...(file.similarity === undefined ? {} : { similarity: file.similarity }),
    hunks: file.hunks,
    header,
    whole,
    complete: file.complete,
  };
}
