/** Attributes that a hook sets, however it is written: outcomes of a report, exit codes of a session, and parts of the framework itself. */
import type { SyntaxNode } from "../code/syntax";
import { readCondition, type Condition } from "./hooks-conditions";
import { readReplacement, targetOf } from "./hooks-patches";
import type { HookAct, Reading, Scope } from "./hooks-python";
import { argumentsOf, childrenOf, fold } from "./hooks-values";

/** Judges one attribute that is set to a value. */
export function setAttribute(
  object: SyntaxNode | null | undefined,
  name: string,
  value: SyntaxNode,
  statement: SyntaxNode,
  scope: Scope,
  reading: Reading,
): void {
  const target = targetOf(object, reading, name);
  if (target !== undefined) {
    const what = readReplacement(value, reading, name);
    if (what === "success" || (what === "unknown" && value.type !== "call"))
      reading.add("patched", statement, scope, target, { isUnsure: what === "unknown" });
    return;
  }
  const { hook } = scope;
  const isTrivial = value.type === "lambda" && readReplacement(value, reading, name) === "success";
  const isItem = /^(?:item|i|it|node|pyfuncitem|test|request\.node|function)$/.test(object?.text ?? "");
  if ((name === "runtest" || name === "obj" || name === "function") && isTrivial && isItem)
    return reading.add("unrun", statement, scope, hook?.name ?? `item.${name}`);
  if (!hook) return;
  const given = choose(value, reading);
  const folded = fold(given.value, reading.names);
  const add = (kind: HookAct["kind"], isUnsure = false): void =>
    reading.add(kind, statement, scope, hook.name, { ...(given.condition ? { condition: given.condition } : {}), isUnsure });
  if (name === "exitstatus" || name === "testsfailed") {
    if (folded === 0 && !given.isOpen && /(?:^|\.)_?session$|^self$/.test(object?.text ?? "")) add("exit");
  } else if (name === "excinfo") {
    if (folded === null && /^(?:call|callinfo|call_info|ci)$/.test(object?.text ?? "")) add("forced");
  } else if (isReport(object, scope)) {
    if (name === "outcome" && isMapping(value)) reading.add("forced", statement, scope, hook.name);
    else if (name === "outcome" && folded === "passed" && !given.isOpen) add("forced");
    else if (name === "outcome" && folded === "skipped") add("relabelled");
    else if (name === "wasxfail" && folded !== null) add("relabelled");
    else if ((name === "failed" && folded === false) || (name === "passed" && folded === true)) add("forced");
    else if (name === "longrepr" && folded === null) add("forced", true);
  }
}

function isReport(object: SyntaxNode | null | undefined, scope: Scope): boolean {
  if (!object) return false;
  if (object.type === "identifier")
    return (scope.hook?.reports.has(object.text) ?? false) || /^(?:rep|report|test_?report|result|_rep|_report)$/i.test(object.text);
  return /(?:\.get_result\(\)|\._?result)$/.test(object.text.slice(-60));
}

/** Of `a if c else b` the branch that says success, with its condition; open when the other branch says the opposite. */
function choose(value: SyntaxNode, reading: Reading): { value: SyntaxNode; condition?: Condition; isOpen?: boolean } {
  let inner = value;
  while (inner.type === "parenthesized_expression") {
    const next = childrenOf(inner)[0];
    if (!next) return { value: inner };
    inner = next;
  }
  if (inner.type !== "conditional_expression") return { value: inner };
  const [yes, test, no] = childrenOf(inner);
  const isGood = (node: SyntaxNode | undefined): boolean => {
    const folded = fold(node, reading.names);
    return folded === 0 || folded === "passed" || folded === "skipped" || folded === null;
  };
  const [good, other] = isGood(yes) ? [yes, no] : [no, yes];
  if (!good || !isGood(good)) return { value: inner };
  const condition = readCondition(test, reading.names, good === no);
  const isOpposite = fold(other, reading.names) !== undefined && !isGood(other);
  return { value: good, condition, isOpen: isOpposite && condition !== "always" && condition !== "failed" };
}

/** `{"failed": "passed"}[…]` and `.replace("failed", "passed")`. */
function isMapping(value: SyntaxNode): boolean {
  return /["']failed["']\s*[:,]\s*["']passed["']/.test(value.text.slice(0, 300));
}

/** `setattr(rep, "outcome", "passed")` and `rep.__dict__.update(outcome="passed")`; false when the call is neither. */
export function readSetter(call: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): boolean {
  const { text, method, object, given } = readParts(call);
  if (/^(?:setattr|(?:object|type|super\(\))\.__setattr__|builtins\.setattr)$/.test(text) || method === "__setattr__") {
    const [owner, key, value] = given.length === 2 && object ? [object, ...given] : given;
    const name = fold(key, reading.names);
    if (typeof name === "string" && value) setAttribute(owner, name, value, statement, scope, reading);
    return true;
  }
  if (method !== "update" || !isDict(object)) return false;
  const owner = ownerOf(object);
  for (const one of call.childForFieldName("arguments")?.namedChildren ?? []) {
    if (one?.type === "dictionary") setAll(owner, one, statement, scope, reading);
    const name = one?.type === "keyword_argument" ? one.childForFieldName("name")?.text : undefined;
    const value = one?.childForFieldName("value");
    if (name !== undefined && value) setAttribute(owner, name, value, statement, scope, reading);
  }
  return true;
}

/** Every pair of `{"outcome": "passed"}`. */
export function setAll(
  owner: SyntaxNode | null | undefined,
  dictionary: SyntaxNode,
  statement: SyntaxNode,
  scope: Scope,
  reading: Reading,
): void {
  for (const pair of childrenOf(dictionary)) {
    const key = fold(pair.childForFieldName("key"), reading.names);
    const value = pair.childForFieldName("value");
    if (typeof key === "string" && value) setAttribute(owner, key, value, statement, scope, reading);
  }
}

/** `rep.__dict__` and `vars(rep)`. */
export function isDict(node: SyntaxNode | null | undefined): boolean {
  return /(?:\.__dict__|^vars\(.{1,80}\))$/.test(node?.text ?? "");
}

/** What it is the dictionary of. */
export function ownerOf(node: SyntaxNode | null | undefined): SyntaxNode | null | undefined {
  return node?.type === "attribute" ? node.childForFieldName("object") : node?.type === "call" ? argumentsOf(node)[0] : undefined;
}

/** A call taken apart: what is called, as it is written; of a method its name and the object; the positional arguments. */
export function readParts(call: SyntaxNode): { text: string; method: string; object: SyntaxNode | null; given: SyntaxNode[] } {
  const called = call.childForFieldName("function");
  const isMethod = called?.type === "attribute";
  return {
    text: called?.text.slice(0, 200) ?? "",
    method: isMethod ? (called.childForFieldName("attribute")?.text ?? "") : "",
    object: isMethod ? called.childForFieldName("object") : null,
    given: argumentsOf(call),
  };
}
