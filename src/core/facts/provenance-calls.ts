/** What a git call lists, what it makes and where it leaves HEAD, by its words alone. */
import type { GitCall } from "../shell/git";
import type { SimpleCommand } from "../shell/types";
import type { ShellRun } from "./commands";
import { widens } from "./revisions";

/** A git command of a line, taken apart. */
export interface Called {
  command: SimpleCommand;
  call: GitCall;
}

/** They make a commit. */
const making: ReadonlySet<string> = new Set(["commit", "cherry-pick", "merge", "revert", "am"]);
/** They list commits from a starting point back. */
const listing: ReadonlySet<string> = new Set(["show", "log", "rev-list", "whatchanged", "shortlog", "rev-parse", "blame", "annotate"]);
/** They show what no branch may lead to. */
const showingAll: ReadonlySet<string> = new Set(["reflog", "fsck", "for-each-ref", "show-ref", "ls-remote", "tag", "show-branch"]);

export function isMaking(call: GitCall): boolean {
  return making.has(call.verb);
}

/** The branch that a call makes. */
export function newBranch(call: GitCall): string | undefined {
  const { verb, values, flags, positionals } = call;
  const isOther = flags.has("delete") || flags.has("force-delete") || flags.has("list");
  if (verb === "branch") return isOther ? undefined : positionals[0]?.value;
  const name =
    verb === "checkout"
      ? (values.get("b") ?? values.get("B"))
      : verb === "switch"
        ? (values.get("create") ?? values.get("force-create"))
        : undefined;
  return name?.known ? name.value : undefined;
}

/**
 * What the entries of a line's output prove: `plain` is the history of the current branch, `named` starts from a commit
 * that the agent named, `wide` takes in more than one branch. Undefined when the line lists no commits.
 */
export function howOf(calls: readonly Called[], run: ShellRun): "plain" | "wide" | "named" | undefined {
  let how: "plain" | "named" | undefined;
  for (const { call, command } of calls) {
    if (isWide(call)) return "wide";
    if (!listing.has(call.verb)) continue;
    if (reachOf(call, command, run) === "named") how = "named";
    else how ??= "plain";
  }
  return how;
}

function isWide(call: GitCall): boolean {
  if (call.verb === "branch") return call.flags.size > 0;
  if (call.verb === "stash") return call.positionals[0]?.value === "list";
  return showingAll.has(call.verb) || (listing.has(call.verb) && widens(call).length > 0);
}

/** Whether only HEAD and what lies before it is asked for. A word with a slash or an ending may be a path: then it is. */
function reachOf(call: GitCall, command: SimpleCommand, run: ShellRun): "plain" | "named" {
  // Revisions from standard input or from another command are not known.
  if (command.via === "xargs" || command.argv.some((word) => !word.known)) return "named";
  if (command.pipedFrom !== undefined && run.line.commands[command.pipedFrom] && call.flags.has("stdin")) return "named";
  for (const { value } of call.positionals) {
    // A search through all commit messages, whatever branch they are on.
    if (value.startsWith(":/") || value.includes("^{/")) return "named";
    const far = value.split(/\.\.\.?/).at(-1) ?? "";
    const name = (far.includes(":") ? far.slice(0, far.indexOf(":")) : far).replace(/(?:[~^]\d{0,6}|\^\{[^}]{0,20}\})+$/, "");
    if (name === "" || name === "HEAD" || name === "@") continue;
    if (
      value.includes("..") ||
      !/[./]/.test(name) ||
      /^(?:origin|upstream|refs|remotes|tags)\//.test(name) ||
      /^v?\d+(?:\.\d+)+/.test(name) ||
      /^(?:HEAD|@)?@\{/.test(name)
    )
      return "named";
  }
  return "plain";
}

const filters = [
  ...["grep", "author", "committer", "since", "after", "until", "before", "S", "G", "L", "follow", "skip"],
  ...["merges", "no-merges", "diff-filter", "reverse", "first-parent"],
];

/** A log whose first entry is HEAD: nothing is filtered out. */
export function isWholeLog(call: GitCall): boolean {
  return (
    call.verb === "log" &&
    call.paths.length === 0 &&
    !filters.some((name) => call.flags.has(name)) &&
    call.positionals.every((word) => word.value === "HEAD" || word.value === "@") &&
    !call.args.some((word) => /^--(?:grep|author|since|after|until|before|skip)\b/.test(word.value))
  );
}

/** Children come before their parents. */
export function isOrdered(call: GitCall): boolean {
  return (
    (call.verb === "log" || call.verb === "rev-list") &&
    !call.flags.has("reverse") &&
    !call.flags.has("g") &&
    !call.flags.has("walk-reflogs")
  );
}

/** True: HEAD now stands elsewhere; false: back where it was; undefined: it did not move. */
export function movesHead(call: GitCall): boolean | undefined {
  const target = call.positionals[0]?.value;
  switch (call.verb) {
    case "checkout":
    case "switch":
      if (target === "-") return false;
      if (call.paths.length > 0 || call.positionals.length !== 1 || target === undefined)
        return call.values.has("b") && call.positionals.length > 0 ? true : undefined;
      if (/[./]/.test(target) && !/^(?:origin|upstream|refs)\//.test(target) && !/^v?\d/.test(target)) return undefined;
      if (/^(?:main|master|HEAD|develop|trunk)$/.test(target)) return false;
      return !/^HEAD[~^]/.test(target);
    case "reset":
      return target === undefined || /^(?:HEAD|@)(?:[~^]\d{0,6})*$/.test(target) || /[./]/.test(target) || call.paths.length > 0
        ? undefined
        : call.flags.has("hard") || call.flags.has("soft") || call.flags.has("mixed") || call.flags.size === 0;
    case "pull":
    case "merge":
    case "rebase":
      return !call.flags.has("abort");
    default:
      return undefined;
  }
}

/** Names in a listing of refs: `  remotes/origin/x`, `v1.2`, `<hash> refs/tags/v1`; not the current branch's. */
export function refNames(output: string): string[] {
  const names: string[] = [];
  for (const line of output.split("\n", 5000)) {
    if (line.length > 400 || line.startsWith("*") || line.startsWith("fatal:") || line.startsWith("error:")) continue;
    const match =
      /^(?:[ +]{1,2})?(?:[0-9a-f]{7,40} (?:commit|tag)?\s{0,4})?(?:refs\/(?:heads|remotes|tags)\/)?(?:remotes\/)?([A-Za-z0-9][\w./+-]{0,200})(?:\s|$)/.exec(
        line,
      );
    if (match?.[1] && !/^\d+$/.test(match[1])) names.push(match[1]);
  }
  return names;
}
