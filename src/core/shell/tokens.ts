import type { CodeLanguage } from "./interpreters";

/** A token of Python, JavaScript, Perl or Ruby: as much of a lexer as finding string literals and calls takes. */
export interface Token {
  readonly kind: "name" | "string" | "op" | "number" | "newline";
  /** A string's value, with `\0` for what is filled in at run time; else the text. */
  readonly value: string;
  readonly start: number;
  readonly end: number;
  /** Where a string's text ends, before its closing mark. */
  readonly inner?: number;
  /** A string that a shell runs (backticks, `qx`, `%x`), or that is a list of words (`qw`, `%w`). */
  readonly use?: "shell" | "words";
}

const MAX_TOKENS = 100_000;
const NAME = /[A-Za-z_$@\u0080-\uffff][\w$\u0080-\uffff]*/y;
const NUMBER = /\d[\w.]*/y;
const PYTHON_PREFIX = /(?:[rR][bB]?|[bB][rR]?|[uU]|[fF][rR]?|[rR][fF])(?=["'])/y;

/** Linear; stops quietly at a limit or at a string that does not end. */
export function tokenize(text: string, language: CodeLanguage): Token[] {
  const tokens: Token[] = [];
  const hash = language !== "javascript";
  const slashes = language === "javascript" || language === "other";
  let at = 0;
  while (at < text.length && tokens.length < MAX_TOKENS) {
    const c = text[at] ?? "";
    if (c === " " || c === "\t" || c === "\r") {
      at++;
      continue;
    }
    if (c === "\n") {
      tokens.push({ kind: "newline", value: "\n", start: at, end: at + 1 });
      at++;
      continue;
    }
    if (c === "\\" && text[at + 1] === "\n") {
      at += 2;
      continue;
    }
    if ((hash && c === "#") || (slashes && c === "/" && text[at + 1] === "/")) {
      const newline = text.indexOf("\n", at);
      at = newline < 0 ? text.length : newline;
      continue;
    }
    if (slashes && c === "/" && text[at + 1] === "*") {
      const close = text.indexOf("*/", at + 2);
      at = close < 0 ? text.length : close + 2;
      continue;
    }
    let prefix = "";
    if (language === "python") {
      PYTHON_PREFIX.lastIndex = at;
      prefix = PYTHON_PREFIX.exec(text)?.[0] ?? "";
    }
    const quote = text[at + prefix.length] ?? "";
    if (quote === '"' || quote === "'" || (quote === "`" && language !== "python")) {
      const string = readString(text, at, prefix.toLowerCase(), language);
      if (string === undefined) return tokens;
      tokens.push(string);
      at = string.end;
      continue;
    }
    if (language === "perl" || language === "ruby") {
      const string = readQuoteLike(text, at, language, tokens[tokens.length - 1]);
      if (string !== undefined) {
        tokens.push(string);
        at = string.end;
        continue;
      }
    }
    if (c === "/" && language === "javascript" && startsRegex(tokens[tokens.length - 1])) {
      at = endOfRegex(text, at);
      continue;
    }
    NAME.lastIndex = at;
    const name = NAME.exec(text)?.[0];
    if (name !== undefined) {
      tokens.push({ kind: "name", value: name, start: at, end: at + name.length });
      at += name.length;
      continue;
    }
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[0];
    if (number !== undefined) {
      tokens.push({ kind: "number", value: number, start: at, end: at + number.length });
      at += number.length;
      continue;
    }
    tokens.push({ kind: "op", value: c, start: at, end: at + 1 });
    at++;
  }
  return tokens;
}

function readString(text: string, start: number, prefix: string, language: CodeLanguage): Token | undefined {
  const open = start + prefix.length;
  const quote = text[open] ?? "";
  const triple = language === "python" && text.startsWith(quote.repeat(3), open);
  const mark = triple ? quote.repeat(3) : quote;
  const raw = prefix.includes("r");
  let at = open + mark.length;
  const from = at;
  while (at < text.length) {
    if (text[at] === "\\") {
      at += 2;
      continue;
    }
    if (text.startsWith(mark, at)) break;
    if (text[at] === "\n" && !triple && (language === "python" || (language === "javascript" && quote !== "`")))
      return { kind: "op", value: quote, start, end: open + 1 };
    at++;
  }
  if (at >= text.length) return undefined;
  const inner = text.slice(from, at);
  let value = raw || (quote === "'" && (language === "perl" || language === "ruby")) ? inner : unescapeCode(inner);
  if (prefix.includes("f"))
    value = value
      .replace(/\{\{/g, "\x01")
      .replace(/\}\}/g, "\x02")
      .replace(/\{[^{}]*\}/g, "\0")
      .replace(/\x01/g, "{")
      .replace(/\x02/g, "}");
  if (language === "javascript" && quote === "`") value = value.replace(/\$\{[^}]*\}/g, "\0");
  if (language === "ruby" && quote !== "'") value = value.replace(/#\{[^}]*\}/g, "\0");
  if (language === "perl" && quote !== "'") value = value.replace(/[$@](?:\w+|\{\w+\})(?:->)?(?:\[[^\]]*\]|\{[^}]*\})?/g, "\0");
  const use = quote === "`" && language !== "javascript" ? ({ use: "shell" } as const) : {};
  return { kind: "string", value, start: from, end: at + mark.length, inner: at, ...use };
}

