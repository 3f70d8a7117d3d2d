import type { RawItem, RawList, RawNode, RawRedirect } from "./raw";
import { fail, scanBody, type Scanner } from "./scan";
import { scanRedirect, scanSimple, skipBlanks, type Pending } from "./simple";

const RESERVED = new Set("if then else elif fi for while until do done case esac select function coproc in [[ ! }".split(" "));
const MAX_DEPTH = 20;

/** The structure of a line that needs no grammar: words, quotes, operators, redirections, here-documents, groups. Else undefined. */
export function lex(text: string): RawList | undefined {
  const s: Scanner = { text, at: 0, end: text.length };
  const pending: Pending[] = [];
  const list = scanList(s, pending, "", 0);
  return s.failed === undefined && s.at >= s.end && pending.length === 0 ? list : undefined;
}

/** The same for a part of a text whose substitutions are known: the grammar's tree is not always right about where a command ends. */
export function lexRange(text: string, start: number, end: number, nested: Scanner["nested"]): RawList | undefined {
  const s: Scanner = { text, at: start, end, ...(nested === undefined ? {} : { nested }) };
  const pending: Pending[] = [];
  const list = scanList(s, pending, "", 0);
  return s.failed === undefined && s.at >= s.end && pending.length === 0 ? list : undefined;
}

/** Commands up to `closer` (which stays unread) or the end. */
function scanList(s: Scanner, pending: Pending[], closer: "" | ")" | "}", depth: number): RawList {
  const items: RawItem[] = [];
  let joined: RawItem["joined"] = ";";
  /** Where the present and-or list began: `&` puts all of it in the background. */
  let since = 0;
  let open = false;
  while (s.failed === undefined) {
    skipBlanks(s);
    if (s.at >= s.end || isComment(s)) {
      if (s.at < s.end) skipComment(s);
      if (s.at < s.end) continue;
      if (pending.length > 0) fail(s, "a here-document without a body");
      break;
    }
    const c = s.text[s.at];
    if (c === "\n") {
      s.at++;
      readBodies(s, pending);
      if (!open) since = items.length;
      continue;
    }
    if (closer !== "" && c === closer && !open) break;
    const node = scanPipe(s, pending, depth);
    if (node === undefined) break;
    items.push({ node, joined, background: false });
    open = false;
    joined = ";";
    skipBlanks(s);
    const next = s.text[s.at];
    const two = s.text.slice(s.at, s.at + 2);
    if (two === "&&" || two === "||") {
      s.at += 2;
      joined = two;
      open = true;
    } else if (two === ";;") fail(s, "a case");
    else if (next === ";") {
      s.at++;
      since = items.length;
    } else if (next === "&" && s.at < s.end) {
      s.at++;
      for (let i = since; i < items.length; i++) items[i] = { ...(items[i] as RawItem), background: true };
      joined = "&";
      since = items.length;
    } else if (s.at < s.end && next !== "\n" && next !== closer && !isComment(s)) fail(s, "a word after a group");
  }
  if (open) fail(s, "an operator without a command after it");
  return items;
}

function scanPipe(s: Scanner, pending: Pending[], depth: number): RawNode | undefined {
  const stages: RawNode[] = [];
  for (;;) {
    const node = scanCommand(s, pending, depth);
    if (node === undefined) {
      fail(s, "a command that is missing");
      return undefined;
    }
    stages.push(node);
    skipBlanks(s);
    if (s.text[s.at] !== "|" || s.text[s.at + 1] === "|" || s.at >= s.end) break;
    s.at += s.text[s.at + 1] === "&" ? 2 : 1;
    for (;;) {
      skipBlanks(s);
      if (s.text[s.at] !== "\n" || s.at >= s.end) break;
      s.at++;
      readBodies(s, pending);
    }
  }
  return stages.length === 1 ? stages[0] : { kind: "pipe", stages };
}

function scanCommand(s: Scanner, pending: Pending[], depth: number): RawNode | undefined {
  const c = s.text[s.at];
  const brace = c === "{" && /[ \t\n]/.test(s.text[s.at + 1] ?? "");
  if (c === "(" || brace) {
    if (depth >= MAX_DEPTH || s.text[s.at + 1] === "(") return void fail(s, "groups nested too deep, or arithmetic");
    s.at++;
    const closer = brace ? "}" : ")";
    const list = scanList(s, pending, closer, depth + 1);
    if (s.text[s.at] !== closer || s.at >= s.end || list.length === 0) return void fail(s, "a group that is not closed");
    s.at++;
    const redirects: RawRedirect[] = [];
    for (;;) {
      skipBlanks(s);
      const redirect = scanRedirect(s, pending);
      if (redirect === undefined) break;
      redirects.push(redirect);
    }
    return { kind: "group", subshell: !brace, list, redirects };
  }
  const simple = scanSimple(s, pending);
  if (simple === undefined) return undefined;
  const first = simple.words[0];
  if (first !== undefined && !first.quoted) {
    const word = s.text.slice(first.start, first.end);
    if (RESERVED.has(word) || word === "{" || (word === "time" && simple.words[1] !== undefined && s.text.startsWith("(", s.at)))
      return void fail(s, "a reserved word");
  }
  return simple;
}

/** After a newline: the bodies of the here-documents of the line before, in order. */
function readBodies(s: Scanner, pending: Pending[]): void {
  while (pending.length > 0 && s.failed === undefined) {
    const next = pending.shift() as Pending;
    const start = s.at;
    let at = start;
    for (;;) {
      if (at >= s.end) return fail(s, "a here-document that is not closed");
      const newline = s.text.indexOf("\n", at);
      const to = newline < 0 || newline > s.end ? s.end : newline;
      let line = s.text.slice(at, to);
      if (next.tabs) line = line.replace(/^\t+/, "");
      if (line === next.delimiter) {
        next.redirect.body = readBody(s, start, at, next);
        s.at = to;
        // The newline that ends the delimiter's line is left for the list, unless another body follows.
        if (pending.length > 0) s.at = Math.min(s.end, to + 1);
        break;
      }
      if (to >= s.end) return fail(s, "a here-document that is not closed");
      at = to + 1;
    }
  }
}

/** The body between two offsets as a word. */
export function readBody(
  s: Scanner,
  start: number,
  end: number,
  of: { readonly literal: boolean; readonly tabs: boolean },
): import("./raw").RawWord {
  const raw = s.text.slice(start, end);
  if (of.tabs && /^\t/m.test(raw)) {
    const value = raw.replace(/^\t+/gm, "");
    if (!of.literal && /[$`\\]/.test(value))
      return { parts: [{ kind: "text", value: value.replace(/\\([\\$`])/g, "$1") }], start, end, quoted: true };
    return { parts: [{ kind: "text", value }], start, end, quoted: true };
  }
  if (of.literal || !/[$`\\]/.test(raw)) return { parts: [{ kind: "text", value: raw }], start, end, quoted: true };
  const body: Scanner = { text: s.text, at: start, end, ...(s.nested === undefined ? {} : { nested: s.nested }) };
  const word = scanBody(body);
  if (word === undefined) {
    fail(s, body.failed ?? "a here-document that cannot be read");
    return { parts: [{ kind: "unknown" }], start, end, quoted: true };
  }
  return word;
}

function isComment(s: Scanner): boolean {
  return s.text[s.at] === "#";
}

function skipComment(s: Scanner): void {
  const newline = s.text.indexOf("\n", s.at);
  s.at = newline < 0 || newline > s.end ? s.end : newline;
}
