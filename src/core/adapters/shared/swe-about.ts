/** What a SWE-agent document says of the run as a whole. */
import type { Task } from "../../model";
import type { Draft, Record as Entry } from "../../adapter";
import { cut } from "../../text/text";
import { isObject, stringAt, textAt } from "./json-values";
import { baseName, repositoryOf } from "./swe-instance";

/** @param cwd the folder in which the first action was run */
export function readSweAbout(draft: Draft, record: Entry, cwd: string | undefined): void {
  const { about } = draft;
  const replay = readReplay(record.value);
  const fromName = baseName(draft.name, [".traj", ".json"]);
  const id =
    stringAt(record.value, ["instance_id"]) ??
    (repositoryOf(fromName) ? fromName : (stringAt(replay, ["problem_statement", "id"]) ?? fromName));
  const repository = repositoryOf(id);
  const task: Task = { ...(id ? { id } : {}), ...(repository ? { repository } : {}) };
  about.task = task;
  about.id = id;
  if (cwd) about.cwd = cwd;
  const model =
    stringAt(replay, ["agent", "model", "name"]) ?? stringAt(replay, ["agent", "model", "model_name"]) ?? modelFromFolder(draft.name);
  about.agent = { name: "SWE-agent", ...(model ? { model } : {}) };
  readEnd(draft, record);
}

function readEnd(draft: Draft, record: Entry): void {
  const info = isObject(record.value) ? record.value["info"] : undefined;
  if (!isObject(info)) return;
  const patch = textAt(record, ["info", "submission"]);
  // Other tasks hand in other things: a flag, a number.
  if (patch && /(?:^|\n)(?:diff --git |--- [^\n]{1,400}\n\+\+\+ )/.test(patch.value)) draft.about.patch = cut(patch);
  const status = stringAt(info, ["exit_status"]);
  if (status === undefined || status === "")
    draft.problem("The run has no exit status: it was still going, or it was stopped from outside.");
  else if (status !== "submitted") draft.problem(`The run was cut off: ${status.slice(0, 200)}.`);
}

/** From 1.0 on the configuration is kept, as an object or as JSON in a string. */
function readReplay(value: unknown): unknown {
  const replay = isObject(value) ? value["replay_config"] : undefined;
  if (typeof replay !== "string" || replay.length > 1_000_000) return replay;
  try {
    return JSON.parse(replay);
  } catch {
    return undefined;
  }
}

/** Runs lie in a folder named after their settings: `gpt4__data-set__default__t-0.00__p-0.95__…`. */
function modelFromFolder(name: string): string | undefined {
  const folder = name.split("/").at(-2) ?? "";
  const model = /^([^_/]{1,80}(?:_[^_/]{1,80})*)__/.exec(folder.slice(0, 300))?.[1];
  return model && /__t-\d/.test(folder) && model !== "replay" && model !== "human" && model !== "human_thought" ? model : undefined;
}
