/** What the agent told the person: the text that closes the run or a round of it. */
import type { Step, Text, Trajectory } from "../model";
import { lazily } from "./lazily";

export interface Said {
  step: Step;
  text: Text;
  /** Nothing comes after it but the end of the run. */
  isFinal: boolean;
}

/** Where every message carries a command there is no closing message of its own; this many of the last count. */
const lastWords = 4;

/**
 * The closing messages. An agent whose only channel is text beside a command (no messages of their own) speaks
 * through that text, so there the last few are taken.
 */
export const closingMessages = lazily((trajectory: Trajectory): readonly Said[] => {
  const said: Said[] = [];
  let last: Said | undefined;
  for (const step of trajectory.steps) {
    if (step.actor === "user" && last) {
      said.push(last);
      last = undefined;
    }
    if (step.actor === "agent" && step.action.kind === "message" && !step.action.summary)
      last = { step, text: step.action.text, isFinal: false };
  }
  if (last && !isStray(trajectory, last.step)) said.push({ ...last, isFinal: true });
  if (said.some((message) => message.isFinal)) return said;
  const thoughts = trajectory.steps.filter((step) => step.actor === "agent" && !step.blocked && step.thought).slice(-lastWords);
  return [...said, ...thoughts.flatMap((step) => (step.thought ? [{ step, text: step.thought, isFinal: true }] : []))];
});

/** A message without a command from an agent that speaks beside its commands, with more of them behind it: not its last word. */
function isStray(trajectory: Trajectory, message: Step): boolean {
  const acts = trajectory.steps.filter((step) => step.actor === "agent" && !step.blocked);
  const beside = acts.filter((step) => step.thought && step.action.kind !== "message");
  const alone = acts.filter((step) => step.action.kind === "message");
  return alone.length * 10 <= beside.length && beside.some((step) => step.number > message.number);
}
