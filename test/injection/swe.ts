/** SWE-agent's documents, from 0.x and 1.0: each act stands in `trajectory`, and in `history` as the model saw it. */
import { unmark } from "../quiet/marks";
import type { Format } from "./format";
import { at, type Json, type JsonObject, listOf, objectOf, stringOf } from "./json";

export const swe: Format = {
  id: "swe-agent",
  turns: (run) =>
    listOf(at(run, "trajectory")).map((step) => {
      const command = stringOf(at(step, "action"));
      const output = stringOf(at(step, "observation"));
      return { command, output, text: `${stringOf(at(step, "response"))}\n${command}\n${output}` };
    }),
  insert(run, before, { say, command, output }) {
    const trajectory = listOf(at(run, "trajectory"));
    const spoken = speaking(run);
    const isTwice = spoken.length === trajectory.length;
    const next = objectOf(trajectory[before]);
    // Up to 0.7 the state is that before the act, from 1.0 on that after it.
    const state = typeof next["state"] === "string" ? next["state"] : (at(trajectory[before - 1], "state") ?? next["state"] ?? "");
    const response = phrase(stringOf(next["response"]), say, command);
    const step: JsonObject = {
      ...structuredClone(next),
      action: command,
      observation: output,
      response,
      thought: say,
      state: structuredClone(state),
    };
    trajectory.splice(before, 0, step);
    const i = spoken[before];
    if (isTwice && i !== undefined) listOf(at(run, "history")).splice(i, 0, ...messagesOf(run, i, { say, command, output, response }));
  },
  insertEdit(run, before, { say, command }) {
    this.insert(run, before, { say, command: unmark(command), output: "", exit: 0 });
  },
  patch: (run) => stringOf(at(run, "info", "submission")),
  addToPatch(run, diff) {
    const old = this.patch(run);
    // A terminal's line ends, where the harness wrote them.
    const added = old.includes("\r\n") ? diff.replaceAll("\n", "\r\n") : diff;
    objectOf(at(run, "info"))["submission"] = `${old}${old === "" || old.endsWith("\n") ? "" : "\n"}${added}`;
  },
  close(run, text) {
    const trajectory = listOf(at(run, "trajectory"));
    const step = objectOf(trajectory.at(-1));
    const action = stringOf(step["action"]);
    const response = phrase(stringOf(step["response"]), text, action);
    const i = speaking(run).length === trajectory.length ? speaking(run).at(-1) : undefined;
    step["thought"] = text;
    step["response"] = response;
    const message = i === undefined ? {} : objectOf(listOf(at(run, "history"))[i]);
    if (i === undefined) return;
    message["content"] = response;
    if ("thought" in message) message["thought"] = text;
  },
  write: (run) => JSON.stringify(run, null, 2),
};

/** Thought and act as the model wrote them, in the manner of another message of the run. */
function phrase(like: string, say: string, command: string): string {
  if (like.includes("<command>")) return `${say}\n<command>\n${command}\n</command>`;
  if (like.includes("```")) return `${say}\n\n\`\`\`\n${command}\n\`\`\``;
  return say;
}

/** Indexes of the agent's own messages in the history. */
function speaking(run: Json): number[] {
  return listOf(at(run, "history")).flatMap((message, i) =>
    at(message, "role") === "assistant" && at(message, "is_demo") !== true ? [i] : [],
  );
}

function messagesOf(run: Json, i: number, turn: { say: string; command: string; output: string; response: string }): Json[] {
  const history = listOf(at(run, "history"));
  const call = objectOf(structuredClone(history[i] ?? null));
  const answer = objectOf(
    structuredClone(history.slice(i + 1).find((message) => at(message, "role") !== "assistant") ?? history[i - 1] ?? null),
  );
  call["content"] = turn.response;
  if ("thought" in call) call["thought"] = turn.say;
  if ("action" in call) call["action"] = turn.command;
  const tool = listOf(call["tool_calls"])[0];
  if (tool !== undefined) {
    const id = `call_planted_${i}`;
    call["tool_calls"] = [{ id, type: "function", function: { name: "bash", arguments: JSON.stringify({ command: turn.command }) } }];
    answer["role"] = "tool";
    answer["tool_call_ids"] = [id];
  }
  answer["content"] = Array.isArray(answer["content"]) ? [{ type: "text", text: turn.output }] : turn.output;
  return [call, answer];
}
