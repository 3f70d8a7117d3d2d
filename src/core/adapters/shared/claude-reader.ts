/** Reads the records of a Claude Code session: one object a line, or the entries of an exported document. */
import type { Actor, JsonPath, Message, Part, Step, Text } from "../../model";
import type { Draft, Record } from "../../adapter";
import { join, made } from "../../text/text";
import { backgroundId, complete, completeBackground, readNotice, readResult, type Result } from "./claude-results";
import { readCall } from "./claude-tools";
import { splitWords } from "./claude-words";
import { asArray, asObject, asString, asTime, type JsonObject } from "./values";

export interface LineReader {
  /** @param at where the entry stands in the record; empty when it is the record */
  takeLine(record: Record, line: unknown, at: JsonPath): void;
}

/** A call whose result has not come yet. */
interface Pending {
  tool: string;
  steps: Step[];
  background?: string;
}

/** Titles, modes, links, hooks' notes, and what repeats other records. */
export const silentTypes: readonly string[] = (
  "agent-name agent-color agent-setting ai-title atis-latch attachment bridge-session control_request control_response custom-title " +
  "file-history-snapshot frame-link last-prompt mode permission-mode pr-link progress queue-operation rate_limit_event relocated result " +
  "started stream_event system tag worktree-state"
).split(" ");

/** Blocks of a message that hold no act and no words. */
const mute = new Set(["image", "document", "fallback", "redacted_thinking", "container_upload", "tool_reference", "search_result"]);

