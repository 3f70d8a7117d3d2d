/** The way to the worker that reads and renders transcripts. It lives while transcripts are looked at, since it holds what it read. */
import { existsSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { type Ask, replySchema, type Reply } from "../../node/transcript-schema";

/** In milliseconds. After this time without a question the thread is ended, and with it goes what it holds. */
const patience = 5 * 60_000;

export interface Reader {
  /**
   * Rejects when it was stopped or what was asked for cannot be had.
   * @param isApart in a thread of its own, which ends with the answer: it does not wait for what the others do
   */
  ask(ask: Ask, isApart?: boolean): Promise<Reply>;
  /** Stops everything that is under way. */
  stop(): void;
  dispose(): void;
}

const frame = z.union([z.strictObject({ ready: z.literal(true) }), z.strictObject({ id: z.number(), reply: replySchema })]);

interface Thread {
  worker: Worker;
  waiting: Map<number, { resolve: (reply: Reply) => void; reject: (error: Error) => void }>;
}

/** @param extension the folder in which the extension is installed */
export function createReader(extension: string): Reader {
  const built = path.join(extension, "dist", "worker.js");
  const threads = new Set<Thread>();
  let shared: Thread | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;

  function start(): Thread {
    if (!existsSync(built)) throw new Error(`the extension is incomplete: ${built} is missing. Install it again`);
    const thread: Thread = { worker: new Worker(built, { workerData: { profile: "auto" } }), waiting: new Map() };
    threads.add(thread);
    thread.worker.on("message", (value: unknown) => {
      const found = frame.safeParse(value);
      if (!found.success) return end(thread, new Error(`the worker's answer is not understood: ${z.prettifyError(found.error)}`));
      if ("ready" in found.data) return;
      const { id, reply } = found.data;
      const waiting = thread.waiting.get(id);
      thread.waiting.delete(id);
      if (reply.refused === undefined) waiting?.resolve(reply);
      else waiting?.reject(new Error(reply.refused));
    });
    thread.worker.on("error", (error) => end(thread, error instanceof Error ? error : new Error(String(error))));
    thread.worker.on("exit", (code) => end(thread, new Error(`the worker ended by itself (${code})`)));
    return thread;
  }

  function end(thread: Thread, why: Error): void {
    if (!threads.delete(thread)) return;
    if (shared === thread) shared = undefined;
    for (const { reject } of thread.waiting.values()) reject(why);
    thread.waiting.clear();
    void thread.worker.terminate();
  }

  function rest(): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      if (shared && shared.waiting.size > 0) return rest();
      if (shared) end(shared, new Error("stopped"));
    }, patience);
    idle.unref();
  }

  const stop = (): void => {
    for (const thread of [...threads]) end(thread, new Error("stopped"));
  };
  return {
    async ask(ask, isApart = false) {
      const thread = isApart ? start() : (shared ??= start());
      const id = ++last;
      rest();
      try {
        return await new Promise<Reply>((resolve, reject) => {
          thread.waiting.set(id, { resolve, reject });
          thread.worker.postMessage({ id, ask });
        });
      } finally {
        if (isApart) end(thread, new Error("stopped"));
      }
    },
    stop,
    dispose() {
      clearTimeout(idle);
      stop();
    },
  };
}
