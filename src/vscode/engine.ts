/** What the surfaces ask of src/node: everything that is read, judged or asked of git. Whatever takes long is done in a worker thread. */
import { existsSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { Profile } from "../core/model";
import type { RunReport } from "../core/reports/run";
import { runGit } from "../node/git";
import { answerSchema, type Answer, type Job } from "../node/job-schema";
import type { Plan } from "../node/plan";
import { createPool } from "../node/pool";
import type { LineStep } from "../node/run-patch";

/** A run as it crosses the thread: the object that the command line prints. */
export type RunObject = RunReport;

export interface Changes {
  /** The folder that the diff's paths start from. */
  root: string;
  /** What was judged. */
  diff: string;
  runs: RunObject[];
}

export interface Engine {
  /** Judges a log or diff on disk, with the files that belong to it. Rejects when it was stopped, and when it holds nothing that is known. */
  checkFile(file: string, profile: Profile | "auto", signal: AbortSignal): Promise<RunObject[]>;
  /** Judges what stands on no disk. */
  checkBytes(bytes: Uint8Array, name: string, profile: Profile | "auto", signal: AbortSignal): Promise<RunObject[]>;
  /** Judges what was changed in a folder since a revision, as `dev`. No run: nothing was changed. Only for a trusted workspace. */
  checkChanges(folder: string, base: string, signal: AbortSignal): Promise<Changes>;
  /** Names the judge: what was judged by another one is judged again. */
  readonly stamp: string;
  /** Finds the runs of a folder. Rejects when it was stopped, and when there are none. */
  planFolder(folder: string, signal: AbortSignal): Promise<{ plans: readonly Plan[]; skipped: Record<string, number> }>;
  /** Judges runs in the background, on several threads, and hands over each one with its place in the list. Stopping it is no error. */
  judgePlans(
    plans: readonly Plan[],
    profile: Profile | "auto",
    signal: AbortSignal,
    take: (at: number, run: RunObject) => void,
  ): Promise<void>;
  /** What a run leaves behind, as a diff, and the step that wrote each line that it adds. */
  readPatch(plan: Plan, signal: AbortSignal): Promise<{ diff: string; steps: readonly LineStep[] }>;
  /** The full name of a commit; nothing when there is none. Only for a trusted workspace, as is the next. */
  findCommit(root: string, revision: string): Promise<string | undefined>;
  /** A file as it stood in a commit; nothing when it was not there. */
  readCommitted(root: string, commit: string, file: string): Promise<string | undefined>;
  /** Branches and tags, the newest first. */
  listRefs(folder: string): Promise<{ name: string; about: string }[]>;
}

/** The worker answers in this frame; what it holds is checked here, where it enters. */
const frame = z.union([z.strictObject({ ready: z.literal(true) }), z.strictObject({ id: z.literal(0), answer: answerSchema })]);

/** @param extension the folder in which the extension is installed */
export function createEngine(extension: string): Engine {
  const built = path.join(extension, "dist", "worker.js");

  /** A worker a check: stopping one is ending its thread, and between checks nothing stays in memory. */
  function run(job: Job, profile: Profile | "auto", signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new Error("stopped"));
      if (!existsSync(built)) return reject(new Error(`the extension is incomplete: ${built} is missing. Install it again`));
      const worker = new Worker(built, { workerData: { profile } });
      const stop = (): void => {
        reject(new Error("stopped"));
        void worker.terminate();
      };
      const end = (settle: () => void): void => {
        signal.removeEventListener("abort", stop);
        settle();
        void worker.terminate();
      };
      signal.addEventListener("abort", stop, { once: true });
      worker.on("message", (value: unknown) => {
        const found = frame.safeParse(value);
        if (!found.success) return end(() => reject(new Error(`the worker's answer is not understood: ${z.prettifyError(found.error)}`)));
        if ("ready" in found.data) return;
        const { answer } = found.data;
        end(() => (answer.refused === undefined ? resolve(answer) : reject(new Error(answer.refused))));
      });
      worker.on("error", (error) => end(() => reject(error instanceof Error ? error : new Error(String(error)))));
      worker.on("exit", (code) => end(() => reject(new Error(`the worker ended by itself (${code})`))));
      worker.postMessage({ id: 0, job });
    });
  }

  return {
    checkFile: async (file, profile, signal) => (await run({ is: "file", file }, profile, signal)).runs,
    checkBytes: async (bytes, name, profile, signal) => (await run({ is: "bytes", bytes, name }, profile, signal)).runs,
    async checkChanges(folder, base, signal) {
      const { runs, changes } = await run({ is: "changes", folder, base }, "dev", signal);
      return { root: changes?.root ?? folder, diff: changes?.diff ?? "", runs };
    },
    stamp: readStamp(built),
    async planFolder(folder, signal) {
      const { plans, skipped } = await run({ is: "plan", folder }, "auto", signal);
      return { plans: plans ?? [], skipped: skipped ?? {} };
    },
    judgePlans: (plans, profile, signal, take) => judgePlans(built, plans, profile, signal, take),
    async readPatch(plan, signal) {
      const { changes, steps } = await run({ is: "patch", plan }, "auto", signal);
      return { diff: changes?.diff ?? "", steps: steps ?? [] };
    },
    findCommit,
    readCommitted,
    listRefs,
  };
}

