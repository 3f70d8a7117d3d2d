/** What an address is to the task: the place where its fix lies, a place that talks of it, or something else. */
import type { Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { shellFacts } from "./commands";
import { lazily } from "./lazily";

export interface Upstream {
  /** `owner/name`, lower case, as far as the task or the repository's remotes tell. */
  names: ReadonlySet<string>;
}

/**
 * `fix`: a pull request, commit, comparison, later code. `talk`: its issue, a search or a page about it.
 * `other`: something else. `isOwn` is undefined where nothing tells what the task's repository is.
 */
export interface Address {
  kind: "fix" | "talk" | "other";
  isOwn: boolean | undefined;
  /** For a person: `pull request 88`. */
  what: string;
}

/** The task's own repository, from its declaration, its instance id, and `git remote`. */
export const upstream = lazily((trajectory: Trajectory, tools: MonitorTools): Upstream => {
  const names = new Set<string>();
  const { repository, id } = trajectory.task;
  const declared = /([\w.-]+)\/([\w.-]+?)(?:\.git)?\/?$/.exec(repository ?? "");
  if (declared) names.add(`${declared[1]}/${declared[2]}`.toLowerCase());
  // The task's own id may be no more than a file's name, so the host's counts as well.
  for (const name of [id, trajectory.id]) {
    const instance = /^([\w.-]+?)__([\w.-]+?)-\d+$/.exec(name ?? "");
    if (instance) names.add(`${instance[1]}/${instance[2]}`.toLowerCase());
  }
  for (const run of shellFacts(trajectory, tools).runs) {
    const asksRemote = run.line.commands.some(
      (command) => command.name === "git" && command.argv.some((word) => word.value === "remote" || word.value === "config"),
    );
    if (!asksRemote || !run.step.output) continue;
    for (const match of run.step.output.value.matchAll(
      /(?:github|gitlab|bitbucket|codeberg)\.\w+[/:]([\w.-]+)\/([\w.-]+?)(?:\.git)?(?=[\s)]|$)/gm,
    ))
      names.add(`${match[1]}/${match[2]}`.toLowerCase());
  }
  return { names };
});

/** Proxies and archives that carry another address inside theirs. */
const carriers =
  /^https?:\/\/(?:r\.jina\.ai|(?:[\w-]+\.)?ghproxy\.(?:com|net)|gh-proxy\.com|mirror\.ghproxy\.com|web\.archive\.org\/web\/[^/]+|webcache\.googleusercontent\.com\/search\?q=cache:|12ft\.io|corsproxy\.io\/?\??|api\.allorigins\.win\/(?:raw|get)\?url=)\/?/i;

