/** `proctor scan`: PATHs or standard input, judged. */
import fs from "node:fs";
import path from "node:path";
import { adapters } from "../core/adapters";
import type { RunReport } from "../core/reports/run";
import { countRun, countSkipped, createSummary, type Summary } from "../core/reports/summary";
import type { Choices } from "../node/plan";
import { judgePlans, listFormats, planScan, type ScanPlan } from "../node/scan";
import { readRuns } from "../node/stream";
import { loadSyntax } from "../node/syntax";
import { judgeRun } from "../node/verify-run";
import { chooseFormat, chooseMonitors, defaultJobs, type Flags, isFailing } from "./options";
import { openOutput, type Output, UserError } from "./output";
import { createProgress } from "./progress";
import { createReporter, type Reporter } from "./report";

/** @returns the exit status */
export async function scan(named: string[], flags: Flags): Promise<number> {
  const { choices, paths: more } = chooseMonitors(flags);
  const paths = [...named, ...more];
  if (paths.length === 0) throw new UserError("scan needs a PATH: a file, a folder, or - for standard input.");
  return report(flags, { ...choices, profile: flags.profile ?? "auto", redact: flags.redact ?? false }, (session) =>
    scanAll(paths, flags, session),
  );
}

/** What the parts of one call share. */
export interface Session {
  choices: Choices;
  reporter: Reporter;
  summary: Summary;
  output: Output;
  /** Hands a judged run on. */
  add(run: RunReport, base: string): Promise<void>;
  /** Says what is wrong, on standard error; the exit status becomes 2. */
  complain(sentence: string): void;
}

/** Opens the output, lets `work` fill it, closes it, and tells the exit status. */
export async function report(flags: Flags, choices: Choices, work: (session: Session) => Promise<void>): Promise<number> {
  const format = chooseFormat(flags);
  const output = openOutput(flags.out);
  const isTerminal = flags.out === undefined && process.stdout.isTTY;
  const reporter = createReporter(format, output, { isTerminal, isVerbose: flags.verbose ?? false });
  const summary = createSummary();
  let status = 0;
  const session: Session = {
    choices,
    reporter,
    summary,
    output,
    async add(run, base) {
      countRun(summary, run);
      if (status === 0 && isFailing(run.verdict, flags.failOn)) status = 1;
      await reporter.add(run, base);
    },
    complain(sentence) {
      status = 2;
      process.stderr.write(`proctor: ${sentence}\n`);
    },
  };
  await work(session);
  await reporter.end(summary);
  await output.close();
  // Whoever closed the pipe has seen enough.
  return output.isClosed() ? 0 : status;
}

async function scanAll(paths: string[], flags: Flags, session: Session): Promise<void> {
  const files = paths.filter((each) => each !== "-");
  const progress = createProgress();
  if (files.length > 0) {
    const plan = planFiles(files, flags, progress.look);
    progress.end();
    for (const { file, why } of plan.skipped) countSkipped(session.summary, file, why);
    for (const refused of plan.refused) {
      session.complain(`${refused.path} holds no run: ${refused.why}. Looked for: ${listFormats()}.`);
    }
    let done = 0;
    for await (const { plan: each, run } of judgePlans(plan.runs, session.choices, flags.jobs ?? defaultJobs())) {
      progress.end();
      await session.add(run, prefixOf(each.base));
      progress.judge(++done, plan.runs.length);
      if (session.output.isClosed()) break;
    }
    progress.end();
  }
  if (paths.includes("-") && !session.output.isClosed()) await scanStream(process.stdin, session);
}

function planFiles(files: string[], flags: Flags, onFile: (name: string) => void): ScanPlan {
  const except = flags.out !== undefined && fs.existsSync(flags.out) ? [fs.realpathSync(flags.out)] : [];
  try {
    return planScan(files, { ...(flags.tasks === undefined ? {} : { tasks: flags.tasks }), except, onFile });
  } catch (error) {
    throw new UserError(`--tasks ${flags.tasks ?? ""}: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** As short as it can be, so that a person can open what is shown. */
function prefixOf(base: string): string {
  const relative = path.relative(process.cwd(), base);
  const shown = relative.startsWith("..") ? base : relative;
  return shown === "" || shown.endsWith("/") ? shown : `${shown}/`;
}

async function scanStream(stream: AsyncIterable<Uint8Array>, session: Session): Promise<void> {
  const tools = await loadSyntax();
  let count = 0;
  for await (const { line, run, close } of readRuns(stream, adapters, "-")) {
    try {
      const judged = judgeRun({ ...run, profile: session.choices.profile }, "-", tools, session.choices);
      // A run that has no name is called after its place.
      await session.add(judged.id === "-" || judged.id === "patch" ? { ...judged, id: `-:${line}` } : judged, "");
      count++;
    } finally {
      close();
    }
    if (session.output.isClosed()) return;
  }
  if (count === 0) session.complain(`standard input holds no run: empty. Looked for: JSON lines of ${listFormats()}.`);
}
