/** The draft that readers write into. */
import type { Action, Message, Origin, Problem, Step, Text } from "./model";
import type { About, Adapter, Draft, NewStep } from "./adapter";
import { cut, fromRecord, longestValue, spanOf } from "./text/text";
import { valueAt } from "./text/json";

/** In characters, over all texts of one source: beyond each, less is kept of a single text, so that memory stays bounded. */
const ladder = [
  { upTo: 256 * 1024 * 1024, keep: longestValue },
  { upTo: 512 * 1024 * 1024, keep: 8 * 1024 },
  { upTo: Infinity, keep: 512 },
] as const;

/** A run of more steps than this is read up to here: what stands is bounded, whatever the size of the log. */
export const mostSteps = 250_000;

export function createDraft(name: string, adapter: Pick<Adapter, "silent">): Draft {
  const steps: Step[] = [];
  const messages: Message[] = [];
  const problems: Problem[] = [];
  const about: About = { unread: 0 };
  const silent = new Set(adapter.silent);
  let kept = 0;

  function text(value: string, origin: Origin): Text {
    const limit = ladder.find((rung) => kept < rung.upTo)?.keep ?? 512;
    const short = cut({ value, origin }, limit);
    kept += short.value.length;
    return short;
  }

  const draft: Draft = {
    name,
    isFull: false,
    steps,
    messages,
    problems,
    about,
    text,
    string(record, path) {
      const value = valueAt(record.value, path);
      return typeof value === "string" ? text(value, { from: "record", record: record.ref, path }) : undefined;
    },
    message(message) {
      messages.push(message);
      return messages.length - 1;
    },
    step(step: NewStep): Step {
      const full: Step = {
        ...step,
        number: steps.length + 1,
        message: step.message ?? Math.max(0, messages.length - 1),
        part: step.part ?? 0,
        mutates: step.mutates ?? doesMutate(step.action),
      };
      if (steps.length < mostSteps) steps.push(full);
      else draft.isFull = true;
      return full;
    },
    unknown(record, type) {
      const isSilent = silent.has(type);
      if (!isSilent) about.unread++;
      draft.step({
        actor: "environment",
        action: { kind: "other", name: type, ...(isSilent ? {} : { text: cut(fromRecord(record.text, record.ref), 2000) }) },
        mutates: false,
      });
    },
    problem(message, at, hides = false) {
      const span = at && "ref" in at ? spanOf(fromRecord(at.text.slice(0, 200), at.ref)) : at;
      problems.push({ message, ...(span ? { at: span } : {}), hides });
    },
  };
  return draft;
}

/** Whether an act can change something. A command is taken to, until the shell reader knows better. */
function doesMutate(action: Action): boolean {
  return action.kind === "edit" || action.kind === "delete" || action.kind === "move" || action.kind === "command";
}
