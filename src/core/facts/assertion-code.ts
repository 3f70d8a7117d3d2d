/** Small pieces of source, with a mask that hides what stands in strings, so that operators and brackets are found without a parser. */

/** `mask` is as long as `text`; every character of a string, its quotes included, is `¤` there. */
export interface Code {
  text: string;
  mask: string;
}

export const hidden = "¤";
const openers = "([{";
const closers = ")]}";

export function cut(code: Code, start: number, end = code.text.length): Code {
  return trimCode({ text: code.text.slice(start, end), mask: code.mask.slice(start, end) });
}

export function trimCode({ text, mask }: Code): Code {
  const start = text.length - text.trimStart().length;
  const end = Math.max(start, text.trimEnd().length);
  return { text: text.slice(start, end), mask: mask.slice(start, end) };
}

/** The index of the bracket that closes the one at `at`; -1 when it is not there. */
export function closing(code: Code, at: number): number {
  let depth = 0;
  for (let i = at; i < code.mask.length; i++) {
    const c = code.mask[i] ?? "";
    if (openers.includes(c)) depth++;
    else if (closers.includes(c) && --depth === 0) return i;
  }
  return -1;
}

/** Splits at a separator outside of all brackets. A trailing separator makes no empty piece. */
export function splitTop(code: Code, separator: string): Code[] {
  const pieces: Code[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < code.mask.length; i++) {
    const c = code.mask[i] ?? "";
    if (openers.includes(c)) depth++;
    else if (closers.includes(c)) depth--;
    else if (depth === 0 && code.mask.startsWith(separator, i)) {
      pieces.push(cut(code, from, i));
      from = i + separator.length;
      i = from - 1;
    }
  }
  const rest = cut(code, from);
  if (rest.text !== "" || pieces.length === 0) pieces.push(rest);
  return pieces;
}

export function argumentsOf(code: Code): Code[] {
  const all = splitTop(code, ",");
  return all.length === 1 && all[0]?.text === "" ? [] : all;
}

/** Without brackets around the whole; a tuple keeps its own. */
export function unwrap(code: Code): Code {
  let one = trimCode(code);
  for (let i = 0; i < 5; i++) {
    if (one.mask[0] !== "(" || closing(one, 0) !== one.mask.length - 1) break;
    const inner = cut(one, 1, one.text.length - 1);
    if (splitTop(inner, ",").length > 1 || inner.mask.endsWith(",") || inner.text === "") break;
    one = inner;
  }
  return one;
}

export interface Operation {
  left: Code;
  operator: string;
  right: Code;
}

/** The first operator outside of all brackets; operators of words stand between spaces. The longer ones come first in the list. */
export function splitOperation(code: Code, operators: readonly string[]): Operation | undefined {
  let depth = 0;
  for (let i = 0; i < code.mask.length; i++) {
    const c = code.mask[i] ?? "";
    if (openers.includes(c)) depth++;
    else if (closers.includes(c)) depth--;
    else if (depth === 0) {
      if (
        code.mask.startsWith("=>", i) ||
        code.mask.startsWith("->", i) ||
        code.mask.startsWith(">>", i) ||
        code.mask.startsWith("<<", i)
      ) {
        i++;
        continue;
      }
      const operator = operators.find((one) => code.mask.startsWith(one, i));
      if (operator !== undefined) return { left: cut(code, 0, i), operator: operator.trim(), right: cut(code, i + operator.length) };
    }
  }
  return undefined;
}

/** White space, the kind of quotes and trailing commas do not tell two expressions apart. */
export function normal(code: Code): string {
  let out = "";
  const { text, mask } = unwrap(code);
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? "";
    if (mask[i] === hidden) out += c === "'" || c === "`" ? '"' : c;
    else if (!/\s/.test(c)) out += c;
    else if (/\w/.test(out.at(-1) ?? "") && /\w/.test(text[i + 1] ?? "")) out += " ";
  }
  return out.replace(/,(?=[)\]}])/g, "");
}

/** A value written down: numbers, strings, the constants, and collections of them. */
export function isLiteral(code: Code): boolean {
  const { mask } = unwrap(code);
  if (mask === "") return false;
  return (
    !/[A-Za-z_$][\w$]*/.test(
      mask.replace(
        /\b(?:True|False|None|true|false|null|undefined|NaN|[rbfu]{1,2}(?=¤)|\d[\w.]*)\b|[rbfuRBFU]{1,2}(?=¤)|\b\w+\s*:(?!:)/g,
        "",
      ),
    ) && !/[()]{2}$/.test(mask)
  );
}

export function isString(code: Code): boolean {
  return /^[rbfuRBFU]{0,2}¤+$/.test(code.mask);
}

/** The text between the quotes of a string. */
export function contentOf(code: Code): string {
  return code.text.replace(/^[rbfuRBFU]{0,2}(?:"""|'''|["'`])/, "").replace(/(?:"""|'''|["'`])$/, "");
}

/** The elements of a list, tuple or set that is written down. */
export function elementsOf(code: Code): Code[] | undefined {
  const one = trimCode(code);
  if (!"([{".includes(one.mask[0] ?? "x") || closing(one, 0) !== one.mask.length - 1) return undefined;
  const inner = cut(one, 1, one.text.length - 1);
  if (one.mask[0] === "(" && splitTop(inner, ",").length < 2 && !inner.mask.endsWith(",")) return undefined;
  if (/\bfor\b/.test(inner.mask)) return undefined;
  return argumentsOf(inner);
}

/** `name = value` among arguments. */
export function keyword(args: readonly Code[], name: string): Code | undefined {
  for (const arg of args) {
    const match = /^(\w+)\s*=(?!=)/.exec(arg.mask);
    if (match?.[1] === name) return cut(arg, match[0].length);
  }
  return undefined;
}

export function positional(args: readonly Code[]): Code[] {
  return args.filter((arg) => !/^\w+\s*=(?!=)/.test(arg.mask));
}
