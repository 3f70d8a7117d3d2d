/** What a condition in front of a statement is about: the result itself, or something else that a person has to weigh. */
import type { SyntaxNode } from "../code/syntax";
import { childrenOf, fold, type Names } from "./hooks-values";

/**
 * `always` and `failed` spare no failing test. `phase` is the phase of a test's body, which
 * spares none either.
 * `empty` is about runs that collected nothing.
 */
export type Condition =
  "always" | "never" | "failed" | "passed" | "skipped" | "phase" | "marker" | "empty" | "type" | "xfail" | "option" | "other";

const opposite: Partial<Record<Condition, Condition>> = {
  always: "never",
  never: "always",
  failed: "passed",
  passed: "failed",
  skipped: "phase",
  empty: "failed",
  xfail: "phase",
};

/** The order in which conditions that all hold outweigh each other. */
const strongest: readonly Condition[] = ["never", "passed", "xfail", "empty", "marker", "type", "option", "skipped", "other", "failed"];

/** Several conditions that must all hold. */
export function combine(conditions: readonly Condition[]): Condition {
  return strongest.find((one) => conditions.includes(one)) ?? "always";
}

export function readCondition(node: SyntaxNode | null | undefined, names: Names, isNegated = false, depth = 0): Condition {
  if (!node || depth > 20) return "other";
  if (node.type === "parenthesized_expression") return readCondition(childrenOf(node)[0], names, isNegated, depth + 1);
  if (node.type === "not_operator") return readCondition(node.childForFieldName("argument"), names, !isNegated, depth + 1);
  if (node.type === "boolean_operator") {
    const parts = [node.childForFieldName("left"), node.childForFieldName("right")].map((part) =>
      readCondition(part, names, isNegated, depth + 1),
    );
    const isAnd = (node.childForFieldName("operator")?.text ?? node.children[1]?.text) === "and";
    return isAnd !== isNegated ? combine(parts) : eitherOf(parts);
  }
  const phase = node.type === "comparison_operator" ? readPhase(node.text.slice(0, 200), isNegated) : undefined;
  if (phase) return phase;
  const plain = readPlain(node, names, depth);
  return isNegated ? (opposite[plain] ?? plain) : plain;
}

/** One of them suffices: what lets every failure through decides. */
function eitherOf(parts: readonly Condition[]): Condition {
  if (parts.includes("always") || (parts.includes("failed") && parts.includes("passed"))) return "always";
  if (parts.includes("failed")) return parts.includes("empty") ? "other" : "failed";
  // What only holds for tests that passed adds nothing.
  const left = parts.filter((part) => part !== "never" && part !== "passed" && part !== "xfail");
  return combine(left.length > 0 ? left : parts);
}

/** The phase in which a test's body runs spares nothing; setup and teardown alone are a choice. */
function readPhase(text: string, isNegated: boolean): Condition | undefined {
  const match = /(?:^|\.)when\s*(==|!=|not\s+in\b|in\b)\s*(.*)$/.exec(text);
  if (!match) return undefined;
  const isSame = (match[1] === "==" || match[1] === "in") !== isNegated;
  const isBody = /["']call["']/.test(match[2] ?? "");
  return isSame === isBody ? "phase" : "other";
}

function readPlain(node: SyntaxNode, names: Names, depth: number): Condition {
  const value = fold(node, names);
  if (value !== undefined) return value ? "always" : "never";
  if (node.type === "comparison_operator") return readComparison(node, names);
  const text = node.text.slice(0, 400);
  if (node.type === "attribute") {
    const name = node.childForFieldName("attribute")?.text ?? "";
    if (/^(?:failed|excinfo|testsfailed|exitstatus|longrepr|failures|errors)$/.test(name)) return "failed";
    if (name === "passed") return "passed";
    if (name === "skipped") return "skipped";
    if (name === "wasxfail") return "xfail";
  }
  if (node.type === "identifier") {
    if (/^(?:exitstatus|excinfo|testsfailed)$/.test(text)) return "failed";
    const bound = names.get(text);
    return bound ? readCondition(bound, names, false, depth + 1) : "other";
  }
  if (node.type === "call") {
    const called = node.childForFieldName("function")?.text ?? "";
    if (/^(?:hasattr|getattr)$/.test(called) && text.includes("wasxfail")) return "xfail";
    if (called === "isinstance" && /\b(?:TestReport|BaseReport|CallInfo|Item|Function)\b/.test(text) && !/excinfo/.test(text))
      return "phase";
    if (/wasSuccessful$/.test(called)) return "passed";
  }
  return readWords(text);
}

function readWords(text: string): Condition {
  if (/get_closest_marker|iter_markers|\bkeywords\b|own_markers|\bmarkers?\b/.test(text)) return "marker";
  if (/errisinstance|\bisinstance\([^)]*(?:excinfo|\bexc)|\.typename\b|excinfo\.(?:type|value|match|exconly)/.test(text)) return "type";
  if (/wasxfail|xfail/.test(text)) return "xfail";
  if (/getoption|getini|getvalue|environ|getenv|\.option\b|sys\.platform/.test(text)) return "option";
  return "other";
}

function readComparison(node: SyntaxNode, names: Names): Condition {
  const [left, right] = childrenOf(node);
  const text = node.text.slice(0, 400);
  const a = fold(left, names);
  const b = fold(right, names);
  const isDifferent = /!=|\bis\s+not\b|\bnot\s+in\b/.test(text);
  if (a !== undefined && b !== undefined) return (a === b) !== isDifferent ? "always" : "never";
  const words = text.replace(/\s+/g, " ");
  if (/\b(?:excinfo|longrepr)\b/.test(left?.text ?? "") && b === null && !/excinfo\.\w/.test(left?.text ?? ""))
    return isDifferent ? "failed" : "passed";
  if (/\boutcome\b|\bstatus\b|\bresult\b/.test(left?.text ?? "") && /['"](?:failed|passed|skipped|error)['"]/.test(words)) {
    const names = [...words.matchAll(/['"](failed|passed|skipped|error)['"]/g)].map((match) => match[1]);
    const one = names.includes("failed") || names.includes("error") ? "failed" : names.includes("passed") ? "passed" : "skipped";
    return isDifferent ? (opposite[one] ?? one) : one;
  }
  if (/\b(?:exitstatus|exit_status|exit_code|exitcode|returncode)\b/.test(words)) return readExit(words, isDifferent);
  if (/\b(?:testsfailed|failures|errors)\b/.test(words)) return /==\s*0/.test(words) ? "passed" : "failed";
  if (/\b(?:testscollected|testsrun)\b/.test(words)) return /==\s*0|<\s*1/.test(words) ? "empty" : "phase";
  return readWords(words);
}

function readExit(words: string, isDifferent: boolean): Condition {
  const isEmpty = /\b5\b|NO_TESTS|NOTESTS/.test(words);
  if (isEmpty) return isDifferent ? "failed" : /TESTS_FAILED|TESTSFAILED|\b1\b/.test(words) ? "failed" : "empty";
  const isSuccess = /\b0\b|ExitCode\.OK|EXIT_OK/.test(words) && !/[<>]/.test(words);
  return isSuccess !== isDifferent ? "passed" : "failed";
}
