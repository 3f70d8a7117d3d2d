/** The head of a file, looked at once for all adapters. */
import type { Adapter, Certainty, Head } from "./adapter";
import { decodeUtf8 } from "./text/utf8";
import { skipString } from "./text/json";

/** In bytes. */
export const headSize = 64 * 1024;

export function createHead(bytes: Uint8Array, isWhole: boolean): Head {
  const text = decodeUtf8(bytes).replace(/^\uFEFF/, "");
  const document = isWhole ? parse(text) : undefined;
  return { text, isWhole, document, records: readRecords(text, isWhole), keys: peekKeys(text) };
}

/** The adapter that is surest of a file; of two, the more specific one. */
export function chooseAdapter(
  adapters: readonly Adapter[],
  name: string,
  head: Head,
): { adapter: Adapter; certainty: Certainty } | undefined {
  let best: { adapter: Adapter; certainty: Certainty } | undefined;
  const rank = (certainty: Certainty, adapter: Adapter): number => (certainty === "sure" ? 1000 : 0) + adapter.specificity;
  for (const adapter of adapters) {
    const certainty = adapter.sniff(name, head);
    if (certainty === "no") continue;
    if (!best || rank(certainty, adapter) > rank(best.certainty, best.adapter)) best = { adapter, certainty };
  }
  return best;
}

function readRecords(text: string, isWhole: boolean): unknown[] {
  const records: unknown[] = [];
  let at = 0;
  while (records.length < 20 && at < text.length) {
    const newline = text.indexOf("\n", at);
    if (newline === -1 && !isWhole) break;
    const line = text.slice(at, newline === -1 ? undefined : newline).trim();
    at = newline === -1 ? text.length : newline + 1;
    if (line === "") continue;
    const value = parse(line);
    // One broken line is no reason to take a log for something else, but the first one decides.
    if (typeof value === "object" && value !== null) records.push(value);
    else if (records.length === 0) break;
  }
  return records;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Key paths at most three deep, read from text that may end anywhere. An array's elements stand under `[]`:
 * `{"info":{"a":1},"messages":[{"role":""}]}` has `info`, `info.a`, `messages` and `messages.[].role`.
 */
export function peekKeys(text: string): ReadonlySet<string> {
  const keys = new Set<string>();
  // One entry an open bracket: how its members' paths start, and the key that was read last.
  const open: { isObject: boolean; prefix: string; depth: number; key: string }[] = [];
  let expectsKey = false;
  for (let i = Math.max(0, text.search(/\S/)); i < text.length; i++) {
    const c = text[i];
    const inside = open.at(-1);
    if (c === '"') {
      const end = skipString(text, i);
      if (expectsKey && inside) {
        inside.key = inside.prefix + text.slice(i + 1, end - 1);
        expectsKey = false;
        if (inside.depth < 3 && keys.size < 2000) keys.add(inside.key);
      }
      i = end - 1;
    } else if (c === "{" || c === "[") {
      if (open.length >= 64) break;
      const at = inside ? (inside.isObject ? inside.key : inside.prefix.slice(0, -1)) : "";
      const prefix = c === "[" ? (at ? `${at}.[].` : "[].") : at ? `${at}.` : "";
      open.push({ isObject: c === "{", prefix, depth: prefix.split(".").length - 1, key: "" });
      expectsKey = c === "{";
    } else if (c === "}" || c === "]") {
      open.pop();
      expectsKey = false;
      if (open.length === 0) break;
    } else if (c === ",") expectsKey = inside?.isObject ?? false;
    else if (!inside) break;
  }
  return keys;
}
