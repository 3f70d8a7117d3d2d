/**
 * Worker threads for plans. A pool of our own, since what we need is little and particular: one plan a worker, a worker
 * that dies costs its plan and nothing else, and it bundles into one file beside the command line.
 */
import { existsSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import type { RunReport } from "../core/reports/run";
import { failPlan } from "./fail-plan";
import type { Choices, Plan } from "./plan";

export interface Pool {
  /** Settles when the run is judged; rejects only after `close`. */
  verify(plan: Plan): Promise<RunReport>;
  /** Ends all workers at once: whatever runs is dropped. */
  close(): Promise<void>;
}

/** Only the frame is checked: the run itself was made by our own code a moment ago. */
const answer = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ id: z.number(), run: z.custom<RunReport>((value) => (value as RunReport | null)?.schema === 1) }),
]);

interface Task {
  id: number;
  plan: Plan;
  resolve(run: RunReport): void;
  reject(why: Error): void;
}

interface Seat {
  worker: Worker;
  task?: Task;
}

export interface Script {
  /** A file, or with `eval` the code itself. */
  code: string;
  eval: boolean;
}

/** Beside the bundle; in the sources the TypeScript file, read by way of tsx, whose loader does not reach threads by itself. */
function findWorker(): Script {
  const built = path.join(__dirname, "worker.js");
  if (existsSync(built)) return { code: built, eval: false };
  const files = [path.join(__dirname, "../../node_modules/tsx/dist/cjs/index.cjs"), path.join(__dirname, "worker.ts")];
  return { code: files.map((file) => `require(${JSON.stringify(file)});`).join(""), eval: true };
}

/** What one thread's heap may take, in megabytes: a thread that wants more dies alone, where the process would die with everything. */
function shareMemory(size: number): number {
  return Math.round(Math.min(16_384, Math.max(2048, (os.totalmem() * 0.7) / 2 ** 20 / size)));
}

/**
 * @param size how many threads; they start when there is something to do
 * @param memory of each thread's heap, in megabytes
 */
export function createPool(size: number, choices: Choices, script: Script = findWorker(), memory = shareMemory(size)): Pool {
  const seats: Seat[] = [];
  const waiting: Task[] = [];
  let isClosed = false;
  let next = 0;

  function serve(): void {
    while (waiting.length > 0) {
      const seat = seats.find((candidate) => !candidate.task) ?? (seats.length < size ? addSeat() : undefined);
      if (!seat) return;
      seat.task = waiting.shift();
      if (seat.task) seat.worker.postMessage({ id: seat.task.id, plan: seat.task.plan });
    }
  }

  function addSeat(): Seat {
    const worker = new Worker(script.code, { eval: script.eval, workerData: choices, resourceLimits: { maxOldGenerationSizeMb: memory } });
    const seat: Seat = { worker };
    let cause = "it ended";
    const leave = (): void => {
      const at = seats.indexOf(seat);
      if (at < 0) return;
      seats.splice(at, 1);
      const { task } = seat;
      if (isClosed) task?.reject(new Error("cancelled"));
      else if (task) task.resolve(failPlan(task.plan, `The worker that read this run died: ${cause}. The other runs are not affected.`));
      if (!isClosed) serve();
    };
    worker.on("message", (value: unknown) => {
      const parsed = answer.safeParse(value);
      if (!parsed.success || !("id" in parsed.data)) return;
      const { task } = seat;
      if (task?.id !== parsed.data.id) return;
      seat.task = undefined;
      task.resolve(parsed.data.run);
      serve();
    });
    worker.on("error", (error: unknown) => {
      cause = error instanceof Error ? error.message : String(error);
    });
    worker.on("exit", leave);
    seats.push(seat);
    return seat;
  }

  return {
    verify(plan) {
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error("cancelled"));
        waiting.push({ id: next++, plan, resolve, reject });
        serve();
      });
    },
    async close() {
      isClosed = true;
      for (const task of waiting.splice(0)) task.reject(new Error("cancelled"));
      await Promise.all(seats.map(({ worker }) => worker.terminate()));
    },
  };
}
