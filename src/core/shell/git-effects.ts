import { readGit } from "./git";
import type { FileEffect, Word } from "./types";

/** What a git command does to the files of the working tree. */
export function gitEffects(argv: readonly Word[], stdin: Word | undefined): readonly FileEffect[] {
  const git = readGit({ name: "git", argv, assignments: [] });
  if (git === undefined) return [];
  const { verb, flags, positionals, paths, values } = git;
  switch (verb) {
    case "checkout":
      return checkout(positionals, paths, flags, git.args);
    case "switch":
      return flags.has("create") || flags.has("force-create") || positionals.length === 0
        ? []
        : [{ kind: "restore", revision: positionals[0] as Word }];
    case "restore": {
      if (flags.has("staged") && !flags.has("worktree")) return [];
      const source = values.get("source");
      return restoreAll([...positionals, ...paths], source);
    }
    case "reset":
      if (!flags.has("hard") && !flags.has("merge") && !flags.has("keep")) return [];
      return [{ kind: "restore", ...(positionals[0] === undefined ? {} : { revision: positionals[0] }) }];
    case "stash": {
      const action = positionals[0]?.value ?? "push";
      if (action === "push" || action === "save")
        return action === "push" && paths.length > 0 ? restoreAll(paths, undefined) : [{ kind: "restore" }];
      if (action !== "pop" && action !== "apply" && action !== "branch") return [];
      const name = positionals[1] ?? { ...(positionals[0] as Word), value: "stash@{0}" };
      return [{ kind: "restore", revision: name }];
    }
    case "clean":
      if (flags.has("dry-run") || !flags.has("force")) return [];
      return [...positionals, ...paths].length === 0
        ? [{ kind: "delete", path: { ...(argv[0] as Word), value: "." }, recursive: flags.has("d") }]
        : [...positionals, ...paths].map((path) => ({ kind: "delete", path, recursive: flags.has("d") }));
    case "apply": {
      if (["check", "stat", "numstat", "summary"].some((flag) => flags.has(flag)) && !flags.has("apply")) return [];
      if (flags.has("cached")) return [];
      const file = positionals[0] ?? paths[0];
      if (file === undefined || file.value === "-") return [{ kind: "apply", ...(stdin?.known === true ? { diff: stdin } : {}) }];
      return [...positionals, ...paths].map((word) => ({ kind: "apply", file: word }));
    }
    case "am": {
      if (["abort", "skip", "quit", "continue", "resolved", "show-current-patch"].some((flag) => flags.has(flag))) return [];
      const files = [...positionals, ...paths];
      return files.length > 0
        ? files.map((file) => ({ kind: "apply", file }))
        : [{ kind: "apply", ...(stdin?.known === true ? { diff: stdin } : {}) }];
    }
    case "rm":
      if (flags.has("cached") || flags.has("dry-run")) return [];
      return [...positionals, ...paths].map((path) => ({ kind: "delete", path, recursive: flags.has("r") }));
    case "mv": {
      const all = [...positionals, ...paths];
      const target = all[all.length - 1];
      if (target === undefined || flags.has("dry-run")) return [];
      const folder = all.length > 2 || target.value.endsWith("/");
      return all.slice(0, -1).map((from) => ({
        kind: "move",
        from,
        path: folder ? { ...target, value: `${target.value.replace(/\/+$/, "")}/${from.value.replace(/^.*\//, "")}` } : target,
      }));
    }
    default:
      return [];
  }
}

function restoreAll(paths: readonly Word[], revision: Word | undefined): FileEffect[] {
  const base = revision === undefined ? {} : { revision };
  return paths.map((path) =>
    path.value === "." || path.value === ":/" || path.value === "*" ? { kind: "restore", ...base } : { kind: "restore", path, ...base },
  );
}

/** `checkout [REV] -- PATH…`, `checkout REV PATH…`, `checkout PATH`; creating a branch touches nothing. */
function checkout(positionals: readonly Word[], paths: readonly Word[], flags: ReadonlySet<string>, args: readonly Word[]): FileEffect[] {
  if (flags.has("b") || flags.has("B") || flags.has("orphan") || flags.has("patch")) return [];
  if (args.some((word) => word.value === "--")) {
    if (paths.length > 0) return restoreAll(paths, positionals[0]);
    return positionals[0] === undefined ? [] : [{ kind: "restore", revision: positionals[0] }];
  }
  const [first, ...rest] = positionals;
  if (first === undefined) return flags.has("force") ? [{ kind: "restore" }] : [];
  if (rest.length > 0) return looksLikePath(first.value) ? restoreAll(positionals, undefined) : restoreAll(rest, first);
  if (looksLikePath(first.value)) return restoreAll([first], undefined);
  return [{ kind: "restore", revision: first }];
}

/** Without `--` git asks the tree; without a tree, an ending, a leading dot or a trailing slash tells a file from a branch. */
function looksLikePath(value: string): boolean {
  return (
    value === "." ||
    value.startsWith("./") ||
    value.startsWith("../") ||
    value.startsWith(":/") ||
    value.endsWith("/") ||
    /\.(?:[A-Za-z][A-Za-z0-9]{0,7}|[a-z]+\.[a-z]+)$/.test(value) ||
    value.includes("*")
  );
}
