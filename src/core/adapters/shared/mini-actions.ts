/** What a message of mini-swe-agent wants to be run, and what it says beside that. */
import type { Part, Text } from "../../model";
import type { Record as Entry } from "../../adapter";
import { cut, join, slice, trim } from "../../text/text";
import { type Json, type Path, isObject, listAt, placeOf, stringAt, textAt } from "./json-values";
import { type Style, findBlocks } from "./mini-blocks";
import { commandOf, contentPaths, findCalls } from "./mini-messages";

export interface Action {
  command: Text;
  /** The call that asks for it; a block in the text has none. */
  call?: string;
  part: number;
}

/** All that a message says, as one text: several pieces are joined by line ends. */
export function readWhole(record: Entry, message: unknown, path: Path): Text | undefined {
  const paths = isObject(message) ? contentPaths(message, path) : [];
  const texts = paths.flatMap((place) => textAt(record, place) ?? []);
  return texts.length <= 1 ? texts[0] : join(texts.flatMap((text, i) => (i === 0 ? [text] : ["\n", text])));
}

/**
 * A message's actions: called tools, else blocks of the configured kind, else what the harness noted.
 * @param parts the message's parts; a called tool adds one
 */
export function findActions(record: Entry, message: Json, path: Path, text: Text | undefined, style: Style, parts: Part[]): Action[] {
  const called = findCalls(message, path).flatMap(({ args, id, tool }): Action[] => {
    const raw = textAt(record, args);
    const command = raw ? commandOf(raw) : textAt(record, [...args, "command"]);
    if (!command) return [];
    const kept = cut(command);
    parts.push({ kind: "call", text: kept, tool: tool ?? "bash", field: "command", ...(id ? { call: id } : {}) });
    return [{ command: kept, part: parts.length - 1, ...(id ? { call: id } : {}) }];
  });
  if (called.length > 0) return called;
  const part = Math.max(
    0,
    parts.findIndex((one) => one.kind === "text"),
  );
  const blocks = text ? findBlocks(text.value, style) : [];
  if (text && blocks.length > 0) return blocks.map((block) => ({ command: cut(slice(text, block.from, block.to)), part }));
  // From version 2 on the harness notes what it is going to run, whatever pattern found it.
  return listAt(message, ["extra", "actions"]).flatMap((action, i): Action[] => {
    const command = stringAt(action, ["command"]) ?? "";
    const place = text && command !== "" ? placeOf(text.value, command, "last") : -1;
    if (text && place !== -1) return [{ command: cut(slice(text, place, place + command.length)), part }];
    const noted = command === "" ? undefined : textAt(record, [...path, "extra", "actions", i, "command"]);
    if (!noted) return [];
    parts.push({ kind: "call", text: cut(noted), field: "command" });
    return [{ command: cut(noted), part: parts.length - 1 }];
  });
}

/** What is said around the blocks; all of it where the actions are called tools. */
export function readSaid(text: Text, style: Style, hasBlocks: boolean): Text | undefined {
  const blocks = hasBlocks ? findBlocks(text.value, style) : [];
  const first = blocks[0];
  const last = blocks.at(-1);
  if (!first || !last) return orNone(trim(text));
  const before = trim(slice(text, 0, first.start));
  const after = trim(slice(text, last.end));
  return orNone(after.value === "" ? before : before.value === "" ? after : join([before, "\n\n", after]));
}

function orNone(text: Text): Text | undefined {
  return text.value === "" ? undefined : cut(text);
}
