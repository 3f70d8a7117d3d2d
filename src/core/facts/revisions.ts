/** What a git command reaches: the past of the starting commit, the agent's own work, or something that lies ahead. */
import type { ShellRun } from "./commands";
import type { GitCall } from "../shell/git";
import type { SimpleCommand, Word } from "../shell/types";
import { readGit } from "../shell/git";

/**
 * `past`: the starting commit or before it. `own`: a commit of the agent. `future`: proven to lie ahead.
 * `beyond`: a widened search, or a ref or commit that may lie ahead. `unclear`: may be a path or the current branch.
 */
export type Reach = "past" | "own" | "unclear" | "beyond" | "future";

export interface Reached {
  reach: Reach;
  /** The words that reach furthest, for the message. */
  words: readonly string[];
  /** Commits named by hash, as written. */
  hashes: readonly string[];
}

/** What is known of names and commits when the command runs. */
export interface Known {
  of(hash: string): "ancestor" | "own" | "future" | "unknown";
  /** A name that git listed as another branch or a tag. */
  isOtherRef(name: string): boolean;
  /** First shown by a listing that looks beyond the current branch, and by nothing else that tells whose it is. */
  isFromWide(hash: string): boolean;
  /** The agent moved HEAD before: `ORIG_HEAD` is where it stood itself. */
  isOrigOwn?: boolean;
}

const widening = ["all", "branches", "tags", "remotes", "glob", "reflog", "walk-reflogs", "alternate-refs"] as const;
const order: readonly Reach[] = ["past", "own", "unclear", "beyond", "future"];

/** Options that make a command of this verb look beyond the current branch, as written in full. */
export function widens(call: GitCall): string[] {
  if (call.verb === "branch" || call.verb === "tag" || call.verb === "fetch" || call.verb === "push" || call.verb === "add") return [];
  const found: string[] = widening.filter((name) => call.flags.has(name)).map((name) => `--${name}`);
  if (call.flags.has("g") && (call.verb === "log" || call.verb === "show" || call.verb === "whatchanged")) found.push("-g");
  if (call.verb === "reflog" && showsContent(call)) found.push("reflog");
  // `fast-export`, `bundle` and `rev-list` take them as operands where the reader does not know the verb's options.
  for (const word of call.args) {
    const name = /^--(all|branches|tags|remotes|reflog|glob)(=|$)/.exec(word.value)?.[1];
    if (name && !found.includes(`--${name}`)) found.push(`--${name}`);
  }
  return found;
}

/** @param run the line in which the command stands, whose other commands may feed it revisions */
export function reachOf(call: GitCall, command: SimpleCommand, run: ShellRun, known: Known): Reached {
  const wide = widens(call);
  let reach: Reach = wide.length > 0 ? "beyond" : "past";
  let words: string[] = wide;
  const hashes: string[] = [];
  const raise = (to: Reach, word: string): void => {
    if (order.indexOf(to) > order.indexOf(reach)) [reach, words] = [to, [word]];
    else if (to === reach && to !== "past") words.push(word);
  };
  for (const word of revisionWords(call)) {
    if (!word.known) {
      if (isFedFromBeyond(command, run)) raise("beyond", word.value.replaceAll("\0", "…"));
      continue;
    }
    for (const name of namesIn(word.value)) {
      if (/^[0-9a-f]{7,40}$/.test(name)) hashes.push(name);
      raise(reachOfName(name, known), name);
    }
  }
  // `git rev-list --all | git cat-file --batch`, `… | git log --stdin`: the revisions come over the pipe.
  const isFed = command.pipedFrom !== undefined && [...call.flags].some((flag) => flag === "stdin" || flag.startsWith("batch"));
  if (isFed && isFedFromBeyond(command, run)) raise("beyond", "standard input");
  if (call.flags.has("batch-all-objects")) raise("beyond", "--batch-all-objects");
  return { reach, words: [...new Set(words)], hashes };
}

/** Operands that may be revisions; what stands behind `--` is a path. */
function revisionWords(call: GitCall): readonly Word[] {
  const source = call.values.get("source");
  if (call.verb === "restore") return source ? [source] : [];
  return source ? [...call.positionals, source] : call.positionals;
}

/** The revisions that a word shows: of a range its far end, of `rev:path` the revision. */
function namesIn(word: string): string[] {
  if (word.startsWith("^") || word.startsWith("-")) return [];
  const range = /^(.*?)(\.\.\.?)(.*)$/s.exec(word);
  // A path such as `../x` is no range.
  if (range && !word.includes("/../") && !word.startsWith("../")) {
    const [, from = "", dots, to = ""] = range;
    return dots === "..." ? [from || "HEAD", to || "HEAD"] : [to || "HEAD"];
  }
  return [word];
}

