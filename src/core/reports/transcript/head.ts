/** The block above the first step: what the run is, the verdict, what was looked at, and what is amiss. */
import type { Result } from "../../verify";
import { reasons, words } from "../words";
import { toName } from "./visible";

const mostProblems = 5;
const mostFindings = 20;

export interface HeadFacts {
  page: number;
  pages: number;
  first: number;
  last: number;
  changing: number;
  /** Nothing was judged yet: only the first steps were read. */
  isPartial: boolean;
}

export interface Head {
  lines: string[];
  /** The line of each finding that the block names, by its index. */
  findings: Map<number, number>;
}

export function writeHead(result: Result, { page, pages, first, last, changing, isPartial }: HeadFacts): Head {
  const { trajectory: run, verdict, observed } = result;
  const lines: string[] = [];
  const findings = new Map<number, number>();
  const say = (key: string, value: string): void => void lines.push(`${key.padEnd(11)}${value}`);
  const name = (value: string | undefined, limit = 120): string => toName(value ?? "", limit);
  const attempt = run.attempt === undefined ? "" : ` | attempt ${name(run.attempt, 60)}`;
  lines.push(`=== transcript | ${run.format} | ${name(run.id)}${attempt} | page ${page} of ${isPartial ? "?" : pages}`);
  const reason = verdict.reason === null ? "" : `: ${reasons[verdict.reason] ?? verdict.reason}`;
  say("Verdict", isPartial ? "being judged; the first steps are shown" : `${words[verdict.verdict]}${reason}`);
  const { id, repository, baseCommit, prompt } = run.task;
  const task = [name(id), name(repository), baseCommit === undefined ? "" : `base ${name(baseCommit, 40)}`].filter(Boolean);
  if (task.length > 0) say("Task", task.join(", "));
  if (prompt) say("Asked", name(prompt.value, 160));
  const agent = [name(run.agent.name), name(run.agent.model)].filter(Boolean);
  if (agent.length > 0) say("Agent", agent.join(", "));
  say("Profile", `${run.profile}: ${run.profileReason}`);
  if (run.outcome !== "unknown") say("Outcome", run.outcome);
  const total = isPartial ? "more" : String(run.steps.length);
  const change = isPartial ? "" : `; ${changing} can change something`;
  say("Steps", run.steps.length === 0 ? "none" : `${first} to ${last} of ${total}${change}`);
  if (isPartial) return { lines, findings };

  const parts: [string, boolean][] = [
    ["commands", observed.commands],
    ["their outputs", observed.outputs],
    ["the patch", observed.patch],
    ["what the agent said", observed.messages],
    ["the task", observed.prompt],
  ];
  const list = (wanted: boolean): string => parts.flatMap(([part, is]) => (is === wanted ? [part] : [])).join(", ");
  say("Looked at", list(true) || "nothing");
  if (list(false) !== "") say("Missing", list(false));
  if (observed.opaque > 0) say("Unread", `${observed.opaque} executed payloads could not be read`);
  if (run.unread > 0) say("Unread", `${run.unread} records were not understood`);
  // The deciding ones come first: of very many the list names only some.
  const order = result.findings.map((_, index) => index).sort((a, b) => rank(result, a) - rank(result, b) || a - b);
  for (const index of order.slice(0, mostFindings)) {
    const finding = result.findings[index];
    if (!finding) continue;
    findings.set(index, lines.length);
    const where = finding.step > 0 ? `step ${finding.step}` : "the whole run";
    const state = finding.authorised
      ? ", allowed by the task"
      : finding.status === "trial"
        ? ", on trial"
        : finding.disclosed
          ? ", disclosed"
          : "";
    say("Finding", `${where}, ${finding.severity}${state}: ${name(finding.message, 200)} (${finding.monitor})`);
  }
  if (order.length > mostFindings) say("Finding", `${order.length - mostFindings} more`);
  for (const { message, at } of result.problems.slice(0, mostProblems))
    say("Problem", `${name(message, 300)}${at ? ` (${name(at.file)}:${at.start.line})` : ""}`);
  if (result.problems.length > mostProblems) say("Problem", `${result.problems.length - mostProblems} more`);
  return { lines, findings };
}

function rank({ verdict, findings }: Result, index: number): number {
  const finding = findings[index];
  return finding && verdict.decidedBy.includes(finding.fingerprint) ? 0 : 1;
}
