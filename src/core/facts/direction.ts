/** Which test cases a patch adds, removes and changes (catalogue M9), from its lines alone. */
import type { DiffLine, FilePatch, Patch } from "../text/diff";
import { findCases, languageOf, type CaseBody } from "./cases";

export interface CaseChange {
  /** `TestClass.test_x`, `describe > it`, `TestX`: as far as the hunk tells. */
  name: string;
  kind: "added" | "removed" | "modified" | "moved" | "renamed" | "parametrised";
  /** The new name of a renamed or parametrised case. */
  to?: string;
  /** The file that it went to, when that is another one. */
  toPath?: string;
  /** Lines of this case that go, and that come. Of a moved one those that differ. */
  removed: DiffLine[];
  added: DiffLine[];
  /** The line that names it, or the first changed line. */
  line: DiffLine;
}

const alike = 0.6;

/**
 * The test cases that a file's patch touches. A case that only changes its place is `moved`; one whose body went into
 * another that takes parameters is `parametrised`. Cases cut off by the edge of a hunk are named by its section.
 * Cases that went to another file count as removed here: `caseChanges` sees the whole patch.
 */
export function changedCases(file: FilePatch): CaseChange[] {
  const language = languageOf(file.newPath ?? file.oldPath ?? "");
  if (!language) return [];
  const olds = new Map<string, CaseBody>();
  const news = new Map<string, CaseBody>();
  for (const hunk of file.hunks) {
    collect(
      olds,
      findCases(
        hunk.lines.filter((line) => line.kind !== "+"),
        language,
        hunk.section,
        "-",
      ),
    );
    collect(
      news,
      findCases(
        hunk.lines.filter((line) => line.kind !== "-"),
        language,
        hunk.section,
        "+",
      ),
    );
  }
  const changes: CaseChange[] = [];
  const gone: CaseBody[] = [];
  const come: CaseBody[] = [];
  for (const [name, old] of olds) {
    const now = news.get(name);
    if (!now) {
      if (old.start?.kind === "-") gone.push(old);
      else push(changes, "modified", old, undefined);
    } else push(changes, isMovedCase(old, now) ? "moved" : "modified", old, now);
  }
  for (const [name, now] of news) {
    if (olds.has(name)) continue;
    if (now.start?.kind === "+") come.push(now);
    else push(changes, "modified", undefined, now);
  }
  const taken = new Set<CaseBody>();
  for (const old of gone) {
    const lines = bodyOf(old);
    let best: { body: CaseBody; score: number } | undefined;
    for (const now of come) {
      const score = lastName(now.name) === lastName(old.name) ? 1 : similarity(lines, bodyOf(now));
      if (score >= alike && !taken.has(now) && (!best || score > best.score)) best = { body: now, score };
    }
    const taker = best ? undefined : [...come, ...news.values()].find((now) => now.isParametrised && covers(now, old));
    if (best && !(best.body.isParametrised && !old.isParametrised)) {
      taken.add(best.body);
      const isSame = lastName(best.body.name) === lastName(old.name);
      changes.push({
        name: old.name,
        kind: isSame ? "moved" : "renamed",
        to: best.body.name,
        ...difference(old, best.body),
        line: old.start ?? nothing,
      });
    } else if (best ?? taker) {
      const body = best?.body ?? taker;
      if (best) taken.add(best.body);
      changes.push({
        name: old.name,
        kind: "parametrised",
        ...(body ? { to: body.name } : {}),
        removed: old.lines.filter((line) => line.kind === "-"),
        added: body ? body.lines.filter((line) => line.kind === "+") : [],
        line: old.start ?? nothing,
      });
    } else
      changes.push({
        name: old.name,
        kind: "removed",
        removed: old.lines.filter((line) => line.kind === "-"),
        added: [],
        line: old.start ?? nothing,
      });
  }
  for (const now of come)
    if (!taken.has(now))
      changes.push({
        name: now.name,
        kind: "added",
        removed: [],
        added: now.lines.filter((line) => line.kind === "+"),
        line: now.start ?? nothing,
      });
  return changes;
}

export interface FileCases {
  file: FilePatch;
  changes: CaseChange[];
}

