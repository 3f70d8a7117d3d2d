import type { SyntaxNode } from "../code/syntax";
import { lexRange } from "./lex";
import type { RawList, RawNode, RawWord } from "./raw";
import { type Scanner, scanWord } from "./scan";
import { type Pending, scanSimple, skipBlanks } from "./simple";
import { item, MAX_DEPTH, type Reading, readList } from "./tree";

export function bad(node: SyntaxNode): RawNode {
  return { kind: "bad", start: node.startIndex, end: node.endIndex };
}

/** `[[ … ]]` and `(( … ))`: no program runs but those of the substitutions inside. */
export function readTest(r: Reading, node: SyntaxNode, name: string, depth: number): RawNode {
  collect(r, node, depth);
  const words: RawWord[] = [{ parts: [{ kind: "text", value: name }], start: node.startIndex, end: node.startIndex + 2, quoted: false }];
  for (const [start, { end, part }] of r.nested) {
    if (start >= node.startIndex && end <= node.endIndex && (part.kind === "command" || part.kind === "process"))
      words.push({ parts: [part.kind === "command" ? { ...part, quoted: true } : part], start, end, quoted: true });
  }
  return { kind: "simple", assignments: [], words, redirects: [], start: node.startIndex, end: node.endIndex };
}

export function readSimple(r: Reading, node: SyntaxNode, depth: number): RawNode {
  collect(r, node, depth);
  const s: Scanner = { text: r.text, at: node.startIndex, end: node.endIndex, nested: r.nested };
  const pending: Pending[] = [];
  const simple = scanSimple(s, pending);
  skipBlanks(s);
  if (simple === undefined || s.failed !== undefined || pending.length > 0 || s.at < s.end) return bad(node);
  return simple;
}

export function readWords(r: Reading, nodes: readonly (SyntaxNode | null)[], depth: number): RawWord[] {
  const words: RawWord[] = [];
  for (const node of nodes) {
    if (node === null) continue;
    collect(r, node, depth);
    const s: Scanner = { text: r.text, at: node.startIndex, end: node.endIndex, nested: r.nested };
    const word = scanWord(s);
    words.push(
      word !== undefined && s.at >= s.end
        ? word
        : { parts: [{ kind: "unknown" }], start: node.startIndex, end: node.endIndex, quoted: false },
    );
  }
  return words;
}

/** Notes the substitutions, arrays and patterns below a node for the word scanner. */
export function collect(r: Reading, node: SyntaxNode, depth: number): void {
  if (depth > MAX_DEPTH) return;
  const { startIndex, endIndex } = node;
  switch (node.type) {
    case "command_substitution": {
      if (r.nested.has(startIndex)) return;
      const list = readInside(r, node, depth);
      const file = node.childForFieldName("redirect");
      const reading: RawList = file === null ? list : [item(readCat(r, file, depth))];
      r.nested.set(startIndex, { end: endIndex, part: { kind: "command", list: reading, quoted: false } });
      return;
    }
    case "process_substitution":
      if (r.nested.has(startIndex)) return;
      r.nested.set(startIndex, {
        end: endIndex,
        part: { kind: "process", list: readInside(r, node, depth), output: r.text[startIndex] === ">" },
      });
      return;
    case "arithmetic_expansion":
    case "array":
    case "extglob_pattern":
      for (const child of node.namedChildren) if (child !== null) collect(r, child, depth + 1);
      r.nested.set(startIndex, { end: endIndex, part: { kind: "unknown" } });
      return;
    default:
      for (const child of node.namedChildren) if (child !== null) collect(r, child, depth + 1);
  }
}

/** The commands of a substitution: by the lexer where it understands them. */
function readInside(r: Reading, node: SyntaxNode, depth: number): RawList {
  if (!r.strict && r.text[node.startIndex] !== "`") {
    for (const child of node.namedChildren) if (child !== null) collect(r, child, depth + 1);
    const list = lexRange(r.text, node.startIndex + 2, node.endIndex - 1, r.nested);
    if (list !== undefined && list.length > 0) return list;
  }
  return readList(r, node.children, depth + 1);
}

/** `$(< file)` prints the file. */
function readCat(r: Reading, redirect: SyntaxNode, depth: number): RawNode {
  const target = redirect.childForFieldName("destination");
  const { startIndex: start, endIndex: end } = redirect;
  const cat: RawWord = { parts: [{ kind: "text", value: "cat" }], start, end, quoted: false };
  return {
    kind: "simple",
    assignments: [],
    words: [cat, ...(target === null ? [] : readWords(r, [target], depth))],
    redirects: [],
    start,
    end,
  };
}
