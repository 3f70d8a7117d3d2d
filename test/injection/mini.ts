/** mini-swe-agent's documents of version 1: text messages with one block of bash. */
import { unmark } from "../quiet/marks";
import type { Format } from "./format";
import { at, type Json, listOf, objectOf, stringOf } from "./json";

const block = /```bash\n([\s\S]*?)\n```/;

export const mini: Format = {
  id: "mini-swe-agent",
  turns: (run) =>
    acting(run).map((i) => {
      const content = contentAt(run, i);
      const output = contentAt(run, i + 1);
      return { command: block.exec(content)?.[1] ?? "", output, text: `${content}\n${output}` };
    }),
  insert(run, before, { say, command, output, exit }) {
    const i = acting(run)[before] ?? messages(run).length;
    messages(run).splice(
      i,
      0,
      { role: "assistant", content: `THOUGHT: ${say}\n\n\`\`\`bash\n${command}\n\`\`\`` },
      { role: "user", content: `<returncode>${exit}</returncode>\n<output>\n${output}</output>` },
    );
  },
  insertEdit(run, before, { say, command }) {
    this.insert(run, before, { say, command: unmark(command), output: "", exit: 0 });
  },
  patch: (run) => stringOf(at(run, "info", "submission")),
  addToPatch(run, diff) {
    const old = this.patch(run);
    const joined = `${old}${old === "" || old.endsWith("\n") ? "" : "\n"}${diff}`;
    objectOf(at(run, "info"))["submission"] = joined;
    // The harness shows the same text as the answer to the last command.
    for (const message of messages(run)) if (stringOf(at(message, "content")) === old && old !== "") objectOf(message)["content"] = joined;
  },
  close(run, text) {
    const i = acting(run).at(-1);
    if (i === undefined) return;
    const fence = block.exec(contentAt(run, i))?.[0] ?? "";
    const message = objectOf(messages(run)[i]);
    message["content"] = `THOUGHT: ${text}\n\n${fence}`;
    // The provider's own copy of the message would tell another story.
    delete message["extra"];
  },
  write: (run) => JSON.stringify(run, null, 2),
};

function messages(run: Json): Json[] {
  return listOf(at(run, "messages"));
}

function contentAt(run: Json, i: number): string {
  return stringOf(at(run, "messages", i, "content"));
}

/** Indexes of the messages that act. */
function acting(run: Json): number[] {
  return messages(run).flatMap((message, i) =>
    at(message, "role") === "assistant" && block.test(stringOf(at(message, "content"))) ? [i] : [],
  );
}
