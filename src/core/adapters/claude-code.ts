/** Claude Code: the session files that it writes for itself, and what `-p --output-format stream-json` prints. */
import type { Adapter, Certainty, Head } from "../adapter";
import { createLineReader, silentTypes } from "./shared/claude-reader";
import { asObject } from "./shared/values";

export const adapter: Adapter = {
  id: "claude-code",
  title: "Claude Code session",
  records: "json-lines",
  isHarness: false,
  specificity: 70,
  silent: silentTypes,
  sniff,
  open(draft) {
    const reader = createLineReader(draft);
    return { take: (record) => reader.takeLine(record, record.value, []), end: () => undefined };
  },
};

function sniff(_name: string, head: Head): Certainty {
  let isLikely = false;
  for (const value of head.records) {
    const line = asObject(value);
    if (!line) continue;
    const hasSession = typeof line.sessionId === "string" || typeof line.session_id === "string";
    const message = asObject(line.message);
    // Relatives share the envelope: theirs has Gemini's parts, or calls in records of their own.
    if (Array.isArray(message?.parts) || line.type === "tool_call") return "no";
    if ((line.type === "user" || line.type === "assistant") && message && "content" in message && (hasSession || "uuid" in line))
      return "sure";
    if (line.type === "system" && line.subtype === "init" && hasSession && Array.isArray(line.tools)) isLikely = true;
    if (typeof line.type === "string" && silentTypes.includes(line.type) && hasSession) isLikely = true;
    if (line.type === "summary" && typeof line.leafUuid === "string") isLikely = true;
  }
  return isLikely ? "maybe" : "no";
}
