/** What a plain condition asserts: `a == b`, `a in b`, `a is not None`, `not a`, `a || true`. */
import type { Assertion } from "./assertions";
import {
  argumentsOf,
  closing,
  type Code,
  contentOf,
  cut,
  elementsOf,
  isLiteral,
  isString,
  keyword,
  normal,
  positional,
  splitOperation,
  splitTop,
  unwrap,
} from "./assertion-code";

const pythonOperators = [" is not ", " not in ", " is ", " in ", "===", "!==", "==", "!=", "<=", ">=", "<", ">"];
const scriptOperators = ["===", "!==", "==", "!=", "<=", ">=", "<", ">", " instanceof "];

export interface Dialect {
  isPython: boolean;
}

/** The assertions that a condition makes, one for each of its parts joined by `and`. */
export function readCondition(condition: Code, dialect: Dialect, isNegated = false, depth = 0): Assertion[] {
  const code = unwrap(condition);
  if (depth > 8 || code.text === "") return [{ family: "unknown", subjects: [] }];
  const not = dialect.isPython ? /^not\s+/.exec(code.mask) : /^!(?!=)\s*/.exec(code.mask);
  const [and, or] = dialect.isPython ? [" and ", " or "] : ["&&", "||"];
  const choices = splitTop(code, or);
  if (choices.length > 1) return [isNegated ? { family: "unknown", subjects: [] } : either(choices, dialect, depth)];
  const parts = splitTop(code, and);
  if (parts.length > 1)
    return isNegated ? [{ family: "unknown", subjects: [] }] : parts.flatMap((part) => readCondition(part, dialect, false, depth + 1));
  if (not) return readCondition(cut(code, not[0].length), dialect, !isNegated, depth + 1);
  return [readOne(code, dialect, isNegated)];
}

function either(choices: readonly Code[], dialect: Dialect, depth: number): Assertion {
  const read = choices.flatMap((choice) => readCondition(choice, dialect, false, depth + 1));
  const subjects = [...new Set(read.flatMap((one) => one.subjects))];
  if (read.some((one) => one.family === "vacuous")) return { family: "vacuous", subjects };
  const names = read.map((one) => one.subjects[0]);
  if (read.every((one) => one.family === "equal" && one.expected !== undefined) && new Set(names).size === 1) {
    return { family: "one-of", subjects: names.slice(0, 1).map(String), values: read.map((one) => one.expected ?? "") };
  }
  return { family: "either", subjects, values: read.flatMap((one) => [...one.subjects, one.expected ?? ""]) };
}

function readOne(code: Code, dialect: Dialect, isNegated: boolean): Assertion {
  if (isTrue(code, dialect) && !isNegated) {
    const inner = elementsOf(code)?.[0];
    return { family: "vacuous", subjects: inner ? readOne(inner, dialect, false).subjects : [normal(code)] };
  }
  // `assert False` marks a place that must not be reached.
  if (/^(?:False|false|0)$/.test(code.text)) return { family: "unknown", subjects: [] };
  const operation = splitOperation(code, dialect.isPython ? pythonOperators : scriptOperators);
  if (!operation) return readCallLike(code, isNegated);
  const { left, operator, right } = operation;
  const negative = isNegated !== /^(?:!=|!==|is not|not in)$/.test(operator);
  // `a < b < c` and what else goes on is only a comparison.
  if (/^[<>]/.test(operator)) return distance(left, operator, right, isNegated) ?? compare(left, operator, right, isNegated);
  if (operator === "instanceof") return { family: "type", subjects: [normal(left)], expected: normal(right), isNegated: negative };
  if (/in$/.test(operator)) return contains(left, right, negative);
  return equal(left, right, { isNegated: negative, isLoose: !dialect.isPython && (operator === "==" || operator === "!=") });
}

