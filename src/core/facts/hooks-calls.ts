/** Calls inside of hooks that decide a result, and the values that a hook hands to the framework. */
import type { SyntaxNode } from "../code/syntax";
import { readParts, readSetter } from "./hooks-attributes";
import { empties, isItems, readMark } from "./hooks-collection";
import { lateHooks } from "./hooks-names";
import { readReplacement } from "./hooks-patches";
import { isBodyHook, runsTest, type Reading, type Scope } from "./hooks-python";
import { childrenOf, fold, keywordOf } from "./hooks-values";

export function readCall(call: SyntaxNode, statement: SyntaxNode, scope: Scope, reading: Reading): void {
  const { text, method, object, given } = readParts(call);
  const { hook } = scope;
  if (readSetter(call, statement, scope, reading) || !hook) return;
  if (method === "force_result") return readForced(given[0], statement, scope, reading);
  if (method === "clear" && isItems(object, scope)) return empties(statement, scope, reading);
  if (method === "add_marker" || (method === "append" && /\.own_markers$/.test(object?.text ?? "")))
    return readMark(given[0], statement, scope, reading);
  if (hook.name === "pytest_runtest_setup" && /^(?:pytest\.)?(?:skip|xfail)$/.test(text) && scope.conditions.length === 0)
    return reading.add("marked", statement, scope, hook.name);
  const isReporter = hook.name === "pytest_runtest_makereport";
  if (/(?:^|\.)TestReport$/.test(text)) {
    const outcome = keywordOf(call, "outcome") ?? given[3];
    if (fold(outcome, reading.names) === "passed") reading.add("forced", statement, scope, hook.name, { isUnsure: !isReporter });
    return;
  }
  // `CallInfo.from_call(lambda: None, …)`: the test is not called.
  const isUncalled = given[0]?.type === "lambda" && readReplacement(given[0], reading, "") === "success";
  if (isReporter && isUncalled && /CallInfo\.from_call$/.test(text)) return reading.add("forced", statement, scope, hook.name);
  const isExit =
    (/^(?:os\._exit|_exit|sys\.exit|exit|quit)$/.test(text) && isZero(given[0], reading)) ||
    (/^(?:_exit|sys\.exit|exit)$/.test(text) && given.length === 0) ||
    (text === "pytest.exit" && isZero(keywordOf(call, "returncode") ?? given[1], reading));
  if (isExit) exitsLate(statement, scope, reading);
}

export function readReturn(node: SyntaxNode, scope: Scope, reading: Reading): void {
  const { hook } = scope;
  const value = childrenOf(node)[0];
  if (!hook || !value) return;
  const folded = fold(value, reading.names);
  if (/^pytest_(?:pyfunc_call|runtest_protocol|runtestloop)$/.test(hook.name) && folded === true) {
    const isWhole = hook.name !== "pytest_runtestloop" || !/collectonly|testsfailed/.test(hook.fn.text.slice(0, 4000));
    if (isWhole && !runsTest(hook)) reading.add("unrun", node, scope, hook.name);
  } else if (
    hook.name === "pytest_cmdline_main" &&
    folded === 0 &&
    scope.conditions.length === 0 &&
    !/runner|main|wrap_session/.test(hook.fn.childForFieldName("body")?.text.slice(0, 4000) ?? "")
  )
    reading.add("unrun", node, scope, hook.name);
  else if (hook.name === "pytest_report_teststatus") readStatus(value, node, scope, reading);
  else if (value.type === "call") readCall(value, node, scope, reading);
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

/** `("passed", ".", "PASSED")`, of what did not pass. */
function readStatus(value: SyntaxNode | undefined, node: SyntaxNode, scope: Scope, reading: Reading): void {
  if (!scope.hook || !value || !/^(?:expression_list|tuple|list)$/.test(value.type)) return;
  const [category, , word] = childrenOf(value).map((one) => fold(one, reading.names));
  const isSaid = category === "passed" || (typeof word === "string" && /^passed$/i.test(word) && category !== undefined);
  if (isSaid && !scope.conditions.includes("other")) reading.add("forced", node, scope, scope.hook.name);
}

export function isZero(node: SyntaxNode | undefined, reading: Reading): boolean {
  return fold(node, reading.names) === 0;
}

/** Only the last hooks decide the exit code by leaving. */
export function exitsLate(statement: SyntaxNode, scope: Scope, reading: Reading): void {
  if (scope.hook && lateHooks.has(scope.hook.name)) reading.add("exit", statement, scope, scope.hook.name);
}
