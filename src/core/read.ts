/** From a run's sources to its trajectory. */
import type { Adapter, Draft, Record } from "./adapter";
import type { Message, Outcome, Problem, Profile, Source, Step, Task, Text, Trajectory } from "./model";
import { createDraft, mostSteps } from "./draft";
import { chooseAdapter, createHead, headSize } from "./head";
import { fromRecord, spanOf } from "./text/text";
import { type Range, readDocument, readLines, wholeOf } from "./text/records";

/** A file of a run, or a part of one. */
export interface RunSource {
  source: Source;
  range?: Range;
  /** The adapter's id, when the host knows it. */
  adapter?: string;
  /** Which sub-agent's log it is. */
  by?: string;
  /** Of a line format: nothing more is read once there are this many steps. Only for a look at how it begins. */
  stopAfter?: number;
}

/** Everything that belongs to one attempt, joined by the host. */
export interface Run {
  /** The instance id where the host knows it. */
  id?: string;
  attempt?: string;
  sources: readonly RunSource[];
  /** The final patch, when it stands elsewhere than in the log. */
  patch?: Text;
  outcome?: Outcome;
  task?: Task;
  profile: Profile | "auto";
  /** What the host noticed while joining. */
  problems?: readonly Problem[];
}

/** Reads all sources; what cannot be read becomes a problem. */
export function readTrajectory(run: Run, adapters: readonly Adapter[]): Trajectory {
  const drafts = run.sources.map((part) => readSource(part, adapters));
  const main = drafts[0];
  const about = main?.draft.about;
  const { steps, messages } = merge(drafts.map((read, i) => ({ ...read.draft, by: run.sources[i]?.by })));
  const task: Task = { ...about?.task, ...run.task };
  const prompt = run.task?.prompt ?? about?.task?.prompt;
  if (prompt) task.prompt = prompt;
  const patch = run.patch ?? about?.patch;
  const { profile, reason } = chooseProfile(run.profile, about?.profile, main?.adapter);
  return {
    id: run.id ?? about?.task?.id ?? about?.id ?? baseName(run.sources[0]?.source.name ?? "patch"),
    ...((run.attempt ?? about?.attempt) ? { attempt: run.attempt ?? about?.attempt } : {}),
    format: main?.adapter?.id ?? "none",
    profile,
    profileReason: reason,
    task,
    agent: { ...about?.agent },
    steps,
    messages,
    ...(patch ? { patch } : {}),
    outcome: run.outcome ?? about?.outcome ?? "unknown",
    problems: [...drafts.flatMap((read) => read.draft.problems), ...(run.problems ?? [])],
    unread: drafts.reduce((sum, read) => sum + read.draft.about.unread, 0),
  };
}

/** The same rule in every host: a choice, else the recording's own word, else what kind of format it is. */
function chooseProfile(
  asked: Profile | "auto",
  own: Profile | undefined,
  adapter: Adapter | undefined,
): { profile: Profile; reason: string } {
  if (asked !== "auto") return { profile: asked, reason: "chosen" };
  if (own) return { profile: own, reason: "the recording says so" };
  if (!adapter) return { profile: "bench", reason: "a bare patch" };
  return adapter.isHarness
    ? { profile: "bench", reason: `${adapter.title} is the format of a harness` }
    : { profile: "dev", reason: `${adapter.title} is a personal agent's log` };
}

function readSource(part: RunSource, adapters: readonly Adapter[]): { draft: Draft; adapter?: Adapter } {
  const { source } = part;
  const range = part.range ?? wholeOf(source);
  const known = adapters.find((adapter) => adapter.id === part.adapter);
  const adapter = known ?? detect(source, range, adapters);
  if (!adapter) {
    const draft = createDraft(source.name, { silent: [] });
    draft.problem(
      source.size === 0 ? "The file is empty." : "No known format: none of the adapters recognised the file's first 64 KiB.",
      undefined,
      true,
    );
    return { draft };
  }
  const draft = createDraft(source.name, adapter);
  try {
    feed(draft, adapter, source, range, part.stopAfter);
  } catch (error) {
    draft.problem(`The ${adapter.title} reader failed: ${describe(error)}. What was read before stands.`, undefined, true);
  }
  return { draft, adapter };
}