/** A new build judges anew. */
function readStamp(built: string): string {
  const found = statSync(built, { throwIfNoEntry: false });
  return found ? `${found.size} ${found.mtimeMs}` : "none";
}

/** More threads than this are felt by whoever works at the machine. */
const mostThreads = 4;

async function judgePlans(
  built: string,
  plans: readonly Plan[],
  profile: Profile | "auto",
  signal: AbortSignal,
  take: (at: number, run: RunObject) => void,
): Promise<void> {
  if (plans.length === 0 || signal.aborted) return;
  if (!existsSync(built)) throw new Error(`the extension is incomplete: ${built} is missing. Install it again`);
  // One processor is left to the editor.
  const threads = Math.max(1, Math.min(mostThreads, plans.length, os.availableParallelism() - 1));
  const pool = createPool(threads, { profile }, { code: built, eval: false });
  const stop = (): void => void pool.close();
  signal.addEventListener("abort", stop, { once: true });
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < plans.length && !signal.aborted; at = next++) {
      const plan = plans[at];
      // After a stop the pool refuses what is left.
      const judged = plan && (await pool.verify(plan).catch(() => undefined));
      if (judged && !signal.aborted) take(at, judged);
    }
  };
  try {
    await Promise.all(Array.from({ length: threads }, work));
  } finally {
    signal.removeEventListener("abort", stop);
    await pool.close();
  }
}

async function findCommit(root: string, revision: string): Promise<string | undefined> {
  const found = await runGit(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`]);
  const name = found.stdout.toString("utf8").trim();
  return found.status === 0 && /^[0-9a-f]{40,64}$/.test(name) ? name : undefined;
}

/** The stored bytes: `cat-file` runs no filter and no text conversion that the repository could name. */
async function readCommitted(root: string, commit: string, file: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
  const found = await runGit(root, ["cat-file", "blob", `${commit}:${file}`]);
  return found.status === 0 ? found.stdout.toString("utf8") : undefined;
}

/** More than this nobody scrolls through; any other can be typed. */
const mostRefs = 200;

async function listRefs(folder: string): Promise<{ name: string; about: string }[]> {
  const kinds = ["refs/heads", "refs/remotes", "refs/tags"];
  const format = "%(refname)%09%(refname:short)%09%(objectname:short)";
  const answer = await runGit(folder, ["for-each-ref", "--sort=-committerdate", `--count=${mostRefs}`, `--format=${format}`, ...kinds]);
  const lines = answer.status === 0 ? answer.stdout.toString("utf8").split("\n").filter(Boolean) : [];
  return lines.map((line) => {
    const [full = "", name = "", commit = ""] = line.split("\t");
    const kind = full.startsWith("refs/tags/") ? "tag" : full.startsWith("refs/remotes/") ? "remote branch" : "branch";
    return { name, about: `${kind}, ${commit}` };
  });
}
