import type { SyntaxNode } from "../code/syntax";
import type { ShellParser } from "./frame";
import { lexRange } from "./lex";
import type { RawItem, RawList, RawNode, RawPart } from "./raw";
import { addParts, readRedirected } from "./tree-redirects";
import { bad, collect, readSimple, readTest, readWords } from "./tree-words";

export const MAX_DEPTH = 60;

export interface Reading {
  readonly text: string;
  /** Places that the word scanner cannot read by itself. */
  readonly nested: Map<number, { readonly end: number; readonly part: RawPart }>;
  readonly strict: boolean;
}

/**
 * The same structure with the help of tree-sitter's grammar. Where only substitutions kept the lexer from answering, the tree says where
 * they are and the lexer does the rest: the grammar cuts some commands wrongly. Otherwise its statements are taken (`strict`: always),
 * and our own scanner reads the words. A string says why there is no answer.
 */
export function readTree(text: string, parser: ShellParser | undefined, strict = false): RawList | string {
  if (parser === undefined) return "it needs a shell parser, and there is none";
  const result = parser.parse("bash", text, (root): RawList | string => {
    const reading: Reading = { text, nested: new Map(), strict };
    if (!strict) {
      collect(reading, root, 0);
      const list = reading.nested.size === 0 ? undefined : lexRange(text, 0, text.length, reading.nested);
      if (list !== undefined) return list;
    }
    if (root.type === "ERROR" || lostShare(root, text) > 0.5) return "it is not shell that can be parsed";
    const list = readList(reading, root.children, 0);
    // What the grammar had to make up (a `fi` that is not there) means that a shell would refuse the text, or that it was misread.
    return root.hasError && hasMissing(root, 0) ? [...list, item({ kind: "bad", start: 0, end: text.length })] : list;
  });
  return result ?? "the shell parser did not answer: no grammar, or the text is over its budget";
}

/** The share of the text that stands in top-level error nodes. */
function lostShare(root: SyntaxNode, text: string): number {
  if (!root.hasError) return 0;
  let lost = 0;
  for (const child of root.children) if (child?.type === "ERROR") lost += child.endIndex - child.startIndex;
  return lost / Math.max(1, text.trim().length);
}

function hasMissing(node: SyntaxNode, depth: number): boolean {
  if (node.isMissing) return true;
  return depth < 100 && node.hasError && node.children.some((child) => child !== null && hasMissing(child, depth + 1));
}

export function readList(r: Reading, children: readonly (SyntaxNode | null)[], depth: number): RawList {
  const items: RawItem[] = [];
  let joined: RawItem["joined"] = ";";
  let since = 0;
  /** Where the statement before ended; -1 after an operator. */
  let previous = -1;
  /** Where it began, in the text and in `items`. */
  let from = 0;
  let first = 0;
  for (const child of children) {
    if (child !== null && /^(?:;|;;|&|&&|\|\||\n)$/.test(child.type)) previous = -1;
    if (child === null) continue;
    switch (child.type) {
      case ";":
      case "\n":
      case ";;":
        joined = ";";
        since = items.length;
        break;
      case "&":
        for (let i = since; i < items.length; i++) items[i] = { ...(items[i] as RawItem), background: true };
        joined = "&";
        since = items.length;
        break;
      case "&&":
      case "||":
        joined = child.type;
        break;
      case "comment":
      case "heredoc_body":
      case "heredoc_end":
        break;
      default: {
        if (!isStatement(child)) break;
        // Without an operator or a line's end between them, the grammar has cut one command in two.
        if (
          items.length > 0 &&
          previous >= 0 &&
          joined === ";" &&
          child.startIndex >= previous &&
          !/[\n;&|]/.test(r.text.slice(previous, child.startIndex)) &&
          /^(?:command|list|pipeline|redirected_statement|herestring_redirect|file_redirect)$/.test(child.type)
        ) {
          collect(r, child, depth);
          const whole = lexRange(r.text, from, child.endIndex, r.nested);
          const rest =
            whole === undefined
              ? addParts(r, items, child, depth)
              : [...items.slice(0, first), ...whole.map((each, i) => (i === 0 ? { ...each, joined: items[first]?.joined ?? ";" } : each))];
          items.splice(0, items.length, ...rest);
          previous = child.endIndex;
          break;
        }
        from = child.startIndex;
        first = items.length;
        previous = child.endIndex;
        const added = readStatement(r, child, depth + 1);
        added.forEach((item, i) => items.push(i === 0 ? { ...item, joined } : item));
        joined = ";";
        if (added.length === 0) break;
      }
    }
  }
  return items;
}

