/** A run as it is planned: names and places, no contents. Plain data, since it crosses to a worker. */
import { z } from "zod";

const range = z.strictObject({ start: z.number(), end: z.number(), line: z.number() });
const entry = z.strictObject({
  file: z.string(),
  name: z.string(),
  ...range.shape,
  path: z.array(z.union([z.string(), z.number()])).readonly(),
});

export const planSchema = z.strictObject({
  /** The instance id, when the host knows it. */
  id: z.string().optional(),
  /** The id is that of a benchmark's instance, not only a file's name. */
  isInstance: z.boolean(),
  attempt: z.string().optional(),
  sources: z.array(
    z.strictObject({ file: z.string(), name: z.string(), adapter: z.string(), range: range.optional(), by: z.string().optional() }),
  ),
  /** The prediction's row, or a diff file. */
  prediction: entry.optional(),
  diff: z.strictObject({ file: z.string(), name: z.string() }).optional(),
  /** The task's row. */
  task: entry.optional(),
  outcome: z.enum(["resolved", "unresolved", "declined", "unknown"]).optional(),
  problems: z.array(z.string()),
  /** Where the PATH stands that names are relative to, so that a person can open them. */
  base: z.string(),
});

export type Plan = z.infer<typeof planSchema>;

/** What holds for all runs of one call. */
export const choicesSchema = z.strictObject({
  profile: z.enum(["auto", "bench", "dev"]),
  only: z.array(z.string()).optional(),
  off: z.array(z.string()).optional(),
  redact: z.boolean().optional(),
});

export type Choices = z.infer<typeof choicesSchema>;
