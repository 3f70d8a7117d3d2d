/** What a verdict and its findings are called where a person reads them. A monitor shows evidence; a person decides. */
import type { Finding, Severity, VerdictName } from "../core/model";
import { reasons, words as names } from "../core/reports/words";
import type { RunObject } from "./engine";

const order: readonly VerdictName[] = ["hacked", "suspicious", "unverified", "clean"];
export const severities: readonly Severity[] = ["info", "low", "medium", "high", "critical"];

export interface Summary {
  verdict: VerdictName | "empty";
  /** A few words, for the status bar. */
  short: string;
  /** A whole sentence, for a screen reader. */
  sentence: string;
  /** A finding of high severity waits for a person. */
  isGrave: boolean;
}

export function nameVerdict(verdict: VerdictName): string {
  return names[verdict];
}

/** The verdict of all runs of one check: the gravest one's, and how many share it. */
export function summarise(runs: readonly RunObject[], what: string): Summary {
  const verdict = order.find((name) => runs.some((run) => run.verdict === name));
  const [first] = runs;
  if (!verdict || !first)
    return { verdict: "empty", short: "Nothing to check", sentence: `There was nothing to check in ${what}.`, isGrave: false };
  const isGrave = runs.some((run) => run.findings.some((finding) => doesCount(finding) && isHigh(finding)));
  if (runs.length > 1) {
    const share = runs.filter((run) => run.verdict === verdict).length;
    const short = verdict === "clean" ? `Nothing found in ${runs.length} runs` : `${names[verdict]}: ${share} of ${runs.length} runs`;
    return { verdict, short, sentence: `${short}, in ${what}.`, isGrave };
  }
  const count = verdict === "hacked" ? countDeciding(first) : first.findings.filter(doesCount).length;
  const short = verdict === "hacked" ? `${names.hacked}: ${count}` : verdict === "suspicious" ? `${count} to review` : names[verdict];
  const findings = `${count} ${count === 1 ? "finding" : "findings"}`;
  const sentence =
    verdict === "hacked"
      ? `${findings} with evidence of a hack in ${what}.`
      : verdict === "suspicious"
        ? `${findings} to review in ${what}.`
        : `${names[verdict]} in ${what}.`;
  return { verdict, short, sentence, isGrave };
}

function countDeciding(run: RunObject): number {
  const deciding = new Set(run.decidedBy);
  return Math.max(1, run.findings.filter((finding) => deciding.has(finding.fingerprint)).length);
}

/** Whether a person should look at it: what is on trial, allowed by the task or only information does not ask for that. */
export function doesCount(finding: Finding): boolean {
  return (
    finding.status === "stable" &&
    !finding.authorised &&
    finding.certainty !== "info" &&
    finding.severity !== "info" &&
    finding.family !== "HEALTH"
  );
}

export function isHigh({ severity }: Finding): boolean {
  return severity === "critical" || severity === "high";
}

/** How it stands in the editor: never an error, since that would break the "no errors" rule of other tools. */
export function toLevel(finding: Finding): "warning" | "information" | "hint" {
  if (!doesCount(finding)) return "hint";
  return isHigh(finding) ? "warning" : finding.severity === "medium" ? "information" : "hint";
}

/** The setting of the least severity; its default where it says nothing that is known. */
export function readSeverity(value: string | undefined): Severity {
  return severities.find((severity) => severity === value) ?? "medium";
}

/** What a setting of the least severity is compared with. */
export function isAtLeast(finding: Finding, least: Severity): boolean {
  const own = finding.authorised || finding.certainty === "info" ? "info" : finding.severity;
  return severities.indexOf(own) >= severities.indexOf(least);
}

/** One line without control characters, at most `limit` UTF-16 units. Logs are hostile: direction marks go as well. */
export function toLine(text: string, limit = 120): string {
  const line = text
    .replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  if (line.length <= limit) return line;
  const head = line.slice(0, limit - 1);
  // Half of a surrogate pair is no character.
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}…`;
}

/** What was looked at and what was not there, and by which rules: the lines of the tooltip after the first. */
export function describeRun(run: RunObject): string[] {
  const parts: [string, boolean][] = [
    ["commands", run.observed.commands],
    ["their outputs", run.observed.outputs],
    ["the patch", run.observed.patch],
    ["what the agent said", run.observed.messages],
    ["the task", run.observed.prompt],
  ];
  const seen = parts.filter(([, is]) => is).map(([part]) => part);
  const missing = parts.filter(([, is]) => !is).map(([part]) => part);
  const reason = run.reason === null ? "" : `: ${reasons[run.reason] ?? run.reason}`;
  return [
    `${names[run.verdict]}${reason}`,
    `Judged as ${run.profile}${run.profileReason ? `: ${run.profileReason}` : ""}`,
    `Looked at: ${seen.length > 0 ? seen.join(", ") : "nothing"}`,
    ...(missing.length > 0 ? [`Not recorded: ${missing.join(", ")}`] : []),
    ...(run.observed.opaque > 0 ? [`${run.observed.opaque} executed payloads could not be read`] : []),
    ...(run.unread > 0 ? [`${run.unread} records were not understood`] : []),
    ...run.problems.slice(0, 3).map((problem) => toLine(problem.message)),
    ...(run.problems.length > 3 ? [`${run.problems.length - 3} more problems`] : []),
  ];
}

/** With a capital first letter. */
export function toTitle(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
