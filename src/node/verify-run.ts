/** The one place where a host calls `verify`: a plan goes in, plain data comes out. */
import type { Tools } from "../core/code/syntax";
import type { Problem, Source, Task, Text } from "../core/model";
import { adapters } from "../core/adapters";
import { monitors } from "../core/monitors";
import { type RunReport, toRunReport } from "../core/reports/run";
import { redactRun } from "../core/reports/redact";
import type { Run } from "../core/read";
import { fromRecord, made } from "../core/text/text";
import { type Rules, verify } from "../core/verify";
import { asRow, type OpenRow, readEntry } from "./entries";
import { failPlan, mainFile } from "./fail-plan";
import { describe, openSource, type OpenSource } from "./files";
import type { Choices, Plan } from "./plan";

/** Judges a planned run. Never throws: what fails makes the run unverified, and says why. */
export function verifyPlan(plan: Plan, tools: Tools, choices: Choices, rules: Rules = {}): RunReport {
  const files = openFiles();
  try {
    const run = openRun(plan, choices, files.open);
    const first = judgeRun(run, mainFile(plan), tools, choices, rules);
    const failure = files.failure();
    if (failure === undefined) return first;
    // A disk that fails half-way would look like a shorter log.
    const problems: Problem[] = [...(run.problems ?? []), { message: failure, hides: true }];
    return judgeRun({ ...run, problems }, mainFile(plan), tools, choices, rules);
  } catch (error) {
    return failPlan(plan, `The run could not be read: ${describe(error)}.`);
  } finally {
    files.close();
  }
}

/** Judges a run whose sources are at hand. @throws only for what is a fault of ours */
export function judgeRun(run: Run, file: string, tools: Tools, choices: Choices, rules: Rules = {}): RunReport {
  const chosen = choices.only ? (rules.monitors ?? monitors).filter(({ id }) => choices.only?.includes(id)) : rules.monitors;
  const off = Object.fromEntries((choices.off ?? []).map((id) => [id, "off" as const]));
  const report = toRunReport(
    verify(run, tools, { adapters, ...rules, ...(chosen ? { monitors: chosen } : {}), levels: { ...rules.levels, ...off } }),
    file,
  );
  return choices.redact ? redactRun(report) : report;
}

/**
 * Opens a planned run for a reader of its own.
 * @throws what `use` throws, and when a file cannot be opened
 */
export function withRun<T>(plan: Plan, choices: Choices, use: (run: Run) => T): T {
  const files = openFiles();
  try {
    return use(openRun(plan, choices, files.open));
  } finally {
    files.close();
  }
}

interface Files {
  /** One source a file, however often it is asked for. */
  open(file: string, name: string): Source;
  failure(): string | undefined;
  close(): void;
}

function openFiles(): Files {
  const opened = new Map<string, OpenSource>();
  return {
    open(file, name) {
      const known = opened.get(file);
      if (known) return known;
      const source = openSource(file, name);
      opened.set(file, source);
      return source;
    },
    failure() {
      for (const { name, failure } of opened.values())
        if (failure !== undefined) return `${name} could not be read to its end: ${failure}.`;
      return undefined;
    },
    close() {
      for (const source of opened.values()) source.close();
    },
  };
}

/** @param open gives the source of a file under a name; it has to outlive the run */
export function openRun(plan: Plan, choices: Choices, open: Files["open"]): Run {
  const problems: Problem[] = plan.problems.map((message) => ({ message }));
  const sources = plan.sources.map(({ file, name, adapter, range, by }) => ({
    source: open(file, name),
    adapter,
    ...(range ? { range } : {}),
    ...(by === undefined ? {} : { by }),
  }));
  const patch = openPatch(plan, open, problems);
  const row = plan.task ? readEntry(plan.task, open) : undefined;
  const task: Task = { ...(plan.isInstance && plan.id !== undefined ? { id: plan.id } : {}), ...(row ? toTask(row) : {}) };
  return {
    ...(plan.id === undefined ? {} : { id: plan.id }),
    ...(plan.attempt === undefined ? {} : { attempt: plan.attempt }),
    sources,
    ...(patch ? { patch } : {}),
    ...(plan.outcome ? { outcome: plan.outcome } : {}),
    ...(Object.keys(task).length > 0 ? { task } : {}),
    profile: choices.profile,
    problems,
  };
}

