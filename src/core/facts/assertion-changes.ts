/** What a patch does to the assertions of test cases that stood before it. */
import type { DiffLine, FilePatch, Patch } from "../text/diff";
import { movedLines } from "../text/diff-moves";
import { type Part, vanishedNames } from "./assertion-excuses";
import { type Around, findLosses } from "./assertion-losses";
import { type AssertionChange, oldForm, shown, tell, wholeLine } from "./assertion-places";
import type { Row } from "./assertion-rows";
import { findShelters } from "./assertion-shelters";
import { addedKeys, type Held, readSides, type Sides } from "./assertion-sides";
import { type CaseLanguage, languageOf } from "./cases";
import { type CaseChange, changedCases } from "./direction";
import { hasRole } from "./roles";

export type { AssertionChange } from "./assertion-places";

interface TestFile {
  path: string;
  language: CaseLanguage;
  patch: FilePatch;
}

export function assertionChanges(patch: Patch): AssertionChange[] {
  const tests = patch.files.flatMap((file): TestFile[] => {
    const path = file.newPath ?? "";
    const language = languageOf(path);
    return language && hasRole(path, "test") ? [{ path, language, patch: file }] : [];
  });
  const changed = tests.filter(({ patch: { kind } }) => kind !== "added" && kind !== "deleted");
  if (changed.length === 0) return [];
  const comes = new Set(tests.flatMap(({ patch: { hunks }, language }) => hunks.flatMap((hunk) => addedKeys(hunk, language))));
  const whole = { comes, vanished: vanishedNames(patch), moved: movedLines(patch) };
  return changed.flatMap((file) => changesOf(file, whole));
}

/** What is known of the whole patch. */
type Whole = Pick<Around, "comes" | "vanished"> & { moved: ReadonlySet<DiffLine> };

function changesOf({ path, language, patch }: TestFile, whole: Whole): AssertionChange[] {
  const cases = changedCases(patch);
  const parts = partsOf(patch, cases);
  const renamed = new Map(cases.flatMap((one) => (one.to === undefined || one.kind === "parametrised" ? [] : [[one.to, one.name]])));
  const sides = patch.hunks.map((hunk, number) => readSides(hunk, number, language, renamed));
  const found = sides.flatMap((one) => [...shelteredIn(one, path, language, whole.moved), ...hiddenIn(one, path)]);
  const olds = sides.flatMap(({ before }) => before.asserted);
  const news = sides.flatMap(({ after }) => after.asserted);
  const around: Around = {
    ...whole,
    comments: sides.flatMap(({ after }) => after.rows.filter((row) => row.line.kind === "+" && row.mask.trim() === "")),
    asserting: new Set([...olds, ...news].flatMap((one) => one.statement.rows.map((row) => row.line))),
  };
  // Where a case goes as a whole, lines before it may be those of another one that only look like its own.
  const unclear = new Set(sides.flatMap(({ hasOwnStart }, number) => (hasOwnStart ? [`#${number}`] : [])));
  // Cases that went as a whole, or into a table, are other monitors' and nobody's.
  const left = new Set(cases.filter((one) => one.kind === "removed" || one.kind === "parametrised").map((one) => one.name));
  const [oldsOf, newsOf] = [byOwner(olds), byOwner(news)];
  for (const [owner, mine] of oldsOf) {
    if (left.has(owner)) continue;
    const part = parts.get(owner) ?? { removed: [], added: [] };
    const one = { file: path, owner, olds: mine, news: newsOf.get(owner) ?? [], part, isUnclear: unclear.has(owner) };
    found.push(...findLosses(one, around));
  }
  return found;
}

/** The changed lines by case, and by hunk as `#0` for those that are of no case that is known. */
function partsOf({ hunks }: FilePatch, cases: readonly CaseChange[]): Map<string, Part> {
  const parts = new Map<string, Part>(cases.map((one) => [one.name, one]));
  hunks.forEach(({ lines }, number) =>
    parts.set(`#${number}`, { removed: lines.filter((line) => line.kind === "-"), added: lines.filter((line) => line.kind === "+") }),
  );
  return parts;
}

function byOwner(all: readonly Held[]): Map<string, Held[]> {
  const owners = new Map<string, Held[]>();
  for (const one of all) {
    const known = owners.get(one.owner);
    if (known) known.push(one);
    else owners.set(one.owner, [one]);
  }
  return owners;
}

/** Assertions that stand as they stood, behind something that keeps them from failing. */
function shelteredIn({ before, after }: Sides, path: string, language: CaseLanguage, moved: ReadonlySet<DiffLine>): AssertionChange[] {
  const known = new Set(before.asserted.map((one) => one.key));
  const standing = after.asserted.filter((one) => one.family !== "unknown" && (!one.isChanged || known.has(one.key)));
  return findShelters(after.rows, standing, language, moved).map(({ kind, row, over, isCertain }) => {
    const inside = standing.find((one) => one.statement === over);
    const old = inside ? shown(inside) : "";
    return tell(kind, path, inside?.owner, wholeLine(row.line), { isCertain, old, now: row.text.trim() });
  });
}

/** An assertion on lines that stay, which a mark before them turned into text. */
function hiddenIn({ before, after }: Sides, path: string): AssertionChange[] {
  const kept = new Set(after.asserted.flatMap((one) => one.statement.rows.map((row) => row.line)));
  const lost = before.asserted.find((one) => one.statement.rows.every(({ line }) => line.kind === " " && !kept.has(line)));
  const at = lost ? after.rows.findIndex((row) => row.line === lost.statement.rows[0]?.line) : -1;
  if (!lost || at < 0 || !after.rows[at]?.isInside) return [];
  const isOpener = ({ line }: Row): boolean => line.kind === "+" && /"""|'''|\/\*|`/.test(line.value);
  const opener = after.rows.slice(0, at).findLast(isOpener);
  if (!opener) return [];
  return [tell("commented", path, lost.owner, wholeLine(opener.line), { ...oldForm(lost), now: opener.line.value.trim() })];
}
