/** Shared by the adapters' tests: reading a sample, and a readable rendering of what was read. */
import { readFileSync } from "node:fs";
import type { Adapter } from "../../../src/core/adapter";
import type { Action, Source, Step, Text, Trajectory } from "../../../src/core/model";
import { readTrajectory } from "../../../src/core/read";

export function bytesOf(path: string): Uint8Array {
  return new Uint8Array(readFileSync(path));
}

/** A source over bytes; `piece` limits what one read returns, as a slow disk or a pipe would. */
export function toSource(name: string, bytes: Uint8Array, piece = Infinity): Source {
  return { name, size: bytes.length, read: (start, end) => bytes.subarray(start, Math.min(end, start + piece)) };
}

/** Reads one run with one adapter, as the host does. */
export function readSample(adapter: Adapter, name: string, bytes: Uint8Array, piece = Infinity): Trajectory {
  return readTrajectory({ sources: [{ source: toSource(name, bytes, piece), adapter: adapter.id }], profile: "auto" }, [adapter]);
}

/** One line, with line ends and long texts made short. */
function show(text: Text | undefined): string {
  if (!text) return "—";
  const value = JSON.stringify(text.value);
  return (value.length > 120 ? `${value.slice(0, 90)}…${value.slice(-20)}` : value) + (text.total === undefined ? "" : ` of ${text.total}`);
}

function showAction(action: Action): string {
  switch (action.kind) {
    case "message":
      return `${action.summary ? "summary " : ""}${show(action.text)}`;
    case "command":
      return [
        show(action.command),
        action.cwd === undefined ? "" : `in ${action.cwd}`,
        action.exit === undefined ? "" : `exit ${action.exit}`,
        action.timedOut ? "timed out" : "",
        action.reported ? "reported" : "",
      ]
        .filter(Boolean)
        .join(" ");
    case "edit": {
      const flags = [action.created ? "created" : "", action.all ? "all" : "", action.partial ? "partial" : ""]
        .filter(Boolean)
        .map((flag) => ` ${flag}`)
        .join("");
      const halves = (["before", "after", "diff"] as const).flatMap((key) => (action[key] ? [`    ${key} ${show(action[key])}`] : []));
      return [`${action.path.value}${flags}`, ...halves].join("\n");
    }
    case "delete":
    case "read":
      return action.path.value;
    case "move":
      return `${action.from.value} -> ${action.path.value}`;
    case "search":
      return show(action.query);
    case "fetch":
      return show(action.url);
    case "other":
      return action.text ? `${action.name} ${show(action.text)}` : action.name;
  }
}

export function renderStep(step: Step): string {
  const by = step.by === undefined ? "" : ` (${step.by})`;
  const time = step.time === undefined ? "" : ` at ${new Date(step.time).toISOString()}`;
  const notes = [
    step.thought ? `    thought ${show(step.thought)}` : "",
    step.output ? `    output ${show(step.output)}` : "",
    step.blocked ? `    blocked ${show(step.blocked)}` : "",
    step.failed ? "    failed" : "",
  ].filter(Boolean);
  return [
    `step ${step.number} ${step.actor}${by}${time} [${step.message}.${step.part}] ${step.action.kind}${step.mutates ? "!" : ""}: ${showAction(step.action)}`,
    ...notes,
  ].join("\n");
}

/** The whole of it: what the run is, its steps, its messages in short, and the problems. */
export function renderTrajectory(run: Trajectory): string {
  const { task, agent } = run;
  const head = [
    `run ${run.id} (${run.format}, ${run.profile}: ${run.profileReason}) ${run.outcome}, ${run.unread} unread`,
    `agent ${agent.name ?? "?"} ${agent.model ?? "?"}`,
    `task ${task.id ?? "?"} ${task.repository ?? ""} ${task.baseCommit ?? ""} ${task.baseTime ?? ""} ${task.policy ? JSON.stringify(task.policy) : ""}`
      .trimEnd()
      .replace(/ +/g, " "),
    `prompt ${show(task.prompt)}`,
    `patch ${show(run.patch)}`,
  ];
  const messages = run.messages.map((message, i) => {
    const parts = message.parts.map(
      (part) => part.kind + (part.tool ? ` ${part.tool}${part.field ? `.${part.field}` : ""}` : "") + (part.call ? ` #${part.call}` : ""),
    );
    return `message ${i} ${message.role}${message.by === undefined ? "" : ` (${message.by})`}: ${parts.join(", ")}`;
  });
  const problems = run.problems.map((problem) => `problem${problem.hides ? " (hides)" : ""}: ${problem.message}`);
  return [...head, "", ...run.steps.map(renderStep), "", ...messages, ...(problems.length > 0 ? ["", ...problems] : []), ""].join("\n");
}

/** Every text of a step, with the field it stands in. */
export function textsOf(step: Step): [field: string, text: Text][] {
  const { action } = step;
  const all: [string, unknown][] = [
    ...Object.entries(action),
    ["output", step.output],
    ["blocked", step.blocked],
    ["thought", step.thought],
  ];
  return all.filter((entry): entry is [string, Text] => typeof entry[1] === "object" && entry[1] !== null && "origin" in entry[1]);
}
