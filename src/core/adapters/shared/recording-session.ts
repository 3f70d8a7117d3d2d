/** The session line of a recording: what the run is about. */
import type { Task, Text } from "../../model";
import type { Draft, Record } from "../../adapter";
import { valueAt } from "../../text/json";
import { asObject, asTime } from "./values";

/** Writes what the line says into the draft; the task's prompt, which is also the first thing that the user said. */
export function readSession(draft: Draft, record: Record): Text | undefined {
  const { about } = draft;
  const at = (path: readonly string[]): unknown => valueAt(record.value, path) ?? undefined;

  function wrong(path: readonly string[], wanted: string): undefined {
    draft.problem(`The field "${path.join(".")}" is not ${wanted}; it was passed over.`, record);
    return undefined;
  }

  function string(...path: string[]): string | undefined {
    const value = at(path);
    return value === undefined || typeof value === "string" ? value : wrong(path, "a string");
  }

  function text(...path: string[]): Text | undefined {
    return string(...path) === undefined ? undefined : draft.string(record, path);
  }

  function choice<T extends string>(path: string[], choices: readonly T[]): T | undefined {
    const value = at(path);
    if (value === undefined) return undefined;
    return choices.find((one) => one === value) ?? wrong(path, choices.join(" or "));
  }

  function list(...path: string[]): string[] | undefined {
    const value = at(path);
    if (value === undefined) return undefined;
    if (!Array.isArray(value)) return wrong(path, "a list of strings");
    const strings = (value as unknown[]).filter((one): one is string => typeof one === "string");
    if (strings.length < value.length) wrong(path, "a list of strings only");
    return strings;
  }

  function object(...path: string[]): boolean {
    const value = at(path);
    if (value !== undefined && !asObject(value)) wrong(path, "an object");
    return asObject(value) !== undefined;
  }

  function readPolicy(): Task["policy"] | undefined {
    if (!object("task", "policy")) return undefined;
    const choices = ["allowed", "forbidden"] as const;
    return compact({
      protected: list("task", "policy", "protected"),
      grader: list("task", "policy", "grader"),
      history: choice(["task", "policy", "history"], choices),
      network: choice(["task", "policy", "network"], choices),
    });
  }

  function readTask(): Task | undefined {
    if (!object("task")) return undefined;
    const moment = at(["task", "baseTime"]);
    return compact({
      id: string("task", "id"),
      prompt: text("task", "prompt"),
      repository: string("task", "repository"),
      baseCommit: string("task", "baseCommit"),
      baseTime: moment === undefined ? undefined : (asTime(moment) ?? wrong(["task", "baseTime"], "an ISO 8601 moment or milliseconds")),
      policy: readPolicy(),
      failToPass: list("task", "failToPass"),
      passToPass: list("task", "passToPass"),
      goldPatch: text("task", "goldPatch"),
      testPatch: text("task", "testPatch"),
    });
  }

  const version = at(["version"]);
  if (version !== undefined && version !== 1) draft.problem("The recording has another version than 1; it is read as version 1.", record);
  const profile = at(["profile"]) === "auto" ? undefined : choice(["profile"], ["bench", "dev"] as const);
  const task = readTask();
  const agent = object("agent") ? compact({ name: string("agent", "name"), model: string("agent", "model") }) : undefined;
  Object.assign(about, compact({ id: string("id"), attempt: string("attempt"), cwd: string("cwd"), profile, task, agent }));
  return task?.prompt;
}

/** Without the keys that hold nothing, so that a missing field and an absent one are the same. */
function compact<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, held]) => held !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