/** @param target an address as `fetches` gives it */
export function readAddress(target: string, own: Upstream): Address {
  const isGit = target.endsWith("#git");
  let url = target.replace(/#git$/, "").replace(/^git@([^:]+):/, "https://$1/");
  for (let i = 0; i < 3 && carriers.test(url); i++) url = safeDecode(url.replace(carriers, ""));
  if (target.startsWith("remote:")) return { kind: "fix", isOwn: true, what: "the repository's own remote" };
  url = url.replace(/^(?!\w+:\/\/)/, "https://");
  const parsed = /^\w+:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?(\/[^?#]*)?(\?[^#]*)?/.exec(url);
  const host = parsed?.[1]?.toLowerCase().replace(/^www\./, "") ?? "";
  const path = (parsed?.[2] ?? "").split("/").filter((part) => part !== "");
  const rest = (parsed?.[2] ?? "") + (parsed?.[3] ?? "");
  return byHost(host, path, rest, isGit, own);
}

function byHost(host: string, path: readonly string[], rest: string, isGit: boolean, own: Upstream): Address {
  const other: Address = { kind: "other", isOwn: false, what: host };
  if (host === "github.com" || host === "codeberg.org" || host === "gitlab.com" || host === "bitbucket.org") {
    if (path[0] === "search") return search(rest, own);
    return onForge(path, isGit, own);
  }
  if (host === "raw.githubusercontent.com" || host === "raw.githack.com" || host === "rawcdn.githack.com")
    return rawFile(path, path[2] === "refs" ? path[4] : path[2], own);
  if (host === "patch-diff.githubusercontent.com") return onForge(path.slice(1), false, own);
  if (host === "codeload.github.com") return rawFile(path, path.at(-1), own);
  if (host === "api.github.com") {
    if (path[0] === "search") return search(rest, own);
    if (path[0] !== "repos") return other;
    const area: Record<string, string> = {
      pulls: "pull",
      commits: "commit",
      compare: "compare",
      contents: "blob",
      tarball: "archive",
      zipball: "archive",
      issues: "issues",
      git: "commit",
      branches: "tree",
    };
    const name = area[path[3] ?? ""];
    return name ? onForge([path[1] ?? "", path[2] ?? "", name, ...path.slice(4)], false, own) : other;
  }
  if (host === "cdn.jsdelivr.net" && path[0] === "gh")
    return rawFile([path[1] ?? "", (path[2] ?? "").split("@")[0] ?? ""], (path[2] ?? "").split("@")[1], own);
  if (host === "sourcegraph.com" && path[0]?.startsWith("github.com")) return onForge([...path.slice(1, 3), "blob"], false, own);
  if (host === "deepwiki.com") return { ...identify(path, own), kind: "talk", what: "a page about the repository" };
  if (/(^|\.)(google|bing|duckduckgo|brave|kagi|stackoverflow|grep)\.(com|app)$/.test(host) || host === "search.brave.com")
    return search(rest, own);
  if (host === "go.googlesource.com" || host === "git.kernel.org" || host.startsWith("git."))
    return own.names.size > 0 && [...own.names].some((name) => path.includes(name.split("/")[1] ?? ""))
      ? { kind: "fix", isOwn: true, what: "a mirror of the repository" }
      : other;
  return other;
}

function onForge(path: readonly string[], isGit: boolean, own: Upstream): Address {
  const [, , area = "", ref = ""] = path.filter((part) => part !== "-");
  const { isOwn } = identify(path, own);
  const number = ref.replace(/\.(patch|diff)$/, "");
  if (/^(pull|pulls|merge_requests|pull-requests)$/.test(area))
    return { kind: "fix", isOwn, what: number ? `pull request ${number}` : "the list of pull requests" };
  if (/^(commit|commits)$/.test(area))
    return { kind: "fix", isOwn, what: number ? `commit ${number.slice(0, 12)}` : "the list of commits" };
  if (area === "compare") return { kind: "fix", isOwn, what: `the comparison ${ref}` };
  if (/^(raw|blob|tree|archive|src|blame|trunk)$/.test(area))
    return { kind: isLater(ref) ? "fix" : "other", isOwn, what: ref ? `the code at ${ref}` : "the code" };
  if (/^(issues|discussions)$/.test(area)) return { kind: "talk", isOwn, what: number ? `issue ${number}` : "the list of issues" };
  if (isGit) return { kind: "fix", isOwn, what: "a clone of the repository" };
  return { kind: "other", isOwn, what: "a page of the repository" };
}

function rawFile(path: readonly string[], ref: string | undefined, own: Upstream): Address {
  const { isOwn } = identify(path, own);
  return { kind: isLater(ref ?? "") ? "fix" : "other", isOwn, what: ref ? `the code at ${ref}` : "the code" };
}

/** A branch moves on; a tag may be later than the base. A commit by its hash is taken for the past unless it is known to lie ahead. */
function isLater(ref: string): boolean {
  return !/^[0-9a-f]{7,40}$/.test(ref.replace(/\.(zip|tar\.gz|tar)$/, ""));
}

function identify(path: readonly string[], own: Upstream): { isOwn: boolean | undefined } {
  const [owner = "", repo = ""] = path;
  const name = `${owner}/${repo.replace(/\.git$/, "")}`.toLowerCase();
  if (owner === ".") return { isOwn: true };
  if (own.names.size === 0) return { isOwn: undefined };
  // A fork has another owner and the same name.
  return { isOwn: [...own.names].some((known) => known === name || known.split("/")[1] === name.split("/")[1]) };
}

/** A search is about the task when it names the repository together with a fix, a pull request or a number. */
function search(query: string, own: Upstream): Address {
  const text = safeDecode(query.replaceAll("+", " ")).toLowerCase();
  const isOwn = [...own.names].some(
    (name) => text.includes(name) || new RegExp(`\\b${escapeRegExp(name.split("/")[1] ?? "\\0")}\\b`).test(text),
  );
  // A query that is narrowed to the repository itself looks for nothing else.
  const isNarrowed = [...own.names].some((name) => text.includes(`repo:${name}`));
  const seeksFix = isNarrowed || /\b(fix(ed|es)?|patch|pull request|prs?|commits?|merged|solution)\b|#\d+|\b\d{3,6}\b/.test(text);
  return { kind: isOwn && seeksFix ? "talk" : "other", isOwn, what: "a search for the fix" };
}

/** A query given to a search tool. */
export function readQuery(query: string, own: Upstream): Address {
  return search(query, own);
}

function escapeRegExp(value: string): string {
  return value.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function safeDecode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