function reachOfName(word: string, known: Known): Reach {
  if (word.startsWith(":/")) return "beyond";
  const colon = word.indexOf(":");
  if (colon === 0) return "past";
  const full = colon > 0 ? word.slice(0, colon) : word;
  if (/@\{(u|upstream|push)\}/i.test(full)) return "beyond";
  if (/^(HEAD|@)?@\{/.test(full) || full.startsWith("stash")) return "unclear";
  const name = full.replace(/(?:[~^]\d*|\^\{[^}]*\}|@\{[^}]*\})+$/, "");
  if (name === "HEAD" || name === "@") return "past";
  if (name === "ORIG_HEAD" && known.isOrigOwn) return "own";
  if (/^(ORIG_HEAD|FETCH_HEAD|MERGE_HEAD)$/.test(name)) return "beyond";
  if (/^[0-9a-f]{7,40}$/.test(name)) {
    const kind = known.of(name);
    if (kind === "unknown") return known.isFromWide(name) ? "beyond" : "unclear";
    return kind === "ancestor" ? "past" : kind;
  }
  if (/^(refs\/|remotes\/)?(origin|upstream)\/./.test(name) || /^refs\/(heads|remotes|tags|pull)\//.test(name)) return "beyond";
  if (known.isOtherRef(name)) return "beyond";
  return "unclear";
}

/** Its revisions come from a listing in the same line that itself looked beyond: `git show $(git rev-list --all)`, `… | xargs git show`. */
function isFedFromBeyond(command: SimpleCommand, run: ShellRun): boolean {
  return run.line.commands.some((feeder) => {
    // In a program, what one call prints is what the next is given.
    const isSameCode = command.via === "subprocess" && feeder.via === "subprocess";
    if (feeder === command || (feeder.via !== "substitution" && feeder.pipedTo === undefined && !isSameCode)) return false;
    const call = readGit(feeder);
    if (call)
      return (
        widens(call).length > 0 ||
        ["fsck", "reflog", "for-each-ref", "ls-remote", "show-ref", "branch", "tag"].includes(call.verb) ||
        (call.verb === "rev-parse" && call.positionals.some((word) => /^(?:refs\/|remotes\/)?(?:origin|upstream)\/./.test(word.value)))
      );
    return feeder.argv.some((word) => /(^|\/)\.git\/(refs\/(heads|remotes|tags)|packed-refs|logs|ORIG_HEAD|FETCH_HEAD)/.test(word.value));
  });
}

/** What a verb shows of the commits that it reaches. */
export function showsContent(call: GitCall): boolean {
  const isBrief = ["stat", "shortstat", "numstat", "name-only", "name-status", "no-patch", "s", "quiet", "summary"].some((flag) =>
    call.flags.has(flag),
  );
  const asksPatch = ["patch", "p", "u", "L", "c", "cc"].some((flag) => call.flags.has(flag));
  switch (call.verb) {
    case "log":
    case "reflog":
    case "stash":
      return asksPatch;
    case "whatchanged":
      return asksPatch;
    case "show":
    case "diff":
    case "diff-tree":
    case "format-patch":
    case "range-diff":
      return !isBrief || asksPatch;
    case "blame":
    case "annotate":
    case "grep":
    case "archive":
    case "fast-export":
    case "cat-file":
      return !["t", "s", "e"].some((flag) => call.flags.has(flag)) && !call.flags.has("l");
    default:
      return false;
  }
}

/** Verbs that put a revision's content into the working tree or the index. */
export const copying: ReadonlySet<string> = new Set([
  "checkout",
  "switch",
  "restore",
  "cherry-pick",
  "read-tree",
  "merge",
  "rebase",
  "apply",
  "am",
  "revert",
  "reset",
]);

/** Verbs that list commits or read them. */
export const reading: ReadonlySet<string> = new Set([
  "log",
  "show",
  "diff",
  "diff-tree",
  "grep",
  "blame",
  "annotate",
  "whatchanged",
  "show-branch",
  "shortlog",
  "format-patch",
  "range-diff",
  "archive",
  "fast-export",
  "bundle",
  "cat-file",
  "cherry",
  "rev-list",
  "reflog",
  "worktree",
  "notes",
]);
