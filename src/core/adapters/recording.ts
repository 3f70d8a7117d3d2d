/**
 * Our own format: JSON lines, one act a line. A live session is written as it, and tests feed it in.
 * Every field but `type` may be missing; a field of the wrong type costs itself and nothing else.
 */
import type { Action, Message, Part, Step, Text } from "../model";
import type { Adapter, Draft, Head, Reader, Record } from "../adapter";
import { join, made } from "../text/text";
import { createFields, type Fields } from "./shared/recording-fields";
import { readSession } from "./shared/recording-session";
import { asObject } from "./shared/values";

/** For each line type, the fields of which at least one is there in a line that is worth reading. */
const types: { readonly [type: string]: readonly string[] } = {
  session: ["version", "profile", "task", "agent"],
  message: ["text"],
  thought: ["text"],
  summary: ["text"],
  command: ["command"],
  edit: ["path", "diff"],
  delete: ["path"],
  move: ["from", "path"],
  read: ["path"],
  search: ["query"],
  fetch: ["url"],
  other: ["name", "text"],
  gap: ["why"],
  patch: ["diff"],
  outcome: ["resolved"],
};

/** Keys that other JSON-lines formats use beside the same values of `type`; ours never has them. */
const foreign = ["timestamp", "parentId", "uuid", "message", "payload", "content_block", "sessionId"];

export const adapter: Adapter = {
  id: "recording",
  title: "Agent Proctor recording",
  records: "json-lines",
  isHarness: false,
  specificity: 90,
  silent: [],
  begins: { hint: '"session"', test: (value) => asObject(value)?.type === "session" },
  sniff,
  open,
};

function sniff(_name: string, head: Head): "no" | "maybe" | "sure" {
  const ours = head.records.filter(isOurs).length;
  if (ours === 0) return "no";
  if (ours === head.records.length) return "sure";
  const first = head.records[0];
  return isOurs(first) && asObject(first)?.type === "session" && asObject(first)?.version === 1 ? "sure" : "maybe";
}

function isOurs(value: unknown): boolean {
  const line = asObject(value);
  const type = line?.type;
  if (!line || typeof type !== "string" || !Object.hasOwn(types, type)) return false;
  return !foreign.some((key) => Object.hasOwn(line, key)) && (types[type] ?? []).some((key) => Object.hasOwn(line, key));
}

/** A step as a line gives it, before its message is known. */
interface Act {
  action: Action;
  /** What the message shows of the call: the argument's name and its text. */
  shown: [field: string, text: Text | undefined][];
  output?: Text;
}

