/**
 * The turns of a SWE-agent run. The log tells everything twice: `trajectory` holds what was run and what came
 * back, `history` the messages as the model saw them. The acts come from the first, and are found again in the
 * second where the two agree, so that an act has a place in a message.
 */
import type { Part, Text } from "../../model";
import type { Draft, Record as Entry } from "../../adapter";
import { cut, slice, trim } from "../../text/text";
import { type Json, isObject, listAt, placeOf, stringAt, textAt, textPaths } from "./json-values";
import { type State, readPrompt, stateAt } from "./swe-state";

/** One turn of the agent. */
export interface Turn {
  message: number;
  part: number;
  by?: string;
  /** What was run; empty or absent when the message held nothing that could be. */
  action?: Text;
  said?: Text;
  thought?: Text;
  observation?: Text;
  state: State;
}

export interface Turns {
  turns: Turn[];
  prompt?: { text: Text; message: number };
}

/** The main agent's names in the versions so far; any other name is a sub-agent. */
const mainAgents = new Set(["primary", "main", ""]);

export function readTurns(draft: Draft, record: Entry): Turns {
  const trajectory = listAt(record.value, ["trajectory"]);
  const history = listAt(record.value, ["history"]);
  const own = history.map((_, i) => i).filter((i) => isObject(history[i]) && !isDemonstration(history[i] as Json));
  const spoken = own.filter((i) => stringAt(history[i], ["role"]) === "assistant");
  if (trajectory.length === 0) return fromHistory(draft, record, history, own);
  if (agree(trajectory, history, spoken)) return fromBoth(draft, record, history, own);
  const start = own.filter((i) => i < (spoken[0] ?? history.length));
  return fromTrajectory(draft, record, trajectory, history, start);
}

/** Each step has its message; a few messages may be missing at the end, where the run was stopped. */
function agree(trajectory: readonly unknown[], history: readonly unknown[], spoken: readonly number[]): boolean {
  if (Math.abs(trajectory.length - spoken.length) > 0) return false;
  return trajectory.every((step, i) => {
    const message = history[spoken[i] ?? -1];
    const action = stringAt(message, ["action"]);
    const content = contentOf(message);
    if (action !== undefined) return action === (stringAt(step, ["action"]) ?? "");
    return content === stringAt(step, ["response"]) || placeOf(content, (stringAt(step, ["action"]) ?? "").trim()) !== -1;
  });
}

function fromBoth(draft: Draft, record: Entry, history: readonly unknown[], own: readonly number[]): Turns {
  const result: Turns = { turns: [] };
  let next = 0;
  for (const i of own) {
    const { index, parts, texts } = keepMessage(draft, record, i, history[i] as Json);
    const role = stringAt(history[i], ["role"]);
    const last = result.turns.at(-1);
    if (role === "assistant") {
      const path = ["trajectory", next++];
      const place = placeAction(parts, texts, textAt(record, [...path, "action"]), textAt(record, ["history", i, "action"]));
      const observation = textAt(record, [...path, "observation"]);
      result.turns.push(
        turnOf(
          history[i] as Json,
          { message: index, ...place },
          texts[0],
          observation,
          textAt(record, [...path, "thought"]),
          stateAt(record, path),
        ),
      );
    } else if (last?.observation && texts[0] && last.message === index - 1) {
      const at = last.observation.value === "" ? -1 : placeOf(texts[0].value, last.observation.value);
      if (at !== -1) last.observation = slice(texts[0], at, at + last.observation.value.length);
    } else if (role === "user" && !result.prompt && texts[0]) result.prompt = { text: parts[0]?.text ?? cut(texts[0]), message: index };
  }
  return result;
}

/** Messages made of the steps themselves: the prompts of the history, then what was said and what came back. */
function fromTrajectory(
  draft: Draft,
  record: Entry,
  trajectory: readonly unknown[],
  history: readonly unknown[],
  start: readonly number[],
): Turns {
  const result: Turns = { turns: [] };
  for (const i of start) {
    const { index, parts } = keepMessage(draft, record, i, history[i] as Json);
    const text = parts[0]?.text;
    if (stringAt(history[i], ["role"]) === "user" && text) result.prompt ??= { text, message: index };
  }
  trajectory.forEach((step, i) => {
    const path = ["trajectory", i];
    if (!isObject(step)) {
      draft.about.unread++;
      draft.problem(`Step ${i + 1} of the trajectory is not an object and was passed over.`, undefined, true);
      return;
    }
    const parts: Part[] = [];
    const said = textAt(record, [...path, "response"]);
    if (said) parts.push({ kind: "text", text: cut(said) });
    const index = draft.message({ role: "assistant", parts });
    const place = placeAction(parts, said ? [said] : [], textAt(record, [...path, "action"]), undefined);
    const observation = textAt(record, [...path, "observation"]);
    if (observation) draft.message({ role: "user", parts: [{ kind: "result", text: cut(observation) }] });
    result.turns.push(
      turnOf(step, { message: index, ...place }, said, observation, textAt(record, [...path, "thought"]), stateAt(record, path)),
    );
  });
  return result;
}