function openPatch(plan: Plan, open: Files["open"], problems: Problem[]): Text | undefined {
  if (plan.prediction) {
    const found = readEntry(plan.prediction, open);
    if (!found) problems.push({ message: `The prediction in ${plan.prediction.name} could not be read again.`, hides: true });
    const patch = found && (textAt(found, "model_patch") ?? textAt(found, "fix_patch"));
    // An empty prediction is a patch as well: nothing was changed. Beside a log, the log's own word stands.
    return patch ?? (found && plan.sources.length === 0 ? made("") : undefined);
  }
  if (!plan.diff) return undefined;
  const source = open(plan.diff.file, plan.diff.name);
  const record = { source, start: 0, end: source.size, line: 1 };
  return fromRecord(new TextDecoder("utf-8", { ignoreBOM: true }).decode(source.read(0, source.size)), record);
}

function textAt({ row, record, path }: OpenRow, key: string): Text | undefined {
  const value = row[key];
  return typeof value === "string" ? fromRecord(value, record, [...path, key]) : undefined;
}

/** A benchmark's row: the names that SWE-bench and its relatives use. */
function toTask(found: OpenRow): Task {
  const { row } = found;
  const string = (...keys: string[]): string | undefined =>
    keys.map((key) => row[key]).find((value): value is string => typeof value === "string");
  const [repository, baseCommit] = [string("repository", "repo"), string("baseCommit", "base_commit")];
  const time = readTime(row.baseTime ?? row.base_time ?? row.created_at);
  const prompt = textAt(found, "problem_statement") ?? textAt(found, "prompt");
  const [goldPatch, testPatch] = [textAt(found, "patch"), textAt(found, "test_patch")];
  const failToPass = readNames(row.FAIL_TO_PASS ?? row.failToPass);
  const passToPass = readNames(row.PASS_TO_PASS ?? row.passToPass);
  const policy = readPolicy(row.policy);
  return {
    ...(repository === undefined ? {} : { repository }),
    ...(baseCommit === undefined ? {} : { baseCommit }),
    ...(time === undefined ? {} : { baseTime: time }),
    ...(prompt ? { prompt } : {}),
    ...(goldPatch ? { goldPatch } : {}),
    ...(testPatch ? { testPatch } : {}),
    ...(failToPass ? { failToPass } : {}),
    ...(passToPass ? { passToPass } : {}),
    ...(policy ? { policy } : {}),
  };
}

function readTime(value: unknown): number | undefined {
  const time = typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : NaN;
  return Number.isFinite(time) ? time : undefined;
}

/** A list of names, or, as the benchmark's own files have it, such a list as JSON in a string. */
function readNames(value: unknown): string[] | undefined {
  let list = value;
  if (typeof value === "string") {
    try {
      list = JSON.parse(value);
    } catch {
      return undefined;
    }
  }
  return Array.isArray(list) ? list.filter((name): name is string => typeof name === "string") : undefined;
}

function readPolicy(value: unknown): Task["policy"] {
  const policy = asRow(value);
  if (!policy) return undefined;
  const rule = (word: unknown): "allowed" | "forbidden" | undefined => (word === "allowed" || word === "forbidden" ? word : undefined);
  const [history, network] = [rule(policy.history), rule(policy.network)];
  const [protectedGlobs, grader] = [readNames(policy.protected), readNames(policy.grader)];
  return {
    ...(protectedGlobs ? { protected: protectedGlobs } : {}),
    ...(grader ? { grader } : {}),
    ...(history ? { history } : {}),
    ...(network ? { network } : {}),
  };
}
