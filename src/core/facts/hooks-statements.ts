/** Single statements inside of hooks (and patches anywhere) that decide a result. */
import type { SyntaxNode } from "../code/syntax";
import { isDict, ownerOf, setAll, setAttribute } from "./hooks-attributes";
import { exitsLate, isZero, readCall, readReturn } from "./hooks-calls";
import { empties, isItems } from "./hooks-collection";
import { isBodyHook, type Reading, type Scope } from "./hooks-python";
import { argumentsOf, childrenOf, fold, someNode } from "./hooks-values";

export function readStatement(node: SyntaxNode, scope: Scope, reading: Reading): void {
  switch (node.type) {
    case "expression_statement":
      for (const inner of childrenOf(node)) {
        if (inner.type === "assignment") readAssignment(inner, node, scope, reading);
        else if (inner.type === "augmented_assignment") readMerge(inner, node, scope, reading);
        else if (inner.type === "call") readCall(inner, node, scope, reading);
        else if (inner.type === "list_comprehension") readComprehension(inner, node, scope, reading);
      }
      return;
    case "return_statement":
      return readReturn(node, scope, reading);
    case "delete_statement":
      return readDelete(node, scope, reading);
    case "raise_statement": {
      const call = childrenOf(node)[0];
      if (call?.type === "call" && call.childForFieldName("function")?.text === "SystemExit" && isZero(argumentsOf(call)[0], reading))
        exitsLate(node, scope, reading);
    }
  }
}

function readAssignment(node: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const left = node.childForFieldName("left");
  let right = node.childForFieldName("right");
  for (let i = 0; right?.type === "assignment" && i < 8; i++) {
    // `a.outcome = b.outcome = "passed"`: each of them.
    const next: SyntaxNode | null = right.childForFieldName("right");
    if (next?.type !== "assignment") readTarget(right.childForFieldName("left"), next, statement, scope, reading);
    right = next;
  }
  const isMany =
    (left?.type === "pattern_list" || left?.type === "tuple_pattern") && (right?.type === "expression_list" || right?.type === "tuple");
  if (isMany) childrenOf(left).forEach((one, i) => readTarget(one, childrenOf(right)[i], statement, scope, reading));
  else readTarget(left, right, statement, scope, reading);
}

function readTarget(
  left: SyntaxNode | null | undefined,
  right: SyntaxNode | null | undefined,
  statement: SyntaxNode,
  scope: Scope,
  reading: Reading,
): void {
  if (!left || !right) return;
  if (left.type === "identifier") {
    if (right.type === "lambda" && /^pytest_/.test(left.text)) readLambdaHook(left.text, right, statement, scope, reading);
    else if (right.type === "call") readCall(right, statement, scope, reading);
    return;
  }
  if (left.type === "attribute")
    return setAttribute(
      left.childForFieldName("object"),
      left.childForFieldName("attribute")?.text ?? "",
      right,
      statement,
      scope,
      reading,
    );
  if (left.type !== "subscript") return;
  const object = left.childForFieldName("value");
  const key = fold(left.childForFieldName("subscript"), reading.names);
  if (typeof key === "string" && isDict(object)) return setAttribute(ownerOf(object), key, right, statement, scope, reading);
  if (isItems(object, scope) && left.childForFieldName("subscript")?.type === "slice") {
    const isNone = (right.type === "list" || right.type === "tuple") && childrenOf(right).length === 0;
    if (isNone || /^\w+\[:0\]$/.test(right.text)) empties(statement, scope, reading);
  }
}

/** `rep.__dict__ |= {"outcome": "passed"}`. */
function readMerge(node: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const left = node.childForFieldName("left");
  const right = node.childForFieldName("right");
  if (left && /\.__dict__$/.test(left.text) && right?.type === "dictionary") setAll(ownerOf(left), right, statement, scope, reading);
}

/** `del items[:]`. */
function readDelete(node: SyntaxNode, scope: Scope, reading: Reading): void {
  const what = childrenOf(node)[0];
  const isAll = what?.type === "subscript" && /^\s*:\s*$/.test(what.childForFieldName("subscript")?.text ?? "");
  if (isAll && isItems(what.childForFieldName("value"), scope)) empties(node, scope, reading);
}

function readComprehension(node: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const [body, clause, filter] = childrenOf(node);
  if (body?.type === "call" && clause?.type === "for_in_clause" && !filter)
    readCall(body, statement, { ...scope, over: clause.childForFieldName("right")?.text ?? "" }, reading);
}

function readLambdaHook(name: string, lambda: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const body = lambda.childForFieldName("body");
  const folded = fold(body, reading.names);
  if (/^pytest_(?:pyfunc_call|runtest_protocol|runtestloop)$/.test(name) && folded === true) reading.add("unrun", statement, scope, name);
  else if (name === "pytest_report_teststatus" && body && fold(childrenOf(body)[0], reading.names) === "passed")
    reading.add("forced", statement, scope, name);
}

/** A broad handler around the test that neither raises again nor keeps the exception. */
export function swallows(node: SyntaxNode, scope: Scope, reading: Reading): void {
  const { hook } = scope;
  if (!isBodyHook(hook)) return;
  const body = childrenOf(node).find((one) => one.type === "block");
  // The old wrapper's yield never raises.
  const isBody = someNode(
    body,
    (one) =>
      (one.type === "yield" && !hook.isOldWrapper) ||
      (one.type === "call" &&
        /(?:\.obj|\.runtest|testfunction|test_?func|runtestprotocol)$/.test(one.childForFieldName("function")?.text ?? "")),
  );
  if (!isBody) return;
  for (const handler of childrenOf(node)) {
    if (handler.type !== "except_clause") continue;
    const caught = childrenOf(handler)
      .filter((one) => one.type !== "block")
      .map((one) => one.text.replace(/\s+as\s+\w+$/, ""))
      .join(",");
    const isBroad = caught === "" || /^\(?(?:\w+\s*,\s*)*(?:Base)?Exception\b|\bAssertionError\b/.test(caught);
    const inside = childrenOf(handler).find((one) => one.type === "block");
    const isHandled = someNode(
      inside,
      (one) =>
        one.type === "raise_statement" ||
        one.type === "continue_statement" ||
        (one.type === "call" &&
          /(?:^|\.)(?:fail|xfail|skip|exit|force_exception|append|put|set_exception|_exit|add_note)$/.test(
            one.childForFieldName("function")?.text ?? "",
          )) ||
        one.type === "assignment",
    );
    if (isBroad && !isHandled) reading.add("swallowed", handler, scope, hook.name);
  }
}
