/** What a patch does to the assertions of test cases that stood before it. */
import type { DiffLine, FilePatch, Patch } from "../text/diff";
import { movedLines } from "../text/diff-moves";
import { type Asserted, readAssertions, strength } from "./assertions";
import { weakened, type Weaker } from "./assertion-order";
import { aboutNothing, pair, type Pair, tokens } from "./assertion-pairs";
import { type Row, rowsOf, statementsOf } from "./assertion-rows";
import { findShelters } from "./assertion-shelters";
import { type CaseLanguage, findCases, languageOf } from "./cases";
import { type CaseChange, changedCases } from "./direction";
import { hasRole } from "./roles";

export interface AssertionChange {
  kind: Weaker["kind"] | "removed" | "commented" | "swallowed" | "unreached";
  file: string;
  /** The test's name, as far as the hunk tells. */
  test?: string;
  isCertain: boolean;
  isSlight: boolean;
  /** The line that shows it, and which part of its value. */
  line: DiffLine;
  start: number;
  end: number;
  side: "old" | "new";
  /** As they stand, on one line. */
  old: string;
  now: string;
  oldLine?: DiffLine;
  /** How many assertions went, of `removed`. */
  count: number;
}

/** One side of one hunk. */
interface Side {
  rows: Row[];
  asserted: Asserted[];
  owner: ReadonlyMap<DiffLine, string>;
  /** A line that names a case stands in it, and is this side's own. */
  hasOwnStart: boolean;
}

interface Held extends Asserted {
  owner: string;
  isChanged: boolean;
}

export function assertionChanges(patch: Patch): AssertionChange[] {
  const moved = movedLines(patch);
  const files = patch.files.filter(
    (file) =>
      file.kind !== "added" &&
      file.kind !== "deleted" &&
      hasRole(file.newPath ?? "", "test") &&
      languageOf(file.newPath ?? "") !== undefined,
  );
  if (files.length === 0) return [];
  // An assertion that comes back anywhere in the patch has only moved.
  const comes = new Set<string>();
  for (const file of patch.files) {
    const language = languageOf(file.newPath ?? "");
    if (!language || !hasRole(file.newPath ?? "", "test")) continue;
    for (const hunk of file.hunks)
      for (const one of readSide(hunk.lines, "+", language, hunk.section).asserted)
        if (one.statement.rows.some((row) => row.line.kind === "+")) comes.add(one.key);
  }
  const gone = vanished(patch);
  return files.flatMap((file) => changesOf(file, { moved, comes, gone }));
}

interface Around {
  moved: ReadonlySet<DiffLine>;
  comes: ReadonlySet<string>;
  gone: ReadonlySet<string>;
}

