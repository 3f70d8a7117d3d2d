/** What crosses between an editor and its worker. It stands apart from the work itself, which the editor must not load. */
import { z } from "zod";
import { runSchema } from "../core/reports/schema";

export const jobSchema = z.discriminatedUnion("is", [
  z.strictObject({ is: z.literal("file"), file: z.string() }),
  z.strictObject({ is: z.literal("bytes"), name: z.string(), bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array) }),
  /** What was changed in a working folder since a revision, committed or not; `HEAD` also before the first commit. */
  z.strictObject({ is: z.literal("changes"), folder: z.string(), base: z.string() }),
]);

export type Job = z.infer<typeof jobSchema>;

export const answerSchema = z.strictObject({
  runs: z.array(runSchema),
  /** The diff that was judged, and the folder that its paths start from. */
  changes: z.strictObject({ root: z.string(), diff: z.string() }).optional(),
  /** Why nothing was judged, for a person. */
  refused: z.string().optional(),
});

export type Answer = z.infer<typeof answerSchema>;
