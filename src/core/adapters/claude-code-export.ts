/** A Claude Code session that was exported from the web: one document, its entries under `loglines`. */
import type { Adapter } from "../adapter";
import { createLineReader, silentTypes } from "./shared/claude-reader";
import { asArray, asObject } from "./shared/values";

export const adapter: Adapter = {
  id: "claude-code-export",
  title: "Claude Code web export",
  records: "json",
  isHarness: false,
  specificity: 70,
  silent: silentTypes,
  sniff: (_name, head) => (head.keys.has("loglines") && head.text.trimStart().startsWith("{") ? "sure" : "no"),
  open(draft) {
    const reader = createLineReader(draft);
    return {
      take(record) {
        const lines = asObject(record.value)?.loglines;
        if (!Array.isArray(lines)) return draft.unknown(record, "no log lines");
        return asArray(lines).forEach((line, i) => reader.takeLine(record, line, ["loglines", i]));
      },
      end: () => undefined,
    };
  },
};
