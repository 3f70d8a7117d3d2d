/**
 * What mini-swe-agent's harness answers to a message: the result of a command, a refusal, or neither.
 * The answer is made by a template that a configuration may change, so all known shapes are read, and an
 * unknown one is taken as it stands.
 */
import type { Text } from "../../model";
import { fromJson, join, slice } from "../../text/text";
import { isObject, numberAt, stringAt } from "./json-values";

export type Answer =
  | { kind: "ran"; output?: Text; exit?: number; timedOut?: boolean }
  /** The message or the command was turned down and nothing ran. */
  | { kind: "refused" }
  /** Not recognised: the submission, or a template of somebody's own. */
  | { kind: "unknown" };

const killed = "timed out and has been killed";

/** Ways in which a refusal begins: wrong number of actions, a broken tool call, a person who said no. */
const refusals = [
  "Please always provide EXACTLY ONE",
  "Format error",
  "Tool call error",
  "Your previous response reached the output token limit",
  "Command not executed",
  "Commands not executed",
];

/**
 * @param text the answer as the model saw it
 * @param extra the harness's own notes beside it (from version 2 on)
 * @param raw the command's whole output among these notes
 * @param refusal how the configured template for refusals begins, when it is known
 */
export function readAnswer(text: Text, extra: unknown, raw: Text | undefined, refusal: string | undefined): Answer {
  const interrupt = stringAt(extra, ["interrupt_type"]);
  if (interrupt === "FormatError" || interrupt === "UserRejection") return { kind: "refused" };
  const { value } = text;
  const start = value.trimStart();
  if (refusals.some((way) => start.startsWith(way)) || (refusal !== undefined && start.startsWith(refusal))) return { kind: "refused" };
  const trouble = stringAt(extra, ["exception_info"]) || readBetween(value.slice(0, 4000), "<exception>", "</exception>");
  if (trouble?.startsWith("action was not executed")) return { kind: "refused" };
  const timedOut = stringAt(extra, ["exception_type"]) === "TimeoutExpired" || /timed out after [\d.]{1,12} seconds/.test(trouble ?? "");
  const found = readTagged(text) ?? readKilled(text) ?? readJson(text);
  if (!found && raw === undefined && numberAt(extra, ["returncode"]) === undefined) return { kind: "unknown" };
  const exit = found?.exit ?? numberAt(extra, ["returncode"]);
  const output = found?.output ?? raw ?? text;
  return {
    kind: "ran",
    // A command that could not even be started has printed nothing: then the harness's own words say what happened.
    output: trouble && output.value === "" ? text : output,
    ...(found?.timedOut || timedOut ? { timedOut: true } : exit === undefined ? {} : { exit }),
  };
}

interface Found {
  output?: Text;
  exit?: number;
  timedOut?: boolean;
}

/** `<returncode>0</returncode>`, then `<output>` or head and tail of a long one. */
function readTagged(text: Text): Found | undefined {
  const { value } = text;
  // An exception's text may hold anything, so it is stepped over.
  const at = value.startsWith("<exception>") ? value.indexOf("</exception>") : -1;
  const from = at === -1 ? 0 : at + "</exception>".length;
  const code = /^\s{0,8}<returncode>\s{0,4}(-?\d{1,10})\s{0,4}<\/returncode>/.exec(value.slice(from, from + 80));
  if (!code) return undefined;
  const behind = from + code[0].length;
  const exit = Number(code[1]);
  const output = readOutput(text, behind) ?? readLong(text, behind);
  return { exit, ...(output ? { output } : {}) };
}

/** The answer to a command that ran too long: prose, with what was printed until then. */
function readKilled(text: Text): Found | undefined {
  const at = text.value.lastIndexOf(killed);
  if (!text.value.trimStart().startsWith("The last command") || at === -1) return undefined;
  // The command and its output may both speak of time-outs; the harness's words stand right behind the command's tag.
  const tag = text.value.indexOf(`</command> ${killed}`);
  const output = readOutput(text, tag === -1 ? at : tag);
  return { timedOut: true, ...(output ? { output } : {}) };
}

function readOutput(text: Text, from: number): Text | undefined {
  const open = text.value.indexOf("<output>", from);
  const gap = open === -1 ? "" : text.value.slice(from, open);
  if (open === -1 || gap.includes("<output_head>")) return undefined;
  const start = open + "<output>".length;
  const end = text.value.lastIndexOf("</output>");
  return slice(text, skipLineEnd(text.value, start), end < start ? text.value.length : Math.max(skipLineEnd(text.value, start), end));
}

/** A long output: its head, how much was left out, its tail. */
function readLong(text: Text, from: number): Text | undefined {
  const { value } = text;
  const open = value.indexOf("<output_head>", from);
  if (open === -1) return undefined;
  const start = skipLineEnd(value, open + "<output_head>".length);
  const middle = value.indexOf("</output_head>\n<elided_chars>", start);
  if (middle === -1) return slice(text, start);
  const head = slice(text, start, dropLineEnd(value, start, middle));
  const counted = /^<elided_chars>\s{0,4}(\d{1,12})/.exec(value.slice(middle + "</output_head>\n".length, middle + 80));
  const tailOpen = value.indexOf("<output_tail>", middle);
  const tailStart = tailOpen === -1 ? value.length : skipLineEnd(value, tailOpen + "<output_tail>".length);
  const tailEnd = value.lastIndexOf("</output_tail>");
  const tail = slice(text, tailStart, tailEnd < tailStart ? value.length : dropLineEnd(value, tailStart, tailEnd));
  return withGap(head, tail, counted ? Number(counted[1]) : undefined);
}

/** The answer as a JSON object: `returncode`, and `output` or `output_head`, `output_tail` and `elided_chars`. */
function readJson(text: Text): Found | undefined {
  if (!text.value.trimStart().startsWith("{")) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.value);
  } catch {
    return undefined;
  }
  if (!isObject(parsed) || !("returncode" in parsed)) return undefined;
  const exit = numberAt(parsed, ["returncode"]);
  const at = (key: string): Text | undefined => {
    const value = stringAt(parsed, [key]);
    return value === undefined ? undefined : fromJson(value, text, [key]);
  };
  const head = at("output_head");
  const tail = at("output_tail");
  const output = at("output") ?? (head && tail ? withGap(head, tail, numberAt(parsed, ["elided_chars"])) : head);
  return { ...(exit === undefined ? {} : { exit }), ...(output ? { output } : {}) };
}

/** Head and tail around a mark; the whole length where it was stated. */
function withGap(head: Text, tail: Text, missing: number | undefined): Text {
  const joined = join([head, `\n[… ${missing ?? "some"} characters left out …]\n`, tail]);
  return missing === undefined ? joined : { ...joined, total: head.value.length + missing + tail.value.length };
}

function skipLineEnd(value: string, at: number): number {
  return value[at] === "\n" ? at + 1 : value.startsWith("\r\n", at) ? at + 2 : at;
}

function dropLineEnd(value: string, start: number, end: number): number {
  return end > start && value[end - 1] === "\n" ? end - 1 : end;
}

function readBetween(value: string, open: string, close: string): string | undefined {
  const start = value.indexOf(open);
  const end = start === -1 ? -1 : value.indexOf(close, start);
  return end === -1 ? undefined : value.slice(start + open.length, end);
}
