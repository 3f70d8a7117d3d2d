/** What an editor asks of a worker: one file, some bytes or a diff in, plain data out. Finding and joining files is done here as well. */
import fs from "node:fs";
import path from "node:path";
import { adapters } from "../core/adapters";
import type { Tools } from "../core/code/syntax";
import type { RunReport } from "../core/reports/run";
import { fromRecord } from "../core/text/text";
import { decodeUtf8 } from "../core/text/utf8";
import { classify } from "./classify";
import { createSource } from "./files";
import { runGit, workingDiff } from "./git";
import type { Answer, Job } from "./job-schema";
import type { Choices, Plan } from "./plan";
import { listRuns } from "./ranges";
import { listFormats, planScan } from "./scan";
import { judgeRun, verifyPlan } from "./verify-run";

/** Never rejects: what fails is refused with its reason. */
export async function doJob(job: Job, tools: Tools, choices: Choices): Promise<Answer> {
  try {
    if (job.is === "file") return judgeFile(job.file, tools, choices);
    if (job.is === "bytes") return judgeBytes(job.bytes, job.name, tools, choices);
    return await judgeChanges(job.folder, job.base, tools, choices);
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function refuse(refused: string): Answer {
  return { runs: [], refused };
}

/** The file's runs. Names are relative to its folder, those of its sub-agents' logs as well. */
function judgeFile(file: string, tools: Tools, choices: Choices): Answer {
  const helpers = path.join(file.replace(/\.jsonl$/i, ""), "subagents");
  const { runs, refused } = planScan(helpers !== path.join(file, "subagents") && fs.existsSync(helpers) ? [file, helpers] : [file]);
  const real = fs.realpathSync(file);
  const own = runs.filter(({ sources, prediction, diff }) => [sources[0]?.file, prediction?.file, diff?.file].includes(real));
  if (own.length === 0) return refuse(`${refused[0]?.why ?? "it holds no run"}. Looked for: ${listFormats()}`);
  return { runs: own.map((plan) => verifyPlan(renameSources(plan, file), tools, choices)) };
}

/** Sub-agents' logs were found below another PATH, and the main log may be a link: names as they stand beside the named file. */
function renameSources(plan: Plan, named: string): Plan {
  const folder = fs.realpathSync(path.dirname(named));
  const rename = (file: string): string => path.relative(folder, file).split(path.sep).join("/");
  const sources = plan.sources.map((source, index) => ({ ...source, name: index === 0 ? path.basename(named) : rename(source.file) }));
  return { ...plan, sources };
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