function open(draft: Draft): Reader {
  /** The assistant's message that is still being written: it ends with the first result or the next word of another. */
  let current: { index: number; message: Message } | undefined;
  let thoughts: Text[] = [];
  let calls = 0;

  function speak(role: Message["role"], part: Part, by: string | undefined): { message: number; part: number } {
    if (role !== "assistant" || current?.message.role !== role || current.message.by !== by) {
      const message: Message = { role, parts: [], ...(by === undefined ? {} : { by }) };
      current = { index: draft.message(message), message };
    }
    current.message.parts.push(part);
    return { message: current.index, part: current.message.parts.length - 1 };
  }

  function takeThought(): Pick<Step, "thought"> {
    const kept = thoughts;
    thoughts = [];
    const [first] = kept;
    if (!first) return {};
    return { thought: kept.length === 1 ? first : join(kept.flatMap((text, i) => (i === 0 ? [text] : ["\n\n", text]))) };
  }

  function say(actor: Step["actor"], role: Message["role"], text: Text, fields: Fields, isSummary: boolean): void {
    const place = speak(role, { kind: "text", text }, fields.by);
    const action: Action = isSummary ? { kind: "message", text, summary: true } : { kind: "message", text };
    draft.step({ actor, action, ...fields.common, ...place, ...(actor === "agent" ? takeThought() : {}) });
  }

  function act(type: string, { action, shown, output }: Act, fields: Fields): void {
    const call = fields.string("id") ?? `call-${++calls}`;
    let place = { message: 0, part: 0 };
    let isPlaced = false;
    for (const [field, text] of shown) {
      if (!text) continue;
      const at = speak("assistant", { kind: "call", text, call, tool: type, field }, fields.by);
      if (!isPlaced) place = at;
      isPlaced = true;
    }
    if (!isPlaced) place = speak("assistant", { kind: "call", text: made(""), call, tool: type }, fields.by);
    const blocked = fields.blocked();
    const isFailed = fields.flag("failed") === true;
    draft.step({
      actor: "agent",
      action,
      ...fields.common,
      ...place,
      ...(output ? { output } : {}),
      ...(blocked ? { blocked } : {}),
      ...(isFailed ? { failed: true } : {}),
      ...takeThought(),
    });
    for (const text of [output, blocked]) if (text) speak("tool", { kind: "result", text, call, tool: type }, fields.by);
  }

  function take(record: Record): void {
    const type = asObject(record.value)?.type;
    if (typeof type !== "string" || !Object.hasOwn(types, type)) {
      draft.unknown(record, typeof type === "string" ? type : "not a recording line");
      return;
    }
    const fields = createFields(draft, record);
    if (type === "session") {
      const prompt = readSession(draft, record);
      if (prompt) say("user", "user", prompt, fields, false);
    } else if (type === "message") {
      const actor = fields.actor();
      const role = actor === "agent" ? "assistant" : actor === "user" ? "user" : fields.string("actor") === "system" ? "system" : "user";
      say(actor, role, fields.text("text") ?? made(""), fields, false);
    } else if (type === "summary") {
      say("agent", "user", fields.text("text") ?? made(""), fields, true);
    } else if (type === "thought") {
      const text = fields.text("text");
      if (!text) return;
      speak("assistant", { kind: "thought", text }, fields.by);
      thoughts.push(text);
    } else if (type === "gap") {
      const text = fields.text("why");
      draft.step({
        actor: "environment",
        action: { kind: "other", name: "gap", ...(text ? { text } : {}) },
        ...fields.common,
        mutates: false,
      });
      draft.problem(`The recording has a gap${text ? `: ${text.value.slice(0, 200)}` : "."}`, record, true);
    } else if (type === "patch") {
      const diff = fields.text("diff");
      if (diff) draft.about.patch = diff;
    } else if (type === "outcome") {
      const outcome = fields.outcome();
      if (outcome) draft.about.outcome = outcome;
    } else act(type, readAct(type, fields), fields);
  }

  function end(): void {
    // A thought that no act followed is kept where monitors look for thoughts.
    const rest = takeThought();
    if (rest.thought) draft.step({ actor: "agent", action: { kind: "other", name: "thought" }, ...rest, mutates: false });
  }

  return { take, end };
}

function readAct(type: string, fields: Fields): Act {
  const path = fields.text("path");
  const nowhere = path ?? made("");
  const content = fields.text("content") ?? fields.text("output");
  const output = content ? { output: content } : {};
  if (type === "command") {
    const command = fields.text("command");
    const [cwd, exit] = [fields.string("cwd"), fields.number("exit")];
    const [isTimedOut, isTrusted] = [fields.flag("timedOut"), fields.flag("trusted")];
    const action: Action = {
      kind: "command",
      command: command ?? made(""),
      ...(cwd === undefined ? {} : { cwd }),
      ...(exit === undefined ? {} : { exit }),
      ...(isTimedOut ? { timedOut: true } : {}),
      ...(isTrusted === false ? { reported: true } : {}),
    };
    return { action, shown: [["command", command]], ...output };
  }
  if (type === "edit") {
    const [before, after, diff] = [fields.text("before"), fields.text("after"), fields.text("diff")];
    const [isCreated, isAll, isPartial] = [fields.flag("created"), fields.flag("all"), fields.flag("partial")];
    const action: Action = {
      kind: "edit",
      path: nowhere,
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
      ...(diff ? { diff } : {}),
      ...(isCreated ? { created: true } : {}),
      ...(isAll ? { all: true } : {}),
      ...(isPartial ? { partial: true } : {}),
    };
    return {
      action,
      shown: [
        ["path", path],
        ["before", before],
        ["after", after],
        ["diff", diff],
      ],
      ...output,
    };
  }
  if (type === "delete" || type === "read") return { action: { kind: type, path: nowhere }, shown: [["path", path]], ...output };
  if (type === "move") {
    const from = fields.text("from");
    return {
      action: { kind: "move", from: from ?? made(""), path: nowhere },
      shown: [
        ["from", from],
        ["path", path],
      ],
      ...output,
    };
  }
  if (type === "search") {
    const query = fields.text("query");
    return {
      action: { kind: "search", query: query ?? made("") },
      shown: [
        ["query", query],
        ["path", path],
      ],
      ...output,
    };
  }
  if (type === "fetch") {
    const url = fields.text("url");
    return { action: { kind: "fetch", url: url ?? made("") }, shown: [["url", url]], ...output };
  }
  const text = fields.text("text");
  const action: Action = { kind: "other", name: fields.string("name") ?? "other", ...(text ? { text } : {}) };
  return { action, shown: [["text", text]], ...output };
}
