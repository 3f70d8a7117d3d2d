/** What an editor asks of a worker: one file, some bytes or a diff in, plain data out. Finding and joining files is done here as well. */
import { adapters } from "../core/adapters";
import type { Tools } from "../core/code/syntax";
import type { RunReport } from "../core/reports/run";
import { fromRecord } from "../core/text/text";
import { decodeUtf8 } from "../core/text/utf8";
import { classify } from "./classify";
import { createSource } from "./files";
import { runGit, workingDiff } from "./git";
import type { Answer, Job } from "./job-schema";
import type { Choices } from "./plan";
import { planFile } from "./plan-file";
import { listRuns } from "./ranges";
import { patchOfPlan } from "./run-patch";
import { listFormats, planScan } from "./scan";
import { judgeRun, verifyPlan } from "./verify-run";

/** Never rejects: what fails is refused with its reason. */
export async function doJob(job: Job, tools: Tools, choices: Choices): Promise<Answer> {
  try {
    if (job.is === "file") return judgeFile(job.file, tools, choices);
    if (job.is === "bytes") return judgeBytes(job.bytes, job.name, tools, choices);
    if (job.is === "plan") return planFolder(job.folder);
    if (job.is === "patch") {
      const { diff, steps } = patchOfPlan(job.plan, tools, choices);
      return { runs: [], changes: { root: "", diff }, steps };
    }
    return await judgeChanges(job.folder, job.base, tools, choices);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(refused: string): Answer {
  return { runs: [], refused };
}

function planFolder(folder: string): Answer {
  const { runs, skipped, refused } = planScan([folder]);
  const reasons: Record<string, number> = {};
  for (const { why } of skipped) reasons[why] = (reasons[why] ?? 0) + 1;
  const [first] = refused;
  if (runs.length === 0 && first) return refuse(`${first.why}. Looked for: ${listFormats()}`);
  return { runs: [], plans: runs, skipped: reasons };
}

function judgeFile(file: string, tools: Tools, choices: Choices): Answer {
  const found = planFile(file);
  return "refused" in found ? refuse(found.refused) : { runs: found.plans.map((plan) => verifyPlan(plan, tools, choices)) };
}

function judgeBytes(bytes: Uint8Array, name: string, tools: Tools, choices: Choices): Answer {
  const source = createSource(bytes, name);
  const kind = classify(source, adapters, true);
  if (kind.is === "nothing") return refuse(`${kind.why}. Looked for: ${listFormats()}`);
  if (kind.is !== "log")
    return refuse(`${kind.is === "report" ? "a report" : "predictions"} can be read from the disk only: save it first`);
  const runs: RunReport[] = [];
  for (const { id, range } of listRuns(source, kind.adapter)) {
    const run = { ...(id === undefined ? {} : { id }), sources: [{ source, range, adapter: kind.adapter.id }], profile: choices.profile };
    runs.push(judgeRun(run, name, tools, choices));
  }
  return { runs };
}

async function judgeChanges(folder: string, base: string, tools: Tools, choices: Choices): Promise<Answer> {
  const top = await runGit(folder, ["rev-parse", "--show-toplevel"]);
  if (top.status !== 0)
    return refuse(/not a git repository/i.test(top.stderr) ? `${folder} is in no git repository` : top.stderr || "git could not be run");
  const root = top.stdout.toString("utf8").replace(/\n$/, "");
  // Before the first commit there is no HEAD, and everything is new: git's own name for that is left to be found.
  const found = await workingDiff(root, base === "HEAD" ? {} : { base });
  if ("why" in found) return refuse(found.why.replace(/^--base /, ""));
  const changes = { root, diff: decodeUtf8(found.bytes) };
  if (found.bytes.length === 0 && found.leftOut.length === 0) return { runs: [], changes };
  // Named as the command line names it, so that both give the same run.
  const name = base === "HEAD" ? "working changes" : `changes since ${base}`;
  return { runs: [judgePatch(found.bytes, name, found.leftOut, tools, choices)], changes };
}

/**
 * Judges changes that a person made or accepted, whatever made them.
 * @param leftOut what is missing in the diff, one sentence each: what was not looked at is not called clean
 */
function judgePatch(diff: Uint8Array, name: string, leftOut: readonly string[], tools: Tools, choices: Choices): RunReport {
  const record = { source: createSource(diff, name), start: 0, end: diff.length, line: 1 };
  const problems = leftOut.map((message) => ({ message, hides: true }));
  const run = { id: name, sources: [], patch: fromRecord(decodeUtf8(diff), record), profile: choices.profile, problems };
  return { ...judgeRun(run, name, tools, choices), profileReason: "check is for a person's own repository" };
}
