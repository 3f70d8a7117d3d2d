import type { Token } from "./tokens";
import type { Value } from "./values";

export interface Program {
  readonly tokens: readonly Token[];
  /** For an opening bracket the index of its closing one. */
  readonly match: Int32Array;
  readonly variables: Map<string, Value>;
  /** `import subprocess as sp`, `from os import system`: short name to full. */
  readonly imports: Map<string, string>;
}

/** Pairs the brackets; an opening one without a partner gets the end. */
export function matchBrackets(tokens: readonly Token[]): Int32Array {
  const match = new Int32Array(tokens.length).fill(-1);
  const stack: number[] = [];
  tokens.forEach((token, i) => {
    if (token.kind !== "op") return;
    if (token.value === "(" || token.value === "[" || token.value === "{") stack.push(i);
    else if (token.value === ")" || token.value === "]" || token.value === "}") {
      const open = stack.pop();
      if (open !== undefined) match[open] = i;
    }
  });
  for (const open of stack) match[open] = tokens.length;
  return match;
}

/** The token ranges of the arguments between an opening bracket and its partner. Line breaks count as nothing. */
export function splitArguments(p: Program, open: number): { readonly from: number; readonly to: number; readonly name?: string }[] {
  const close = p.match[open] ?? -1;
  const out: { from: number; to: number; name?: string }[] = [];
  if (close < 0) return out;
  let from = open + 1;
  const push = (to: number): void => {
    let start = from;
    while (start < to && p.tokens[start]?.kind === "newline") start++;
    if (start >= to) return;
    const key = p.tokens[start];
    const next = p.tokens[start + 1]?.value;
    const named = key?.kind === "name" && (next === "=" || next === ":") && p.tokens[start + 2]?.value !== "=";
    out.push(named ? { from: start + 2, to, name: key.value } : { from: start, to });
  };
  for (let i = from; i < close && out.length < 256; i++) {
    const token = p.tokens[i];
    const inner = p.match[i] ?? -1;
    if (inner > i) i = inner;
    else if (token?.kind === "op" && token.value === ",") {
      push(i);
      from = i + 1;
    }
  }
  push(close);
  return out;
}

export function unknownAt(p: Program, from: number, to: number): Value {
  return { text: "\0", start: p.tokens[from]?.start ?? 0, end: p.tokens[Math.max(from, to - 1)]?.end ?? 0 };
}

/** `a.b.c` from a name token on. */
export function dottedName(p: Program, at: number, to: number): { readonly text: string; readonly next: number } {
  let text = p.tokens[at]?.value ?? "";
  let next = at + 1;
  while (next + 1 < to && p.tokens[next]?.value === "." && p.tokens[next + 1]?.kind === "name" && text.length < 200) {
    text += `.${p.tokens[next + 1]?.value}`;
    next += 2;
  }
  return { text, next };
}
