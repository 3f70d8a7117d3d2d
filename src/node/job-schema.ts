/** What crosses between an editor and its worker. It stands apart from the work itself, which the editor must not load. */
import { z } from "zod";
import { runSchema } from "../core/reports/schema";
import { planSchema } from "./plan";

export const jobSchema = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("file"), file: z.string() }),
  z.strictObject({ is: z.literal("bytes"), name: z.string(), bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }),
  /** What was changed in a working folder since a revision, committed or not; `HEAD` also before the first commit. */
  z.strictObject({ is: z.literal("changes"), folder: z.string(), base: z.string() }),
  /** The runs of a folder, planned and not judged. */
  z.strictObject({ is: z.literal("plan"), folder: z.string() }),
  /** What a planned run leaves behind, as a diff. */
  z.strictObject({ is: z.literal("patch"), plan: planSchema }),
]);

export type Job = z.infer<typeof jobSchema>;

const placeSchema = z.strictObject({ file: z.string(), line: z.number(), column: z.number() });

export const answerSchema = z.strictObject({
  runs: z.array(runSchema),
  /** The diff that was judged, and the folder that its paths start from. */
  changes: z.strictObject({ root: z.string(), diff: z.string() }).optional(),
  plans: z.array(planSchema).optional(),
  /** Files that are no runs: how many there are for each reason. */
  skipped: z.record(z.string(), z.number()).optional(),
  /** The step that wrote a line of the new side. */
  steps: z.array(z.strictObject({ path: z.string(), line: z.number(), step: z.number(), at: placeSchema.optional() })).optional(),
  /** Why nothing was judged, for a person. */
  refused: z.string().optional(),
});

export type Answer = z.infer<typeof answerSchema>;
