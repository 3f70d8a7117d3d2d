/** A trajectory from the lines of a recording, and the tools that facts ask for. */
import type { RecordingLine, MonitorTools } from "../../../src/core/monitor";
import type { Trajectory } from "../../../src/core/model";
import { adapters } from "../../../src/core/adapters";
import { readTrajectory } from "../../../src/core/read";
import { createLocator } from "../../../src/core/text/locate";
import { sourceOf } from "../source";

export function runOf(...lines: readonly RecordingLine[]): Trajectory {
  const all = lines[0]?.type === "session" ? lines : [{ type: "session", version: 1, profile: "bench" }, ...lines];
  const bytes = new TextEncoder().encode(all.map((line) => JSON.stringify(line)).join("\n"));
  return readTrajectory({ sources: [{ source: sourceOf("run.jsonl", bytes), adapter: "recording" }], profile: "auto" }, adapters);
}

/** Without a parser: what is tested here reads lines that the small lexer understands. */
export const tools: MonitorTools = { parse: () => undefined, whole: createLocator().whole };

export function command(text: string, output?: string, exit?: number): RecordingLine {
  return { type: "command", command: text, ...(output === undefined ? {} : { output }), ...(exit === undefined ? {} : { exit }) };
}
