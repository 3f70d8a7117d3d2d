/** Finds, in a Python tree, the statements through which a test framework's hook decides a result by itself. */
import type { SyntaxNode } from "../code/syntax";
import { combine, readCondition, type Condition } from "./hooks-conditions";
import { bodyHooks, hookNames } from "./hooks-names";
import { readImports, resultClass, targetOf } from "./hooks-patches";
import { readStatement, swallows } from "./hooks-statements";
import { boundNames, childrenOf, fold, keywordOf, someNode, type Names } from "./hooks-values";

export interface HookAct {
  kind: "forced" | "relabelled" | "swallowed" | "exit" | "unrun" | "emptied" | "marked" | "patched";
  /** The statement, in the text that was parsed. */
  start: number;
  end: number;
  /** The hook, or what is replaced. */
  where: string;
  condition: Condition;
  /** Where the lines begin that make it act: the function's, its decorators', the conditions'. */
  headers: readonly number[];
  /** Read from a tree without errors, in a hook that the framework calls. */
  isSure: boolean;
}

export interface Hook {
  name: string;
  fn: SyntaxNode;
  /** Names that hold a report here. */
  reports: ReadonlySet<string>;
  /** Of `hookwrapper=True`: its yield never raises. */
  isOldWrapper: boolean;
  isSure: boolean;
}

export interface Scope {
  hook?: Hook;
  conditions: readonly Condition[];
  headers: readonly number[];
  /** The methods of a class are hooks once an instance is registered. */
  isInClass?: boolean;
  /** What an enclosing `for` runs over. */
  over?: string;
}

export interface Reading {
  names: Names;
  /** What a name was imported from: `runner` → `_pytest.runner`, `TR` → `_pytest.reports.TestReport`. */
  imports: ReadonlyMap<string, string>;
  functions: ReadonlyMap<string, SyntaxNode>;
  /** Functions that take part under another name: the hook that they stand for. */
  aliases: Map<string, string>;
  /** Something here is registered as a plug-in. */
  registers: boolean;
  add(kind: HookAct["kind"], node: SyntaxNode, scope: Scope, where: string, more?: { condition?: Condition; isUnsure?: boolean }): void;
}

const deepest = 120;

export function readHooks(root: SyntaxNode): HookAct[] {
  const acts: HookAct[] = [];
  const functions = new Map<string, SyntaxNode>();
  someNode(root, (node) => {
    const name = node.type === "function_definition" ? node.childForFieldName("name")?.text : undefined;
    if (name !== undefined && !functions.has(name)) functions.set(name, node);
    return false;
  });
  const reading: Reading = {
    names: boundNames(root),
    imports: readImports(root),
    functions,
    aliases: new Map(),
    registers: someNode(
      root,
      (node) =>
        node.type === "call" &&
        /(?:pluginmanager|pm|plugin_?manager)\.register$|(?:^|\.)pytest\.main$/.test(
          node.childForFieldName("function")?.text.slice(-60) ?? "",
        ),
    ),
    add(kind, node, scope, where, more = {}) {
      const condition = more.condition ? combine([...scope.conditions, more.condition]) : combine(scope.conditions);
      if (condition === "never" || condition === "passed" || condition === "xfail") return;
      if (acts.some((act) => act.start === node.startIndex && act.end === node.endIndex)) return;
      acts.push({
        kind,
        start: node.startIndex,
        end: node.endIndex,
        where,
        condition,
        headers: scope.headers,
        isSure: !node.hasError && !more.isUnsure && (scope.hook?.isSure ?? true),
      });
    },
  };
  findAliases(root, reading);
  walk(root, { conditions: [], headers: [] }, reading, 0);
  return acts.sort((a, b) => a.start - b.start);
}

/** `pytest_runtest_makereport = _x`, `setattr(module, "pytest_…", _x)`, `TestResult.addFailure = _x`, and helpers that a hook calls. */
function findAliases(root: SyntaxNode, reading: Reading): void {
  const bind = (name: string | undefined, value: SyntaxNode | null | undefined): void => {
    if (name === undefined || value?.type !== "identifier") return;
    if (!reading.aliases.has(value.text)) reading.aliases.set(value.text, name);
  };
  someNode(root, (node) => {
    if (node.type === "assignment") {
      const left = node.childForFieldName("left");
      bind(hookOf(left, reading) ?? targetOf(left, reading), node.childForFieldName("right"));
    } else if (node.type === "call" && node.childForFieldName("function")?.text === "setattr") {
      const [of, name, value] = childrenOf(node.childForFieldName("arguments"));
      const folded = fold(name, reading.names);
      if (typeof folded === "string") bind(hookNames.has(folded) ? folded : targetOf(of, reading, folded), value);
    }
    return false;
  });
  for (const [name, fn] of reading.functions) {
    if (!hookNames.has(name)) continue;
    someNode(fn, (node) => {
      if (node.type !== "call") return false;
      const called = node.childForFieldName("function");
      const isGiven = childrenOf(node.childForFieldName("arguments")).some((one) =>
        /^(?:rep|report|result|outcome|session|call|items?|res|r)$/.test(one.text),
      );
      if (isGiven && called?.type === "identifier" && reading.functions.has(called.text)) bind(name, called);
      return false;
    });
  }
}

