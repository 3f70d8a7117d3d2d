/** Parts of a test framework that are replaced from outside, and result classes that do not count failures. */
import type { SyntaxNode } from "../code/syntax";
import { deciderModules, deciders } from "./hooks-names";
import type { Reading, Scope } from "./hooks-python";
import { childrenOf, fold, someNode } from "./hooks-values";

export function readImports(root: SyntaxNode): Map<string, string> {
  const imports = new Map<string, string>();
  someNode(root, (node) => {
    if (node.type !== "import_from_statement" && node.type !== "import_statement") return false;
    const module = node.type === "import_from_statement" ? (node.childForFieldName("module_name")?.text ?? "") : "";
    for (const part of childrenOf(node)) {
      if (
        part === node.childForFieldName("module_name") &&
        part.text === module &&
        part.startIndex === node.childForFieldName("module_name")?.startIndex
      )
        continue;
      const name =
        part.type === "aliased_import" ? part.childForFieldName("name")?.text : part.type === "dotted_name" ? part.text : undefined;
      const alias = part.type === "aliased_import" ? part.childForFieldName("alias")?.text : name;
      if (name === undefined || alias === undefined || imports.size > 2000) continue;
      if (module || part.type === "aliased_import") imports.set(alias, module ? `${module}.${name}` : name);
    }
    return false;
  });
  return imports;
}

/**
 * The part of a framework that an attribute names, as `Class.part` or `module.part`; undefined when it decides nothing.
 * @param name the attribute's name where it is given apart, as to `setattr`
 */
export function targetOf(
  node: SyntaxNode | null | undefined,
  reading: Pick<Reading, "imports" | "names">,
  name?: string,
): string | undefined {
  const object = name === undefined ? node?.childForFieldName("object") : node;
  const part = name ?? (node?.type === "attribute" ? node.childForFieldName("attribute")?.text : undefined);
  if (!object || part === undefined || !/^[\w.]{1,200}$/.test(object.text)) return undefined;
  const [head = "", ...rest] = object.text.split(".");
  const whole = [reading.imports.get(head) ?? head, ...rest].join(".");
  const last = whole.slice(whole.lastIndexOf(".") + 1);
  if (Object.hasOwn(deciderModules, whole) && deciderModules[whole]?.has(part)) return `${whole}.${part}`;
  if (!Object.hasOwn(deciders, last) || !deciders[last]?.has(part)) return undefined;
  // Common words are of pytest or unittest only when they come from there.
  const isCommon = /^(?:Session|Function|Item)$/.test(last);
  return isCommon && !/(?:^|\.)_?pytest\b/.test(whole) ? undefined : `${last}.${part}`;
}

/** What a replacement does: `success` whatever happened, `calls` what it replaces, or something that has to be read. */
export function readReplacement(
  value: SyntaxNode | null | undefined,
  reading: Reading,
  part: string,
  depth = 0,
): "success" | "calls" | "unknown" | "restored" {
  if (!value || depth > 4) return "unknown";
  const folded = fold(value, reading.names);
  if (folded !== undefined) return folded === "failed" ? "calls" : "success";
  if (value.type === "identifier") {
    const fn = reading.functions.get(value.text);
    if (fn) return readBody(fn, part);
    const bound = reading.names.get(value.text);
    return bound ? readReplacement(bound, reading, part, depth + 1) : /orig|old|real|saved|prev/i.test(value.text) ? "restored" : "unknown";
  }
  if (value.type === "lambda") return readBody(value, part);
  if (value.type === "attribute") {
    const name = value.childForFieldName("attribute")?.text ?? "";
    // Kept under another name before: `orig = TestResult.addFailure`.
    if (name === part || /orig|old|real|saved/i.test(name)) return "restored";
    return /^(?:addSuccess|addSkip|addExpectedFailure)$/.test(name) ? "success" : "unknown";
  }
  if (value.type === "call") {
    const called = value.childForFieldName("function")?.text ?? "";
    const [first] = childrenOf(value.childForFieldName("arguments"));
    if (/^(?:property|staticmethod|classmethod)$/.test(called)) return readReplacement(first, reading, part, depth + 1);
    if (/(?:^|\.)(?:Magic)?Mock$/.test(called)) return "success";
  }
  return "unknown";
}

