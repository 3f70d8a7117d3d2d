/** PATHs to judged runs, in the planned order whatever the number of threads. */
import fs from "node:fs";
import os from "node:os";
import { adapters } from "../core/adapters";
import { peekKeys } from "../core/head";
import type { RunReport } from "../core/reports/run";
import { asRow, type Entry, idOf, indexFile } from "./entries";
import { describe, openSource } from "./files";
import { gather } from "./gather";
import { joinRuns } from "./join";
import type { Choices, Plan } from "./plan";
import { createPool, type Pool } from "./pool";
import { loadSyntax } from "./syntax";
import { verifyPlan } from "./verify-run";

export interface ScanPlan {
  runs: Plan[];
  skipped: { file: string; why: string }[];
  /** PATHs that cannot be read or hold nothing that we know: one sentence each. */
  refused: { path: string; why: string }[];
}

export interface PlanOptions {
  /** A task file: JSON, or JSON lines. */
  tasks?: string;
  except?: readonly string[];
  onFile?: (name: string) => void;
}

/** @throws when the task file cannot be read; the message says why */
export function planScan(paths: readonly string[], options: PlanOptions = {}): ScanPlan {
  const tasks = options.tasks === undefined ? undefined : readTasks(options.tasks);
  const gathered = gather(paths, { adapters, ...options });
  const runs = joinRuns(gathered, tasks);
  const refused = paths.flatMap((named, root) => {
    const failure = gathered.failures.get(root);
    if (failure !== undefined) return [{ path: named, why: `it cannot be read: ${failure}` }];
    const isUseful = [...gathered.logs, ...gathered.rows].some((found) => found.root === root);
    // Reports are of use when other PATHs hold the runs.
    if (isUseful || (runs.length > 0 && gathered.reports.some((found) => found.root === root))) return [];
    const reasons = gathered.skipped.filter((found) => found.root === root);
    const hasReports = gathered.reports.some((found) => found.root === root);
    const [first] = reasons;
    const why = hasReports
      ? "only evaluation reports"
      : reasons.length === 1 && first
        ? first.why
        : reasons.length === 0
          ? "empty"
          : `nothing that we know in its ${reasons.length} files`;
    return [{ path: named, why }];
  });
  return { runs, skipped: gathered.skipped.map(({ file, why }) => ({ file, why })), refused };
}

/** What was looked for, for the person whose PATH holds nothing. */
export function listFormats(): string {
  return `${adapters.map(({ id }) => id).join(", ")}, SWE-bench predictions and reports`;
}

function readTasks(named: string): Map<string, Entry> {
  if (/\.parquet$/i.test(named)) throw new Error(noParquet);
  const { file, head } = readHead(named);
  if (head.startsWith("PAR1")) throw new Error(noParquet);
  const problems: string[] = [];
  const entries = indexFile(file, named, isRowPerLine(head) ? "json-lines" : "json", problems);
  if (entries.length === 0) throw new Error(problems[0] ?? "it holds no row with an instance_id");
  return new Map(entries);
}

const noParquet = "Parquet cannot be read yet: convert it to JSON lines";

function readHead(named: string): { file: string; head: string } {
  try {
    const file = fs.realpathSync(named);
    const source = openSource(file, named);
    const head = new TextDecoder().decode(source.read(0, 64 * 1024)).trimStart();
    source.close();
    return { file, head };
  } catch (error) {
    throw new Error(describe(error), { cause: error });
  }
}

/** The first line is a row by itself, or the beginning of one that is longer than what was looked at. */
function isRowPerLine(head: string): boolean {
  const end = head.indexOf("\n");
  if (!head.startsWith("{")) return false;
  if (end === -1) return peekKeys(head).has("instance_id");
  try {
    const row = asRow(JSON.parse(head.slice(0, end)));
    return row !== undefined && idOf(row) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Judges planned runs. At most a few runs a thread are under way, so that a slow reader of the results slows the scan
 * down instead of filling the memory.
 * @param jobs threads; 1 judges in this one
 */
export async function* judgePlans(plans: readonly Plan[], choices: Choices, jobs: number): AsyncGenerator<{ plan: Plan; run: RunReport }> {
  if (jobs <= 1 || plans.length <= 1) return yield* judgeHere(plans, choices);
  const pool = createPool(Math.min(jobs, plans.length), choices);
  const ahead = jobs * 4;
  const underWay: { plan: Plan; run: Promise<RunReport> }[] = [];
  try {
    let next = 0;
    while (next < plans.length || underWay.length > 0) {
      for (let plan = plans[next]; plan && underWay.length < ahead; plan = plans[++next]) {
        const run = pool.verify(plan);
        // Whoever stops early leaves promises behind that nobody waits for.
        run.catch(() => undefined);
        underWay.push({ plan, run });
      }
      const first = underWay.shift();
      if (first) yield { plan: first.plan, run: await first.run };
    }
  } finally {
    await pool.close();
  }
}

/** In bytes: a run this large may want more memory than there is, and is given to a thread, which can die alone. */
const heavy = 128 * 1024 * 1024;

async function* judgeHere(plans: readonly Plan[], choices: Choices): AsyncGenerator<{ plan: Plan; run: RunReport }> {
  const tools = await loadSyntax();
  let pool: Pool | undefined;
  try {
    for (const plan of plans) {
      if (measure(plan) < heavy) yield { plan, run: verifyPlan(plan, tools, choices) };
      else {
        pool ??= createPool(1, choices);
        yield { plan, run: await pool.verify(plan) };
      }
    }
  } finally {
    await pool?.close();
  }
}

/** In bytes. What cannot be measured is found out when it is read. */
function measure(plan: Plan): number {
  return plan.sources.reduce(
    (sum, { file, range }) => sum + (range ? range.end - range.start : (fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0)),
    0,
  );
}

export function countThreads(): number {
  return os.availableParallelism();
}
