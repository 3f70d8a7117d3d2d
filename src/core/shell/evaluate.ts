import { dottedName, type Program, splitArguments, unknownAt } from "./brackets";
import { fromBase, fromHex } from "./decode";
import type { Token } from "./tokens";
import { decodeWith, join, MAX_TEXT, rot13, splitWords, type Value } from "./values";

const MAX_DEPTH = 12;

/** The value of the tokens in a range; undefined when nothing is known of it. */
export function evaluate(p: Program, from: number, to: number, depth = 0): Value | undefined {
  while (from < to && p.tokens[from]?.kind === "newline") from++;
  while (to > from && p.tokens[to - 1]?.kind === "newline") to--;
  if (from >= to || depth > MAX_DEPTH) return undefined;
  let result: Value | undefined;
  let glue: "" | "+" | "/" | "." = "+";
  for (let i = from; i < to;) {
    const token = p.tokens[i] as Token;
    if (token.kind === "newline") {
      i++;
      continue;
    }
    if (
      token.kind === "op" &&
      result !== undefined &&
      (token.value === "+" || token.value === "/" || (token.value === "." && p.tokens[i + 1]?.kind === "string"))
    ) {
      glue = token.value as "+" | "/" | ".";
      i++;
      continue;
    }
    if (token.kind === "op" && result !== undefined && token.value === "%") {
      return result.text === undefined
        ? undefined
        : { ...result, text: result.text.replace(/%(?:\(\w+\))?[-+ #0]*\d*(?:\.\d+)?[sdifrxg]/g, "\0") };
    }
    const term = readTerm(p, i, to, depth);
    if (term === undefined) return undefined;
    i = term.next;
    if (result === undefined) result = term.value;
    else if (glue === "" && token.kind !== "string") return undefined;
    else result = join(result, term.value, glue === "/" ? "/" : "");
    if (result === undefined) return undefined;
    glue = "";
  }
  return result;
}

/** One operand with its method calls. `value` is an unknown string when only that is known. */
function readTerm(p: Program, at: number, to: number, depth: number): { value: Value; next: number } | undefined {
  const token = p.tokens[at] as Token;
  let value: Value = { text: "\0", start: token.start, end: token.end };
  let next = at + 1;
  const close = p.match[at] ?? -1;
  if (token.kind === "string") {
    const span = { start: token.start, end: token.inner ?? token.end };
    value =
      token.use === "words"
        ? {
            list: token.value
              .split(/\s+/)
              .filter((w) => w !== "")
              .map((text) => ({ text, ...span })),
            ...span,
          }
        : { text: token.value, ...span };
    next = at + 1;
  } else if (token.kind === "op" && token.value === "(" && close > at && close < to) {
    const inner = splitArguments(p, at);
    const first = inner[0];
    if (inner.length === 1 && first !== undefined && p.tokens[close - 1]?.value !== ",")
      value = evaluate(p, first.from, first.to, depth + 1) ?? value;
    else
      value = {
        list: inner.map((arg) => evaluate(p, arg.from, arg.to, depth + 1) ?? value),
        start: token.start,
        end: p.tokens[close]?.end ?? token.end,
      };
    next = close + 1;
  } else if (token.kind === "op" && token.value === "[" && close > at && close < to) {
    value = {
      list: splitArguments(p, at).map((arg) => evaluate(p, arg.from, arg.to, depth + 1) ?? unknownAt(p, arg.from, arg.to)),
      start: token.start,
      end: p.tokens[close]?.end ?? token.end,
    };
    next = close + 1;
  } else if (token.kind === "name") {
    const name = dottedName(p, at, to);
    next = name.next;
    const open = p.tokens[next]?.value === "(" ? next : -1;
    const full = p.imports.get(name.text) ?? name.text;
    if (open > 0 && (p.match[open] ?? -1) > open && (p.match[open] ?? to) < to) {
      const known = evaluateCall(p, full, open, depth);
      const method = name.text.lastIndexOf(".");
      const owner = known === undefined && method > 0 ? p.variables.get(name.text.slice(0, method)) : undefined;
      value = known ??
        (owner === undefined ? value : applyMethod(p, owner, name.text.slice(method + 1), open, depth)) ?? {
          ...value,
          end: p.tokens[p.match[open] ?? at]?.end ?? token.end,
        };
      next = (p.match[open] ?? next) + 1;
    } else if (full === "sys.executable") value = { ...value, text: "python" };
    else if (full === "process.execPath") value = { ...value, text: "node" };
    else value = p.variables.get(name.text) ?? value;
  } else if (token.kind === "number") value = { text: token.value, start: token.start, end: token.end };
  else return undefined;
  while (p.tokens[next]?.value === "." && p.tokens[next + 1]?.kind === "name" && next + 1 < to) {
    const open = next + 2;
    if (p.tokens[open]?.value !== "(" || (p.match[open] ?? -1) < 0 || (p.match[open] ?? to) >= to) {
      next += 2;
      continue;
    }
    value = applyMethod(p, value, p.tokens[next + 1]?.value ?? "", open, depth) ?? {
      text: "\0",
      start: value.start,
      end: p.tokens[p.match[open] ?? 0]?.end ?? value.end,
    };
    next = (p.match[open] ?? next) + 1;
  }
  if (p.tokens[next]?.value === "[" && next < to && (p.match[next] ?? -1) > next)
    return { value: { text: "\0", start: value.start, end: value.end }, next: (p.match[next] ?? next) + 1 };
  return { value, next };
}

function evaluateCall(p: Program, name: string, open: number, depth: number): Value | undefined {
  const args = splitArguments(p, open);
  const at = (i: number): Value | undefined => {
    const arg = args[i];
    return arg === undefined ? undefined : evaluate(p, arg.from, arg.to, depth + 1);
  };
  const first = (): Value | undefined => at(0);
  const last = name.slice(name.lastIndexOf(".") + 1);
  switch (last) {
    case "Path":
    case "PurePath":
    case "str":
    case "bytes":
    case "String":
    case "fspath":
    case "abspath":
    case "realpath":
    case "compile":
      return first();
    case "join": {
      if (!/(?:^|\.)path\.join$|^path\.join$|^join$/.test(name)) return undefined;
      const parts = args.map((_, i) => at(i)?.text ?? "\0");
      const value = first();
      return value === undefined
        ? undefined
        : { ...value, text: parts.reduce((left, right) => (right.startsWith("/") ? right : `${left.replace(/\/$/, "")}/${right}`)) };
    }
    case "split": {
      const value = name === "shlex.split" ? first() : undefined;
      return value?.text === undefined ? undefined : { ...value, list: splitWords(value) };
    }
    case "b64decode":
    case "urlsafe_b64decode":
    case "standard_b64decode":
    case "decodebytes":
    case "atob":
    case "decode64":
    case "decode_base64":
      return decodeWith(first(), (text) => fromBase(text, 6));
    case "b32decode":
      return decodeWith(first(), (text) => fromBase(text, 5));
    case "fromhex":
    case "unhexlify":
      return decodeWith(first(), fromHex);
    case "from": {
      const encoding = at(1)?.text;
      return name !== "Buffer.from"
        ? undefined
        : encoding === "base64" || encoding === "base64url"
          ? decodeWith(first(), (text) => fromBase(text, 6))
          : encoding === "hex"
            ? decodeWith(first(), fromHex)
            : first();
    }
    case "decode":
      return name === "codecs.decode" && /^rot_?13$/.test(at(1)?.text ?? "") ? decodeWith(first(), rot13) : undefined;
    case "open": {
      if (name !== "open" && name !== "io.open" && name !== "codecs.open" && name !== "File.open") return undefined;
      const path = first();
      const mode = args[1]?.name === undefined || args[1].name === "mode" ? at(1)?.text : undefined;
      return path === undefined
        ? undefined
        : {
            start: path.start,
            end: path.end,
            handle: { path, mode: mode ?? (args.some((arg) => arg.name === "mode") ? "\0" : "r"), written: [], lost: false },
          };
    }
    default:
      return undefined;
  }
}

/** String methods that keep a literal a literal. */
function applyMethod(p: Program, owner: Value, method: string, open: number, depth: number): Value | undefined {
  const args = splitArguments(p, open);
  const first = args[0] === undefined ? undefined : evaluate(p, args[0].from, args[0].to, depth + 1);
  switch (method) {
    case "encode":
    case "decode":
    case "strip":
    case "trim":
    case "toString":
    case "lstrip":
    case "rstrip":
    case "resolve":
    case "absolute":
    case "expanduser":
    case "as_posix":
    case "freeze":
      return owner.text === undefined
        ? owner
        : {
            ...owner,
            text:
              method.includes("strip") && first !== undefined
                ? "\0"
                : method === "strip" || method === "trim"
                  ? owner.text.trim()
                  : owner.text,
          };
    case "split":
      return owner.text === undefined || (first?.text !== undefined && first.text !== " ")
        ? undefined
        : { list: splitWords(owner), start: owner.start, end: owner.end };
    case "format":
      return owner.text === undefined ? undefined : { ...owner, text: owner.text.replace(/\{[^{}]*\}/g, "\0") };
    case "join": {
      if (owner.list !== undefined)
        return { text: owner.list.map((item) => item.text ?? "\0").join(first?.text ?? ","), start: owner.start, end: owner.end };
      return owner.text !== undefined && first?.list !== undefined
        ? { text: first.list.map((item) => item.text ?? "\0").join(owner.text), start: first.start, end: first.end }
        : undefined;
    }
    case "joinpath":
      return owner.text === undefined ? undefined : { ...owner, text: `${owner.text}/${first?.text ?? "\0"}` };
    case "open":
      return owner.text === undefined
        ? undefined
        : { start: owner.start, end: owner.end, handle: { path: owner, mode: first?.text ?? "r", written: [], lost: false } };
    case "replace": {
      const second = args[1] === undefined ? undefined : evaluate(p, args[1].from, args[1].to, depth + 1);
      if (
        owner.text === undefined ||
        first?.text === undefined ||
        second?.text === undefined ||
        first.text === "" ||
        `${first.text}${second.text}`.includes("\0") ||
        owner.text.length * (second.text.length + 1) > 4 * MAX_TEXT
      )
        return undefined;
      return { ...owner, text: owner.text.split(first.text).join(second.text), decoded: true };
    }
    default:
      return undefined;
  }
}
