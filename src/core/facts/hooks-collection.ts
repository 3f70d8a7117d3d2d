/** What a hook does to the collected tests: it empties the list, or marks all of them. */
import type { SyntaxNode } from "../code/syntax";
import type { Reading, Scope } from "./hooks-python";
import { argumentsOf, fold, keywordOf, someNode } from "./hooks-values";

export function isItems(node: SyntaxNode | null | undefined, scope: Scope): boolean {
  return scope.hook !== undefined && /^pytest_collection/.test(scope.hook.name) && /^(?:items|session\.items)$/.test(node?.text ?? "");
}

/** A list that is filled again was only ordered or filtered. */
export function empties(statement: SyntaxNode, scope: Scope, reading: Reading): void {
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

export function readMark(mark: SyntaxNode | undefined, statement: SyntaxNode, scope: Scope, reading: Reading): void {
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
