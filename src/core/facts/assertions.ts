/**
 * What a line of a test asserts: its kind, its subject, and how much it asks (catalogue, card `test-weakened`).
 * Read by the shape of the statement, in Python and JavaScript in depth, in Go, Rust and Java by the plain names.
 */
import type { CaseLanguage } from "./cases";
import type { Statement } from "./assertion-rows";
import { readJavaScript } from "./assertion-javascript";
import { readPlain } from "./assertion-plain";
import { readPython } from "./assertion-python";

export type AssertionFamily =
  | "equal"
  | "approx"
  | "boolean"
  | "none"
  | "length"
  | "called"
  | "raises"
  | "one-of"
  | "contains"
  | "partial"
  | "match"
  | "compare"
  | "type"
  | "different"
  | "either"
  | "truthy"
  | "exists"
  | "no-raise"
  | "vacuous"
  | "unknown";

export interface Assertion {
  family: AssertionFamily;
  /** The normalised actual expression; where that is not plain, both sides of a comparison. */
  subjects: readonly string[];
  /** The other side as it is written, where there is one. */
  expected?: string;
  isNegated?: boolean;
  /** In units of the value; with `unit` as a part of it. Absent: not known. */
  tolerance?: number;
  unit?: "rel";
  /** Names of exception classes; empty: any. */
  exceptions?: readonly string[];
  /** Of `raises`: what the message has to hold. */
  pattern?: string;
  /** Of `one-of` and `either`: the possibilities, normalised. */
  values?: readonly string[];
  /** Of `called`: 3 with arguments, 2 a number of times, 1 at all. */
  depth?: number;
  /** `==` of JavaScript, where `===` could stand. */
  isLoose?: boolean;
  /** Places in the expected value that anything fits. */
  wildcards?: number;
  /** It gives a promise, which has to be awaited. */
  isAsync?: boolean;
  isAwaited?: boolean;
}

/** A read assertion and its statement. */
export interface Asserted extends Assertion {
  statement: Statement;
  /** The whole, normalised: two of one key are the same assertion. */
  key: string;
}

/**
 * The order of strength: what excludes more answers of a wrong product is stronger. Equality pins one value; a length, a
 * boolean, an exception or the absence of a value pins one property; a part or a set of values leaves more; a type or
 * mere presence nearly everything. `unknown` is outside of the order.
 */
export const strength: Readonly<Record<AssertionFamily, number>> = {
  equal: 8,
  approx: 7,
  boolean: 6,
  none: 6,
  length: 6,
  called: 6,
  raises: 6,
  "one-of": 5,
  contains: 5,
  partial: 5,
  match: 5,
  either: 5,
  compare: 4,
  type: 3,
  different: 3,
  truthy: 2,
  exists: 2,
  "no-raise": 1,
  vacuous: 0,
  unknown: Number.NaN,
};

export function readAssertions(statement: Statement, language: CaseLanguage): Asserted[] {
  const { code, isAwaited } = statement;
  const found = !statement.isWhole
    ? [unknown()]
    : language === "python"
      ? readPython(code)
      : language === "javascript"
        ? readJavaScript(code)
        : readPlain(code, language);
  return found.map((one) => ({ ...one, isAwaited, statement, key: keyOf(one) }));
}

export function unknown(subject = ""): Assertion {
  return { family: "unknown", subjects: subject === "" ? [] : [subject] };
}

function keyOf(one: Assertion): string {
  return [
    one.family,
    [...one.subjects].sort().join(" ~ "),
    one.expected ?? "",
    one.isNegated ? "not" : "",
    (one.exceptions ?? []).join(","),
    one.pattern ?? "",
    (one.values ?? []).join(","),
    one.tolerance ?? "",
    one.unit ?? "",
    one.depth ?? "",
    one.isLoose ? "loose" : "",
  ].join(" | ");
}
