/** Where SWE-agent stood around an action: the open file and the folder. */
import type { Text } from "../../model";
import type { Record as Entry } from "../../adapter";
import { fromJson, slice } from "../../text/text";
import { type Path, stringAt, textAt } from "./json-values";

/** Where the agent stood: up to version 0.7 before the action, from 1.0 on after it. */
export interface State {
  when: "before" | "after" | "unknown";
  openFile?: Text;
  cwd?: string;
}

/** The state beside a step: JSON in a string up to version 0.7, an object from 1.0 on. */
export function stateAt(record: Entry, path: Path): State {
  const raw = textAt(record, [...path, "state"]);
  if (raw) {
    let parsed: unknown;
    try {
      parsed = JSON.parse(raw.value);
    } catch {
      return { when: "unknown" };
    }
    const file = stringAt(parsed, ["open_file"]);
    const cwd = stringAt(parsed, ["working_dir"]);
    return { when: "before", ...(isPath(file) ? { openFile: fromJson(file, raw, ["open_file"]) } : {}), ...(cwd ? { cwd } : {}) };
  }
  const file = textAt(record, [...path, "state", "open_file"]);
  const cwd = stringAt(record.value, [...path, "state", "working_dir"]);
  if (file === undefined && cwd === undefined) return { when: "unknown" };
  return { when: "after", ...(file && isPath(file.value) ? { openFile: file } : {}), ...(cwd ? { cwd } : {}) };
}

function isPath(file: string | undefined): file is string {
  return file !== undefined && file !== "" && file !== "n/a";
}

/** An observation with the shell's prompt under it, which tells the open file and the folder. */
export function readPrompt(text: Text): { output: Text; state: State } {
  const tail = /\n?\(Open file: ([^\n]{1,1000})\)\r?\n\(Current directory: ([^\n]{1,1000})\)\r?\nbash-\$\s{0,4}$/.exec(
    text.value.slice(-2200),
  );
  if (!tail) return { output: text, state: { when: "unknown" } };
  const from = Math.max(0, text.value.length - 2200) + tail.index;
  const fileAt = text.value.indexOf("(Open file: ", from) + "(Open file: ".length;
  const file = tail[1];
  return {
    output: slice(text, 0, from),
    state: {
      when: "after",
      ...(isPath(file) ? { openFile: slice(text, fileAt, fileAt + file.length) } : {}),
      ...(tail[2] ? { cwd: tail[2] } : {}),
    },
  };
}
