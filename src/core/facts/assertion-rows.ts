/** The lines of one side of a hunk without comments, and the statements among them that assert something. */
import type { DiffLine } from "../text/diff";
import type { CaseLanguage } from "./cases";
import { closing, type Code, hidden } from "./assertion-code";

export interface Row {
  line: DiffLine;
  /** Without comments. */
  text: string;
  mask: string;
  indent: number;
  /** It begins inside a string or a block comment. */
  isInside: boolean;
}

export interface Statement {
  code: Code;
  rows: Row[];
  /** Index of its first row. */
  first: number;
  /** After `await` or `return`, or as the result of an arrow function. */
  isAwaited: boolean;
  /** Its brackets are closed within the hunk. */
  isWhole: boolean;
}

type State = "" | '"""' | "'''" | "`" | "/*";
const longestLine = 2000;
const mostRows = 150;

export function rowsOf(lines: readonly DiffLine[], language: CaseLanguage): Row[] {
  const rows = scan(lines, language, "");
  if (language !== "python" || rows.end === "") return rows.rows;
  // An odd number of marks: when the first one looks like an end, the hunk begins inside a text.
  const first = lines.find((line) => /"""|'''/.test(line.value));
  const match = first ? /^(.{0,400}?)("""|''')\s*[)\],.%]*\s*$/.exec(first.value.slice(0, longestLine)) : null;
  if (!match || /[(=,[{:+rfb]\s*$/.test(match[1] ?? "")) return rows.rows;
  return scan(lines, language, match[2] === "'''" ? "'''" : '"""').rows;
}

function scan(lines: readonly DiffLine[], language: CaseLanguage, begin: State): { rows: Row[]; end: State } {
  let state = begin;
  const isPython = language === "python";
  const rows: Row[] = [];
  for (const line of lines) {
    const value = line.value.slice(0, longestLine);
    const isInside = state !== "";
    let text = "";
    let mask = "";
    let i = 0;
    const hide = (end: number): void => {
      const stop = Math.min(end, value.length);
      text += value.slice(i, stop);
      mask += hidden.repeat(stop - i);
      i = stop;
    };
    const blank = (end: number): void => {
      const stop = Math.min(end, value.length);
      text += " ".repeat(stop - i);
      mask += " ".repeat(stop - i);
      i = stop;
    };
    while (i < value.length) {
      if (state !== "") {
        const close = state === "/*" ? "*/" : state;
        let at = i;
        while (at < value.length && !value.startsWith(close, at)) at += state !== "/*" && value[at] === "\\" ? 2 : 1;
        const end = at >= value.length ? value.length : at + close.length;
        if (state === "/*") blank(end);
        else hide(end);
        if (at < value.length) state = "";
        continue;
      }
      const c = value[i] ?? "";
      if (isPython && c === "#") break;
      if (!isPython && value.startsWith("//", i)) break;
      if (!isPython && value.startsWith("/*", i)) {
        state = "/*";
        blank(i + 2);
      } else if (isPython && (value.startsWith('"""', i) || value.startsWith("'''", i))) {
        state = c === '"' ? '"""' : "'''";
        hide(i + 3);
      } else if (c === "`" && !isPython) {
        state = "`";
        hide(i + 1);
      } else if (c === '"' || (c === "'" && language !== "rust")) {
        let at = i + 1;
        while (at < value.length && value[at] !== c) at += value[at] === "\\" ? 2 : 1;
        hide(at + 1);
      } else if (!isPython && language === "javascript" && c === "/" && /(?:^|[(,=:[!&|?{};]|\breturn)\s*$/.test(mask)) {
        hide(endOfRegex(value, i));
      } else {
        text += c;
        mask += c;
        i++;
      }
    }
    rows.push({ line, text, mask, indent: indentOf(value), isInside });
  }
  return { rows, end: state };
}

/** Past the flags of a regular expression; past one character when there is no end. */
function endOfRegex(value: string, from: number): number {
  let isClass = false;
  for (let i = from + 1; i < value.length; i++) {
    const c = value[i];
    if (c === "\\") i++;
    else if (c === "[") isClass = true;
    else if (c === "]") isClass = false;
    else if (c === "/" && !isClass) {
      let end = i + 1;
      while (/[a-z]/.test(value[end] ?? "")) end++;
      return end;
    }
  }
  return from + 1;
}

export function indentOf(value: string): number {
  return value.length - value.trimStart().length;
}

