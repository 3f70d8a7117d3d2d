/** A story in each of the formats, as their harnesses write them. Marks of the story stay where they are. */
import type { Edit, Create, Story, Turn } from "./story";

export const formats = ["recording", "mini-swe-agent", "swe-agent", "claude-code", "unified-diff"] as const;
export type FormatId = (typeof formats)[number];

export interface Rendered {
  /** The file's name; its ending is the format's. */
  name: string;
  adapter: FormatId;
  text: string;
}

const folder = "/testbed";

export function render(story: Story, format: FormatId): Rendered {
  const base = story.id;
  switch (format) {
    case "recording":
      return { name: `${base}.jsonl`, adapter: format, text: lines(toRecording(story)) };
    case "mini-swe-agent":
      return { name: `${base}.traj.json`, adapter: format, text: JSON.stringify(toMini(story), null, 2) };
    case "swe-agent":
      return { name: `${base}.traj`, adapter: format, text: JSON.stringify(toSwe(story), null, 2) };
    case "claude-code":
      return { name: `${base}.jsonl`, adapter: format, text: lines(toClaude(story)) };
    case "unified-diff":
      return { name: `${base}.diff`, adapter: format, text: story.patch };
  }
}

function lines(records: readonly unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}

function toRecording(story: Story): unknown[] {
  const { id, repository, prompt } = story;
  const records: unknown[] = [{ type: "session", version: 1, task: { id, repository, prompt } }];
  for (const turn of story.turns) {
    if (turn.kind === "user") {
      records.push({ type: "message", actor: "user", text: turn.text });
      continue;
    }
    records.push({ type: "thought", text: turn.say });
    if (turn.kind === "shell") records.push({ type: "command", command: turn.command, cwd: folder, output: turn.output, exit: turn.exit });
    else if (turn.kind === "edit") records.push({ type: "edit", path: turn.path, before: turn.before, after: turn.after });
    else if (turn.kind === "create") records.push({ type: "edit", path: turn.path, after: turn.after, created: true });
    else records.push({ type: "fetch", url: turn.url, content: turn.content });
  }
  records.push({ type: "message", actor: "agent", text: story.closing });
  if (story.patch !== "") records.push({ type: "patch", diff: story.patch });
  return records;
}

/** Agents without an editor write files by here-documents and little scripts. */
function asCommand(turn: Edit | Create): string {
  if (turn.kind === "create") return `cat > ${turn.path} <<'EOF'\n${turn.after}EOF`;
  const literal = (text: string): string => `'''${text.replaceAll("\\", "\\\\").replaceAll("'''", "\\'\\'\\'")}'''`;
  const script = `from pathlib import Path\np = Path("${turn.path}")\ns = p.read_text()\ns = s.replace(${literal(turn.before)}, ${literal(turn.after)})\np.write_text(s)`;
  return `python3 - <<'EOF'\n${script}\nEOF`;
}

interface Plain {
  say: string;
  command: string;
  output: string;
  exit: number;
}

function plain(turn: Exclude<Turn, { kind: "user" }>): Plain {
  if (turn.kind === "shell") return turn;
  if (turn.kind === "fetch") return { say: turn.say, command: `curl -sL ${turn.url}`, output: turn.content, exit: 0 };
  return { say: turn.say, command: asCommand(turn), output: "", exit: 0 };
}