/** `abs(a - b) < 1e-9`: equality within a tolerance, written out. */
function distance(left: Code, operator: string, right: Code, isNegated: boolean): Assertion | undefined {
  const [near, far] = operator.startsWith("<") ? [left, right] : [right, left];
  const tolerance = numberOf(far);
  const match = /^(?:Math\.|np\.|numpy\.|math\.)?f?abs\s*\(/.exec(near.mask);
  if (isNegated || tolerance === undefined || !match || closing(near, match[0].length - 1) !== near.mask.length - 1) return undefined;
  const inner = cut(near, match[0].length, near.text.length - 1);
  const [a, b, ...more] = splitTop(inner, " - ");
  if (!a || !b || more.length > 0) return { family: "approx", subjects: [normal(inner)], expected: "0", tolerance };
  return { family: "approx", subjects: sidesOf(a, b), expected: normal(b), tolerance };
}

/** A number that only a broken language would get wrong. */
function compare(left: Code, operator: string, right: Code, isNegated: boolean): Assertion {
  const isCount = /^len\(|\.(?:length|size|count)(?:\(\))?$/.test(normal(left));
  const bound = right.text.trim();
  if (!isNegated && isCount && ((operator === ">=" && bound === "0") || (operator === ">" && /^-\d+$/.test(bound))))
    return { family: "vacuous", subjects: withLength(left) };
  return {
    family: "compare",
    subjects: [...new Set([...sidesOf(left, right), ...withLength(left)])],
    expected: `${operator}${normal(right)}`,
  };
}

/** Both sides when neither is a value written down. */
export function sidesOf(left: Code, right: Code): string[] {
  if (isLiteral(right)) return [normal(left)];
  if (isLiteral(left)) return [normal(right)];
  return [normal(left), normal(right)];
}

export function contains(needle: Code, hay: Code, isNegated: boolean): Assertion {
  const elements = elementsOf(hay);
  if (elements && !isLiteral(needle) && !isNegated) return { family: "one-of", subjects: [normal(needle)], values: elements.map(normal) };
  if (!isNegated && isString(needle) && contentOf(needle) === "" && !isLiteral(hay)) return { family: "vacuous", subjects: [normal(hay)] };
  return { family: "contains", subjects: [normal(hay)], expected: normal(needle), isNegated };
}

export function equal(left: Code, right: Code, options: { isNegated?: boolean; isLoose?: boolean } = {}): Assertion {
  const [a, b] = [normal(left), normal(right)];
  const { isNegated = false, isLoose = false } = options;
  const subjects = sidesOf(left, right);
  const constant = isLiteral(right) ? b : isLiteral(left) ? a : undefined;
  if (!isNegated && a === b && !/[([]/.test(a)) return { family: "vacuous", subjects: [a] };
  const approx = approximately(right) ?? approximately(left);
  if (approx && !isNegated)
    return {
      family: "approx",
      subjects: [approx.isRight ? a : b, a, b].slice(0, 1),
      expected: approx.value,
      tolerance: approx.tolerance,
      unit: approx.unit,
    };
  if (/^(?:mock\.|unittest\.mock\.)?ANY$|^expect\.anything\(\)$/.test(b)) return { family: "exists", subjects: [a], isNegated };
  const any = /^expect\.any\((.*)\)$/.exec(b);
  if (any) return { family: "type", subjects: [a], expected: any[1] ?? "", isNegated };
  if (constant !== undefined && /^(?:None|null|undefined)$/.test(constant)) return { family: isNegated ? "exists" : "none", subjects };
  if (constant !== undefined && /^(?:True|False|true|false)$/.test(constant))
    return { family: "boolean", subjects, expected: String(/^[Tt]/.test(constant) !== isNegated) };
  if (isNegated) return { family: "different", subjects, expected: b };
  const length = lengthOf(left) ?? lengthOf(right);
  const wildcards = (b.match(/\bexpect\.(?:any|anything|\w+Containing)\b|\bANY\b/g) ?? []).length;
  if (length !== undefined) return { family: "length", subjects: [length], expected: constant ?? b };
  return { family: "equal", subjects, expected: constant ?? b, ...(isLoose ? { isLoose } : {}), ...(wildcards ? { wildcards } : {}) };
}

/** A count by either name: `len(x)` is about `x`, too. */
function withLength(code: Code): string[] {
  const length = lengthOf(code);
  return length === undefined ? [normal(code)] : [normal(code), length];
}

function lengthOf(code: Code): string | undefined {
  const value = normal(code);
  return (/^len\((.+)\)$/.exec(value) ?? /^(.+)\.(?:length|size)(?:\(\))?$/.exec(value))?.[1];
}

function approximately(code: Code): { value: string; tolerance?: number; unit?: "rel"; isRight: boolean } | undefined {
  const match = /^(?:pytest\.)?approx\s*\(/.exec(code.mask);
  if (!match || closing(code, match[0].length - 1) !== code.mask.length - 1) return undefined;
  const args = argumentsOf(cut(code, match[0].length, code.text.length - 1));
  const [rel, abs] = [keyword(args, "rel") ?? positional(args)[1], keyword(args, "abs") ?? positional(args)[2]];
  return { value: args[0] ? normal(args[0]) : "", ...within(args[0], rel, abs, abs ? 0 : 1e-6), isRight: true };
}

/**
 * The tolerance in units of the value where the value is written down, else as a part of it where only that is stated.
 * One that is no number is not known.
 */
export function within(
  value: Code | undefined,
  rel: Code | undefined,
  abs: Code | undefined,
  usual: number,
): { tolerance?: number; unit?: "rel" } {
  const [part, whole] = [rel ? numberOf(rel) : usual, abs ? numberOf(abs) : 0];
  if (part === undefined || whole === undefined) return {};
  const size = numberOf(value);
  if (size !== undefined) return { tolerance: Math.max(part * Math.abs(size), whole) };
  return whole > 0 ? { tolerance: whole } : { tolerance: part, unit: "rel" };
}

export function numberOf(code: Code | undefined): number | undefined {
  if (!code || !/^-?[\d._]+(?:[eE][-+]?\d+)?$/.test(code.text.trim())) return undefined;
  const value = Number(code.text.replaceAll("_", ""));
  return Number.isFinite(value) ? value : undefined;
}

function isTrue(code: Code, dialect: Dialect): boolean {
  if (/^(?:True|true|[1-9]\d*)$/.test(code.text)) return true;
  if (isString(code)) return contentOf(code) !== "" && !/^[fF]/.test(code.text);
  if (code.text === "!0" || code.text === "!false") return true;
  // A tuple is true whatever it holds: `assert (a == b, "message")`.
  return dialect.isPython && code.mask[0] === "(" && closing(code, 0) === code.mask.length - 1 && (elementsOf(code)?.length ?? 0) > 1;
}

function readCallLike(code: Code, isNegated: boolean): Assertion {
  const match = /^([\w.$]+)\s*\(/.exec(code.mask);
  const isWhole = match !== null && closing(code, match[0].length - 1) === code.mask.length - 1;
  if (isWhole) {
    const args = argumentsOf(cut(code, match[0].length, code.text.length - 1));
    const [first, second] = positional(args);
    const name = match[1] ?? "";
    if (name === "isinstance" && first)
      return { family: "type", subjects: [normal(first)], expected: second ? normal(second) : "", isNegated };
    if (/(?:^|\.)(?:isclose|allclose)$/.test(name) && first && second && !isNegated) {
      const [rel, abs] = [
        keyword(args, "rel_tol") ?? keyword(args, "rtol") ?? positional(args)[2],
        keyword(args, "abs_tol") ?? keyword(args, "atol") ?? positional(args)[3],
      ];
      return {
        family: "approx",
        subjects: sidesOf(first, second),
        expected: normal(second),
        ...within(second, rel, abs, name.startsWith("math") ? 1e-9 : 1e-5),
      };
    }
    if (/(?:^|\.)(?:array_equal|deepEqual|isEqual|equals)$/.test(name) && first && second && !isNegated)
      return { family: "equal", subjects: sidesOf(first, second), expected: normal(second) };
    if (/(?:^|\.)(?:search|match|fullmatch)$/.test(name) && first && second && /^re\b|regex/i.test(name))
      return pattern(first, second, isNegated);
    // Not an assertion of the mock but one of its attributes: it is called, and what it gives is true.
    const typo = /^(.+)\.(?:called_(?:once_)?with|called_once|has_calls|any_call|not_called)$/.exec(name);
    if (typo && !isNegated) return { family: "vacuous", subjects: [typo[1] ?? ""] };
    const method = /^(.+)\.(?:includes|startswith|startsWith|endswith|endsWith|has|contains)$/.exec(name);
    if (method && first) return { family: "contains", subjects: [method[1] ?? ""], expected: normal(first), isNegated };
  }
  const value = normal(code);
  if (/\.called(?:Once|_once)?$/.test(value))
    return { family: "called", subjects: [value.replace(/\.called.*$/, "")], depth: /nce$/.test(value) ? 2 : 1, isNegated };
  return { family: "truthy", subjects: [value], isNegated };
}

/** `.*` fits everything. */
export function pattern(regex: Code, subject: Code, isNegated: boolean): Assertion {
  const inner = isString(regex)
    ? contentOf(regex)
        .replace(/^\//, "")
        .replace(/\/[a-z]*$/, "")
    : regex.text;
  if (!isNegated && /^\^?(?:\(?(?:\.|\[\\s\\S\]|\[\\d\\D\])[*+]?\??\)?)?\$?$/.test(inner))
    return { family: "vacuous", subjects: [normal(subject)] };
  return { family: "match", subjects: [normal(subject)], expected: normal(regex), isNegated };
}
