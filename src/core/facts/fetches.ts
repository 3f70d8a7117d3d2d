/** What the agent read over the network, by whatever means: a tool, a command, or code that it ran. */
import type { Span, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import type { SimpleCommand, Word } from "../shell/types";
import { readGit } from "../shell/git";
import { spanOf } from "../text/text";
import { shellFacts, type ShellRun } from "./commands";
import { lazily } from "./lazily";
import { changes } from "./files";
import { leaksOf, type Leaked, writtenBy } from "./leaks";
import { finalPatch } from "./patch";

export interface Fetch {
  step: number;
  /** A URL, or what a package client or `gh` was asked for, written as one: `gh:owner/repo/pulls/88`. */
  target: string;
  evidence: Span;
  result: "shown" | "nothing" | "unseen";
  leaks: readonly Leaked[];
  /** What it fetched was put into the tree as it is, by a patch program or by copying, and is still there. */
  isApplied: boolean;
  /** A search query rather than an address. */
  isSearch: boolean;
}

export const fetches = lazily((trajectory: Trajectory, tools: MonitorTools): readonly Fetch[] => {
  const found: Fetch[] = [];
  const { runs, byStep } = shellFacts(trajectory, tools);
  for (const step of trajectory.steps) {
    const { action } = step;
    if (step.blocked || step.actor === "user") continue;
    if (action.kind === "fetch") {
      const text = step.output?.value.trim();
      const result = step.failed || text === "" ? "nothing" : text === undefined ? "unseen" : "shown";
      const isSearch = !/^\w+:\/\//.test(action.url.value.trim());
      found.push({
        step: step.number,
        target: action.url.value.trim(),
        evidence: spanOf(action.url),
        result,
        isSearch,
        isApplied: false,
        leaks: step.output ? [{ step: step.number, span: spanOf(step.output) }] : [],
      });
      continue;
    }
    const run = byStep.get(step.number);
    for (const command of run?.line.commands ?? []) {
      if (!run) continue;
      for (const { target, at } of targetsOf(command)) {
        found.push({
          step: step.number,
          target,
          evidence: narrow(run.span(at), target),
          result: resultOf(run),
          isSearch: false,
          isApplied: isApplied(run, command, trajectory, tools),
          leaks: leaksOf(run, command, runs),
        });
      }
    }
  }
  return found;
});

function isApplied(run: ShellRun, command: SimpleCommand, trajectory: Trajectory, tools: MonitorTools): boolean {
  const final = new Set(finalPatch(trajectory, tools).files.flatMap((file) => [file.newPath, file.oldPath]));
  if (final.size === 0) return false;
  const piped = new Set<SimpleCommand>();
  for (let at = command.pipedTo; at !== undefined;) {
    const next: SimpleCommand | undefined = run.line.commands[at];
    if (!next || piped.has(next)) break;
    piped.add(next);
    at = next.pipedTo;
  }
  const files = writtenBy(run, command);
  const isFrom = (from: string | undefined): boolean =>
    from !== undefined && files.some((file) => from === file || from.startsWith(`${file}/`));
  return changes(trajectory, tools).some((change) => {
    if (change.failed || change.step < run.step.number) return false;
    if (change.kind === "apply") return (change.command !== undefined && piped.has(change.command)) || isFrom(change.from);
    return (change.kind === "copy" || change.kind === "move") && isFrom(change.from) && final.has(change.path);
  });
}

interface Asked {
  target: string;
  at: { start: number; end: number };
}

function targetsOf(command: SimpleCommand): Asked[] {
  const words = command.argv.slice(1);
  switch (command.name) {
    case "curl":
    case "wget":
    case "wget2":
    case "aria2c":
    case "axel":
    case "http":
    case "https":
    case "xh":
    case "lynx":
    case "links":
    case "w3m":
    case "elinks":
      return words.filter((word) => isUrl(word.value)).map((word) => ({ target: word.value, at: word }));
    case "git":
      return gitTargets(command);
    case "gh":
      return ghTargets(command);
    case "svn":
      return words.filter((word) => isUrl(word.value)).map((word) => ({ target: word.value, at: word }));
    case "pip":
    case "pip3":
    case "pipx":
    case "uv":
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
    case "cargo":
    case "go":
    case "gem":
    case "poetry":
      return packageTargets(command, words);
    default:
      return codeTargets(command);
  }
}

function isUrl(value: string): boolean {
  return /^(\w+:\/\/|(www\.|raw\.)?github(usercontent)?\.com\/|git@)/.test(value);
}

function gitTargets(command: SimpleCommand): Asked[] {
  const call = readGit(command);
  if (!call) return [];
  const remoteVerbs = ["clone", "fetch", "pull", "ls-remote"];
  const isAdded = call.verb === "remote" && /^(add|set-url|update)$/.test(call.positionals[0]?.value ?? "");
  const archive = call.verb === "archive" ? call.values.get("remote") : undefined;
  if (archive) return [{ target: archive.value, at: archive }];
  if (!remoteVerbs.includes(call.verb) && !isAdded) return [];
  const url = call.positionals.find((word) => isUrl(word.value));
  if (url) return [{ target: `${url.value}${call.verb === "ls-remote" || isAdded ? "" : "#git"}`, at: url }];
  // Without an address it is the repository's own remote; `clone .` stays on the machine.
  if (call.verb === "clone" || isAdded || call.positionals[0]?.value.startsWith(".") || call.positionals[0]?.value.startsWith("/"))
    return [];
  return [{ target: `remote:${call.positionals[0]?.value ?? "origin"}#${call.verb}`, at: command }];
}

/** `gh pr diff 88 -R owner/repo`, `gh api repos/owner/repo/pulls/88`. */
function ghTargets(command: SimpleCommand): Asked[] {
  const [area, verb, ...rest] = command.argv.slice(1);
  if (area?.value === "api") {
    const query = command.argv.find((word) => /\bpullRequest|\bobject\b|\bref\b|\bcommit/.test(word.value))?.value ?? "";
    const asked = /\bowner\s{0,4}:\s{0,4}"([\w.-]{1,100})"[^)]{0,100}\bname\s{0,4}:\s{0,4}"([\w.-]{1,100})"/.exec(query);
    if (verb?.value === "graphql" && asked) return [{ target: `https://github.com/${asked[1]}/${asked[2]}/pull/`, at: command }];
    const route = command.argv.slice(2).find((word) => /(^|\/)repos\//.test(word.value) || /^search\//.test(word.value));
    return route ? [{ target: `https://api.github.com/${route.value.replace(/^\/|^https:\/\/api\.github\.com\//, "")}`, at: command }] : [];
  }
  const repoAt = command.argv.findIndex((word) => word.value === "-R" || word.value === "--repo");
  const joined = command.argv.find((word) => word.value.startsWith("--repo="));
  const repo = joined?.value.slice(7) ?? (repoAt >= 0 ? command.argv[repoAt + 1]?.value : undefined) ?? "";
  const number = rest.find((word) => /^#?\d+$/.test(word.value))?.value.replace("#", "") ?? "";
  // Without a name it is the repository in which the command runs.
  const base = `https://github.com/${repo || "./."}`;
  if (area?.value === "pr" && /^(diff|view|checkout|list|status)$/.test(verb?.value ?? ""))
    return [{ target: `${base}/pull/${number}`, at: command }];
  if (area?.value === "issue" && /^(view|list)$/.test(verb?.value ?? "")) return [{ target: `${base}/issues/${number}`, at: command }];
  if (area?.value === "repo" && /^(clone|fork|sync)$/.test(verb?.value ?? ""))
    return [{ target: `https://github.com/${rest[0]?.value ?? repo}#git`, at: command }];
  if (area?.value === "search")
    return [
      { target: `https://github.com/search?q=${[...(verb ? [verb] : []), ...rest].map((word) => word.value).join("+")}`, at: command },
    ];
  if (area?.value === "release" && verb?.value === "download") return [{ target: `${base}/releases/download`, at: command }];
  return [];
}

/** Packages that are taken from a repository rather than from an index. */
function packageTargets(command: SimpleCommand, words: readonly Word[]): Asked[] {
  if (!words.some((word) => /^(install|i|add|get|download|update)$/.test(word.value))) return [];
  return words.flatMap((word): Asked[] => {
    const value = word.value.replace(/^[\w.-]+(\[[^\]]*\])?\s*@\s*/, "");
    const vcs = /^(?:git|hg)\+(\w+:\/\/\S+)$/.exec(value)?.[1];
    if (vcs) return [{ target: `${vcs.replace(/(?<=\/[^/]*)@[^/]*$/, "").replace(/#.*$/, "")}#git`, at: word }];
    if (command.name === "cargo" && words.some((other) => other.value === "--git") && isUrl(value))
      return [{ target: `${value}#git`, at: word }];
    // An address without a path below the repository is cloned; one with a path is an archive.
    const isBare = /^https?:\/\/github\.com\/[\w.-]+\/[\w.-]+\/?$/.test(value);
    if (/^https?:\/\/(codeload\.)?github\.com\//.test(value)) return [{ target: isBare ? `${value}#git` : value, at: word }];
    const isNode = /^(npm|pnpm|yarn|bun)$/.test(command.name);
    const short = isNode ? /^(?:github:)?([\w-]+\/[\w.-]+)(#\S+)?$/.exec(value) : null;
    if (short && !value.startsWith("@") && !value.startsWith("./")) return [{ target: `https://github.com/${short[1]}#git`, at: word }];
    const module =
      command.name === "go" ? /^(github\.com\/[\w.-]+\/[\w.-]+)\S*@(master|main|HEAD|latest|[0-9a-f]{7,40})$/.exec(value) : null;
    return module ? [{ target: `https://${module[1]}#git`, at: word }] : [];
  });
}

const fetching =
  /\b(urlopen|urlretrieve|requests|httpx|aiohttp|http\.client|fetch|axios|https?\.(get|request)|got|undici|Net::HTTP|open-uri|LWP|HTTP::Tiny)\b|\b(require|import)\(["'](node:)?https?["']\)/;

/** Addresses that stand as literals in executed code which fetches. */
function codeTargets(command: SimpleCommand): Asked[] {
  const code = command.code?.text;
  if (!code) return [];
  // A module may be named in the code, or beside it (`perl -MLWP::Simple -e …`).
  const isFetching = fetching.test(code.value) || command.argv.some((word) => /^-M(LWP|HTTP::Tiny)/.test(word.value));
  if (!isFetching) return [];
  const targets = [...code.value.matchAll(/https?:\/\/[^\s'"`<>\\)]{4,300}/g)].map((match) => match[0]);
  return [...new Set(targets)].map((target) => ({ target, at: code.end > code.start ? code : command }));
}

/** The address alone, where it stands verbatim in the words that hold it. */
function narrow(span: Span, target: string): Span {
  const at = span.text.value.slice(span.start, span.end).indexOf(target);
  return at < 0 ? span : { text: span.text, start: span.start + at, end: span.start + at + target.length };
}

function resultOf({ step }: ShellRun): Fetch["result"] {
  const exit = step.action.kind === "command" ? step.action.exit : undefined;
  const text = step.output?.value.trim();
  if (text !== undefined && refusal.test(text)) return "nothing";
  if (exit !== undefined && exit !== 0 && exit !== 141 && (text === undefined || text.length < 400)) return "nothing";
  // A download into a file prints nothing and has its content elsewhere.
  if (text === "") return exit === 0 ? "shown" : "nothing";
  return text === undefined ? "unseen" : "shown";
}

const refusal =
  /could not resolve host|error connecting to|check your internet connection|name or service not known|temporary failure in name resolution|connection (refused|timed out|reset)|network is unreachable|failed to connect|unable to access|could not read from remote|\b(403 forbidden|404(:| )not found|407 proxy)|max retries exceeded|getaddrinfo|ENOTFOUND|ECONNREFUSED|no such remote|does not appear to be a git repository|command not found|unable to resolve host/i;
