/** A change of an assertion as it is told: what happened, the line that shows it, and both forms on one line. */
import type { DiffLine } from "../text/diff";
import type { Asserted } from "./assertions";
import type { Weaker } from "./assertion-order";
import type { Row } from "./assertion-rows";
import type { Held } from "./assertion-sides";

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

export type Place = Pick<AssertionChange, "line" | "start" | "end">;

/** Certain, of one assertion, and shown on the new side, unless it is said otherwise. */
export function tell(
  kind: AssertionChange["kind"],
  file: string,
  owner: string | undefined,
  place: Place,
  more: Partial<AssertionChange>,
): AssertionChange {
  return {
    kind,
    file,
    ...(owner === undefined || owner.startsWith("#") ? {} : { test: owner }),
    ...place,
    isCertain: true,
    isSlight: false,
    side: "new",
    old: "",
    now: "",
    count: 1,
    ...more,
  };
}

/** An assertion on one line. */
export function shown(one: Asserted): string {
  return one.statement.code.text.replace(/\s+/g, " ").trim();
}

/** An assertion that changed, and its first line that went. */
export function oldForm(one: Held): Pick<AssertionChange, "old" | "oldLine"> {
  const row = one.statement.rows.find(({ line }) => line.kind === "-");
  return { old: shown(one), ...(row ? { oldLine: row.line } : {}) };
}

export function wholeLine(line: DiffLine): Place {
  return { line, start: line.value.length - line.value.trimStart().length, end: line.value.trimEnd().length };
}

/** Where an assertion stands in one of its rows, without a comment behind it. */
export function partOf(row: Row, one: Asserted): Place {
  const { line } = row;
  const { rows, code } = one.statement;
  const text = rows.length === 1 && row === rows[0] ? (code.text.split("\n")[0] ?? "") : "";
  const at = text === "" ? -1 : line.value.indexOf(text);
  if (at >= 0) return { line, start: at, end: at + text.trimEnd().length };
  const { start } = wholeLine(line);
  return { line, start, end: Math.max(start, Math.min(row.text.trimEnd().length, line.value.length)) };
}