function hookOf(left: SyntaxNode | null | undefined, reading: Reading): string | undefined {
  const name = left?.type === "identifier" ? left.text : left?.type === "attribute" ? left.childForFieldName("attribute")?.text : undefined;
  if (name !== undefined) return hookNames.has(name) ? name : undefined;
  if (left?.type !== "subscript") return undefined;
  const key = fold(left.childForFieldName("subscript"), reading.names);
  return typeof key === "string" && hookNames.has(key) ? key : undefined;
}

function walk(node: SyntaxNode, scope: Scope, reading: Reading, depth: number): void {
  if (depth > deepest) return;
  const go = (child: SyntaxNode | null | undefined, more: Partial<Scope> = {}): void => {
    if (child) walk(child, { ...scope, ...more }, reading, depth + 1);
  };
  switch (node.type) {
    case "module":
    case "block":
    case "ERROR":
      return walkBlock(node, scope, reading, depth);
    case "decorated_definition": {
      const decorators = childrenOf(node).filter((one) => one.type === "decorator");
      const definition = node.childForFieldName("definition");
      const headers = [...scope.headers, ...decorators.map((one) => one.startIndex)];
      if (definition?.type === "function_definition") return enter(definition, { ...scope, headers }, reading, depth, decorators);
      return go(definition, { headers });
    }
    case "function_definition":
      return enter(node, scope, reading, depth, []);
    case "class_definition":
      resultClass(node, scope, reading);
      return go(node.childForFieldName("body"), { isInClass: true });
    case "if_statement":
      return walkIf(node, scope, reading, depth);
    case "for_statement":
      return go(node.childForFieldName("body"), {
        headers: [...scope.headers, node.startIndex],
        over: node.childForFieldName("right")?.text ?? "",
      });
    case "while_statement": {
      const condition = readCondition(node.childForFieldName("condition"), reading.names);
      return go(node.childForFieldName("body"), {
        headers: [...scope.headers, node.startIndex],
        conditions: condition === "never" ? [...scope.conditions, condition] : scope.conditions,
      });
    }
    case "try_statement": {
      swallows(node, scope, reading);
      for (const child of childrenOf(node)) {
        const isHandler = child.type === "except_clause" || child.type === "except_group_clause";
        const body = child.type === "block" ? child : childrenOf(child).find((one) => one.type === "block");
        go(body, isHandler ? { headers: [...scope.headers, child.startIndex], conditions: [...scope.conditions, "failed"] } : {});
      }
      return;
    }
    case "with_statement":
      return go(node.childForFieldName("body"));
    case "match_statement":
    case "case_clause":
      for (const child of childrenOf(node))
        if (child.type === "block" || child.type === "case_clause") go(child, { conditions: [...scope.conditions, "other"] });
      return;
    default:
      readStatement(node, scope, reading);
  }
}

/** A guard that leaves early is a condition of everything behind it. */
function walkBlock(node: SyntaxNode, scope: Scope, reading: Reading, depth: number): void {
  let inner = scope;
  for (const child of childrenOf(node)) {
    walk(child, inner, reading, depth + 1);
    if (child.type !== "if_statement" || child.childForFieldName("alternative")) continue;
    const last = childrenOf(child.childForFieldName("consequence")).at(-1);
    if (last && /^(?:return_statement|continue_statement|raise_statement)$/.test(last.type)) {
      const condition = readCondition(child.childForFieldName("condition"), reading.names, true);
      if (scope.hook) inner = { ...inner, conditions: [...inner.conditions, condition], headers: [...inner.headers, child.startIndex] };
    }
  }
}

