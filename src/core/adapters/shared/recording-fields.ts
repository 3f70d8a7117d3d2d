/** The fields of one line of a recording. One of the wrong type is a problem and counts as missing; so does null, without one. */
import type { Actor, Outcome, Step, Text } from "../../model";
import type { Draft, Record } from "../../adapter";
import { made } from "../../text/text";
import { asObject, asTime } from "./values";

export interface Fields {
  /** Which sub-agent. */
  by: string | undefined;
  /** `by` and `time`, for a step. */
  common: Pick<Step, "by" | "time">;
  text(key: string): Text | undefined;
  string(key: string): string | undefined;
  number(key: string): number | undefined;
  flag(key: string): boolean | undefined;
  actor(): Actor;
  blocked(): Text | undefined;
  outcome(): Outcome | undefined;
}

/** The texts that `cut` can be about, the first that is there. */
const cuttable = ["output", "content", "text", "after", "diff", "command"];

export function createFields(draft: Draft, record: Record): Fields {
  const line = asObject(record.value) ?? {};

  /** @param hides the field holds an act or what came of it */
  function wrong(key: string, wanted: string, hides = false): undefined {
    draft.problem(`The field "${key}" is not ${wanted}; it was passed over.`, record, hides);
    return undefined;
  }

  function get(key: string): unknown {
    return Object.hasOwn(line, key) ? (line[key] ?? undefined) : undefined;
  }

  function read<T>(key: string, wanted: string, is: (value: unknown) => value is T): T | undefined {
    const value = get(key);
    if (value === undefined) return undefined;
    return is(value) ? value : wrong(key, wanted);
  }

  const string = (key: string): string | undefined => read(key, "a string", isString);
  const cutKey = cuttable.find((key) => isString(get(key)));
  const total = readTotal();

  function readTotal(): number | undefined {
    const value = get("cut");
    if (value === undefined) return undefined;
    const count = asObject(value)?.total;
    return isNumber(count) && count >= 0 ? count : wrong("cut", 'an object with a number "total"');
  }

  function text(key: string): Text | undefined {
    const value = get(key);
    if (value === undefined) return undefined;
    const found = draft.string(record, [key]);
    if (!found) return wrong(key, "a string", true);
    const whole = found.total ?? found.value.length;
    return key === cutKey && total !== undefined && total > whole ? { ...found, total } : found;
  }

  const by = string("by");
  const moment = get("time");
  const time = moment === undefined ? undefined : (asTime(moment) ?? wrong("time", "an ISO 8601 moment or a number of milliseconds"));

  return {
    by,
    common: { ...(by === undefined ? {} : { by }), ...(time === undefined ? {} : { time }) },
    text,
    string,
    number: (key) => read(key, "a number", isNumber),
    flag: (key) => read(key, "true or false", isBoolean),
    actor() {
      const actor = string("actor") ?? "agent";
      if (actor === "agent" || actor === "user" || actor === "environment") return actor;
      if (actor === "assistant") return "agent";
      if (actor !== "system") wrong("actor", "agent, user, environment or system");
      return "environment";
    },
    blocked() {
      const value = get("blocked");
      if (value === true) return made("");
      return value === false ? undefined : text("blocked");
    },
    outcome() {
      const value = get("resolved");
      if (value === true || value === "resolved") return "resolved";
      if (value === false || value === "unresolved") return "unresolved";
      if (value === "declined" || value === "unknown") return value;
      return value === undefined ? undefined : wrong("resolved", 'true, false or "declined"');
    },
  };
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}
