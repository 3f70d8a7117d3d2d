/** What a patch moves rather than adds: files that were renamed, and lines that stood elsewhere before. */
import type { DiffLine, FilePatch, Patch } from "./diff";

export interface Move {
  from: string;
  path: string;
  /** The halves of a move that the patch writes as a deletion and an addition; the same object when it says so itself. */
  removed: FilePatch;
  added: FilePatch;
  /** From 0 to 1: characters of the lines that both have, by those of the longer file. */
  similarity: number;
}

/** What `git diff -M40%` takes for a rename. */
const leastSimilarity = 0.4;

/** A line that is in more files than this says nothing about which of them was moved. */
const commonest = 50;

/** The moves that the patch states, and pairs of a deleted and an added file that are alike. Each file is in one move at most. */
export function pairMoves(patch: Patch): Move[] {
  const moves: Move[] = [];
  for (const file of patch.files) {
    const { oldPath, newPath, similarity = 100 } = file;
    if (file.kind !== "renamed" || oldPath === undefined || newPath === undefined) continue;
    moves.push({ from: oldPath, path: newPath, removed: file, added: file, similarity: similarity / 100 });
  }
  const deleted = patch.files.filter((file) => file.kind === "deleted").map((file) => content(file, "-"));
  const added = patch.files.filter((file) => file.kind === "added").map((file) => content(file, "+"));
  const where = new Map<string, Map<number, number>>();
  deleted.forEach((half, i) => {
    for (const [value, count] of half.lines) {
      const files = where.get(value) ?? new Map<number, number>();
      files.set(i, count);
      where.set(value, files);
    }
  });
  const pairs: { from: number; to: number; similarity: number; isSameName: boolean }[] = [];
  added.forEach((half, to) => {
    const shared = new Map<number, number>();
    for (const [value, count] of half.lines) {
      const files = where.get(value);
      if (!files || files.size > commonest) continue;
      for (const [from, other] of files) shared.set(from, (shared.get(from) ?? 0) + Math.min(count, other) * (value.length + 1));
    }
    for (const [from, size] of shared) {
      const other = deleted[from];
      const similarity = size / Math.max(half.size, other?.size ?? 0);
      if (similarity >= leastSimilarity)
        pairs.push({ from, to, similarity, isSameName: baseName(half.path) === baseName(other?.path ?? "") });
    }
  });
  pairs.sort((a, b) => b.similarity - a.similarity || Number(b.isSameName) - Number(a.isSameName) || a.from - b.from || a.to - b.to);
  const taken = new Set<FilePatch>();
  for (const { from, to, similarity } of pairs) {
    const [left, right] = [deleted[from], added[to]];
    if (!left || !right || taken.has(left.file) || taken.has(right.file)) continue;
    taken.add(left.file).add(right.file);
    moves.push({ from: left.path, path: right.path, removed: left.file, added: right.file, similarity });
  }
  return moves;
}

interface Half {
  file: FilePatch;
  path: string;
  lines: Map<string, number>;
  size: number;
}

function content(file: FilePatch, kind: "+" | "-"): Half {
  const lines = new Map<string, number>();
  let size = 0;
  for (const hunk of file.hunks) {
    for (const line of hunk.lines) {
      if (line.kind !== kind) continue;
      lines.set(line.value, (lines.get(line.value) ?? 0) + 1);
      size += line.value.length + 1;
    }
  }
  return { file, path: (kind === "-" ? file.oldPath : file.newPath) ?? "", lines, size };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A single line has to be this long to be known again. */
const longLine = 30;

/**
 * The added lines that the same patch removes somewhere: in blocks of two lines or more that say something, or
 * one long line. White space does not count, so that a block that was only indented is moved, too. Each removed
 * line explains one added line.
 */
export function movedLines(patch: Patch): ReadonlySet<DiffLine> {
  const left = new Map<string, number>();
  const pairs = new Map<string, number>();
  for (const block of blocks(patch, "-")) {
    block.forEach(({ text }, i) => {
      count(left, text, 1);
      const next = block[i + 1];
      if (next) count(pairs, `${text}\n${next.text}`, 1);
    });
  }
  const moved = new Set<DiffLine>();
  const isLeft = (one: Known): boolean => moved.has(one.line) || (left.get(one.text) ?? 0) > 0;
  const mark = (one: Known): void => {
    if (moved.has(one.line)) return;
    moved.add(one.line);
    count(left, one.text, -1);
  };
  const added = blocks(patch, "+");
  for (const block of added) {
    block.forEach((one, i) => {
      const next = block[i + 1];
      if (!next || !isLeft(one) || !isLeft(next)) return;
      const key = `${one.text}\n${next.text}`;
      if ((pairs.get(key) ?? 0) === 0) return;
      // Two equal lines in a row need two removed ones.
      if (one.text === next.text && !moved.has(one.line) && (left.get(one.text) ?? 0) < 2) return;
      count(pairs, key, -1);
      mark(one);
      mark(next);
      for (const between of next.before) moved.add(between);
    });
  }
  for (const block of added) for (const one of block) if (one.text.length >= longLine && isLeft(one)) mark(one);
  return moved;
}

/** A line that says something, and the blank or bare ones just before it. */
interface Known {
  line: DiffLine;
  text: string;
  before: DiffLine[];
}

/** Runs of lines of one kind that no context line parts. */
function blocks(patch: Patch, kind: "+" | "-"): Known[][] {
  const found: Known[][] = [];
  for (const file of patch.files) {
    for (const hunk of file.hunks) {
      let block: Known[] = [];
      let before: DiffLine[] = [];
      found.push(block);
      for (const line of hunk.lines) {
        if (line.kind === " ") {
          if (block.length > 0) found.push((block = []));
          before = [];
        } else if (line.kind === kind) {
          const text = line.value.trim().replace(/\s+/g, " ");
          // Brackets and blank lines are everywhere.
          if (/[\p{L}\p{N}]/u.test(text)) {
            block.push({ line, text, before });
            before = [];
          } else before.push(line);
        }
      }
    }
  }
  return found;
}

function count(map: Map<string, number>, key: string, by: number): void {
  map.set(key, (map.get(key) ?? 0) + by);
}
