/** The line above a step: ASCII around names, one fact between two bars, the same order everywhere, so that it can be searched. */
import type { Step, Trajectory } from "../../model";
import { type Body, listBodies } from "./bodies";
import { toName, toVisible } from "./visible";

export interface Heading {
  text: string;
  /** Where the names that are texts of the step begin. */
  names: { body: Body; column: number }[];
}

export interface HeadingFacts {
  mutates: boolean;
  findings: number;
  /** Milliseconds since the step before, where both have a time. */
  took?: number;
}

export function writeHeading(step: Step, bodies: readonly Body[], facts: HeadingFacts): Heading {
  const { action } = step;
  let text = `=== step ${step.number}`;
  const names: Heading["names"] = [];
  const add = (fact: string): void => void (text += ` | ${fact}`);
  add(step.by === undefined ? step.actor : `${step.actor} ${toName(step.by, 60)}`);
  add(toKind(step));
  for (const body of bodies) {
    if (!body.isName) continue;
    text += " | ";
    names.push({ body, column: text.length });
    text += toVisible(body.text.value);
  }
  if (action.kind === "other") add(toName(action.name, 60) || "unnamed");
  if (action.kind === "command") {
    if (action.exit !== undefined) add(`exit ${action.exit}`);
    if (action.timedOut) add("timed out");
    if (action.reported) add("reported only");
    if (step.output === undefined && !step.blocked) add("output not recorded");
    if (step.output?.value === "") add("printed nothing");
  }
  if (step.failed) add("failed");
  if (step.blocked) add("blocked");
  if (facts.took !== undefined) add(toDuration(facts.took));
  if (facts.mutates) add("changes");
  if (facts.findings > 0) add(facts.findings === 1 ? "1 finding" : `${facts.findings} findings`);
  return { text, names };
}

export function toKind({ action }: Step): string {
  if (action.kind === "message" && action.summary) return "summary";
  return action.kind === "edit" && action.created ? "create" : action.kind;
}

/** What a step is about, for lists: a path, the first line of a command or a message. */
export function nameStep(trajectory: Trajectory, number: number): string {
  const bodies = listBodies(trajectory, number);
  const main = bodies.find(({ part }) => part !== "thought" && part !== "output") ?? bodies[0];
  return main ? toName(main.text.value.trimStart().split("\n", 1)[0] ?? "", 80) : "";
}

function toDuration(ms: number): string {
  if (ms < 100_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`;
  const minutes = Math.round(ms / 60_000);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