/** A function's body, or a lambda's: nothing but a constant, `addSuccess` or nothing at all, or a call of the original. */
function readBody(fn: SyntaxNode, part: string): "success" | "calls" | "unknown" {
  const body = fn.childForFieldName("body");
  if (!body) return "unknown";
  const statements =
    body.type === "block"
      ? childrenOf(body).filter((one) => !(one.type === "expression_statement" && childrenOf(one)[0]?.type === "string"))
      : [body];
  const isTrivial = statements.every((one) => isNothing(one));
  if (isTrivial) return "success";
  // It calls what it replaces and then overrules what came back.
  const isForced = someNode(
    body,
    (node) =>
      node.type === "assignment" &&
      /\.outcome$/.test(node.childForFieldName("left")?.text ?? "") &&
      /^["']passed["']$/.test(node.childForFieldName("right")?.text ?? ""),
  );
  if (isForced && !someNode(body, (node) => node.type === "if_statement")) return "success";
  const isCalled = someNode(
    body,
    (node) =>
      node.type === "call" &&
      new RegExp(`(?:orig|old|real|saved|prev|super\\(\\)|\\b${/^\w+$/.test(part) ? part : "x"}\\b)`, "i").test(
        node.childForFieldName("function")?.text.slice(-80) ?? "",
      ),
  );
  if (isCalled) return "calls";
  const hasSuccess = someNode(body, (node) => node.type === "attribute" && node.childForFieldName("attribute")?.text === "addSuccess");
  return hasSuccess && !someNode(body, (node) => node.type === "if_statement") ? "success" : "unknown";
}

function isNothing(node: SyntaxNode): boolean {
  if (node.type === "pass_statement") return true;
  const value = node.type === "return_statement" || node.type === "expression_statement" ? childrenOf(node)[0] : node;
  if (!value) return true;
  if (value.type === "ellipsis") return true;
  if (value.type === "call") return /(?:^|\.)(?:addSuccess|print)$/.test(value.childForFieldName("function")?.text ?? "");
  return /^(?:true|false|none|integer|string)$/.test(value.type) && value.text !== "1";
}

const counting = /^(?:addFailure|addError|addSubTest)$/;

/** A subclass of a result or runner class that counts failures as nothing. */
export function resultClass(node: SyntaxNode, scope: Scope, reading: Reading): void {
  const bases = childrenOf(node.childForFieldName("superclasses")).map((one) => one.text);
  const isResult = bases.some((base) => /(?:^|\.)_?(?:Text)?TestResult$/.test(base));
  const isRunner = bases.some((base) => /(?:^|\.)(?:DiscoverRunner|DjangoTestSuiteRunner)$/.test(base));
  if (!isResult && !isRunner) return;
  const name = node.childForFieldName("name")?.text ?? "";
  for (const child of childrenOf(node.childForFieldName("body"))) {
    const fn = child.type === "decorated_definition" ? child.childForFieldName("definition") : child;
    const method = fn?.childForFieldName("name")?.text ?? "";
    if (
      fn?.type !== "function_definition" ||
      (isResult ? !counting.test(method) && method !== "wasSuccessful" : method !== "suite_result" && method !== "run_tests")
    )
      continue;
    const body = fn.childForFieldName("body");
    const statements = childrenOf(body).filter((one) => !(one.type === "expression_statement" && childrenOf(one)[0]?.type === "string"));
    const last = statements.at(-1);
    const value = last?.type === "return_statement" ? fold(childrenOf(last)[0], reading.names) : undefined;
    const isForced = method === "wasSuccessful" ? value === true : isRunner ? value === 0 : readBody(fn, method) === "success";
    const isOnly = statements.length === 1 || isRunner;
    const guilty = last ?? fn;
    if (isForced && isOnly)
      reading.add("patched", guilty, { ...scope, headers: [...scope.headers, node.startIndex, fn.startIndex] }, `${name}.${method}`);
  }
}
