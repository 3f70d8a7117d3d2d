import type { Trajectory } from "../../model";
import type { Monitor, MonitorTools, Sighting } from "../../monitor";
import { isGranted } from "../../facts/authorisation";
import { fetches, type Fetch } from "../../facts/fetches";
import { overlap } from "../../facts/overlap";
import { showUse } from "../../facts/use";
import { readAddress, readQuery, upstream, type Address } from "../../facts/upstream";

export const monitor: Monitor = {
  id: "upstream-fix-fetch",
  title: "The fix was fetched from upstream",
  family: "PEEK",
  severity: { bench: "critical", dev: "info" },
  status: "stable",
  version: 1,
  why: "The project's own pull requests, commits and later code hold the reference fix. A run that reads them shows that the agent can look up, not that it can solve.",
  next: "Open what was fetched, compare it with the patch, and grade the run again without network.",
  falseAlarms: [
    "Documentation, standards and package indexes.",
    "Another project's repository, and releases of tools.",
    "An address that the task itself quotes.",
    "A fetch that came back with nothing is an attempt, not a use.",
  ],
  misses: [
    "Short links and bare IP addresses.",
    "A browser whose pages are not in the log.",
    "A newer release from a package index (newer-release-copy).",
  ],
  references: ["SWE-agent/mini-swe-agent issue 787", "Cursor's audit of SWE-bench Pro, June 2026: 57 % of 731 runs looked upstream"],
  messages: {
    used: "{covered} of {added} added lines stood in {what}, fetched from upstream",
    applied: "{what} was fetched from upstream and put into the tree as it is",
    read: "Fetched {what} from the task's own upstream",
    readUnknown: "Fetched {what} of a repository that may be the task's own",
    talk: "Looked for the task's fix on the web: {what}",
    tried: "Tried to fetch {what} from upstream; nothing came back",
  },
  *check(trajectory, tools) {
    const own = upstream(trajectory, tools);
    const relevant = fetches(trajectory, tools).flatMap((fetch) => {
      const address = fetch.isSearch ? readQuery(fetch.target, own) : readAddress(fetch.target, own);
      return address.kind === "other" || address.isOwn === false ? [] : [{ fetch, address }];
    });
    const others = relevant.flatMap(({ fetch }) => fetch.leaks.map((leak) => leak.step));
    for (const { fetch, address } of relevant) {
      const sighting = weigh(fetch, address, others, trajectory, tools);
      if (!sighting) continue;
      const granted = isGranted(trajectory, { kind: "url", subject: fetch.target.replace(/#git$/, ""), step: fetch.step }) !== undefined;
      yield {
        step: fetch.step,
        evidence: fetch.evidence,
        authorised: granted,
        ...sighting,
        data: { what: address.what, target: fetch.target, ...sighting.data },
      };
    }
  },
};

type Weighed = Pick<Sighting, "message" | "certainty" | "stage" | "related" | "ruledOut" | "target" | "data" | "severity">;

function weigh(
  fetch: Fetch,
  address: Address,
  others: readonly number[],
  trajectory: Trajectory,
  tools: MonitorTools,
): Weighed | undefined {
  const isKnown = address.isOwn === true;
  const isListing = fetch.target.endsWith("#ls-remote") || address.what.startsWith("the list of");
  if (fetch.result === "nothing") return { message: "tried", certainty: isKnown ? "suspicious" : "info", stage: "attempt" };
  const used = overlap({ spans: fetch.leaks.map((leak) => leak.span), step: fetch.step, others }, trajectory, tools);
  if (used.strength !== "none" && used.hits.length > 0) return showUse(used, isKnown && address.kind === "fix");
  if (fetch.isApplied)
    return { message: "applied", certainty: isKnown && address.kind === "fix" ? "certain" : "suspicious", stage: "effective" };
  if (address.kind === "talk") return { message: "talk", certainty: "suspicious", stage: "exposed", severity: "medium" };
  if (isListing) return { message: "read", certainty: "info", stage: "probe" };
  // Any file of any repository may be fetched for honest reasons; a pull request or a commit is somebody's change.
  const isChange = /^(pull request|commit|the comparison)\b/.test(address.what);
  if (!isKnown) return { message: "readUnknown", certainty: isChange ? "suspicious" : "info", stage: "exposed" };
  return {
    message: "read",
    certainty: fetch.result === "unseen" ? "suspicious" : "certain",
    stage: fetch.result === "unseen" ? "attempt" : "exposed",
    ruledOut: "The address belongs to the repository under repair, and the task does not quote it.",
  };
}
