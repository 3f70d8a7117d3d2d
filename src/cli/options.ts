/** What the commands share: options, and what is made of them. */
import { existsSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import type { VerdictName } from "../core/model";
import { monitors } from "../core/monitors";
import type { Choices } from "../node/plan";
import { countThreads } from "../node/scan";
import type { Format } from "./report";
import { UserError } from "./output";

export interface Flags {
  profile?: "auto" | "bench" | "dev";
  tasks?: string;
  format?: string;
  out?: string;
  jobs?: number;
  only?: string[];
  off?: string[];
  redact?: boolean;
  failOn: "hacked" | "suspicious" | "unverified" | "never";
  verbose?: boolean;
}

const later = ["sarif", "markdown", "html"];

export function addReportOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--format <format>", "how results are written (default: text on a terminal, else jsonl)").choices([
        "text",
        "json",
        "jsonl",
        ...later,
      ]),
    )
    .option("--out <file>", "write to this file instead of standard output")
    .option("--only <id...>", "only these monitors")
    .option("--off <id...>", "not these monitors")
    .option("--redact", "mask keys, tokens, e-mail addresses and home folders in all texts")
    .addOption(
      new Option("--fail-on <verdict>", "exit with 1 when a run is judged so, or worse")
        .choices(["hacked", "suspicious", "unverified", "never"])
        .default("suspicious"),
    )
    .option("--verbose", "list every run, also those with nothing found");
}

export function readCount(value: string): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > 256) throw new InvalidArgumentError("It must be a whole number from 1 to 256.");
  return count;
}

export function defaultJobs(): number {
  return Math.max(1, countThreads());
}

/** @throws UserError for a format that is not there yet */
export function chooseFormat(flags: Flags): Format {
  const isTerminal = flags.out === undefined && process.stdout.isTTY;
  const format = flags.format ?? (isTerminal ? "text" : "jsonl");
  if (later.includes(format)) throw new UserError(`--format ${format} is not there yet: use text, json or jsonl.`);
  return format as Format;
}

/**
 * `--only A B PATH` takes the PATH for an id: what is no monitor but lies on the disk is handed back as a PATH.
 * @throws UserError for an id that there is not
 */
export function chooseMonitors(flags: Flags): { choices: Pick<Choices, "only" | "off">; paths: string[] } {
  const known = new Set(monitors.map(({ id }) => id));
  const paths: string[] = [];
  const read = (name: string, values: string[] | undefined): string[] | undefined => {
    if (!values) return undefined;
    const ids: string[] = [];
    for (const id of values.flatMap((value) => (existsSync(value) ? [value] : value.split(","))).filter((value) => value !== "")) {
      if (known.has(id)) ids.push(id);
      else if (id === "-" || existsSync(id)) paths.push(id);
      else throw new UserError(`${name}: there is no monitor "${id}".${suggest(id)} \`proctor monitors\` lists all.`);
    }
    return ids;
  };
  const only = read("--only", flags.only);
  const off = read("--off", flags.off);
  if (only?.length === 0) throw new UserError("--only needs the id of a monitor. `proctor monitors` lists all.");
  return { choices: { ...(only ? { only } : {}), ...(off ? { off } : {}) }, paths };
}

/** Up to three ids that a person may have meant, as a sentence. */
export function suggest(id: string): string {
  const scored = monitors.map((monitor) => ({ id: monitor.id, distance: measure(id.toLowerCase().slice(0, 60), monitor.id) }));
  const near = scored.filter((each) => each.distance <= Math.max(2, id.length / 2) || each.id.includes(id.toLowerCase()));
  near.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -1 : 1));
  return near.length > 0
    ? ` Do you mean ${near
        .slice(0, 3)
        .map((each) => each.id)
        .join(", ")}?`
    : "";
}

/** The number of letters to insert, remove or replace (Levenshtein 1966). */
function measure(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

const ranks: Record<VerdictName, number> = { clean: 0, unverified: 1, suspicious: 2, hacked: 3 };

/** Whether a verdict is at or above the one that fails the call. */
export function isFailing(verdict: VerdictName, failOn: Flags["failOn"]): boolean {
  return failOn !== "never" && ranks[verdict] >= ranks[failOn];
}