const CLOSERS: Record<string, string> = { "(": ")", "[": "]", "{": "}", "<": ">" };

/** `q(…)`, `qq{…}`, `qx/…/`, `qw(…)`; `%q(…)`, `%x(…)`, `%w[…]`. */
function readQuoteLike(text: string, at: number, language: CodeLanguage, before: Token | undefined): Token | undefined {
  const match = /^(?:q|qq|qx|qw)(?=[^\w\s,;=)])|^%[qQxwWiI]?(?=[([{<|!/])/.exec(text.slice(at, at + 4));
  if (match === null || (language === "perl") !== match[0].startsWith("q")) return undefined;
  if (
    before !== undefined &&
    (before.value === "." || before.value === "$" || before.value === ">" || (match[0] === "%" && before.kind !== "op"))
  )
    return undefined;
  const open = text[at + match[0].length] ?? "";
  const close = CLOSERS[open] ?? open;
  let depth = 0;
  let i = at + match[0].length + 1;
  const from = i;
  for (; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === close && depth-- === 0) break;
    else if (text[i] === open && close !== open) depth++;
  }
  if (i >= text.length) return undefined;
  const inner = text.slice(from, i);
  const letter = match[0].slice(-1);
  const use = letter === "x" ? ({ use: "shell" } as const) : letter === "w" || letter === "W" ? ({ use: "words" } as const) : {};
  const value = letter === "q" && match[0] !== "qq" ? inner : inner.replace(language === "ruby" ? /#\{[^}]*\}/g : /[$@]\w+/g, "\0");
  return { kind: "string", value, start: from, end: i + 1, inner: i, ...use };
}

function startsRegex(before: Token | undefined): boolean {
  if (before === undefined || before.kind === "newline") return true;
  if (before.kind === "op") return before.value !== ")" && before.value !== "]" && before.value !== "}";
  return before.kind === "name" && /^(?:return|typeof|case|in|of|void|delete)$/.test(before.value);
}

function endOfRegex(text: string, start: number): number {
  let set = false;
  for (let i = start + 1; i < text.length; i++) {
    const c = text[i];
    if (c === "\n") return start + 1;
    if (c === "\\") i++;
    else if (c === "[") set = true;
    else if (c === "]") set = false;
    else if (c === "/" && !set) return i + 1;
  }
  return start + 1;
}

const ESCAPES: Record<string, string> = { n: "\n", t: "\t", r: "\r", "0": "\0", "\n": "", b: "\b", f: "\f", v: "\v", a: "\x07", e: "\x1b" };

function unescapeCode(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:x([0-9A-Fa-f]{2})|u\{?([0-9A-Fa-f]{4,6})\}?|([0-7]{1,3})|([\s\S]))/g, (all, hex, unicode, octal, letter) => {
    const code =
      hex !== undefined ? parseInt(hex, 16) : unicode !== undefined ? parseInt(unicode, 16) : octal !== undefined ? parseInt(octal, 8) : -1;
    if (code >= 0) return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
    return ESCAPES[letter] ?? (/[\\'"`$/]/.test(letter) ? letter : all);
  });
}
