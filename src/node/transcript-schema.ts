/** What crosses between an editor and its worker about readable transcripts. */
import { z } from "zod";
import type { Page } from "../core/reports/transcript/page";
import { runSchema } from "../core/reports/schema";

const count = z.int().min(0);
const spot = z.strictObject({ line: count, column: count });
const range = z.strictObject({ start: spot, end: spot });
const part = z.enum([
  ...(["thought", "message", "command", "path", "from", "before", "after"] as const),
  ...(["diff", "url", "query", "other", "output", "blocked", "patch"] as const),
]);

/** Which run of which file, and by which rules. */
const which = { file: z.string(), run: count, profile: z.enum(["auto", "bench", "dev"]) };

export const askSchema = z.discriminatedUnion("is", [
  /** `isQuick`: only as much is read as the first page needs, and nothing is judged. */
  z.strictObject({ is: z.literal("page"), ...which, page: z.int(), isQuick: z.boolean() }),
  z.strictObject({ is: z.literal("body"), ...which, step: count, part }),
  z.strictObject({ is: z.literal("raw"), ...which, page: z.int(), spot }),
  /** Line and column of the raw file, from 1; lines end at newlines only. `raw` is the file in which they stand. */
  z.strictObject({ is: z.literal("place"), ...which, raw: z.string(), line: z.int().min(1), column: z.int().min(1) }),
]);

export type Ask = z.infer<typeof askSchema>;

const page = z.strictObject({
  page: z.int(),
  pages: z.int(),
  text: z.string(),
  head: count,
  steps: z.array(
    z.strictObject({
      number: count,
      startLine: count,
      endLine: count,
      name: z.string(),
      about: z.string(),
      kind: z.string(),
      actor: z.string(),
      mutates: z.boolean(),
      path: z.string().nullable(),
      bodies: z.array(z.strictObject({ part, startLine: count, endLine: count })),
    }),
  ),
  findings: z.array(
    z.strictObject({
      index: count,
      fingerprint: z.string(),
      range,
      exact: z.boolean(),
      related: z.array(z.strictObject({ message: z.string(), page: z.int(), range })),
    }),
  ),
  flagged: z.array(z.int()),
  elisions: z.array(z.strictObject({ line: count, step: count, part, chars: count, total: count })),
});

function asPage<T extends z.ZodType<Page>>(schema: Page extends z.infer<T> ? T : never): T {
  return schema;
}

const position = z.strictObject({ line: z.int(), column: z.int(), byte: count });

export const replySchema = z.strictObject({
  page: asPage(page).optional(),
  /** The run as it was judged; absent for a quick page. */
  report: runSchema.optional(),
  /** What to do next, by monitor. */
  next: z.record(z.string(), z.string()).optional(),
  /** The names of the runs that the file holds, the first thousand of them. */
  runs: z.array(z.string()).optional(),
  body: z.string().optional(),
  /** Absolute. */
  raw: z.strictObject({ file: z.string(), start: position, end: position, exact: z.boolean() }).optional(),
  place: z.strictObject({ run: count, page: z.int(), spot }).optional(),
  refused: z.string().optional(),
});

export type Reply = z.infer<typeof replySchema>;
