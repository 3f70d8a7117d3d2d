/** Single statements inside of hooks (and patches anywhere) that decide a result. */
import type { SyntaxNode } from "../code/syntax";
import { readCondition, type Condition } from "./hooks-conditions";
import { lateHooks } from "./hooks-names";
import { readReplacement, targetOf } from "./hooks-patches";
import { isBodyHook, runsTest, type Reading, type Scope } from "./hooks-python";
import { argumentsOf, childrenOf, fold, keywordOf, someNode } from "./hooks-values";

export function readStatement(node: SyntaxNode, scope: Scope, reading: Reading): void {
  if (node.type === "expression_statement") {
    for (const inner of childrenOf(node)) {
      if (inner.type === "assignment") readAssignment(inner, node, scope, reading);
      else if (inner.type === "augmented_assignment") readMerge(inner, node, scope, reading);
      else if (inner.type === "call") readCall(inner, node, scope, reading);
      else if (inner.type === "list_comprehension") readComprehension(inner, node, scope, reading);
    }
  } else if (node.type === "return_statement") readReturn(node, scope, reading);
  else if (node.type === "delete_statement") {
    const what = childrenOf(node)[0];
    if (
      what?.type === "subscript" &&
      isItems(what.childForFieldName("value"), scope) &&
      /^\s*:\s*$/.test(what.childForFieldName("subscript")?.text ?? "")
    )
      empties(node, scope, reading);
  } else if (node.type === "raise_statement" && scope.hook && lateHooks.has(scope.hook.name)) {
    const call = childrenOf(node)[0];
    if (call?.type === "call" && call.childForFieldName("function")?.text === "SystemExit" && isZero(argumentsOf(call)[0], reading))
      exits(node, scope, reading);
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
  if (typeof key === "string" && /(?:\.__dict__|^vars\(.{1,80}\))$/.test(object?.text ?? ""))
    return setAttribute(ownerOf(object), key, right, statement, scope, reading);
  if (isItems(object, scope) && left.childForFieldName("subscript")?.type === "slice") {
    const isNone = (right.type === "list" || right.type === "tuple") && childrenOf(right).length === 0;
    if (isNone || /^\w+\[:0\]$/.test(right.text)) empties(statement, scope, reading);
  }
}

/** Of `rep.__dict__` and `vars(rep)`: `rep`. */
function ownerOf(node: SyntaxNode | null | undefined): SyntaxNode | null | undefined {
  return node?.type === "attribute" ? node.childForFieldName("object") : node?.type === "call" ? argumentsOf(node)[0] : undefined;
}

function isReport(object: SyntaxNode | null | undefined, scope: Scope): boolean {
  if (!object) return false;
  if (object.type === "identifier")
    return (scope.hook?.reports.has(object.text) ?? false) || /^(?:rep|report|test_?report|result|_rep|_report)$/i.test(object.text);
  return /(?:\.get_result\(\)|\._?result)$/.test(object.text.slice(-60));
}

function setAttribute(
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
  const condition = given.condition ? { condition: given.condition } : {};
  if (name === "exitstatus" || name === "testsfailed") {
    if (folded === 0 && !given.isOpen && /(?:^|\.)_?session$|^self$/.test(object?.text ?? ""))
      reading.add("exit", statement, scope, hook.name, condition);
  } else if (name === "excinfo" && folded === null && /^(?:call|callinfo|call_info|ci)$/.test(object?.text ?? ""))
    reading.add("forced", statement, scope, hook.name, condition);
  else if (!isReport(object, scope)) return;
  else if (name === "outcome") {
    if (isMapping(value)) reading.add("forced", statement, scope, hook.name);
    else if (folded === "passed" && !given.isOpen) reading.add("forced", statement, scope, hook.name, condition);
    else if (folded === "skipped") reading.add("relabelled", statement, scope, hook.name, condition);
  } else if (name === "wasxfail" && folded !== null) reading.add("relabelled", statement, scope, hook.name, condition);
  else if ((name === "failed" && folded === false) || (name === "passed" && folded === true))
    reading.add("forced", statement, scope, hook.name, condition);
  else if (name === "longrepr" && folded === null) reading.add("forced", statement, scope, hook.name, { ...condition, isUnsure: true });
}

/** Of `a if c else b` the branch that says success, with its condition; open when the other branch says the opposite. */
function choose(value: SyntaxNode, reading: Reading): { value: SyntaxNode; condition?: Condition; isOpen?: boolean } {
  if (value.type === "parenthesized_expression") return choose(childrenOf(value)[0] ?? value, reading);
  if (value.type !== "conditional_expression") return { value };
  const [yes, test, no] = childrenOf(value);
  const isGood = (node: SyntaxNode | undefined): boolean => [0, "passed", "skipped", null].includes(fold(node, reading.names) as never);
  if (yes && isGood(yes)) {
    const condition = readCondition(test, reading.names);
    const other = fold(no, reading.names);
    return { value: yes, condition, isOpen: other !== undefined && !isGood(no) && condition !== "always" && condition !== "failed" };
  }
  if (no && isGood(no)) {
    const condition = readCondition(test, reading.names, true);
    const other = fold(yes, reading.names);
    return { value: no, condition, isOpen: other !== undefined && !isGood(yes) && condition !== "always" && condition !== "failed" };
  }
  return { value };
}

/** `{"failed": "passed"}[…]` and `.replace("failed", "passed")`. */
function isMapping(value: SyntaxNode): boolean {
  return /["']failed["']\s*[:,]\s*["']passed["']/.test(value.text.slice(0, 300));
}

/** `rep.__dict__ |= {"outcome": "passed"}`. */
function readMerge(node: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const left = node.childForFieldName("left");
  const right = node.childForFieldName("right");
  if (left && /\.__dict__$/.test(left.text) && right?.type === "dictionary") setAll(ownerOf(left), right, statement, scope, reading);
}

function setAll(owner: SyntaxNode | null | undefined, dictionary: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  for (const pair of childrenOf(dictionary)) {
    const key = fold(pair.childForFieldName("key"), reading.names);
    const value = pair.childForFieldName("value");
    if (typeof key === "string" && value) setAttribute(owner, key, value, statement, scope, reading);
  }
}

function readCall(call: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const called = call.childForFieldName("function");
  const text = called?.text.slice(0, 200) ?? "";
  const given = argumentsOf(call);
  const { hook } = scope;
  const method = called?.type === "attribute" ? (called.childForFieldName("attribute")?.text ?? "") : "";
  const object = called?.type === "attribute" ? called.childForFieldName("object") : undefined;
  if (/^(?:setattr|(?:object|type|super\(\))\.__setattr__|builtins\.setattr)$/.test(text) || method === "__setattr__") {
    const all = given.length === 2 && object ? [object, ...given] : given;
    const name = fold(all[1], reading.names);
    if (typeof name === "string" && all[2]) setAttribute(all[0], name, all[2], statement, scope, reading);
    return;
  }
  if (method === "update" && object && /(?:\.__dict__|^vars\(.{1,80}\))$/.test(object.text)) {
    const owner = ownerOf(object);
    for (const one of call.childForFieldName("arguments")?.namedChildren ?? []) {
      if (one?.type === "dictionary") setAll(owner, one, statement, scope, reading);
      const name = one?.type === "keyword_argument" ? one.childForFieldName("name")?.text : undefined;
      const value = one?.childForFieldName("value");
      if (name !== undefined && value) setAttribute(owner, name, value, statement, scope, reading);
    }
    return;
  }
  if (!hook) return;
  if (method === "force_result") return readForced(given[0], statement, scope, reading);
  if (method === "clear" && isItems(object, scope)) return empties(statement, scope, reading);
  if (method === "add_marker" || (method === "append" && /\.own_markers$/.test(object?.text ?? "")))
    return readMark(given[0], statement, scope, reading);
  if (hook.name === "pytest_runtest_setup" && /^(?:pytest\.)?(?:skip|xfail)$/.test(text) && scope.conditions.length === 0)
    return reading.add("marked", statement, scope, hook.name);
  if (/(?:^|\.)TestReport$/.test(text)) {
    const outcome = keywordOf(call, "outcome") ?? given[3];
    if (fold(outcome, reading.names) === "passed")
      reading.add("forced", statement, scope, hook.name, { isUnsure: hook.name !== "pytest_runtest_makereport" });
    return;
  }
  if (
    /CallInfo\.from_call$/.test(text) &&
    hook.name === "pytest_runtest_makereport" &&
    given[0]?.type === "lambda" &&
    readReplacement(given[0], reading, "") === "success"
  )
    return reading.add("forced", statement, scope, hook.name);
  if (!lateHooks.has(hook.name)) return;
  const isExit =
    /^(?:os\._exit|_exit|sys\.exit|exit|quit)$/.test(text) &&
    (isZero(given[0], reading) || (given.length === 0 && /exit$/.test(text) && text !== "os._exit"));
  if (isExit || (text === "pytest.exit" && isZero(keywordOf(call, "returncode") ?? given[1], reading))) exits(statement, scope, reading);
}

function readForced(value: SyntaxNode | undefined, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const { hook } = scope;
  if (!hook) return;
  const folded = fold(value, reading.names);
  if (isBodyHook(hook) && (folded === null || folded === true)) reading.add("swallowed", statement, scope, hook.name);
  else if (/^pytest_cmdline_main$|^pytest_runtestloop$/.test(hook.name) && folded === 0) reading.add("exit", statement, scope, hook.name);
  else if (hook.name === "pytest_report_teststatus") readStatus(value, statement, scope, reading);
  else if (value?.type === "call") readCall(value, statement, scope, reading);
}

function isZero(node: SyntaxNode | undefined, reading: Reading): boolean {
  return fold(node, reading.names) === 0;
}

function exits(statement: SyntaxNode, scope: Scope, reading: Reading): void {
  if (scope.hook) reading.add("exit", statement, scope, scope.hook.name);
}

function isItems(node: SyntaxNode | null | undefined, scope: Scope): boolean {
  return scope.hook !== undefined && /^pytest_collection/.test(scope.hook.name) && /^(?:items|session\.items)$/.test(node?.text ?? "");
}

/** A list that is filled again was only ordered or filtered. */
function empties(statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const { hook } = scope;
  if (!hook) return;
  const isRefilled = someNode(
    hook.fn,
    (node) =>
      node.startIndex > statement.startIndex &&
      ((node.type === "call" && /items\.(?:extend|append|insert)$/.test(node.childForFieldName("function")?.text ?? "")) ||
        ((node.type === "assignment" || node.type === "augmented_assignment") &&
          /^(?:session\.)?items(?:\[:\])?$/.test(node.childForFieldName("left")?.text ?? ""))),
  );
  if (!isRefilled) reading.add("emptied", statement, scope, hook.name);
}

function readMark(mark: SyntaxNode | undefined, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const { hook } = scope;
  if (!hook || !mark || !/^pytest_(?:collection_modifyitems|itemcollected|collection_finish|runtest_setup)$/.test(hook.name)) return;
  const bound = mark.type === "identifier" ? (reading.names.get(mark.text) ?? mark) : mark;
  const call = bound.type === "call" ? bound : undefined;
  const name =
    fold(bound, reading.names) ??
    (call?.childForFieldName("function")?.text ?? bound.text)
      .replace(/\.mark$/, "")
      .split(".")
      .at(-1);
  if (name !== "xfail" && name !== "skip") return;
  // `xfail(condition, …)` and `raises=` choose for themselves; `strict` lets what passes fail.
  const isChosen =
    call !== undefined &&
    name === "xfail" &&
    (argumentsOf(call).some((one) => fold(one, reading.names) !== true) ||
      keywordOf(call, "raises") !== undefined ||
      keywordOf(call, "condition") !== undefined);
  const isStrict = call !== undefined && fold(keywordOf(call, "strict"), reading.names) === true;
  const isAll =
    hook.name !== "pytest_collection_modifyitems" ||
    scope.over === undefined ||
    /^(?:(?:list|iter|reversed|enumerate|sorted)\()?(?:session\.)?items(?:\[:\])?\)?$/.test(scope.over);
  const isFree = scope.conditions.every((one) => one === "always" || one === "phase" || one === "option");
  if (isAll && isFree && !isChosen) reading.add("marked", statement, scope, hook.name, { isUnsure: isStrict });
}

function readComprehension(node: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const [body, clause, filter] = childrenOf(node);
  if (body?.type === "call" && clause?.type === "for_in_clause" && !filter)
    readCall(body, statement, { ...scope, over: clause.childForFieldName("right")?.text ?? "" }, reading);
}

function readReturn(node: SyntaxNode, scope: Scope, reading: Reading): void {
  const { hook } = scope;
  const value = childrenOf(node)[0];
  if (!hook || !value) return;
  const folded = fold(value, reading.names);
  if (
    (hook.name === "pytest_pyfunc_call" || hook.name === "pytest_runtest_protocol" || hook.name === "pytest_runtestloop") &&
    folded === true
  ) {
    const isWhole = hook.name !== "pytest_runtestloop" || !/collectonly|testsfailed/.test(hook.fn.text.slice(0, 4000));
    if (isWhole && !runsTest(hook)) reading.add("unrun", node, scope, hook.name);
  } else if (
    hook.name === "pytest_cmdline_main" &&
    folded === 0 &&
    scope.conditions.length === 0 &&
    !/runner|main|wrap_session/.test(bodyText(hook.fn))
  )
    reading.add("unrun", node, scope, hook.name);
  else if (hook.name === "pytest_report_teststatus") readStatus(value, node, scope, reading);
  else if (value.type === "call") readCall(value, node, scope, reading);
}

function bodyText(fn: SyntaxNode): string {
  return fn.childForFieldName("body")?.text.slice(0, 4000) ?? "";
}

/** `("passed", ".", "PASSED")`, of what did not pass. */
function readStatus(value: SyntaxNode | undefined, node: SyntaxNode, scope: Scope, reading: Reading): void {
  if (!scope.hook || !value || !/^(?:expression_list|tuple|list)$/.test(value.type)) return;
  const [category, , word] = childrenOf(value).map((one) => fold(one, reading.names));
  const isSaid = category === "passed" || (typeof word === "string" && /^passed$/i.test(word) && category !== undefined);
  if (isSaid && !scope.conditions.includes("other")) reading.add("forced", node, scope, scope.hook.name);
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
