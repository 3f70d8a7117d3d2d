/** The turns of a mini-swe-agent run: a message of the agent, its actions, and the answers to them. */
import type { Part, Step, Text } from "../../model";
import type { Draft, NewStep, Record as Entry } from "../../adapter";
import { cut, spanOf } from "../../text/text";
import { type Json, type Path, firstString, isObject, listAt, stringAt, textAt } from "./json-values";
import type { MiniEnd } from "./mini-about";
import { type Action, findActions, readSaid, readWhole } from "./mini-actions";
import { type Style, findStyle } from "./mini-blocks";
import { type Role, callOf, contentPaths, findCalls, isReply, isUserWord, literalStart, roleOf, timeOf } from "./mini-messages";
import { type Answer, readAnswer } from "./mini-observation";

/** In blocks of one refused message: more of them add nothing. */
const mostRefused = 20;

/** A message that answers. */
interface Reply {
  text: Text;
  message: Json;
  /** In the document, and among the messages kept. */
  index: number;
  kept: number;
  answer: Answer;
}

type Common = Pick<NewStep, "actor" | "message" | "time">;

/** Reads all messages into the draft; how the last action ended. */
export function readMiniTurns(draft: Draft, record: Entry, base: Path, messages: readonly unknown[]): MiniEnd {
  const { value } = record;
  const config = (key: string): string | undefined =>
    stringAt(value, ["info", "config", "model", key]) ?? stringAt(value, ["info", "config", "agent", key]);
  const prompts = messages.slice(0, 2).map((message, i) => readWhole(record, message, [...base, i])?.value ?? "");
  const style: Style = findStyle(config("action_regex"), prompts);
  const refusal = literalStart(config("format_error_template"));
  const cwd = draft.about.cwd;
  const end: MiniEnd = {};
  let sawUser = false;
  let at = 0;
  while (at < messages.length) {
    const message = messages[at];
    if (!isObject(message)) {
      draft.about.unread++;
      draft.problem(`Message ${at + 1} is not an object and was passed over.`, undefined, true);
      at++;
      continue;
    }
    const role = roleOf(message);
    // In an interactive run a person may type commands, which are noted like the agent's.
    const isTyped = role === "user" && listAt(message, ["extra", "actions"]).length > 0;
    if (role === "assistant" || isTyped) {
      at = readTurn(at, message, isTyped ? "user" : "agent");
    } else {
      readOther(at, message, role, role === "user" && !sawUser);
      sawUser ||= role === "user";
      at++;
    }
  }
  return end;

  /** Reads a message that acts, and its answers; the index behind them. */
  function readTurn(i: number, message: Json, actor: "agent" | "user"): number {
    const path = [...base, i];
    const kept = keep(i, message, "text");
    const parts = draft.messages[kept]?.parts ?? [];
    const text = readWhole(record, message, path);
    const actions = findActions(record, message, path, text, style, parts);
    const hasCalls = findCalls(message, path).length > 0;
    const replies: Reply[] = [];
    let next = i + 1;
    // Calls are answered one by one; a message in text mode has one answer, and what follows is something else.
    for (; next < messages.length; next++) {
      const answer = messages[next];
      if (!isObject(answer) || !isReply(answer, hasCalls ? actions.length : 1, replies.length)) break;
      const reply = readReply(next, answer);
      if (reply) replies.push(reply);
      end.status = stringAt(answer, ["extra", "exit_status"]) ?? end.status;
    }
    const time = timeOf(message);
    const common: Common = { actor, message: kept, ...(time === undefined ? {} : { time }) };
    const first = replies[0];
    // In text mode the number of actions decides. An answer that is a command's result outweighs that: something ran.
    const isRefused = !hasCalls && first?.answer.kind !== "ran" && (actions.length !== 1 || first?.answer.kind === "refused");
    if (actions.length === 0) readSpeech(common, text, parts, first, i);
    else if (isRefused) readRefused(common, text, actions, first);
    else readRun(common, text, actions, replies, hasCalls);
    return next;
  }

  function readReply(i: number, message: Json): Reply | undefined {
    const path = [...base, i];
    const kept = keep(i, message, "result");
    const text = readWhole(record, message, path) ?? textAt(record, [...path, "extra", "submission"]);
    if (!text) return undefined;
    const isEnd = roleOf(message) === "exit" || isUserWord(message, text.value);
    const raw = textAt(record, [...path, "extra", "raw_output"]);
    return { text, message, index: i, kept, answer: isEnd ? { kind: "unknown" } : readAnswer(text, message["extra"], raw, refusal) };
  }

  /** A message without an action. */
  function readSpeech(common: Common, text: Text | undefined, parts: readonly Part[], reply: Reply | undefined, i: number): void {
    const said = text ?? parts.find((part) => part.kind === "thought")?.text;
    const part = Math.max(
      0,
      parts.findIndex((one) => one.kind === (text ? "text" : "thought")),
    );
    const kept = said ? cut(said) : undefined;
    if (kept && (kept.value !== "" || !reply)) draft.step({ ...common, part, action: { kind: "message", text: kept } });
    if (reply?.answer.kind === "ran") {
      // Something ran, and this reader cannot tell what: that must not pass for a run that was read.
      draft.about.unread++;
      draft.problem(`Message ${i + 1} was answered with a command's result, but no command was found in it.`, kept && spanOf(kept), true);
    } else if (reply)
      speak(
        reply.answer.kind === "unknown" && roleOf(reply.message) === "user" ? "user" : "environment",
        reply.kept,
        reply.text,
        reply.message,
      );
  }

  /** A message that the harness turned down: nothing of it ran. */
  function readRefused(common: Common, text: Text | undefined, actions: readonly Action[], reply: Reply | undefined): void {
    const thought = text ? readSaid(text, style, true) : undefined;
    const blocked = reply ? cut(reply.text) : undefined;
    // The last message of a run that was stopped: nothing says so, but it could not have been run either.
    if (!blocked) {
      if (text) draft.step({ ...common, part: actions[0]?.part ?? 0, action: { kind: "message", text: cut(text) } });
      return;
    }
    actions.slice(0, mostRefused).forEach((action, n) => {
      draft.step({
        ...common,
        ...(n === 0 && thought ? { thought } : {}),
        part: action.part,
        action: toCommand(action),
        blocked,
        mutates: false,
      });
    });
  }

  function readRun(common: Common, text: Text | undefined, actions: readonly Action[], replies: readonly Reply[], hasCalls: boolean): void {
    const thought = text && common.actor === "agent" ? readSaid(text, style, !hasCalls) : undefined;
    const steps = actions.map((action, n) => {
      const step = draft.step({ ...common, ...(n === 0 && thought ? { thought } : {}), part: action.part, action: toCommand(action) });
      const isLast = n === actions.length - 1;
      const mine = action.call
        ? replies.find((reply) => callOf(reply.message) === action.call)
        : (replies[hasCalls ? n : isLast ? 0 : Infinity] ?? undefined);
      if (mine) readResult(step, mine);
      return step;
    });
    const exit = replies.find((reply) => roleOf(reply.message) === "exit");
    if (exit && stringAt(exit.message, ["extra", "exit_status"]) === "Submitted") {
      // The harness stops at the marker; an interactive one first says of this command that it was not executed.
      const last =
        steps.find((step) => step.blocked?.value.includes("action was not executed")) ?? steps.find((step) => step.output === undefined);
      if (last) submit(last, exit, 0);
    } else if (exit && exit.text.value !== "") speak("environment", exit.kept, exit.text, exit.message);
  }

  function toCommand(action: Action): { kind: "command"; command: Text; cwd?: string } {
    return { kind: "command", command: action.command, ...(cwd ? { cwd } : {}) };
  }

  function readResult(step: Step, reply: Reply): void {
    const { action } = step;
    const { answer } = reply;
    if (action.kind !== "command" || roleOf(reply.message) === "exit") return;
    if (answer.kind === "refused") {
      step.blocked = cut(reply.text);
      step.mutates = false;
    } else if (answer.kind === "ran") {
      if (answer.output) step.output = cut(answer.output);
      if (answer.exit !== undefined) action.exit = answer.exit;
      if (answer.timedOut) action.timedOut = true;
    } else if (isUserWord(reply.message, reply.text.value)) speak("user", reply.kept, reply.text, reply.message);
    else if (action.command.value.includes("FINAL_OUTPUT")) submit(step, reply, undefined);
    else step.output = cut(reply.text);
  }

  /** The command that hands the work in: what it printed after the marker is all that is kept of its output. */
  function submit(step: Step, reply: Reply, exit: number | undefined): void {
    if (step.action.kind !== "command") return;
    delete step.blocked;
    step.mutates = true;
    step.output = cut(reply.text);
    if (exit !== undefined) step.action.exit = exit;
    end.submitted = step.action.command.value;
    end.result = reply.text;
  }

  /** Prompts, what a person says in between, and how the run ended. */
  function readOther(i: number, message: Json, role: Role, isPrompt: boolean): void {
    const kept = keep(i, message, role === "user" || role === "system" ? "text" : "result");
    if (role === "exit") end.status = stringAt(message, ["extra", "exit_status"]) ?? end.status;
    const text = readWhole(record, message, [...base, i]);
    if (!text || role === "system") return;
    if (isPrompt) draft.about.task = { ...draft.about.task, prompt: cut(text) };
    const isEmptyEnd = text.value.trim() === "" && i === messages.length - 1;
    // From version 2 on a message that was turned down may be missing, and only the answer to it is kept.
    const isPerson = role === "user" && stringAt(message, ["extra", "interrupt_type"]) !== "FormatError";
    if (!isEmptyEnd) speak(isPerson ? "user" : "environment", kept, text, message);
  }

  function speak(actor: "environment" | "user", kept: number, text: Text, message: Json): void {
    const time = timeOf(message);
    draft.step({ actor, message: kept, action: { kind: "message", text: cut(text) }, ...(time === undefined ? {} : { time }) });
  }

  /** Keeps a message; the model's own reasoning first, where the provider handed it out. */
  function keep(i: number, message: Json, kind: Part["kind"]): number {
    const path = [...base, i];
    const role = roleOf(message);
    const parts: Part[] = [];
    const choice = [...path, "extra", "response", "choices", 0, "message"];
    const places = [path, choice].flatMap((place): Path[] => [
      [...place, "reasoning_content"],
      [...place, "reasoning"],
    ]);
    const reasoning = role === "assistant" ? firstString(draft, record, places) : undefined;
    if (reasoning) parts.push({ kind: "thought", text: reasoning });
    const call = callOf(message);
    for (const place of contentPaths(message, path)) {
      const text = draft.string(record, place);
      if (text) parts.push({ kind, text, ...(call ? { call } : {}) });
    }
    return draft.message({ role: role === "exit" || role === "other" ? "user" : role, parts });
  }
}