/** The cases that a whole patch touches, by file; one that another file takes over is `moved` and told once, where it was. */
export function caseChanges(patch: Patch): FileCases[] {
  const all = patch.files.map((file) => ({ file, changes: changedCases(file) }));
  const taken = new Set<CaseChange>();
  for (const from of all) {
    for (const change of from.changes) {
      if (change.kind !== "removed") continue;
      const last = lastName(change.name);
      const lines = contentOf(change.removed, change.line);
      for (const to of all) {
        if (to === from || change.kind !== "removed") continue;
        const match = to.changes.find(
          (one) =>
            one.kind === "added" &&
            !taken.has(one) &&
            similarity(lines, contentOf(one.added, one.line)) >= (lastName(one.name) === last ? alike : veryAlike),
        );
        if (!match) continue;
        taken.add(match);
        const there = new Set(match.added.map((line) => line.value.trim()));
        const here = new Set(change.removed.map((line) => line.value.trim()));
        Object.assign(change, {
          kind: lastName(match.name) === last ? "moved" : "renamed",
          to: match.name,
          toPath: to.file.newPath ?? to.file.oldPath,
          removed: change.removed.filter((line) => !there.has(line.value.trim())),
          added: match.added.filter((line) => !here.has(line.value.trim())),
        });
      }
    }
  }
  return all
    .map(({ file, changes }) => ({ file, changes: changes.filter((change) => !taken.has(change)) }))
    .filter(({ changes }) => changes.length > 0);
}

/** Under another name and in another file it has to be the same case almost word for word. */
const veryAlike = 0.8;

function lastName(name: string): string {
  return name.slice(name.lastIndexOf(".") + 1);
}

function contentOf(lines: readonly DiffLine[], start: DiffLine): string[] {
  return lines
    .filter((line) => line !== start)
    .map((line) => line.value.trim())
    .filter((value) => value.length > 1);
}

const nothing: DiffLine = { kind: " ", value: "", at: { text: { value: "", origin: { from: "join", pieces: [] } }, start: 0, end: 0 } };

function collect(into: Map<string, CaseBody>, bodies: readonly CaseBody[]): void {
  for (const body of bodies) {
    const known = into.get(body.name);
    if (known) {
      for (const line of body.lines) known.lines.push(line);
      known.start ??= body.start;
      known.isParametrised ||= body.isParametrised;
    } else into.set(body.name, body);
  }
}

function push(changes: CaseChange[], kind: "modified" | "moved", old: CaseBody | undefined, now: CaseBody | undefined): void {
  const removed = (old?.lines ?? []).filter((line) => line.kind === "-");
  const added = (now?.lines ?? []).filter((line) => line.kind === "+");
  if (![...removed, ...added].some((line) => line.value.trim() !== "")) return;
  const line = old?.start ?? now?.start ?? removed[0] ?? added[0];
  const body = old ?? now;
  if (!line || !body) return;
  changes.push({ name: body.name, kind, removed: kind === "moved" ? [] : removed, added: kind === "moved" ? [] : added, line });
}

/** It goes here and comes there, word for word. */
function isMovedCase(old: CaseBody, now: CaseBody): boolean {
  return old.start?.kind === "-" && now.start?.kind === "+" && old.start.value.trim() === now.start.value.trim() && sameBody(old, now);
}

function bodyOf(body: CaseBody): string[] {
  return body.lines
    .filter((line) => line !== body.start)
    .map((line) => line.value.trim())
    .filter((value) => value.length > 1);
}

function sameBody(old: CaseBody, now: CaseBody): boolean {
  const [left, right] = [bodyOf(old), bodyOf(now)];
  return left.length === right.length && left.every((line, i) => line === right[i]);
}

/** Lines that both have, by the longer. A body of nothing resembles nothing. */
function similarity(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of right) counts.set(line, (counts.get(line) ?? 0) + 1);
  let shared = 0;
  for (const line of left) {
    const count = counts.get(line) ?? 0;
    if (count > 0) {
      shared++;
      counts.set(line, count - 1);
    }
  }
  return shared / Math.max(1, left.length, right.length);
}

/** The values of the old case stand in the new one: at least half of its literals, and one. */
function covers(now: CaseBody, old: CaseBody): boolean {
  const text = now.lines.map((line) => line.value).join("\n");
  const literals = [
    ...new Set(bodyOf(old).flatMap((line) => line.slice(0, 400).match(/"[^"]{1,80}"|'[^']{1,80}'|\b\d+(?:\.\d+)?\b/g) ?? [])),
  ];
  return literals.length > 0 && literals.filter((one) => text.includes(one)).length * 2 >= literals.length;
}

function difference(old: CaseBody, now: CaseBody): { removed: DiffLine[]; added: DiffLine[] } {
  const left = new Set(old.lines.map((line) => line.value.trim()));
  const right = new Set(now.lines.map((line) => line.value.trim()));
  return {
    removed: old.lines.filter((line) => line !== old.start && !right.has(line.value.trim())),
    added: now.lines.filter((line) => line !== now.start && !left.has(line.value.trim())),
  };
}
