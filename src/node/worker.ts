/** A worker thread: takes plans one by one and sends back what became of each. */
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";
import { jobSchema } from "./job-schema";
import { doJob } from "./jobs";
import { choicesSchema, planSchema } from "./plan";
import { loadSyntax } from "./syntax";
import { askSchema } from "./transcript-schema";
import { createTranscripts } from "./transcripts";
import { verifyPlan } from "./verify-run";

const message = z.union([
  z.strictObject({ id: z.number(), plan: planSchema }),
  // From an editor, which leaves the planning to the worker as well.
  z.strictObject({ id: z.number(), job: jobSchema }),
  // From an editor that shows a run as a transcript.
  z.strictObject({ id: z.number(), ask: askSchema }),
]);

async function start(): Promise<void> {
  const choices = choicesSchema.parse(workerData);
  const tools = await loadSyntax();
  const transcripts = createTranscripts(tools);
  parentPort?.on("message", (value: unknown) => {
    const asked = message.parse(value);
    if ("plan" in asked) parentPort?.postMessage({ id: asked.id, run: verifyPlan(asked.plan, tools, choices) });
    else if ("ask" in asked) parentPort?.postMessage({ id: asked.id, reply: transcripts.answer(asked.ask) });
    else void doJob(asked.job, tools, choices).then((answer) => parentPort?.postMessage({ id: asked.id, answer }));
  });
  parentPort?.postMessage({ ready: true });
}

void start();
