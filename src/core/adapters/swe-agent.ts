/**
 * SWE-agent: one JSON document a run (`.traj`), from 0.x and 1.0, and demonstrations that hold only messages.
 *
 * The agent works through tools of its own beside the shell. An edit names lines but no file: it changes the
 * one that is open, which up to 0.7 is told before each action and from 1.0 on after it. There are no exit
 * codes; whether a tool worked stands in its answer. From 1.0 on each step repeats the whole prompt, which is
 * never looked at, so that reading stays linear.
 */
import type { Step, Text } from "../model";
import type { Adapter, Draft, Head, Reader, Record as Entry } from "../adapter";
import { cut } from "../text/text";
import { isObject, listAt } from "./shared/json-values";
import { type Act, type Context, readActs } from "./shared/swe-actions";
import { readSweAbout } from "./shared/swe-about";
import { hasFailed, hasTimedOut, isBlocked, isLintRefusal } from "./shared/swe-outcome";
import { type Turn, readTurns } from "./shared/swe-turns";
import { type Window, mayRewrite, readWindow } from "./shared/swe-window";

const title = "SWE-agent";

export const adapter: Adapter = {
  id: "swe-agent",
  title,
  records: "json",
  isHarness: true,
  specificity: 60,
  silent: [],
  sniff,
  open: (draft) => createReader(draft),
};

function sniff(name: string, head: Head): "no" | "maybe" | "sure" {
  const { keys } = head;
  if (!head.text.trimStart().startsWith("{")) return "no";
  const isNamed = name.toLowerCase().endsWith(".traj");
  if (keys.has("trajectory.[].action") && keys.has("trajectory.[].observation")) return "sure";
  if (keys.has("history.[].role") && (keys.has("history.[].agent") || keys.has("history.[].message_type"))) return "sure";
  if (keys.has("trajectory") || keys.has("history")) return isNamed ? "sure" : keys.has("replay_config") ? "maybe" : "no";
  return isNamed ? "maybe" : "no";
}

function createReader(draft: Draft): Reader {
  return {
    take(record: Entry): void {
      const { value } = record;
      if (!isObject(value) || (!Array.isArray(value["trajectory"]) && !Array.isArray(value["history"]))) {
        draft.problem("This SWE-agent document has neither a trajectory nor a history, so none of the acts could be read.", record, true);
        draft.unknown(record, "document");
        return;
      }
      const { turns, prompt } = readTurns(draft, record);
      readSweAbout(draft, record, turns[0]?.state.cwd);
      if (prompt) {
        draft.about.task = { ...draft.about.task, prompt: prompt.text };
        draft.step({ actor: "user", message: prompt.message, action: { kind: "message", text: prompt.text } });
      }
      writeSteps(draft, turns);
      if (turns.length === 0 && listAt(value, ["trajectory"]).length === 0) draft.problem("The run holds no step of the agent.");
    },
    end(): void {
      draft.about.agent ??= { name: title };
    },
  };
}

function writeSteps(draft: Draft, turns: readonly Turn[]): void {
  const windows = new Map<string, Window>();
  const edits = new Map<string, { before?: Text; after?: Text }>();
  let before: { openFile?: Text; cwd?: string } = {};
  turns.forEach((turn, i) => {
    if (turn.state.when === "before") before = turn.state;
    const next = turns[i + 1]?.state;
    const after = turn.state.when === "after" ? turn.state : next?.when === "before" ? next : undefined;
    const cwd = before.cwd ?? after?.cwd;
    const context: Context = {
      ...(before.openFile ? { openFile: before.openFile } : {}),
      ...(after?.openFile ? { openAfter: after.openFile } : {}),
      ...(cwd ? { cwd } : {}),
      ...(turn.by ? { isTeam: true } : {}),
      windowOf: (path) => windows.get(path),
      lastEdit: (path) => edits.get(path),
    };
    const acts = turn.action ? readActs(turn.action, context) : [];
    if (acts.length === 0) say(draft, turn);
    acts.forEach((act, n) => writeAct(draft, turn, act, n === 0, n === acts.length - 1));
    remember(turn, acts, after?.openFile ?? before.openFile);
    if (turn.state.when === "after") before = turn.state;
  });

  /** What later edits need: the window that is shown now, and what was replaced. */
  function remember(turn: Turn, acts: readonly Act[], openFile: Text | undefined): void {
    if (acts.some((act) => act.action.kind === "command" && mayRewrite(act.action.command.value))) windows.clear();
    const { observation } = turn;
    if (!observation) return;
    const hasWorked = !hasFailed(observation.value);
    for (const { action } of acts) {
      if (action.kind !== "edit" || !hasWorked) continue;
      windows.delete(action.path.value);
      edits.set(action.path.value, {
        ...(action.before ? { before: action.before } : {}),
        ...(action.after ? { after: action.after } : {}),
      });
    }
    const window = acts.some((act) => act.isTool) ? readWindow(observation, isLintRefusal(observation.value)) : undefined;
    if (window) windows.set(openFile && isSameFile(openFile.value, window.path.value) ? openFile.value : window.path.value, window);
  }
}

/** A header may name the file as the agent did, relative to where it stood. */
function isSameFile(full: string, shown: string): boolean {
  const short = shown.replace(/^(?:\.\/)+/, "").replace(/\r$/, "");
  return full === short || full.endsWith(`/${short}`);
}

function writeAct(draft: Draft, turn: Turn, act: Act, isFirst: boolean, isLast: boolean): void {
  const { action } = act;
  const { observation } = turn;
  const answer = observation?.value ?? "";
  const blocked = observation && isBlocked(answer) ? cut(observation) : undefined;
  const hasNoEffect = act.isTool && action.kind !== "other" && hasFailed(answer);
  const step: Omit<Step, "number"> = {
    actor: "agent",
    message: turn.message,
    part: turn.part,
    action: action.kind === "command" && isLast && hasTimedOut(answer) ? { ...action, timedOut: true } : action,
    mutates: act.mutates && !hasNoEffect && !blocked,
    ...(turn.by ? { by: turn.by } : {}),
    // Several acts have one answer between them: it stands with the last, as on a screen.
    ...(isLast && observation && !blocked ? { output: cut(observation) } : {}),
    ...(blocked ? { blocked } : {}),
    ...(hasNoEffect ? { failed: true } : {}),
    ...(isFirst && turn.thought ? { thought: cut(turn.thought) } : {}),
  };
  draft.step(step);
}

/** A message without an action: what was said, and what the harness answered to it. */
function say(draft: Draft, turn: Turn): void {
  const text = turn.said ?? turn.thought;
  const by = turn.by ? { by: turn.by } : {};
  if (text) draft.step({ actor: "agent", message: turn.message, part: turn.part, action: { kind: "message", text: cut(text) }, ...by });
  if (turn.observation && turn.observation.value.trim() !== "") {
    draft.step({ actor: "environment", message: turn.message, action: { kind: "message", text: cut(turn.observation) }, ...by });
  }
}
