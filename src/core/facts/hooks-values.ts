/** Values of a Python syntax tree that can be known without running it. */
import type { SyntaxNode } from "../code/syntax";

/** What simple names stand for; null where they are bound more than once. */
export type Names = ReadonlyMap<string, SyntaxNode | null>;

const deepest = 12;

/** A constant; undefined when it is none, or none that can be known. Numbers only as integers. */
export function fold(node: SyntaxNode | null | undefined, names: Names, depth = 0): string | number | boolean | null | undefined {
  if (!node || depth > deepest) return undefined;
  const again = (inner: SyntaxNode | null | undefined): ReturnType<typeof fold> => fold(inner, names, depth + 1);
  switch (node.type) {
    case "true":
      return true;
    case "false":
      return false;
    case "none":
      return null;
    case "integer":
      return /^\d{1,9}$/.test(node.text) ? Number(node.text) : undefined;
    case "parenthesized_expression":
      return again(node.namedChildren[0]);
    case "string":
      return readString(node, again);
    case "concatenated_string": {
      const parts = node.namedChildren.map((part) => again(part));
      return parts.every((part) => typeof part === "string") ? parts.join("") : undefined;
    }
    case "binary_operator": {
      if (node.children[1]?.type !== "+") return undefined;
      const [a, b] = [again(node.childForFieldName("left")), again(node.childForFieldName("right"))];
      return typeof a === "string" && typeof b === "string" ? a + b : undefined;
    }
    case "identifier":
      return again(names.get(node.text));
    case "attribute":
      return /(?:^|\.)ExitCode\.OK$|(?:^|\.)EXIT_OK$/.test(node.text) ? 0 : /(?:^|\.)os\.EX_OK$/.test(node.text) ? 0 : undefined;
    case "subscript": {
      const value = again(node.childForFieldName("value"));
      const index = node.childForFieldName("subscript");
      return typeof value === "string" && index?.text.replace(/\s/g, "") === "::-1" ? [...value].reverse().join("") : undefined;
    }
    case "call":
      return foldCall(node, again);
    default:
      return undefined;
  }
}

function foldCall(node: SyntaxNode, again: (inner: SyntaxNode | null | undefined) => ReturnType<typeof fold>): string | number | undefined {
  const called = node.childForFieldName("function");
  const first = argumentsOf(node)[0];
  if (called?.text === "int" || called?.text === "str") {
    const value = again(first);
    return called.text === "int"
      ? typeof value === "number"
        ? value
        : value === undefined || value === null
          ? undefined
          : Number(value)
      : typeof value === "string"
        ? value
        : undefined;
  }
  if (called?.type !== "attribute" || called.childForFieldName("attribute")?.text !== "join") return undefined;
  const glue = again(called.childForFieldName("object"));
  const isList = first?.type === "list" || first?.type === "tuple";
  const parts = isList ? first.namedChildren.map((part) => again(part)) : [];
  return isList && typeof glue === "string" && parts.every((part) => typeof part === "string") ? parts.join(glue) : undefined;
}

function readString(node: SyntaxNode, again: (inner: SyntaxNode | null | undefined) => ReturnType<typeof fold>): string | undefined {
  let value = "";
  for (const part of node.namedChildren) {
    if (part?.type === "string_content") value += unescape(part.text);
    else if (part?.type === "interpolation") {
      const inner = again(part.namedChildren[0]);
      if (typeof inner !== "string") return undefined;
      value += inner;
    }
  }
  return value;
}

function unescape(text: string): string {
  return text.includes("\\")
    ? text.replace(/\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/g, (_, short?: string, long?: string) =>
        String.fromCharCode(Number.parseInt(short ?? long ?? "20", 16)),
      )
    : text;
}

/** Positional arguments of a call. */
export function argumentsOf(call: SyntaxNode): SyntaxNode[] {
  const list = call.childForFieldName("arguments");
  return (list?.namedChildren ?? []).filter(
    (one): one is SyntaxNode => one !== null && one.type !== "keyword_argument" && one.type !== "comment",
  );
}

/** A keyword argument's value. */
export function keywordOf(call: SyntaxNode, name: string): SyntaxNode | undefined {
  for (const one of call.childForFieldName("arguments")?.namedChildren ?? []) {
    if (one?.type === "keyword_argument" && one.childForFieldName("name")?.text === name)
      return one.childForFieldName("value") ?? undefined;
  }
  return undefined;
}

export function childrenOf(node: SyntaxNode | null | undefined): SyntaxNode[] {
  return (node?.namedChildren ?? []).filter((one): one is SyntaxNode => one !== null && one.type !== "comment");
}

/** Whether the tree below holds a node that fits. Bounded in depth and number. */
export function someNode(node: SyntaxNode | null | undefined, fits: (one: SyntaxNode) => boolean): boolean {
  const stack: SyntaxNode[] = node ? [node] : [];
  for (let i = 0; i < 200_000; i++) {
    const one = stack.pop();
    if (!one) return false;
    if (fits(one)) return true;
    for (const child of one.namedChildren) if (child) stack.push(child);
  }
  return false;
}

/** The names that are bound to something plain, in the whole text. */
export function boundNames(root: SyntaxNode): Map<string, SyntaxNode | null> {
  const names = new Map<string, SyntaxNode | null>();
  someNode(root, (node) => {
    if (node.type === "assignment") {
      const left = node.childForFieldName("left");
      const right = node.childForFieldName("right");
      if (left?.type === "identifier" && right)
        names.set(left.text, names.has(left.text) && names.get(left.text)?.text !== right.text ? null : right);
    } else if (node.type === "augmented_assignment" || node.type === "for_statement") {
      const left = node.childForFieldName("left");
      if (left?.type === "identifier") names.set(left.text, null);
    }
    return false;
  });
  return names;
}