function detect(source: Source, range: Range, adapters: readonly Adapter[]): Adapter | undefined {
  const bytes = source.read(range.start, Math.min(range.end, range.start + headSize));
  return chooseAdapter(adapters, source.name, createHead(bytes, range.end - range.start <= headSize))?.adapter;
}

function feed(draft: Draft, adapter: Adapter, source: Source, range: Range, stopAfter = Infinity): void {
  const reader = adapter.open(draft);
  if (adapter.records === "json" || adapter.records === "text") {
    const { ref, text } = readDocument(source, range);
    if (text === undefined) {
      draft.problem(
        `The file is ${Math.round(source.size / 1e6)} MB: too large for ${adapter.title}, which is one document. The limit is 256 MB.`,
        undefined,
        true,
      );
    } else takeRecord(draft, adapter, reader, { ref, text, value: undefined });
  } else {
    for (const { ref, text } of readLines(source, range)) {
      if (text === undefined)
        draft.problem(
          `A line of ${Math.round((ref.end - ref.start) / 1e6)} MB was passed over. The limit is 64 MB.`,
          spanOf(fromRecord("", ref)),
          true,
        );
      else takeRecord(draft, adapter, reader, { ref, text, value: undefined });
      if (draft.isFull || draft.steps.length >= stopAfter) break;
    }
  }
  reader.end();
  if (draft.isFull) draft.problem(`The run has more than ${mostSteps} steps; what comes later was not read.`, undefined, true);
}

function takeRecord(draft: Draft, adapter: Adapter, reader: { take(record: Record): void }, record: Record): void {
  if (adapter.records === "json" || adapter.records === "json-lines") {
    try {
      record.value = JSON.parse(record.text);
    } catch (error) {
      draft.problem(`A record is not valid JSON: ${describe(error)}.`, record, true);
      return;
    }
  }
  try {
    reader.take(record);
  } catch (error) {
    draft.problem(`A record could not be read: ${describe(error)}.`, record, true);
  }
}

/**
 * Steps of several sources in one order: by time where every source has times, else a sub-agent's after those of
 * the main log. Messages keep their source's order.
 */
function merge(parts: { steps: Step[]; messages: Message[]; by?: string }[]): { steps: Step[]; messages: Message[] } {
  const messages: Message[] = [];
  const steps: Step[] = [];
  for (const part of parts) {
    const shift = messages.length;
    for (const message of part.messages) messages.push(part.by && !message.by ? { ...message, by: part.by } : message);
    for (const step of part.steps) {
      step.message += shift;
      if (part.by) step.by ??= part.by;
      steps.push(step);
    }
  }
  if (parts.length > 1) sortByTime(parts, steps);
  steps.forEach((step, i) => (step.number = i + 1));
  return { steps, messages };
}

/** A step without a time happened when the one before it in its source did. Without any time a source keeps its place. */
function sortByTime(parts: readonly { steps: Step[] }[], steps: Step[]): void {
  const times = new Map<Step, number>();
  for (const part of parts) {
    let last = part.steps.find((step) => step.time !== undefined)?.time;
    if (last === undefined) return;
    for (const step of part.steps) {
      last = step.time ?? last;
      times.set(step, last);
    }
  }
  steps.sort((a, b) => (times.get(a) ?? 0) - (times.get(b) ?? 0));
}

export function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function baseName(name: string): string {
  const base = name.slice(name.lastIndexOf("/") + 1);
  return base.replace(/\.(traj\.json|traj|jsonl|json|diff|patch|txt)$/, "") || name;
}
