import type { SyntaxNode } from "../code/syntax";
import { readBody } from "./lex";
import type { RawItem, RawNode, RawRedirect, RawWord } from "./raw";
import type { Scanner } from "./scan";
import { type Pending, scanRedirect, scanSimple, skipBlanks } from "./simple";
import { item, joinPipe, type Reading, readStatement, readError } from "./tree";
import { bad, collect } from "./tree-words";

export function readRedirected(r: Reading, node: SyntaxNode, depth: number): RawItem[] {
  const body = node.childForFieldName("body");
  let items: RawItem[] = body === null ? [] : readStatement(r, body, depth + 1);
  let at = body?.endIndex ?? node.startIndex;
  for (const child of node.children) {
    // The grammar drops some words before a redirection (a lone `-`); they are read from the text.
    if (child !== null && child.startIndex > at && r.text.slice(at, child.startIndex).trim() !== "")
      items = addRange(r, items, at, child.startIndex);
    at = Math.max(at, child?.endIndex ?? 0);
    if (child === null || (body !== null && child.startIndex === body.startIndex && child.endIndex === body.endIndex)) continue;
    if (child.type === "heredoc_redirect") items = addHeredoc(r, items, child, depth);
    else if (child.type === "file_redirect" || child.type === "herestring_redirect") items = addParts(r, items, child, depth);
    else if (child.type === "ERROR") items.push(...readError(r, child, depth));
  }
  return items;
}

/** Redirections and words that the grammar set apart belong to the last command of what stands before them. */
export function addParts(r: Reading, items: RawItem[], node: SyntaxNode, depth: number): RawItem[] {
  collect(r, node, depth);
  return addRange(r, items, node.startIndex, node.endIndex);
}

function addRange(r: Reading, items: RawItem[], start: number, end: number): RawItem[] {
  const s: Scanner = { text: r.text, at: start, end, nested: r.nested };
  skipBlanks(s);
  const pending: Pending[] = [];
  const simple = scanSimple(s, pending);
  skipBlanks(s);
  if (simple === undefined || s.failed !== undefined || s.at < s.end || pending.length > 0)
    return [...items, item({ kind: "bad", start, end })];
  return onLast(items, (last) => attach(last, simple.redirects, simple.words, simple.start, simple.end));
}

function onLast(items: RawItem[], change: (node: RawNode | undefined) => RawNode): RawItem[] {
  const last = items[items.length - 1];
  if (last === undefined) return [item(change(undefined))];
  return [...items.slice(0, -1), { ...last, node: change(last.node) }];
}

function attach(
  node: RawNode | undefined,
  redirects: readonly RawRedirect[],
  words: readonly RawWord[],
  start: number,
  end: number,
): RawNode {
  if (node === undefined) return { kind: "simple", assignments: [], words, redirects, start, end };
  if (node.kind === "pipe")
    return { ...node, stages: [...node.stages.slice(0, -1), attach(node.stages[node.stages.length - 1], redirects, words, start, end)] };
  if (node.kind === "simple")
    return {
      ...node,
      words: [...node.words, ...words],
      redirects: [...node.redirects, ...redirects],
      start: Math.min(node.start, start),
      end: Math.max(node.end, end),
    };
  if (node.kind === "bad" || node.kind === "function") return node;
  return { ...node, redirects: [...node.redirects, ...redirects] };
}

/** A here-document, and what follows it on its line: further redirections, words, a pipe, an and-or list. */
function addHeredoc(r: Reading, items: RawItem[], node: SyntaxNode, depth: number): RawItem[] {
  const start = node.children.find((child) => child?.type === "heredoc_start");
  const body = node.children.find((child) => child?.type === "heredoc_body");
  const end = node.children.find((child) => child?.type === "heredoc_end");
  if (start == null) return [...items, item(bad(node))];
  const delimiter = r.text.slice(start.startIndex, start.endIndex);
  const s: Scanner = { text: r.text, at: node.startIndex, end: start.endIndex, nested: r.nested };
  const pending: Pending[] = [];
  const redirect = scanRedirect(s, pending);
  const first = pending[0];
  if (redirect === undefined || first === undefined) return [...items, item(bad(node))];
  if (body != null) collect(r, body, depth);
  const to = end == null ? node.endIndex : r.text.lastIndexOf("\n", end.startIndex - 1) + 1;
  const from = body == null ? to : bodyStart(r.text, body, start.endIndex);
  const scanner: Scanner = { text: r.text, at: from, end: Math.max(from, to), nested: r.nested };
  first.redirect.body = readBody(scanner, from, Math.max(from, to), { literal: /['"\\]/.test(delimiter), tabs: first.tabs });
  let out = onLast(items, (last) => attach(last, [redirect], [], node.startIndex, start.endIndex));
  let operator: RawItem["joined"] | undefined;
  for (const child of node.children) {
    if (child === null || child.startIndex < start.endIndex || child.type.startsWith("heredoc_")) continue;
    if (child.type === "&&" || child.type === "||") operator = child.type;
    else if (child.type === "pipeline") {
      const [more, ...beside] = readStatement(r, child, depth + 1);
      if (more === undefined) continue;
      out = [...onLast(out, (last) => (last === undefined ? more.node : joinPipe(last, more.node))), ...beside];
    } else if (operator !== undefined) {
      const right = readStatement(r, child, depth + 1);
      const joined = operator;
      out = [...out, ...right.map((each, i) => (i === 0 ? { ...each, joined } : each))];
      operator = undefined;
    } else if (child.type === "ERROR") out.push(...readError(r, child, depth));
    else if (child.type !== "|" && child.type !== "|&" && child.type !== "comment" && child.type !== "\n")
      out = addParts(r, out, child, depth);
  }
  return out;
}

/** The body's first character: the grammar leaves out leading blank lines. */
function bodyStart(text: string, body: SyntaxNode, after: number): number {
  let at = body.startIndex;
  while (at > after && /\s/.test(text[at - 1] ?? "")) at--;
  const newline = text.indexOf("\n", at);
  return newline < 0 || newline >= body.startIndex ? body.startIndex : newline + 1;
}
