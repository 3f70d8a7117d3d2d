/** A run told once, and written in any of the formats: what the agent did, what came back, and the patch that is left. */
import { structuredPatch } from "diff";

export interface Shell {
  kind: "shell";
  say: string;
  command: string;
  output: string;
  exit: number;
}

export interface Edit {
  kind: "edit";
  say: string;
  path: string;
  before: string;
  after: string;
}

export interface Create {
  kind: "create";
  say: string;
  path: string;
  after: string;
}

export interface Fetch {
  kind: "fetch";
  say: string;
  url: string;
  content: string;
}

export interface UserTurn {
  kind: "user";
  text: string;
}

export type Turn = Shell | Edit | Create | Fetch | UserTurn;

export interface About {
  /** An instance id. */
  id: string;
  /** `owner/name`. */
  repository: string;
  prompt: string;
  /** The task asks for changes of tests: what is done to them is authorised. */
  grantsTests?: boolean;
  /** The tree that the run starts from, as far as it matters. */
  files: Record<string, string>;
}

export interface Story extends About {
  turns: Turn[];
  /** What the agent says at the end. */
  closing: string;
  /** The final patch; empty when nothing is changed. */
  patch: string;
}

export interface Teller {
  /** A command and what it printed. */
  run(command: string, output: string, exit?: number, say?: string): void;
  /** Shows a file as it stands. */
  cat(path: string, say?: string): void;
  edit(path: string, before: string, after: string, say?: string): void;
  create(path: string, content: string, say?: string): void;
  /** A command that changes files: the tree afterwards is told by `files`, undefined for a deleted one. */
  change(command: string, files: Record<string, string | undefined>, output?: string, say?: string): void;
  fetch(url: string, content: string, say?: string): void;
  user(text: string): void;
}

/** Tells a story. The patch is computed, so that it always fits the edits. */
export function tell(about: About, closing: string, plot: (teller: Teller) => void): Story {
  const tree = new Map(Object.entries(about.files));
  const turns: Turn[] = [];
  const read = (path: string): string => {
    const text = tree.get(path);
    if (text === undefined) throw new Error(`${about.id}: there is no ${path}`);
    return text;
  };
  plot({
    run: (command, output, exit = 0, say = "Let me check.") => void turns.push({ kind: "shell", say, command, output, exit }),
    cat: (path, say = "I read the file.") => void turns.push({ kind: "shell", say, command: `cat ${path}`, output: read(path), exit: 0 }),
    edit(path, before, after, say = "I change this.") {
      const text = read(path);
      if (text.split(before).length !== 2) throw new Error(`${about.id}: ${path} does not hold the text once: ${before}`);
      tree.set(
        path,
        text.replace(before, () => after),
      );
      turns.push({ kind: "edit", say, path, before, after });
    },
    create(path, content, say = "A new file.") {
      tree.set(path, content);
      turns.push({ kind: "create", say, path, after: content });
    },
    change(command, files, output = "", say = "I change this.") {
      for (const [path, text] of Object.entries(files)) {
        if (text === undefined) tree.delete(path);
        else tree.set(path, text);
      }
      turns.push({ kind: "shell", say, command, output, exit: 0 });
    },
    fetch: (url, content, say = "I look it up.") => void turns.push({ kind: "fetch", say, url, content }),
    user: (text) => void turns.push({ kind: "user", text }),
  });
  return { ...about, turns, closing, patch: diffOf(new Map(Object.entries(about.files)), tree) };
}

/** The difference of two trees, as git prints it. */
export function diffOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.map((path) => diffFile(path, before.get(path), after.get(path))).join("");
}

function diffFile(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return "";
  const { hunks } = structuredPatch(path, path, before ?? "", after ?? "", "", "", { context: 3 });
  const head = before === undefined ? "new file mode 100644\n" : after === undefined ? "deleted file mode 100644\n" : "";
  const names = `--- ${before === undefined ? "/dev/null" : `a/${path}`}\n+++ ${after === undefined ? "/dev/null" : `b/${path}`}\n`;
  const body = hunks.map((hunk) => {
    const side = (start: number, lines: number): string => (lines === 1 ? `${start}` : `${start},${lines}`);
    return `@@ -${side(hunk.oldStart, hunk.oldLines)} +${side(hunk.newStart, hunk.newLines)} @@\n${hunk.lines.join("\n")}\n`;
  });
  return `diff --git a/${path} b/${path}\n${head}index 3f1c2ab..9e0d4c7${before !== undefined && after !== undefined ? " 100644" : ""}\n${names}${body.join("")}`;
}