function walkIf(node: SyntaxNode, scope: Scope, reading: Reading, depth: number): void {
  const before: Condition[] = [];
  const take = (branch: SyntaxNode): void => {
    const test = branch.childForFieldName("condition");
    const condition = test ? [readCondition(test, reading.names)] : [];
    const body = branch.childForFieldName("consequence") ?? branch.childForFieldName("body");
    const inner = { ...scope, headers: [...scope.headers, branch.startIndex], conditions: [...scope.conditions, ...before, ...condition] };
    if (body) walk(body, inner, reading, depth + 1);
    if (test) before.push(readCondition(test, reading.names, true));
  };
  take(node);
  for (const branch of childrenOf(node)) if (branch.type === "elif_clause" || branch.type === "else_clause") take(branch);
}

function enter(fn: SyntaxNode, scope: Scope, reading: Reading, depth: number, decorators: readonly SyntaxNode[]): void {
  const name = fn.childForFieldName("name")?.text ?? "";
  const given = decorators
    .map((one) => childrenOf(one)[0])
    .map((call) => (call?.type === "call" ? fold(keywordOf(call, "specname"), reading.names) : undefined))
    .find((one) => typeof one === "string" && hookNames.has(one));
  const hookName = hookNames.has(name) ? name : typeof given === "string" ? given : reading.aliases.get(name);
  const headers = [...scope.headers, fn.startIndex];
  // Patches inside of a test are undone by it, as a rule; hooks inside of a function are registered by nobody.
  if (/^test_/.test(name) && !scope.hook) return;
  // pytest looks only at names that begin with its own.
  const isNamed = hookNames.has(name) || given === undefined || name.startsWith("pytest_");
  const isSure = isNamed && hookName !== "pytest_exception_interact" && (!scope.isInClass || reading.registers);
  const hook: Hook | undefined =
    hookName === undefined
      ? scope.hook
      : {
          name: hookName,
          fn,
          reports: reportNames(fn, hookName),
          isOldWrapper: decorators.some((one) => /hookwrapper\s*=\s*True/.test(one.text)),
          isSure,
        };
  const body = fn.childForFieldName("body");
  if (body)
    walk(body, { ...(hook ? { hook } : {}), conditions: hookName === undefined ? scope.conditions : [], headers }, reading, depth + 1);
}

/** The names under which a report is known in a function. */
function reportNames(fn: SyntaxNode, hook: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const parameter of childrenOf(fn.childForFieldName("parameters"))) {
    const name = parameter.type === "identifier" ? parameter.text : childrenOf(parameter)[0]?.text;
    if (name !== undefined && /^(?:rep|report|test_?report|result|res|tr|r)$/i.test(name)) names.add(name);
  }
  if (!hookNames.has(hook)) names.add("self");
  someNode(fn.childForFieldName("body"), (node) => {
    if (node.type !== "assignment") return false;
    const left = node.childForFieldName("left");
    const right = node.childForFieldName("right")?.text.slice(0, 300) ?? "";
    const isReport = /^\(?\s*yield\b|get_result\(|from_item_and_call|makereport|TestReport\(|\.result\b|runtestprotocol/.test(right);
    if (left?.type === "identifier" && (isReport || names.has(right))) names.add(left.text);
    return false;
  });
  return names;
}

/** Whether the function runs the test itself, or hands it on. */
export function runsTest(hook: Hook): boolean {
  const body = hook.fn.childForFieldName("body");
  const parameters = childrenOf(hook.fn.childForFieldName("parameters")).map((one) => one.text.split(/[:=]/)[0]?.trim() ?? "");
  return someNode(body, (node) => {
    if (node.type === "yield") return true;
    if (node.type === "attribute") {
      const name = node.childForFieldName("attribute")?.text ?? "";
      // Of the hooks that are called through the item, those that only announce a test do not run it.
      if (/^pytest_(?:runtest_(?:call|protocol|setup)|pyfunc_call)$/.test(name))
        return /\bi?hook$/.test(node.childForFieldName("object")?.text ?? "");
      return /^(?:obj|runtest|function|_testmethod)$/.test(name);
    }
    if (node.type !== "call") return false;
    const called = node.childForFieldName("function")?.text ?? "";
    if (/^(?:print|log\w*\.\w+|len|str|repr|hasattr|getattr|isinstance|setattr)$/.test(called)) return false;
    return (
      /runtestprotocol|call_and_report/.test(called) ||
      childrenOf(node.childForFieldName("arguments")).some((one) => parameters.includes(one.text))
    );
  });
}

export function isBodyHook(hook: Hook | undefined): hook is Hook {
  return hook !== undefined && bodyHooks.has(hook.name);
}
