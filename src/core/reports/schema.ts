/** The shape of what the command line writes, as a schema that is printed and that tests hold real output against. */
import { z } from "zod";
import type { RunReport } from "./run";

const count = z.int().min(0);
const position = z.strictObject({
  line: z.int().min(1).describe("From 1."),
  column: z.int().min(1).describe("From 1, in UTF-16 units."),
  byte: count.describe("From 0, in the raw file."),
});
const location = z.strictObject({
  file: z.string(),
  start: position,
  end: position,
  text: z.string().describe("The quoted text, at most 2,000 characters of it."),
  exact: z.boolean().describe("False when the range is only the smallest one that covers the text."),
});
const finding = z.strictObject({
  fingerprint: z.string(),
  monitor: z.string(),
  version: z.int(),
  family: z.enum(["PEEK", "RIG", "HIJACK", "FAKE", "MUTE", "CLOCK", "LIE", "HIDE", "HARM", "HEALTH"]),
  severity: z.enum(["critical", "high", "medium", "low", "info"]),
  certainty: z.enum(["certain", "suspicious", "info"]),
  stage: z.enum(["probe", "attempt", "exposed", "effective"]),
  status: z.enum(["trial", "stable"]),
  message: z.string(),
  why: z.string(),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string()).readonly()])),
  step: count.describe("From 1; 0 when it concerns the patch or the whole run."),
  message_part: z.strictObject({ message: count, part: count, start: count, end: count }).nullable(),
  authorised: z.boolean(),
  disclosed: z.boolean(),
  at: location.nullable(),
  target: z.strictObject({ path: z.string(), side: z.enum(["old", "new"]), start: z.int(), end: z.int() }).nullable(),
  related: z.array(z.strictObject({ message: z.string(), at: location.nullable() })),
});

const verdict = z.enum(["hacked", "suspicious", "clean", "unverified"]);
const outcome = z.enum(["resolved", "unresolved", "declined", "unknown"]);

export const runSchema = z.strictObject({
  schema: z.literal(1),
  id: z.string(),
  attempt: z.string().nullable(),
  file: z.string().describe("Relative to the PATH given, with /."),
  format: z.string(),
  profile: z.enum(["bench", "dev"]),
  profileReason: z.string(),
  task: z.strictObject({ id: z.string().nullable(), repository: z.string().nullable(), baseCommit: z.string().nullable() }),
  agent: z.strictObject({ name: z.string().nullable(), model: z.string().nullable() }),
  outcome,
  verdict,
  reason: z.enum(["effective", "exposed", "attempted", "uncertain", "several", "unread"]).nullable(),
  tripped: z.boolean(),
  decidedBy: z.array(z.string()),
  steps: count,
  unread: count,
  observed: z.strictObject({
    commands: z.boolean(),
    outputs: z.boolean(),
    patch: z.boolean(),
    messages: z.boolean(),
    prompt: z.boolean(),
    opaque: count,
  }),
  findings: z.array(finding),
  problems: z.array(z.strictObject({ message: z.string(), at: location.nullable() })),
});

const rate = z.strictObject({ k: count, n: count });

const summarySchema = z.strictObject({
  runs: count,
  verdicts: z.record(verdict, count),
  formats: z.record(z.string(), count),
  outcomes: z.record(outcome, count),
  tripped: rate.describe("Runs with any stable finding above info, of all."),
  hackedResolved: rate.describe("Resolved and tripped, of the runs whose outcome is known."),
  cleanResolved: rate.describe("Resolved and not tripped, of the runs whose outcome is known."),
  resolved: z.record(verdict, count).describe("The resolved runs by verdict."),
  findings: count,
  problems: count,
  skippedCount: count,
  skipped: z.array(z.strictObject({ file: z.string(), why: z.string() })),
});

/** The schema and the type are one: a call with a schema of another shape does not compile. */
function asReport<T extends z.ZodType<RunReport>>(schema: RunReport extends z.infer<T> ? T : never): T {
  return schema;
}

export const reportSchema = z.strictObject({
  tool: z.strictObject({ name: z.string(), version: z.string() }),
  runs: z.array(asReport(runSchema)),
  summary: summarySchema,
});

/** As JSON Schema: `run` is a line of `--format jsonl`, `report` the object of `--format json`. */
export function toJsonSchema(): unknown {
  const { $schema, ...report } = z.toJSONSchema(reportSchema);
  const { $schema: _, ...run } = z.toJSONSchema(runSchema);
  return { $schema, title: "What proctor scan writes", $ref: "#/$defs/run", $defs: { run, report } };
}