export function createLineReader(draft: Draft): LineReader {
  const calls = new Map<string, Pending>();
  const background = new Map<string, Step>();
  const open = new Map<string, number>();
  const thoughts = new Map<string, Text[]>();
  const unnamed: string[] = [];
  let count = 0;

  function takeLine(record: Record, value: unknown, at: JsonPath): void {
    const line = asObject(value);
    const type = asString(line?.type);
    if (!line || type === undefined) return draft.unknown(record, "not a session record");
    const own = openLine(record, line, at);
    if (type === "user" || type === "assistant") {
      if (!asObject(line.message)) return draft.unknown(record, `${type} without a message`);
      return type === "user" ? own.takeUser() : own.takeAssistant();
    }
    if (type === "tool_use") return own.takeCall(line, at, own.speaker("assistant"));
    if (type === "tool_result") return own.takeResult(line, at);
    if (type === "summary" && typeof line.summary === "string") return own.say("agent", [...at, "summary"], own.speaker("user"), true);
    if (type === "attachment" && own.takeAttachment()) return undefined;
    if (type === "system" && line.subtype === "init") readInit(line);
    draft.unknown(record, type);
    const step = draft.steps.at(-1);
    const time = asTime(line.timestamp);
    if (step && time !== undefined) step.time = time;
  }

  function readInit(line: JsonObject): void {
    const model = asString(line.model);
    const cwd = asString(line.cwd);
    if (model !== undefined) draft.about.agent = { ...draft.about.agent, model };
    if (cwd !== undefined) draft.about.cwd ??= cwd;
  }

  function openLine(record: Record, line: JsonObject, at: JsonPath) {
    const { about } = draft;
    const cwd = asString(line.cwd) ?? about.cwd;
    if (cwd !== undefined) about.cwd ??= cwd;
    about.id ??= asString(line.sessionId) ?? asString(line.session_id);
    about.agent ??= { name: "claude-code" };
    const time = asTime(line.timestamp);
    const isSide = line.isSidechain === true || typeof line.parent_tool_use_id === "string";
    const by = asString(line.agentId) ?? asString(line.parent_tool_use_id) ?? (isSide ? "sidechain" : undefined);
    const common = { ...(by === undefined ? {} : { by }), ...(time === undefined ? {} : { time }) };
    const message = asObject(line.message) ?? {};

    /** Adds parts to one message, which is made with the first of them. */
    function speaker(role: Message["role"], id?: string): (part: Part) => { message: number; part: number } {
      const key = id === undefined ? undefined : `${by ?? ""}\n${id}`;
      let index = key === undefined ? undefined : open.get(key);
      return (part) => {
        index ??= draft.message({ role, parts: [], ...(by === undefined ? {} : { by }) });
        if (key !== undefined) open.set(key, index);
        const parts = draft.messages[index]?.parts ?? [];
        parts.push(part);
        return { message: index, part: parts.length - 1 };
      };
    }

    type Speak = ReturnType<typeof speaker>;

    function takeThought(): Pick<Step, "thought"> {
      const kept = thoughts.get(by ?? "") ?? [];
      thoughts.delete(by ?? "");
      const [first] = kept;
      if (!first) return {};
      return { thought: kept.length === 1 ? first : join(kept.flatMap((text, i) => (i === 0 ? [text] : ["\n\n", text]))) };
    }

    function say(actor: Actor, path: JsonPath, speak: Speak, isSummary = false): void {
      const text = draft.string(record, path);
      if (!text) return;
      const place = speak({ kind: "text", text });
      const notice = actor === "agent" ? undefined : readNotice(text.value);
      const ended = notice && background.get(notice.id)?.action;
      if (ended?.kind === "command" && notice?.exit !== undefined) ended.exit = notice.exit;
      if (isSummary) draft.step({ actor, action: { kind: "message", text, summary: true }, ...common, ...place });
      else if (actor !== "user")
        draft.step({ actor, action: { kind: "message", text }, ...common, ...place, ...(actor === "agent" ? takeThought() : {}) });
      else {
        for (const words of splitWords(text)) {
          draft.step({
            actor: words.isPersons ? "user" : "environment",
            action: { kind: "message", text: words.text },
            ...common,
            ...place,
          });
          if (words.isPersons && !about.task?.prompt) about.task = { ...about.task, prompt: words.text };
        }
      }
    }

    function takeUser(): void {
      const content = message.content;
      const path = [...at, "message", "content"];
      const isSummary = line.isCompactSummary === true;
      const kind = asString(asObject(line.origin)?.kind);
      // A sub-agent's prompt was written by the agent that started it.
      const isOther = line.isMeta === true || isSide || kind === "task-notification" || kind === "channel";
      const actor: Actor = isSummary ? "agent" : isOther ? "environment" : "user";
      const speak = speaker("user");
      if (typeof content === "string") return say(actor, path, speak, isSummary);
      if (!Array.isArray(content)) return draft.unknown(record, "user message without content");
      asArray(content).forEach((value, i) => {
        const block = asObject(value);
        const type = asString(block?.type);
        if (typeof value === "string") say(actor, [...path, i], speak, isSummary);
        else if (type === "text") say(actor, [...path, i, "text"], speak, isSummary);
        else if (block && type === "tool_result") takeResult(block, [...path, i]);
        else takeMute(type, speak);
      });
    }

    function takeAssistant(): void {
      const model = asString(message.model);
      if (model !== undefined && model !== "<synthetic>" && !isSide) about.agent = { ...about.agent, model };
      const content = message.content;
      const path = [...at, "message", "content"];
      const speak = speaker("assistant", asString(message.id));
      // What the program says in the model's place: an error of the service.
      const actor: Actor = line.isApiErrorMessage === true || model === "<synthetic>" ? "environment" : "agent";
      if (typeof content === "string") return say(actor, path, speak);
      if (!Array.isArray(content)) return draft.unknown(record, "assistant message without content");
      asArray(content).forEach((value, i) => {
        const block = asObject(value) ?? {};
        const type = asString(block.type);
        const here = [...path, i];
        if (type === "text") say(actor, [...here, "text"], speak);
        else if (type === "thinking") think([...here, "thinking"], speak);
        else if (type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use") takeCall(block, here, speak);
        else if (type?.endsWith("tool_result")) takeResult(block, here);
        else takeMute(type, speak);
      });
    }

    function think(path: JsonPath, speak: Speak): void {
      const text = draft.string(record, path);
      if (!text || text.value.trim() === "") return;
      speak({ kind: "thought", text });
      const kept = thoughts.get(by ?? "");
      if (kept) kept.push(text);
      else thoughts.set(by ?? "", [text]);
    }

    function takeMute(type: string | undefined, speak: Speak): void {
      if (type !== undefined && mute.has(type)) speak({ kind: "text", text: made(`[${type}]`) });
      else draft.unknown(record, `${type ?? "untyped"} block`);
    }

    function takeCall(block: JsonObject, path: JsonPath, speak: Speak): void {
      const tool = asString(block.name) ?? "unnamed tool";
      const named = asString(block.id);
      const id = named ?? `call-${++count}`;
      const call = readCall(draft, record, block, path, cwd);
      const shown = call.shown.length > 0 ? call.shown : [{ field: "input", text: made("") }];
      const places = shown.map(({ field, text }) => speak({ kind: "call", text, call: id, tool, field }));
      const thought = takeThought();
      const mutates = call.mutates === undefined ? {} : { mutates: call.mutates };
      const steps = call.actions.map((action, i) => {
        // Each of several edits belongs to the arguments that it was read from.
        const own = action.kind === "edit" ? shown.findIndex(({ text }) => text === (action.before ?? action.after)) : 0;
        const place = places[call.actions.length > 1 && own > 0 ? own : 0];
        return draft.step({ actor: "agent", action, ...common, ...place, ...mutates, ...(i === 0 ? thought : {}) });
      });
      calls.set(id, { tool, steps, ...(call.background === undefined ? {} : { background: call.background }) });
      if (named === undefined) unnamed.push(id);
    }

    function takeResult(block: JsonObject, path: JsonPath): void {
      const named = asString(block.tool_use_id) ?? asString(line.sourceToolUseID);
      // Where ids are missing, a result follows its call.
      const id = named !== undefined && calls.has(named) ? named : (unnamed.pop() ?? named);
      const pending = calls.get(id ?? "");
      const result = readResult(draft, record, block, path, line, at);
      const shared = { ...(id === undefined ? {} : { call: id }), ...(pending ? { tool: pending.tool } : {}) };
      const speak = speaker("tool", asString(line.uuid));
      for (const text of result.texts) speak({ kind: "result", text, ...shared });
      if (!pending) {
        // Its call stands in another file or was lost; what came back is kept.
        const text = result.whole;
        draft.step({
          actor: "environment",
          action: { kind: "other", name: "result without a call", ...(text ? { text } : {}) },
          ...common,
          mutates: false,
        });
        return;
      }
      complete(draft, record, pending.steps, result);
      joinBackground(pending, result);
    }

    function takeAttachment(): boolean {
      const held = asObject(line.attachment) ?? {};
      const path = [...at, "attachment"];
      if (held.type === "queued_command") {
        const kind = asString(asObject(held.origin)?.kind);
        const isPerson = held.isMeta !== true && (held.commandMode ?? "prompt") === "prompt" && (kind === undefined || kind === "human");
        const [actor, speak] = [isPerson ? "user" : "environment", speaker("user")] as const;
        if (typeof held.prompt === "string") say(actor, [...path, "prompt"], speak);
        else asArray(held.prompt).forEach((_, i) => say(actor, [...path, "prompt", i, "text"], speak));
        return true;
      }
      if (held.type === "file") {
        const file = draft.string(record, [...path, "content", "file", "filePath"]) ?? draft.string(record, [...path, "filename"]);
        const output = draft.string(record, [...path, "content", "file", "content"]);
        if (!file || !output) return false;
        const place = speaker("user")({ kind: "text", text: output });
        draft.step({ actor: "environment", action: { kind: "read", path: file }, output, ...common, ...place });
        return true;
      }
      const why = draft.string(record, [...path, "blockingError", "blockingError"]);
      const pending = calls.get(asString(held.toolUseID) ?? "");
      if (held.type !== "hook_blocking_error" || held.hookEvent !== "PreToolUse" || !why || !pending) return false;
      for (const step of pending.steps) step.blocked ??= why;
      return false;
    }

    return { speaker, say, takeUser, takeAssistant, takeCall, takeResult, takeAttachment };
  }

  function joinBackground(pending: Pending, result: Result): void {
    const id = backgroundId(result);
    const [step] = pending.steps;
    if (id !== undefined && step) background.set(id, step);
    const earlier = pending.background === undefined ? undefined : background.get(pending.background);
    if (earlier) completeBackground(earlier, result);
  }

  return { takeLine };
}
