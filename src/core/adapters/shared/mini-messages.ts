/** The shapes of a mini-swe-agent message: the chat form, called tools, and the items of a response. */
import type { Text } from "../../model";
import { fromJson } from "../../text/text";
import { type Json, type Path, fromSeconds, isObject, listAt, numberAt, stringAt, textPaths } from "./json-values";

export type Role = "system" | "user" | "assistant" | "tool" | "exit" | "other";

/** Whether a message answers the agent's last one, which called `calls` tools and has `soFar` answers. */
export function isReply(message: Json, calls: number, soFar: number): boolean {
  const role = roleOf(message);
  if (role === "tool" || role === "exit") return true;
  return role === "user" && soFar === 0 && calls <= 1 && listAt(message, ["extra", "actions"]).length === 0;
}

export function roleOf(message: Json): Role {
  const { role, type, object } = message;
  if (role === "system" || role === "developer") return "system";
  if (role === "user" || role === "assistant" || role === "tool" || role === "exit") return role;
  if (type === "function_call_output") return "tool";
  return object === "response" || Array.isArray(message["output"]) ? "assistant" : "other";
}

/** Where a message's texts stand: the chat form, or the items of a response. */
export function contentPaths(message: Json, path: Path): Path[] {
  if (message["type"] === "function_call_output" && typeof message["output"] === "string") return [[...path, "output"]];
  if (message["content"] === undefined && Array.isArray(message["output"])) {
    return message["output"].flatMap((item: unknown, i) =>
      isObject(item) && item["type"] === "message" ? textPaths(item["content"], [...path, "output", i, "content"]) : [],
    );
  }
  return textPaths(message["content"], [...path, "content"]);
}

export interface Call {
  args: Path;
  id?: string;
  tool?: string;
}

export function findCalls(message: Json, path: Path): Call[] {
  const chat = listAt(message, ["tool_calls"]).map((call, i): Call => {
    const id = stringAt(call, ["id"]);
    const tool = stringAt(call, ["function", "name"]);
    return { args: [...path, "tool_calls", i, "function", "arguments"], ...(id ? { id } : {}), ...(tool ? { tool } : {}) };
  });
  const response = listAt(message, ["output"]).flatMap((item, i): Call[] => {
    if (stringAt(item, ["type"]) !== "function_call") return [];
    const id = stringAt(item, ["call_id"]) ?? stringAt(item, ["id"]);
    const tool = stringAt(item, ["name"]);
    return [{ args: [...path, "output", i, "arguments"], ...(id ? { id } : {}), ...(tool ? { tool } : {}) }];
  });
  return [...chat, ...response];
}

export function callOf(message: Json): string | undefined {
  return stringAt(message, ["tool_call_id"]) ?? stringAt(message, ["call_id"]);
}

/** The command in a call's arguments, which are JSON in a string. */
export function commandOf(raw: Text): Text | undefined {
  try {
    const command = stringAt(JSON.parse(raw.value), ["command"]);
    return command === undefined ? undefined : fromJson(command, raw, ["command"]);
  } catch {
    return undefined;
  }
}

export function timeOf(message: Json): number | undefined {
  return fromSeconds(
    numberAt(message, ["extra", "timestamp"]) ?? numberAt(message, ["extra", "response", "created"]) ?? numberAt(message, ["created_at"]),
  );
}

/** How a template begins, up to its first placeholder; undefined when that is too short to tell anything. */
export function literalStart(template: string | undefined): string | undefined {
  const start = template
    ?.trimStart()
    .split(/\{[{%#]/, 1)[0]
    ?.trim();
  return start !== undefined && start.length >= 16 && !start.startsWith("<returncode>") ? start : undefined;
}

/** A person's own words in an interactive run: an interruption, or the next task. They are no command's result. */
export function isUserWord(message: Json, text: string): boolean {
  const interrupt = stringAt(message, ["extra", "interrupt_type"]);
  return (
    interrupt === "UserInterruption" ||
    interrupt === "UserNewTask" ||
    /^(?:Interrupted by user|The user added a new task)\b/.test(text.slice(0, 40))
  );
}
