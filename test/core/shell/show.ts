import { emptyState, nextState, readShell } from "../../../src/core/shell/read";
import type { FileEffect, ShellLine, ShellState } from "../../../src/core/shell/types";
import type { Tools } from "../../../src/core/code/syntax";
import { loadSyntax } from "../../../src/node/syntax";

let tools: Promise<Tools> | undefined;

export function parser(): Promise<Tools> {
  return (tools ??= loadSyntax());
}

/** Reads lines one after the other in one session; answers with the last one's reading. */
export async function readSession(
  lines: readonly string[],
  state: ShellState = emptyState,
): Promise<{ read: ShellLine; state: ShellState }> {
  const tools = await parser();
  let read: ShellLine = { commands: [], opaque: [] };
  for (const line of lines) {
    read = readShell(line, state, tools);
    state = nextState(line, read, state);
  }
  return { read, state };
}

/** `via: words`, an unknown part as `?`. */
export function showCommands(read: ShellLine): string[] {
  if (read.broken !== undefined) return [`broken: ${read.broken}`];
  return read.commands.map((command) => `${command.via}: ${command.argv.map((word) => word.value.replaceAll("\0", "?")).join(" ")}`);
}

export function showEffect(effect: FileEffect): string {
  const text = (word: { value: string } | undefined): string => (word === undefined ? "-" : word.value.replaceAll("\0", "?"));
  switch (effect.kind) {
    case "write":
    case "append":
      return `${effect.kind} ${text(effect.path)}${effect.content === undefined ? "" : ` = ${JSON.stringify(text(effect.content))}`}`;
    case "change":
      return `change ${text(effect.path)}${effect.script === undefined ? "" : ` by ${text(effect.script)}`}`;
    case "delete":
      return `delete ${text(effect.path)}${effect.recursive ? " recursively" : ""}`;
    case "move":
    case "copy":
    case "link":
      return `${effect.kind} ${text(effect.from)} to ${text(effect.path)}`;
    case "chmod":
      return `chmod ${text(effect.path)} ${text(effect.mode)}`;
    case "restore":
      return `restore ${text(effect.path)} from ${text(effect.revision)}`;
    case "apply":
      return `apply ${effect.file === undefined ? JSON.stringify(text(effect.diff)) : text(effect.file)}`;
  }
}

export function showEffects(read: ShellLine): string[] {
  return read.commands.flatMap((command) => command.effects.map(showEffect));
}
