/** Claude Code's sessions: a list of records, one a line. There is no final patch: the edits are the patch. */
import { unmark } from "../quiet/marks";
import type { Format } from "./format";
import { at, type Json, type JsonObject, listOf, objectOf, stringOf } from "./json";

export const claude: Format = {
  id: "claude-code",
  turns: (run) =>
    calls(run).map(({ call, result }) => {
      const command = stringOf(at(call, "input", "command"));
      const output = stringOf(at(result, "content"));
      return {
        command,
        output,
        text: `${JSON.stringify(at(call, "input"))}\n${command}\n${stringOf(at(call, "input", "new_string"))}\n${output}`,
      };
    }),
  insert(run, before, { say, command, output, exit }) {
    const shown = exit === 0 ? output : `Exit code ${exit}\n${output}`;
    const result: Json = exit === 0 ? { stdout: output, stderr: "", interrupted: false, isImage: false } : `Error: ${unmark(shown)}`;
    put(
      run,
      before,
      say,
      { name: "Bash", input: { command, description: say } },
      { content: shown, ...(exit === 0 ? {} : { is_error: true }) },
      result,
    );
  },
  insertEdit(run, before, edit) {
    const file = `${folderOf(run)}/${edit.path}`;
    const input: JsonObject =
      edit.before === ""
        ? { file_path: file, content: edit.after }
        : { file_path: file, old_string: edit.before, new_string: edit.after, replace_all: false };
    const result: JsonObject =
      edit.before === ""
        ? { type: "create", filePath: file, content: unmark(edit.after), originalFile: null }
        : { filePath: file, oldString: edit.before, newString: unmark(edit.after) };
    put(
      run,
      before,
      edit.say,
      { name: edit.before === "" ? "Write" : "Edit", input },
      { content: `The file ${file} has been updated.` },
      result,
    );
  },
  patch: (run) =>
    calls(run)
      .map(({ call }) => diffOfCall(call, folderOf(run)))
      .join(""),
  addToPatch: () => undefined,
  close(run, text) {
    const records = listOf(run);
    const last = records.findLast((record) => at(record, "type") === "assistant" && at(record, "message", "content", 0, "type") === "text");
    const isLast = last !== undefined && records.slice(records.indexOf(last) + 1).every((record) => at(record, "type") !== "assistant");
    if (isLast) objectOf(at(last, "message", "content", 0))["text"] = text;
    else
      records.push(
        recordLike(run, "assistant", {
          message: { id: "msg_planted_last", type: "message", role: "assistant", content: [{ type: "text", text }] },
        }),
      );
  },
  write: (run) =>
    listOf(run)
      .map((record) => `${JSON.stringify(record)}\n`)
      .join(""),
};

interface Called {
  /** Of the record that holds the call. */
  index: number;
  call: Json;
  result: Json | undefined;
}

function calls(run: Json): Called[] {
  const records = listOf(run);
  const results = new Map<string, Json>();
  for (const record of records)
    for (const block of listOf(at(record, "message", "content")))
      if (at(block, "type") === "tool_result") results.set(stringOf(at(block, "tool_use_id")), block);
  return records.flatMap((record, index) =>
    listOf(at(record, "message", "content"))
      .filter((block) => at(block, "type") === "tool_use")
      .map((call) => ({ index, call, result: results.get(stringOf(at(call, "id"))) })),
  );
}

/** What an editor's call does, as a diff; lines that stay are context. */
function diffOfCall(call: Json, folder: string): string {
  const path = stringOf(at(call, "input", "file_path")).replace(`${folder}/`, "");
  const before = stringOf(at(call, "input", "old_string")).split("\n");
  const written = at(call, "input", "new_string") ?? at(call, "input", "content");
  if (typeof written !== "string") return "";
  const kept = new Set(before);
  const lines = written.split("\n").map((line) => (kept.has(line) ? ` ${line}` : `+${line}`));
  const removed = before.filter((line) => !written.split("\n").includes(line)).map((line) => `-${line}`);
  return `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n${[...removed, ...lines].join("\n")}\n`;
}

function folderOf(run: Json): string {
  return stringOf(at(listOf(run).find((record) => stringOf(at(record, "cwd")) !== "") ?? null, "cwd"));
}

/** A record with the fields that every record of the session has. */
function recordLike(run: Json, type: string, more: JsonObject): JsonObject {
  const like = objectOf(listOf(run).find((record) => at(record, "type") === "assistant") ?? listOf(run)[0]);
  const common = Object.fromEntries(
    Object.entries(like).filter(([key]) => !["message", "toolUseResult", "uuid", "requestId"].includes(key)),
  );
  return { ...common, type, uuid: `planted-${listOf(run).length}-${type}`, ...more };
}

function put(run: Json, before: number, say: string, call: JsonObject, result: JsonObject, detail: Json): void {
  const records = listOf(run);
  const next = calls(run)[before];
  // What the agent says before a call stands in a record of its own.
  let index = next?.index ?? records.length;
  while (
    index > 0 &&
    at(records[index - 1], "type") === "assistant" &&
    at(records[index - 1], "message", "content", 0, "type") !== "tool_use"
  )
    index--;
  const id = `toolu_planted_${records.length}`;
  const speak = (content: Json): JsonObject =>
    recordLike(run, "assistant", { message: { id: `msg_${id}`, type: "message", role: "assistant", content: [content] } });
  records.splice(
    index,
    0,
    speak({ type: "text", text: say }),
    { ...speak({ type: "tool_use", id, ...call }), uuid: `${id}-call` },
    recordLike(run, "user", {
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, ...result }] },
      toolUseResult: detail,
    }),
  );
}
