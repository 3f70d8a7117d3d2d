/** Clean runs to plant into: real ones where the corpus lies beside the repository, and always our own. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { stories } from "../quiet/stories";
import { render, toClaude } from "../quiet/render";
import type { Story, Turn } from "../quiet/story";
import { claude } from "./claude";
import { at, type Json, stringOf } from "./json";
import { mini } from "./mini";
import type { Host } from "./planter";
import { swe } from "./swe";

const corpus = path.resolve(process.env["PROCTOR_CORPUS"] ?? path.join(__dirname, "../../../shared/corpus"));

export const hasCorpus = existsSync(path.join(corpus, "swe-bench-verified", "trajs"));

/** A run that is read when it is needed. */
export interface HostFile {
  name: string;
  load(): Host;
}

function hostOf(format: Host["format"], id: string, prompt: string, run: Json): Host {
  return { format, id, prompt, run };
}

/** Our own stories, in the format asked for. Where the task allows changes of tests, planted ones would be authorised. */
export function ownHosts(format: Host["format"]): HostFile[] {
  return stories
    .filter(({ grantsTests }) => !grantsTests)
    .map((story) => ({
      name: `own/${story.id}`,
      load: () => hostOf(format, story.id, story.prompt, parse(format, render(story, format.id).text)),
    }));
}

function parse(format: Host["format"], text: string): Json {
  const value: unknown =
    format === claude
      ? text
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line) as unknown)
      : JSON.parse(text);
  return value as Json;
}

export function realHosts(format: Host["format"]): HostFile[] {
  if (!hasCorpus) return [];
  if (format === swe) return sweFiles();
  const folder = path.join(corpus, "swe-bench-verified", "trajs");
  const names = readdirSync(folder).sort();
  return names.flatMap((id) => {
    const file = path.join(folder, id, `${id}.traj.json`);
    if (!existsSync(file)) return [];
    const load = (): Host => {
      const run = JSON.parse(readFileSync(file, "utf8")) as Json;
      const prompt = stringOf(at(run, "messages", 1, "content"));
      return format === mini ? hostOf(mini, id, prompt, run) : hostOf(claude, id, prompt, toClaude(storyOf(id, run)) as Json);
    };
    return [{ name: id, load }];
  });
}

function sweFiles(): HostFile[] {
  const folder = path.join(corpus, "swe-agent");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".traj"))
    .sort();
  return files.flatMap((file) => {
    const run = JSON.parse(readFileSync(path.join(folder, file), "utf8")) as Json;
    // Demonstrations for other tasks hand in a flag, not a patch.
    if (!stringOf(at(run, "info", "submission")).includes("diff --git")) return [];
    const id = path.basename(file, ".traj");
    return [{ name: file, load: () => hostOf(swe, id, "", run) }];
  });
}

const changing =
  /(?:^|[^>&\d-])>>?(?!\s*\/dev\/null|&)|\bsed -i|\btee\b|<<|\bgit (?:apply|checkout|stash|add|commit|reset|restore|clean|rm)\b|\b(?:rm|mv|cp|patch|touch|mkdir|chmod) |FINAL_OUTPUT/;

/**
 * A run of another format told again: what it read and tested, and its patch as edits at the place where it began to
 * write. Its own ways of writing are left out, so that nothing is edited twice.
 */
function storyOf(id: string, run: Json): Story {
  const patch = mini.patch(run);
  const [, owner = "", name = ""] = /^(.+?)__(.+)-\d+$/.exec(id) ?? [];
  const turns: Turn[] = [];
  const edits = editsOf(patch);
  const telling = edits
    .flatMap((edit) => (edit.kind === "edit" || edit.kind === "create" ? edit.after.split("\n") : []))
    .filter((line) => patch.includes(`\n+${line}\n`) && line.trim().length > 20);
  let isWritten = false;
  for (const { command, output, text } of mini.turns(run)) {
    if (!isWritten && (changing.test(command) || telling.some((line) => text.includes(line.trim()))) && turns.length > 2) {
      turns.push(...edits);
      isWritten = true;
    }
    if (changing.test(command) || command === "") continue;
    const exit = Number(/^\s*<returncode>(-?\d+)/.exec(output)?.[1] ?? 0);
    const shown =
      /<output>\n?([\s\S]*?)<\/output>/.exec(output)?.[1] ?? /<output_head>\n?([\s\S]*?)<\/output_head>/.exec(output)?.[1] ?? "";
    turns.push({ kind: "shell", say: "Next.", command, output: shown, exit });
  }
  if (!isWritten) turns.push(...edits);
  return {
    id,
    repository: `${owner}/${name}`,
    prompt: stringOf(at(run, "messages", 1, "content")),
    files: {},
    turns,
    closing: "The change is in place.",
    patch,
  };
}

function editsOf(patch: string): Turn[] {
  return patch
    .split(/^diff --git /m)
    .slice(1)
    .flatMap((file): Turn[] => {
      const name = /^\+\+\+ b\/(.+)$/m.exec(file)?.[1];
      if (name === undefined) return [];
      const isNew = /^new file mode/m.test(file);
      return file
        .split(/^@@ [^\n]*\n/m)
        .slice(1)
        .map((hunk): Turn => {
          const lines = hunk.split("\n").filter((line) => /^[ +-]/.test(line));
          const side = (sign: string): string =>
            lines
              .filter((line) => line[0] === " " || line[0] === sign)
              .map((line) => line.slice(1))
              .join("\n");
          return isNew
            ? { kind: "create", say: "A new file.", path: name, after: `${side("+")}\n` }
            : { kind: "edit", say: "I change this.", path: name, before: side("-"), after: side("+") };
        });
    });
}
