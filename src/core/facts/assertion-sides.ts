/** The two sides of a hunk in a test file: what each of them asserts, and in which test case. */
import type { DiffLine, Hunk } from "../text/diff";
import { type Asserted, readAssertions } from "./assertions";
import { type Row, rowsOf, statementsOf } from "./assertion-rows";
import { type CaseLanguage, findCases } from "./cases";

/** One side of one hunk. */
export interface Side {
  rows: Row[];
  asserted: Held[];
}

export interface Held extends Asserted {
  /** The name of its case, of a renamed one the old name; else the hunk's number, as `#0`. */
  owner: string;
  isChanged: boolean;
}

export interface Sides {
  before: Side;
  after: Side;
  /** A line that names a case stands in it and is of one side alone. */
  hasOwnStart: boolean;
}

/** @param renamed the old names of cases, by their new ones */
export function readSides(hunk: Hunk, number: number, language: CaseLanguage, renamed: ReadonlyMap<string, string>): Sides {
  const [before, after] = [readSide(hunk, "-", language), readSide(hunk, "+", language)];
  const hold = ({ rows, asserted, owners }: ReadSide, kind: "+" | "-"): Side => ({
    rows,
    asserted: asserted.map((one) => {
      const first = one.statement.rows[0];
      const name = first && owners.get(first.line);
      return {
        ...one,
        owner: name === undefined ? `#${number}` : kind === "+" ? (renamed.get(name) ?? name) : name,
        isChanged: isChanged(one, kind),
      };
    }),
  });
  return { before: hold(before, "-"), after: hold(after, "+"), hasOwnStart: before.hasOwnStart || after.hasOwnStart };
}

interface ReadSide {
  rows: Row[];
  asserted: Asserted[];
  /** The name of the case that a line is of. */
  owners: ReadonlyMap<DiffLine, string>;
  hasOwnStart: boolean;
}

function readSide({ lines, section }: Hunk, kind: "+" | "-", language: CaseLanguage): ReadSide {
  const mine = lines.filter((line) => line.kind === " " || line.kind === kind);
  const rows = rowsOf(mine, language);
  const owners = new Map<DiffLine, string>();
  const bodies = findCases(mine, language, section, kind);
  for (const one of bodies) for (const line of one.lines) owners.set(line, one.name);
  const asserted = statementsOf(rows, language).flatMap((statement) => readAssertions(statement, language));
  return { rows, asserted, owners, hasOwnStart: bodies.some((one) => one.start?.kind === kind) };
}

function isChanged(one: Asserted, kind: "+" | "-"): boolean {
  return one.statement.rows.some((row) => row.line.kind === kind);
}

/** The keys of all assertions that a hunk adds. */
export function addedKeys(hunk: Hunk, language: CaseLanguage): string[] {
  return readSide(hunk, "+", language)
    .asserted.filter((one) => isChanged(one, "+"))
    .map((one) => one.key);
}
