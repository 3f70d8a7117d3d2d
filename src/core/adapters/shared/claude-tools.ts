/** Claude Code's tools: from a call's input to the acts it stands for, and the arguments that its message shows. */
import type { Action, JsonPath, Text } from "../../model";
import type { Draft, Record } from "../../adapter";
import { findValue } from "../../text/json";
import { made } from "../../text/text";
import { asArray, asObject, asString, type JsonObject } from "./values";

export interface Call {
  actions: Action[];
  shown: { field: string; text: Text }[];
  /** For `other` acts: whether it can change something. */
  mutates?: boolean;
  /** It reads what an earlier background command printed: that command's id. */
  background?: string;
}

/** Tools of Claude Code's own that change nothing outside the conversation (a sub-agent's acts are steps themselves). */
const harmless = new Set(
  (
    "task agent todowrite todoread exitplanmode enterplanmode askuserquestion bashoutput taskoutput agentoutputtool skill toolsearch lsp " +
    "taskcreate taskupdate taskget tasklist sendmessage listmcpresources readmcpresource slashcommand structuredoutput monitor"
  ).split(" "),
);

/** Ends of names under which other servers offer a shell. */
const shellLike = /(?:^|_)(?:bash|shell|powershell|run_command|execute_command|terminal)$/i;

/**
 * @param at the path of the call in the record; its input stands under `input`
 */
export function readCall(draft: Draft, record: Record, call: JsonObject, at: JsonPath, cwd: string | undefined): Call {
  const name = asString(call.name) ?? "unnamed tool";
  const input = asObject(call.input) ?? {};
  const path = [...at, "input"];
  const get = (...keys: (string | number)[]): Text | undefined => draft.string(record, [...path, ...keys]);
  const shown: Call["shown"] = [];
  const show = (field: string, text: Text | undefined): Text => {
    if (text) shown.push({ field, text });
    return text ?? made("");
  };
  const done = (...actions: Action[]): Call => ({ actions, shown });
  const key = name.toLowerCase().replaceAll("_", "");

  if (key === "bash" || key === "powershell" || (shellLike.test(name) && asString(input.command) !== undefined)) {
    return done({ kind: "command", command: show("command", get("command")), ...(cwd === undefined ? {} : { cwd }) });
  }
  if (key === "edit" || key === "multiedit") {
    const file = show("file_path", get("file_path"));
    if (key === "edit") return done(readEdit(file, (field) => get(field), input, show));
    const edits = asArray(input.edits).map((one, i) => readEdit(file, (field) => get("edits", i, field), asObject(one) ?? {}, show));
    return done(...(edits.length > 0 ? edits : [{ kind: "edit", path: file } satisfies Action]));
  }
  if (key === "write") {
    const file = show("file_path", get("file_path"));
    return done({ kind: "edit", path: file, after: show("content", get("content")) });
  }
  if (key === "notebookedit") {
    // A cell, not the whole file; what stood in it the call does not say.
    const file = show("notebook_path", get("notebook_path"));
    return done({ kind: "edit", path: file, after: show("new_source", get("new_source")), partial: true });
  }
  if (key === "read" || key === "notebookread") {
    const file = show("file_path", get("file_path") ?? get("notebook_path"));
    // The file into which a background command prints.
    const printed = /[\\/]tasks[\\/](\w{1,64})\.output$/.exec(file.value.slice(-100))?.[1];
    return { ...done({ kind: "read", path: file }), ...(printed === undefined ? {} : { background: printed }) };
  }
  if (key === "grep" || key === "glob" || key === "ls") {
    const query = show("pattern", get("pattern"));
    const where = get("path");
    if (where) show("path", where);
    return done({ kind: "search", query: key === "ls" ? (where ?? query) : query });
  }
  if (key === "webfetch") {
    const url = show("url", get("url"));
    show("prompt", get("prompt"));
    return done({ kind: "fetch", url });
  }
  if (key === "websearch") return done({ kind: "search", query: show("query", get("query")) });
  if (key === "task" || key === "agent") {
    const text = get("prompt") ?? get("description");
    return done({ kind: "other", name, text: show("prompt", text) });
  }
  const raw = rawInput(draft, record, path);
  const background = asString(input.bash_id) ?? asString(input.task_id) ?? asString(input.shell_id);
  const isOutput = key === "bashoutput" || key === "taskoutput";
  return {
    actions: [{ kind: "other", name, ...(raw ? { text: show("input", raw) } : {}) }],
    shown,
    mutates: !harmless.has(key),
    ...(isOutput && background !== undefined ? { background } : {}),
  };
}

function readEdit(
  path: Text,
  get: (field: string) => Text | undefined,
  input: JsonObject,
  show: (field: string, text: Text | undefined) => Text,
): Action {
  const [before, after] = [get("old_string"), get("new_string")];
  if (before) show("old_string", before);
  if (after) show("new_string", after);
  return {
    kind: "edit",
    path,
    // An empty text to be replaced is how a new file is written.
    ...(before && before.value !== "" ? { before } : {}),
    ...(after ? { after } : {}),
    ...(before?.value === "" ? { created: true } : {}),
    ...(input.replace_all === true ? { all: true } : {}),
  };
}

/** In characters. Finding a value scans the record from its start, and a document holds many calls. */
const longestScan = 4 * 1024 * 1024;

/** The input as it stands in the record, since these tools' arguments are not known. */
function rawInput(draft: Draft, record: Record, path: JsonPath): Text | undefined {
  if (record.text.length > longestScan && path.length > 4) return undefined;
  const range = findValue(record.text, path);
  if (!range || range.isString) return draft.string(record, path);
  const value = record.text.slice(range.start, range.end);
  return value === "{}" ? undefined : draft.text(value, { from: "record", record: record.ref, path });
}
