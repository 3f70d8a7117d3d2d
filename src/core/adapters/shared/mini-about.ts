/** What a mini-swe-agent document says of the run as a whole. */
import type { Task, Text } from "../../model";
import type { Draft, Record as Entry } from "../../adapter";
import { cut } from "../../text/text";
import { type Path, isObject, stringAt, textAt } from "./json-values";
import { baseName, repositoryOf } from "./swe-instance";

/** How the last action ended, as the turns saw it. */
export interface MiniEnd {
  /** The command that handed the work in. */
  submitted?: string;
  /** What it printed: the patch, in most configurations. */
  result?: Text;
  /** The exit message's own words, where there is one. */
  status?: string;
}

export function readMiniAbout(draft: Draft, record: Entry, base: Path): void {
  const { about } = draft;
  const { value } = record;
  const model = stringAt(value, ["info", "config", "model", "model_name"]) ?? stringAt(value, ["info", "config", "model_name"]);
  about.agent = { name: "mini-swe-agent", ...(model ? { model } : {}) };
  const cwd = stringAt(value, ["info", "config", "environment", "cwd"]);
  if (cwd) about.cwd = cwd;
  const fromName = baseName(draft.name, [".traj.json", ".json"]);
  // A file's name is only believed where it has the form of an instance id.
  const id =
    stringAt(value, ["instance_id"]) ?? stringAt(value, ["info", "instance_id"]) ?? (repositoryOf(fromName) ? fromName : undefined);
  const repository = id ? repositoryOf(id) : undefined;
  const task: Task = { ...(id ? { id } : {}), ...(repository ? { repository } : {}) };
  if (base.length > 0 || id) about.task = task;
  if (id) about.id = id;
}

/** The final patch and the way in which the run ended. */
export function readMiniEnd(draft: Draft, record: Entry, end: MiniEnd): void {
  const { value } = record;
  const info = isObject(value) ? value["info"] : undefined;
  const status = stringAt(info, ["exit_status"]) || end.status;
  const isSubmitted = status === undefined || status === "Submitted";
  const submission = textAt(record, ["info", "submission"]);
  const patch = submission && (submission.value !== "" || !end.result) ? submission : end.result;
  // After any other end the field holds an error's text. An empty submission says "no change" only if it was to hold a diff.
  if (
    patch &&
    isSubmitted &&
    (isDiff(patch.value) || (patch.value.trim() === "" && end.submitted !== undefined && printsMore(end.submitted)))
  ) {
    draft.about.patch = cut(patch);
  }
  if (!isObject(info)) return;
  if (status === undefined || status === "")
    draft.problem("The run has no exit status: it was still going, or it was stopped from outside.");
  else if (!isSubmitted) draft.problem(`The run was cut off: ${status.slice(0, 200)}.`);
}

/** Whether the text holds a unified diff; what git says before it (line ends, permissions) does not matter. */
function isDiff(text: string): boolean {
  return /(?:^|\n)(?:diff --git |--- [^\n]{1,400}\n\+\+\+ )/.test(text);
}

/** The bare marker hands nothing in; a marker with another command behind it prints the patch. */
function printsMore(command: string): boolean {
  return /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT["']?\s{0,20}[&;|\n]/.test(command);
}