function changesOf(file: FilePatch, around: Around): AssertionChange[] {
  const path = file.newPath ?? "";
  const language = languageOf(path);
  if (!language) return [];
  const cases = changedCases(file);
  // Cases that went as a whole, or into a table, are other monitors' and nobody's.
  const left = new Set(cases.filter((one) => one.kind === "removed" || one.kind === "parametrised").map((one) => one.name));
  const renamed = new Map(
    cases.filter((one) => one.to !== undefined && one.kind !== "parametrised").map((one) => [one.to ?? "", one.name]),
  );
  const byName = new Map<string, Pick<CaseChange, "removed" | "added">>(cases.map((one) => [one.name, one]));
  file.hunks.forEach(({ lines }, i) =>
    byName.set(`#${i}`, { removed: lines.filter((line) => line.kind === "-"), added: lines.filter((line) => line.kind === "+") }),
  );
  const tables = new Set(
    [...byName]
      .filter(([, one]) => one.added.some((line) => /parametrize|\.each\b|subTest|^\s*for\b|\.forEach\(/.test(line.value.slice(0, 400))))
      .map(([name]) => name),
  );
  const unclear = new Set<string>();
  const olds: Held[] = [];
  const news: Held[] = [];
  const found: AssertionChange[] = [];
  const comments: Row[] = [];
  file.hunks.forEach((hunk, number) => {
    const [before, after] = [readSide(hunk.lines, "-", language, hunk.section), readSide(hunk.lines, "+", language, hunk.section)];
    const hold = (side: Side, kind: "+" | "-"): Held[] =>
      side.asserted.map((one) => {
        const name = side.owner.get(one.statement.rows[0]?.line ?? nowhere);
        return {
          ...one,
          owner: name === undefined ? `#${number}` : kind === "+" ? (renamed.get(name) ?? name) : name,
          isChanged: one.statement.rows.some((row) => row.line.kind === kind),
        };
      });
    const [mine, theirs] = [hold(before, "-"), hold(after, "+")];
    // Where a case goes as a whole, lines before it may be those of another one that only look like its own.
    if (before.hasOwnStart || after.hasOwnStart) unclear.add(`#${number}`);
    olds.push(...mine);
    news.push(...theirs);
    for (const row of after.rows) if (row.line.kind === "+" && row.mask.trim() === "") comments.push(row);
    const known = new Set(mine.map((one) => one.key));
    const standing = theirs.filter((one) => one.family !== "unknown" && (!one.isChanged || known.has(one.key)));
    for (const shelter of findShelters(after.rows, standing, language, around.moved)) {
      const inside = standing.find((one) => one.statement === shelter.over);
      found.push({
        ...place(shelter.row.line, "new"),
        kind: shelter.kind,
        file: path,
        ...nameOf(inside?.owner),
        isCertain: shelter.isCertain,
        isSlight: false,
        old: inside ? shown(inside) : "",
        now: shelter.row.text.trim(),
        count: 1,
      });
    }
    found.push(...hiddenBy(after.rows, before, after, path));
  });
  const asserting = new Set([...olds, ...news].flatMap((one) => one.statement.rows.map((row) => row.line)));
  const added: Pick<Near, "isRewritten" | "isWritten" | "hasOtherChecks"> = {
    isRewritten: (owner) => (byName.get(owner)?.removed ?? []).filter((line) => !asserting.has(line) && /\w/.test(line.value)).length >= 3,
    isWritten: (owner, one) => {
      const text = /^[rbfu]{0,2}["'](.{4,40})/.exec(one.expected ?? "")?.[1]?.replace(/["']$/, "");
      return text !== undefined && (byName.get(owner)?.added ?? []).some((line) => plainText(line.value).includes(plainText(text)));
    },
    hasOtherChecks: (owner) =>
      (byName.get(owner)?.added ?? []).some(
        (line) =>
          !asserting.has(line) &&
          /\w*(?:expect|assert|should|verify|check|raises)\w*\s*[(.]/i.test(line.value.slice(0, 400)) &&
          !/^\s*(?:#|\/\/|\*)/.test(line.value),
      ),
  };
  for (const owner of new Set(olds.map((one) => one.owner))) {
    if (left.has(owner)) continue;
    found.push(
      ...compareCase(
        owner,
        olds.filter((one) => one.owner === owner),
        news.filter((one) => one.owner === owner),
        { ...around, path, comments, tables, unclear, wentWith: (one) => wentWith(one, byName.get(owner)), ...added },
      ),
    );
  }
  return found;
}

const nowhere: DiffLine = { kind: " ", value: "", at: { text: { value: "", origin: { from: "join", pieces: [] } }, start: 0, end: 0 } };

function readSide(lines: readonly DiffLine[], kind: "+" | "-", language: CaseLanguage, section: string): Side {
  const mine = lines.filter((line) => line.kind === " " || line.kind === kind);
  const rows = rowsOf(mine, language);
  const owner = new Map<DiffLine, string>();
  const bodies = findCases(mine, language, section, kind);
  for (const one of bodies) for (const line of one.lines) owner.set(line, one.name);
  const asserted = statementsOf(rows, language).flatMap((statement) => readAssertions(statement, language));
  return { rows, asserted, owner, hasOwnStart: bodies.some((one) => one.start?.kind === kind) };
}

function compareCase(owner: string, olds: readonly Held[], news: readonly Held[], around: Around & Near): AssertionChange[] {
  const found: AssertionChange[] = [];
  const left = [...news.filter((one) => one.isChanged)];
  const gone: Held[] = [];
  for (const old of olds) {
    if (!old.isChanged) continue;
    const same = left.findIndex((one) => one.key === old.key && !(old.isAsync && old.isAwaited && !one.isAwaited));
    if (same >= 0) left.splice(same, 1);
    else if (!around.comes.has(old.key) || old.isAsync) gone.push(old);
  }
  const { pairs, unpaired } = pair(gone, left);
  for (const { old, now, score } of pairs) {
    const weaker = weakened(old, now);
    if (!weaker || !isAlone(old, now, pairs, left, news)) continue;
    const isSure = weaker.isCertain && (score === 1 || (now.family === "vacuous" && score >= aboutNothing));
    // Of another subject, only what asks next to nothing can be told to stand in its place.
    if (score < 1 && !(strength[now.family] <= 2)) continue;
    const row = now.statement.rows.find((one) => one.line.kind === "+") ?? now.statement.rows[0];
    if (!row) continue;
    found.push({
      ...placeOf(row, now),
      kind: weaker.kind,
      file: around.path,
      ...nameOf(owner),
      isCertain: isSure,
      isSlight: weaker.isSlight ?? false,
      side: "new",
      old: shown(old),
      now: shown(now),
      ...lineOf(old),
      count: 1,
    });
  }
  const rest: Held[] = [];
  for (const old of unpaired) {
    const comment = around.comments.find((row) => holds(row.line.value, shown(old)));
    if (comment)
      found.push({
        ...place(comment.line, "new"),
        kind: "commented",
        file: around.path,
        ...nameOf(owner),
        isCertain: true,
        isSlight: false,
        old: shown(old),
        now: "",
        ...lineOf(old),
        count: 1,
      });
    else rest.push(old);
  }
  const spare = left.length - pairs.length;
  const lost = rest.filter(
    (old) =>
      old.family !== "unknown" &&
      old.family !== "vacuous" &&
      !around.unclear.has(owner) &&
      !isSaidElsewhere(old, news) &&
      !around.isWritten(owner, old) &&
      !isGone(old, around.gone),
  );
  const first = lost[0];
  const row = first?.statement.rows.find((one) => one.line.kind === "-");
  if (first && row && spare <= 0 && !around.tables.has(owner) && !around.hasOtherChecks(owner)) {
    found.push({
      ...placeOf(row, first),
      kind: "removed",
      file: around.path,
      ...nameOf(owner),
      isCertain: false,
      isSlight:
        owner.startsWith("#") ||
        around.isRewritten(owner) ||
        lost.every(
          (one) => strength[one.family] <= 3 || (one.isNegated && one.family !== "boolean") || isWarning(one) || around.wentWith(one),
        ),
      side: "old",
      old: shown(first),
      now: "",
      oldLine: row.line,
      count: lost.length,
    });
  }
  return found;
}

/** What else is known of the file. */
interface Near {
  path: string;
  comments: readonly Row[];
  /** Cases that take their values from a table or a loop now. */
  tables: ReadonlySet<string>;
  /** Parts of the file of which it cannot be told which case they belong to. */
  unclear: ReadonlySet<string>;
  /** The step that made its subject went with it: less is tried, not only less asked. */
  wentWith(one: Held): boolean;
  /** More went than assertions: the case tries something else now. */
  isRewritten(owner: string): boolean;
  /** An added line of the case holds the expected text: it is checked in another way. */
  isWritten(owner: string, one: Held): boolean;
  /** Added lines check something in a way that is not read here: `.expect(200, done)`. */
  hasOtherChecks(owner: string): boolean;
}

/** Nothing else of the case makes up for what the new one lets go. */
function isAlone(old: Held, now: Held, pairs: readonly Pair<Held>[], left: readonly Held[], news: readonly Held[]): boolean {
  const others = left.filter((one) => one !== now && !pairs.some((two) => two.now === one));
  if (others.some((one) => one.family === "unknown")) return false;
  const near = (one: Held): boolean =>
    one.subjects.some((mine) => old.subjects.some((subject) => mine.includes(subject) || subject.includes(mine)));
  // One assertion split into several, about the same thing or about its parts.
  if (
    now.family !== "vacuous" &&
    others.some(
      (one) =>
        one.family !== "vacuous" && (near(one) || tokens(old, one) >= 0.5 || (one.expected !== undefined && one.expected === old.expected)),
    )
  )
    return false;
  return !news.some(
    (one) =>
      one !== now &&
      strength[one.family] >= strength[old.family] &&
      one.subjects.some((mine) => old.subjects.includes(mine)) &&
      one.expected === old.expected,
  );
}

/** What is left of the case says the same, or more, of that subject. */
function isSaidElsewhere(old: Held, news: readonly Held[]): boolean {
  return news.some((one) =>
    one.family === "unknown"
      ? one.isChanged
      : strength[one.family] >= Math.min(6, strength[old.family]) &&
        one.subjects.some((mine) =>
          old.subjects.some((subject) => mine === subject || (strength[old.family] <= 3 && mine.startsWith(subject))),
        ),
  );
}

/** A warning that is no longer given is most often a deprecation that ran out. */
function isWarning(one: Held): boolean {
  return one.family === "raises" && /\b(?:warns|assertWarns\w*)\s*\(/.test(one.statement.code.mask);
}

function plainText(value: string): string {
  return value.replace(/[\\\s]/g, "");
}

function wentWith(old: Held, change: Pick<CaseChange, "removed" | "added"> | undefined): boolean {
  const root = /^(?:await )?([A-Za-z_$][\w$]*)/.exec(old.subjects[0] ?? "")?.[1];
  if (!root || !change) return false;
  // Names come from source and are compared as text, never compiled into a pattern.
  const makes = (line: DiffLine): boolean => {
    const match = /^\s*(?:(?:const|let|var)\s+)?([\w$, {}[\]:]{1,200}?)\s*(?::=|=(?![=>]))/.exec(line.value.slice(0, 400));
    return match !== null && (match[1] ?? "").split(/[^\w$]+/).includes(root);
  };
  return change.removed.filter(makes).length > change.added.filter(makes).length;
}

/** Names that the patch takes out of the product and does not put back. */
function vanished(patch: Patch): ReadonlySet<string> {
  const [out, back] = [new Set<string>(), new Set<string>()];
  for (const file of patch.files) {
    if (hasRole(file.newPath ?? file.oldPath ?? "", "test")) continue;
    for (const hunk of file.hunks)
      for (const line of hunk.lines)
        for (const word of line.value.slice(0, 1000).match(/[A-Za-z_$][\w$]{3,}/g) ?? []) (line.kind === "-" ? out : back).add(word);
  }
  return new Set([...out].filter((word) => !back.has(word)));
}

function isGone(old: Held, gone: ReadonlySet<string>): boolean {
  return gone.size > 0 && (shown(old).match(/[A-Za-z_$][\w$]{3,}/g) ?? []).some((word) => gone.has(word));
}

/** Assertions on lines that stay, which a mark before them turned into text. */
function hiddenBy(rows: readonly Row[], before: Side, after: Side, path: string): AssertionChange[] {
  const kept = new Set(after.asserted.flatMap((one) => one.statement.rows.map((row) => row.line)));
  const lost = before.asserted.find((one) => one.statement.rows.every((row) => row.line.kind === " " && !kept.has(row.line)));
  const at = lost ? rows.findIndex((row) => row.line === lost.statement.rows[0]?.line) : -1;
  if (!lost || at < 0 || rows[at]?.isInside !== true) return [];
  const opener = rows
    .slice(0, at)
    .reverse()
    .find((row) => row.line.kind === "+" && /"""|'''|\/\*|`/.test(row.line.value));
  if (!opener) return [];
  return [
    {
      ...place(opener.line, "new"),
      kind: "commented",
      file: path,
      ...nameOf(before.owner.get(lost.statement.rows[0]?.line ?? nowhere)),
      isCertain: true,
      isSlight: false,
      old: shown(lost),
      now: opener.line.value.trim(),
      count: 1,
    },
  ];
}

function holds(comment: string, assertion: string): boolean {
  const plain = (value: string): string => value.replace(/\s+/g, "").replace(/;+$/, "");
  const wanted = plain(assertion.split("\n")[0] ?? "").slice(0, 60);
  return wanted.length >= 6 && plain(comment).includes(wanted) && /^\s*(?:#|\/\/|\/\*|\*|"""|''')/.test(comment);
}

function shown(one: Asserted): string {
  return one.statement.code.text.replace(/\s+/g, " ").trim();
}

function nameOf(owner: string | undefined): { test?: string } {
  return owner === undefined || owner.startsWith("#") ? {} : { test: owner };
}

function lineOf(old: Held): { oldLine?: DiffLine } {
  const line = old.statement.rows.find((row) => row.line.kind === "-")?.line;
  return line ? { oldLine: line } : {};
}

function place(line: DiffLine, side: "old" | "new"): Pick<AssertionChange, "line" | "start" | "end" | "side"> {
  return { line, side, start: line.value.length - line.value.trimStart().length, end: line.value.trimEnd().length };
}

/** Without a comment behind it. */
function placeOf(row: Row, one: Asserted): Pick<AssertionChange, "line" | "start" | "end"> {
  const value = row.line.value;
  const isFirst = row === one.statement.rows[0];
  const text = isFirst ? (one.statement.code.text.split("\n")[0] ?? "") : "";
  const at = one.statement.rows.length === 1 && text !== "" ? value.indexOf(text) : -1;
  if (at >= 0) return { line: row.line, start: at, end: at + text.trimEnd().length };
  const start = value.length - value.trimStart().length;
  return { line: row.line, start, end: Math.max(start, Math.min(row.text.trimEnd().length, value.length)) };
}