export function toMini(story: Story): unknown {
  const messages: { role: string; content: string }[] = [
    {
      role: "system",
      content:
        "You can interact with a shell.\nYour response must contain exactly ONE bash code block.\n\n<format_example>\nTHOUGHT: why\n\n```bash\nyour_command_here\n```\n</format_example>",
    },
    { role: "user", content: `<pr_description>\n${story.prompt}\n</pr_description>` },
  ];
  const act = (say: string, command: string): void =>
    void messages.push({ role: "assistant", content: `THOUGHT: ${say}\n\n\`\`\`bash\n${command}\n\`\`\`` });
  for (const turn of story.turns) {
    if (turn.kind === "user") continue;
    const { say, command, output, exit } = plain(turn);
    act(say, command);
    messages.push({ role: "user", content: `<returncode>${exit}</returncode>\n<output>\n${output}</output>` });
  }
  act(story.closing, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && git add -A && git diff --cached");
  messages.push({ role: "user", content: story.patch });
  return {
    info: {
      exit_status: "Submitted",
      submission: story.patch,
      mini_version: "1.15.0",
      config: { agent: {}, model: { model_name: "example/model-1" }, environment: { cwd: folder, timeout: 60 } },
    },
    messages,
    trajectory_format: "mini-swe-agent-1",
    instance_id: story.id,
  };
}

function quoteWord(value: string): string {
  return `'${value.replaceAll("'", `'"'"'`)}'`;
}

export function toSwe(story: Story): unknown {
  const trajectory: unknown[] = [];
  const history: unknown[] = [
    { role: "system", content: "SETTING: You are an autonomous programmer.", agent: "main", message_type: "system_prompt" },
    { role: "user", content: `<pr_description>\n${story.prompt}\n</pr_description>`, agent: "main", message_type: "observation" },
  ];
  const act = (say: string, action: string, observation: string, tool: string, args: Record<string, unknown>): void => {
    const call = `call_${trajectory.length + 1}`;
    trajectory.push({
      action,
      observation,
      response: say,
      thought: say,
      execution_time: 0.1,
      state: { open_file: "n/a", working_dir: folder },
    });
    history.push({
      role: "assistant",
      content: say,
      thought: say,
      action,
      agent: "main",
      message_type: "action",
      tool_calls: [{ id: call, type: "function", function: { name: tool, arguments: JSON.stringify(args) } }],
    });
    history.push({
      role: "tool",
      content: [{ type: "text", text: observation }],
      agent: "main",
      message_type: "observation",
      tool_call_ids: [call],
    });
  };
  for (const turn of story.turns) {
    if (turn.kind === "user") continue;
    if (turn.kind === "edit") {
      const action = `str_replace_editor str_replace ${folder}/${turn.path} --old_str ${quoteWord(turn.before)} --new_str ${quoteWord(turn.after)}`;
      act(turn.say, action, `The file ${folder}/${turn.path} has been edited.`, "str_replace_editor", {
        command: "str_replace",
        path: `${folder}/${turn.path}`,
        old_str: turn.before,
        new_str: turn.after,
      });
    } else if (turn.kind === "create") {
      const action = `str_replace_editor create ${folder}/${turn.path} --file_text ${quoteWord(turn.after)}`;
      act(turn.say, action, `File created successfully at: ${folder}/${turn.path}`, "str_replace_editor", {
        command: "create",
        path: `${folder}/${turn.path}`,
        file_text: turn.after,
      });
    } else {
      const { say, command, output } = plain(turn);
      act(say, command, output, "bash", { command });
    }
  }
  act(story.closing, "submit", story.patch, "submit", {});
  return { trajectory, history, info: { exit_status: "submitted", submission: story.patch }, environment: "swe_main" };
}

export function toClaude(story: Story): unknown[] {
  const records: Record<string, unknown>[] = [];
  const add = (type: string, more: Record<string, unknown>): void => {
    const n = records.length + 1;
    const time = new Date(Date.UTC(2026, 1, 3, 9, 0, n)).toISOString();
    records.push({
      parentUuid: n === 1 ? null : `u${n - 1}`,
      isSidechain: false,
      userType: "external",
      cwd: folder,
      sessionId: story.id,
      version: "2.1.90",
      gitBranch: "main",
      type,
      uuid: `u${n}`,
      timestamp: time,
      ...more,
    });
  };
  const speak = (content: unknown): void =>
    add("assistant", {
      message: { id: `msg_${records.length}`, type: "message", role: "assistant", model: "claude-sonnet-4-5", content: [content] },
    });
  const call = (name: string, input: unknown, output: string, result: unknown, isError = false): void => {
    const id = `t${records.length}`;
    speak({ type: "tool_use", id, name, input });
    add("user", {
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: id, content: output, ...(isError ? { is_error: true } : {}) }],
      },
      toolUseResult: result,
    });
  };
  add("user", { message: { role: "user", content: story.prompt } });
  for (const turn of story.turns) {
    if (turn.kind === "user") {
      add("user", { message: { role: "user", content: turn.text } });
      continue;
    }
    speak({ type: "text", text: turn.say });
    const file = turn.kind === "edit" || turn.kind === "create" ? `${folder}/${turn.path}` : "";
    if (turn.kind === "shell") {
      const failed = turn.exit !== 0;
      const shown = failed ? `Exit code ${turn.exit}\n${turn.output}` : turn.output;
      call(
        "Bash",
        { command: turn.command, description: turn.say },
        shown,
        failed ? `Error: ${shown}` : { stdout: turn.output, stderr: "", interrupted: false, isImage: false },
        failed,
      );
    } else if (turn.kind === "edit") {
      call(
        "Edit",
        { file_path: file, old_string: turn.before, new_string: turn.after, replace_all: false },
        `The file ${file} has been updated.`,
        { filePath: file, oldString: turn.before, newString: turn.after, structuredPatch: [] },
      );
    } else if (turn.kind === "create") {
      call("Write", { file_path: file, content: turn.after }, `File created successfully at: ${file}`, {
        type: "create",
        filePath: file,
        content: turn.after,
        structuredPatch: [],
        originalFile: null,
      });
    } else
      call("WebFetch", { url: turn.url, prompt: "What does it say?" }, turn.content, { url: turn.url, result: turn.content, code: 200 });
  }
  speak({ type: "text", text: story.closing });
  return records;
}
