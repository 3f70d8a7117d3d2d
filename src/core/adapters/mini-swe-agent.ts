/**
 * mini-swe-agent: one JSON document a run, in its versions 1 and 1.1, or the bare list of its messages.
 *
 * Everything happens through a shell, each command in a new one in the same folder. A message is run only when
 * it holds exactly one action; what the harness turned down is kept as blocked commands, which are no acts.
 * What the agent says stands around its action in the same message, so it is the step's `thought`; there is a
 * `message` step only for messages without an action. Whoever looks for claims has to read both.
 */
import type { Adapter, Draft, Head, Reader, Record as Entry } from "../adapter";
import { isObject, listAt, stringAt } from "./shared/json-values";
import { readMiniAbout, readMiniEnd } from "./shared/mini-about";
import { readMiniTurns } from "./shared/mini-turns";

const title = "mini-swe-agent";

export const adapter: Adapter = {
  id: "mini-swe-agent",
  title,
  records: "json",
  isHarness: true,
  specificity: 70,
  silent: [],
  sniff,
  open: (draft) => createReader(draft),
};

function sniff(name: string, head: Head): "no" | "maybe" | "sure" {
  const { text, keys } = head;
  const start = text.trimStart();
  if (start.startsWith("[")) {
    const isChat = keys.has("[].role") && (keys.has("[].content") || keys.has("[].tool_calls"));
    const isMini = text.includes("COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT") || text.includes("mswea_bash_command");
    return isChat && isMini ? "sure" : "no";
  }
  if (!start.startsWith("{") || keys.has("trajectory") || keys.has("history")) return "no";
  if (keys.has("info.mini_version") || /"trajectory_format"\s{0,4}:\s{0,4}"mini-swe-agent/.test(text)) return "sure";
  const isNamed = name.toLowerCase().endsWith(".traj.json");
  // A patch of more than 64 KiB can stand before everything else that would say what this is.
  if (keys.has("info.exit_status") && keys.has("info.submission")) return isNamed ? "sure" : "maybe";
  if (keys.has("info.config.agent_type") && text.includes("minisweagent.")) return "sure";
  return isNamed && keys.has("messages") ? "maybe" : "no";
}

function createReader(draft: Draft): Reader {
  return {
    take(record: Entry): void {
      const { value } = record;
      const base = Array.isArray(value) ? [] : ["messages"];
      const messages = listAt(value, base);
      const isRun = Array.isArray(value) || (isObject(value) && Array.isArray(value["messages"]));
      if (!isRun) {
        draft.problem("This mini-swe-agent document has no list of messages, so none of the acts could be read.", record, true);
        draft.unknown(record, isObject(value) ? (stringAt(value, ["trajectory_format"]) ?? "document") : typeof value);
        return;
      }
      readMiniAbout(draft, record, base);
      const end = readMiniTurns(draft, record, base, messages);
      readMiniEnd(draft, record, end);
    },
    end(): void {
      draft.about.agent ??= { name: title };
    },
  };
}