const PUNCTUATION = /^(?:do|done|then|fi|else|in|if|while|until|for|select|case|esac|elif|\(|\)|\{|\}|\$\(|`|<\(|>\(|!|file_descriptor)$/;

function isStatement(node: SyntaxNode): boolean {
  return !PUNCTUATION.test(node.type);
}

/** One statement as list items: an and-or list gives several. */
export function readStatement(r: Reading, node: SyntaxNode, depth: number): RawItem[] {
  if (depth > MAX_DEPTH) return [item({ kind: "bad", start: node.startIndex, end: node.endIndex })];
  if (node.hasError && node.type !== "ERROR") {
    collect(r, node, depth);
    const items = lexRange(r.text, node.startIndex, node.endIndex, r.nested);
    if (items !== undefined) return [...items];
  }
  switch (node.type) {
    case "list":
      return [...readList(r, node.children, depth)];
    case "redirected_statement":
      return readRedirected(r, node, depth);
    case "pipeline":
      return readPipeline(r, node, depth);
    case "ERROR":
      return readError(r, node, depth);
    default: {
      const read = readNode(r, node, depth);
      // The grammar sometimes takes two lines for one command.
      const items = read.kind === "bad" ? lexRange(r.text, node.startIndex, node.endIndex, r.nested) : undefined;
      return items === undefined ? [item(read)] : [...items];
    }
  }
}

export function item(node: RawNode, joined: RawItem["joined"] = ";"): RawItem {
  return { node, joined, background: false };
}

export function readError(r: Reading, node: SyntaxNode, depth: number): RawItem[] {
  const text = r.text.slice(node.startIndex, node.endIndex).trim();
  const inner = node.namedChildren.filter(
    (child) =>
      child !== null &&
      /^(?:command|list|pipeline|redirected_statement|subshell|compound_statement|if_statement|for_statement|while_statement|declaration_command)$/.test(
        child.type,
      ),
  );
  const items = inner.flatMap((child) => (child === null ? [] : readStatement(r, child, depth + 1)));
  return text === "" ? items : [...items, item({ kind: "bad", start: node.startIndex, end: node.endIndex })];
}

function readNode(r: Reading, node: SyntaxNode, depth: number): RawNode {
  switch (node.type) {
    case "negated_command": {
      const inner = node.namedChildren.find((child) => child !== null && child.type !== "comment");
      return inner == null ? bad(node) : asNode(readStatement(r, inner, depth + 1));
    }
    case "subshell":
      return { kind: "group", subshell: true, list: readList(r, node.children, depth), redirects: [] };
    case "compound_statement":
      if (r.text.startsWith("((", node.startIndex)) return readTest(r, node, "((", depth);
      return { kind: "group", subshell: false, list: readList(r, node.children, depth), redirects: [] };
    case "if_statement":
      return readIf(r, node, depth);
    case "while_statement": {
      const body = node.childForFieldName("body");
      return {
        kind: "branch",
        words: [],
        condition: readList(
          r,
          node.children.filter((child) => child?.type !== "do_group"),
          depth,
        ),
        bodies: body === null ? [] : [readList(r, body.children, depth)],
        redirects: [],
      };
    }
    case "for_statement": {
      const body = node.childForFieldName("body");
      const name = node.childForFieldName("variable");
      const values = node.children.filter(
        (child) =>
          child !== null &&
          child.type !== "variable_name" &&
          child.type !== "do_group" &&
          !/^(?:for|in|select|;|\n|comment)$/.test(child.type),
      );
      return {
        kind: "loop",
        name: name?.text ?? "",
        values: readWords(r, values, depth),
        list: body === null ? [] : readList(r, body.children, depth),
        redirects: [],
      };
    }
    case "c_style_for_statement": {
      const body = node.childForFieldName("body");
      return { kind: "loop", name: "", values: [], list: body === null ? [] : readList(r, body.children, depth), redirects: [] };
    }
    case "case_statement": {
      const value = node.childForFieldName("value");
      const bodies = node.namedChildren
        .filter((child) => child?.type === "case_item")
        .map((child) => {
          const values = child?.children.filter((c) => c !== null) ?? [];
          const close = values.findIndex((c) => c?.type === ")");
          return readList(r, values.slice(close + 1), depth);
        });
      return { kind: "branch", words: value === null ? [] : readWords(r, [value], depth), condition: [], bodies, redirects: [] };
    }
    case "function_definition": {
      const body = node.childForFieldName("body");
      const name = node.childForFieldName("name");
      return body === null || name === null ? bad(node) : { kind: "function", name: name.text, start: body.startIndex, end: node.endIndex };
    }
    case "test_command":
      return r.text[node.startIndex + 1] === "[" || r.text[node.startIndex] === "("
        ? readTest(r, node, "[[", depth)
        : readSimple(r, node, depth);
    case "command":
    case "declaration_command":
    case "unset_command":
    case "variable_assignment":
    case "variable_assignments":
      return readSimple(r, node, depth);
    case "ERROR":
      return asNode(readError(r, node, depth));
    default:
      return node.namedChildren.length > 0 && /statement|command/.test(node.type)
        ? asNode([...readList(r, node.children, depth)])
        : readSimple(r, node, depth);
  }
}

/** The grammar sometimes nests a list in a pipe; a pipe binds tighter, so its ends are joined and the rest stands beside it. */
function readPipeline(r: Reading, node: SyntaxNode, depth: number): RawItem[] {
  const out: RawItem[] = [];
  let piped = false;
  for (const child of node.children) {
    if (child === null || child.type === "comment" || child.type === "\n") continue;
    if (child.type === "|" || child.type === "|&") {
      piped = true;
      continue;
    }
    const [first, ...rest] = readStatement(r, child, depth + 1);
    if (first === undefined) continue;
    const last = out[out.length - 1];
    if (piped && last !== undefined) out[out.length - 1] = { ...last, node: joinPipe(last.node, first.node) };
    else out.push(first);
    out.push(...rest);
    piped = false;
  }
  return out;
}

export function joinPipe(left: RawNode, right: RawNode): RawNode {
  return { kind: "pipe", stages: [...(left.kind === "pipe" ? left.stages : [left]), ...(right.kind === "pipe" ? right.stages : [right])] };
}

function asNode(items: readonly RawItem[]): RawNode {
  return items.length === 1 && items[0] !== undefined ? items[0].node : { kind: "group", subshell: false, list: items, redirects: [] };
}

function readIf(r: Reading, node: SyntaxNode, depth: number): RawNode {
  const bodies: RawList[] = [];
  const condition: SyntaxNode[] = [];
  const body: SyntaxNode[] = [];
  let inBody = false;
  for (const child of node.children) {
    if (child === null) continue;
    if (child.type === "then") inBody = true;
    else if (child.type === "elif_clause") {
      const then = child.children.findIndex((c) => c?.type === "then");
      condition.push(...child.children.slice(0, then).filter((c) => c !== null));
      bodies.push(readList(r, child.children.slice(then + 1), depth));
    } else if (child.type === "else_clause") bodies.push(readList(r, child.children, depth));
    else if (inBody) body.push(child);
    else condition.push(child);
  }
  bodies.unshift(readList(r, body, depth));
  return { kind: "branch", words: [], condition: readList(r, condition, depth), bodies, redirects: [] };
}