/** A demonstration or a bare conversation: each message of the agent is answered by the next that is not its own. */
function fromHistory(draft: Draft, record: Entry, history: readonly unknown[], own: readonly number[]): Turns {
  const result: Turns = { turns: [] };
  for (const i of own) {
    const message = history[i] as Json;
    const { index, parts, texts } = keepMessage(draft, record, i, message);
    const role = stringAt(message, ["role"]);
    const last = result.turns.at(-1);
    const text = texts[0];
    if (role === "assistant") {
      const written = textAt(record, ["history", i, "action"]) ?? (text ? lastBlock(text) : undefined);
      const place = placeAction(parts, texts, written, textAt(record, ["history", i, "action"]));
      result.turns.push(
        turnOf(message, { message: index, ...place }, text, undefined, textAt(record, ["history", i, "thought"]), { when: "unknown" }),
      );
    } else if (last && !last.observation && text && role !== "system") {
      const { output, state } = readPrompt(text);
      last.observation = output;
      last.state = state;
    } else if (role === "user" && text && !result.prompt) result.prompt = { text: parts[0]?.text ?? cut(text), message: index };
  }
  return result;
}

function turnOf(
  message: Json,
  place: Pick<Turn, "message" | "part" | "action">,
  said: Text | undefined,
  observation: Text | undefined,
  thought: Text | undefined,
  state: State,
): Turn {
  const agent = stringAt(message, ["agent"]);
  // The same words in the message are the better place for them.
  const at = said && thought && thought.value !== "" ? placeOf(said.value, thought.value) : -1;
  const kept = said && thought && at !== -1 ? slice(said, at, at + thought.value.length) : thought;
  return {
    ...place,
    state,
    ...(agent !== undefined && !mainAgents.has(agent) ? { by: agent } : {}),
    ...(said ? { said } : {}),
    ...(kept && kept.value.trim() !== "" ? { thought: trim(kept) } : {}),
    ...(observation ? { observation } : {}),
  };
}

/** Where the action stands in its message; one that is only told beside it (a called tool) becomes a part of its own. */
function placeAction(
  parts: Part[],
  texts: readonly Text[],
  action: Text | undefined,
  beside: Text | undefined,
): Pick<Turn, "part" | "action"> {
  const wanted = action?.value.trim() ?? "";
  if (!action || wanted === "") return { part: 0 };
  const said = texts[0];
  // In its block: after the thought that may well quote it.
  const fence = said ? placeOf(said.value, `\n${wanted}`, "last") : -1;
  const at = fence !== -1 ? fence + 1 : said ? placeOf(said.value, wanted, "last") : -1;
  const isCall = parts.some((part) => part.kind === "call");
  if (said && at !== -1 && !isCall)
    return {
      part: Math.max(
        0,
        parts.findIndex((part) => part.kind === "text"),
      ),
      action: slice(said, at, at + wanted.length),
    };
  const text = beside ?? action;
  const call = parts.findIndex((part) => part.kind === "call");
  if (call !== -1) parts.splice(call, 1);
  const { tool, call: id } = calls.get(parts) ?? {};
  parts.push({ kind: "call", text: cut(text), ...(tool ? { tool } : {}), ...(id ? { call: id } : {}) });
  return { part: parts.length - 1, action: text };
}

/** Name and id of the tool that a message calls. */
const calls = new WeakMap<Part[], { tool?: string; call?: string }>();

function keepMessage(draft: Draft, record: Entry, i: number, message: Json): { index: number; parts: Part[]; texts: Text[] } {
  const role = stringAt(message, ["role"]);
  const paths = textPaths(message["content"], ["history", i, "content"]);
  const texts = paths.flatMap((path) => textAt(record, path) ?? []);
  // What stands behind a message of the agent answers it, under whatever role.
  const isResult = role === "tool" || (role === "user" && draft.messages.at(-1)?.role === "assistant");
  const answers = listAt(message, ["tool_call_ids"])[0];
  const parts: Part[] = texts.map((text) => ({
    kind: isResult ? "result" : "text",
    text: cut(text),
    ...(typeof answers === "string" ? { call: answers } : {}),
  }));
  const called = listAt(message, ["tool_calls"])[0];
  const id = stringAt(called, ["id"]);
  const tool = stringAt(called, ["function", "name"]);
  if (called !== undefined) {
    const args = textAt(record, ["history", i, "tool_calls", 0, "function", "arguments"]);
    if (args) parts.push({ kind: "call", text: cut(args), ...(id ? { call: id } : {}), ...(tool ? { tool } : {}) });
    calls.set(parts, { ...(id ? { call: id } : {}), ...(tool ? { tool } : {}) });
  }
  const agent = stringAt(message, ["agent"]);
  const shown = role === "system" || role === "assistant" || role === "tool" ? role : "user";
  return {
    index: draft.message({ role: shown, parts, ...(agent !== undefined && !mainAgents.has(agent) ? { by: agent } : {}) }),
    parts,
    texts,
  };
}

function contentOf(message: unknown): string {
  const content = isObject(message) ? message["content"] : undefined;
  return typeof content === "string" ? content : (stringAt(listAt(message, ["content"])[0], ["text"]) ?? "");
}

/** Somebody else's run, shown to the model as an example. */
function isDemonstration(message: Json): boolean {
  return (
    message["is_demo"] === true ||
    (message["role"] !== "assistant" && contentOf(message).startsWith("Here is a demonstration of how to correctly accomplish this task"))
  );
}

/** The last fenced block, where the action stood in the first versions. */
function lastBlock(text: Text): Text | undefined {
  const close = text.value.lastIndexOf("```");
  const open = close <= 0 ? -1 : text.value.lastIndexOf("```", close - 1);
  if (open === -1) return undefined;
  const line = text.value.indexOf("\n", open);
  return line === -1 || line > close ? slice(text, open + 3, close) : slice(text, line + 1, close);
}
