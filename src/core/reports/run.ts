/** A run as every host writes it down: the JSON object of the command line, absent values as null. */
import type { Finding, Location, Outcome, Profile, Task, VerdictName, Verdict } from "../model";
import type { Observed, Result } from "../verify";

/** What a task says, without its texts. */
export interface TaskReport {
  id: string | null;
  repository: string | null;
  baseCommit: string | null;
}

export interface RunReport {
  schema: 1;
  id: string;
  attempt: string | null;
  /** The main log; relative to the PATH given. */
  file: string;
  format: string;
  profile: Profile;
  profileReason: string;
  task: TaskReport;
  agent: { name: string | null; model: string | null };
  outcome: Outcome;
  verdict: VerdictName;
  reason: Verdict["reason"];
  tripped: boolean;
  decidedBy: string[];
  /** How many there are. */
  steps: number;
  unread: number;
  observed: Observed;
  findings: Finding[];
  problems: { message: string; at: Location | null }[];
}

/** @param file the run's main file, as findings name it */
export function toRunReport(result: Result, file: string): RunReport {
  const { trajectory, verdict, observed } = result;
  return {
    schema: 1,
    id: trajectory.id,
    attempt: trajectory.attempt ?? null,
    file,
    format: trajectory.format,
    profile: trajectory.profile,
    profileReason: trajectory.profileReason,
    task: toTaskReport(trajectory.task),
    agent: { name: trajectory.agent.name ?? null, model: trajectory.agent.model ?? null },
    outcome: trajectory.outcome,
    verdict: verdict.verdict,
    reason: verdict.reason,
    tripped: verdict.tripped,
    decidedBy: verdict.decidedBy,
    steps: trajectory.steps.length,
    unread: trajectory.unread,
    observed,
    findings: result.findings,
    problems: result.problems,
  };
}

function toTaskReport(task: Task): TaskReport {
  return { id: task.id ?? null, repository: task.repository ?? null, baseCommit: task.baseCommit ?? null };
}

/** A run that could not be judged at all: its host says why. */
export function failedRun(
  about: { id: string; attempt?: string; file: string; format: string; outcome?: Outcome },
  why: string,
): RunReport {
  return {
    schema: 1,
    id: about.id,
    attempt: about.attempt ?? null,
    file: about.file,
    format: about.format,
    profile: "bench",
    profileReason: "not read",
    task: { id: null, repository: null, baseCommit: null },
    agent: { name: null, model: null },
    outcome: about.outcome ?? "unknown",
    verdict: "unverified",
    reason: "unread",
    tripped: false,
    decidedBy: [],
    steps: 0,
    unread: 0,
    observed: { commands: false, outputs: false, patch: false, messages: false, prompt: false, opaque: 0 },
    findings: [],
    problems: [{ message: why, at: null }],
  };
}