/** Group 1 is what goes before, group 2 the words that make it awaited, group 3 begins the assertion. */
const starts: Readonly<Record<CaseLanguage, RegExp>> = {
  python:
    /^(\s*|.{0,200}?:\s+|.{0,200};\s*)()((?:await )?(?:assert\b(?!\s*[=.])|(?:async )?with\b.*?\b(?:raises|warns|assert(?:Raises|Warns)\w*)\s*\(|(?:pytest\.)?raises\s*\(|[\w.[\]()"']{0,120}\bassert\w*\s*(?:\(|$)|[\w.]{0,80}\bassert_\w+\b|(?:self\.)?fail(?:Unless|If)\w*\s*\(|(?:self\.)?_?(?:check|verify|expect)\w*\s*\())/,
  javascript:
    /^(\s*|.{0,300}?(?:[{;]|=>)\s*)((?:(?:await|return|void|yield)\s+)*)((?:expect|assert|chai|sinon\.assert|should)\b(?!\s*=)|t\.\w+\s*\(|(?:check|verify|expect|assert)\w*\s*\(|[\w$.[\]()]{1,200}?\.should\b)/,
  go: /^(\s*|.{0,200}?[{;]\s*)()((?:assert|require|is|c)\.\w+\s*\()/,
  rust: /^(\s*|.{0,200}?[{;]\s*)()((?:debug_)?assert\w*!\s*[([{])/,
  java: /^(\s*|.{0,200}?[{;]\s*)()((?:\w+\.)?(?:assert\w*|verify|fail)\s*\()/,
};

/** The statements that begin with something like an assertion, joined over their lines. */
export function statementsOf(rows: readonly Row[], language: CaseLanguage): Statement[] {
  const found: Statement[] = [];
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i];
    if (!row || row.isInside) continue;
    const match = starts[language].exec(row.mask);
    if (!match || (language === "python" && /^\s*(?:async )?(?:def|class)\b|^\s*(?:from|import)\b/.test(row.mask))) continue;
    const statement = join(rows, i, (match[1] ?? "").length, language);
    const awaits = match[2] ?? "";
    found.push({ ...statement, first: i, isAwaited: /await|return|yield/.test(awaits) || /=>\s*$/.test(match[1] ?? "") });
    i += statement.rows.length - 1;
  }
  return found;
}

function join(rows: readonly Row[], at: number, from: number, language: CaseLanguage): Pick<Statement, "code" | "rows" | "isWhole"> {
  const taken: Row[] = [];
  let text = "";
  let mask = "";
  let depth = 0;
  let isWhole = false;
  for (let i = at; i < rows.length && taken.length < mostRows; i++) {
    const row = rows[i];
    if (!row) break;
    const start = i === at ? from : indentOf(row.text);
    const end = endIn(row.mask, start, depth, language);
    const piece = { text: row.text.slice(start, end.at), mask: row.mask.slice(start, end.at) };
    const glue = text === "" ? "" : row.isInside ? "\n" : " ";
    text += glue + piece.text;
    mask += (glue === "\n" ? hidden : glue) + piece.mask;
    depth = end.depth;
    taken.push(row);
    if (end.isEnd) {
      isWhole = true;
      break;
    }
    const isOpen = depth > 0 || (language === "python" && /\\\s*$/.test(row.mask)) || rows[i + 1]?.isInside === true;
    if (isOpen) {
      if (/\\\s*$/.test(mask)) [text, mask] = [text.replace(/\\\s*$/, ""), mask.replace(/\\\s*$/, "")];
      continue;
    }
    const next = rows[i + 1];
    if (language !== "python" && next && /^\s*(?:\.|\?\.|&&|\|\||===)/.test(next.mask)) continue;
    isWhole = true;
    break;
  }
  return { code: { text, mask }, rows: taken, isWhole };
}

/** Where a statement ends in a line: at its `;`, or at a bracket that it did not open. */
function endIn(mask: string, from: number, begin: number, language: CaseLanguage): { at: number; depth: number; isEnd: boolean } {
  let depth = begin;
  for (let i = from; i < mask.length; i++) {
    const c = mask[i] ?? "";
    if ("([{".includes(c)) depth++;
    else if (")]}".includes(c) && --depth < 0) return { at: i, depth: 0, isEnd: true };
    else if (c === ";" && depth === 0) return { at: i, depth, isEnd: true };
    else if (language === "python" && c === ":" && depth === 0 && /^\s*(?:async )?with\b/.test(mask)) return { at: i, depth, isEnd: true };
  }
  return { at: mask.length, depth, isEnd: false };
}

/** `name(args)` that stands at an index of the code. */
export function callAt(code: Code, open: number): { inside: Code; end: number } | undefined {
  const end = closing(code, open);
  if (end < 0) return undefined;
  return { inside: { text: code.text.slice(open + 1, end), mask: code.mask.slice(open + 1, end) }, end: end + 1 };
}
