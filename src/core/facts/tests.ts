/** The test runs of a session: which command ran which tests, and what came out. */
import type { Span, Step, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import type { SimpleCommand } from "../shell/types";
import { spanOf } from "../text/text";
import { shellFacts, wordsOf } from "./commands";
import { lazily } from "./lazily";
import { readRunnerOutput, readTestCommand, type RunnerResult, type RunStatus, type TestCommand } from "./runners";

/** One step that ran tests. Several commands or suites in it are counted together. */
export interface TestRun {
  step: Step;
  commands: readonly { command: SimpleCommand; test: TestCommand; span: Span }[];
  results: readonly RunnerResult[];
  status: RunStatus;
  /** Sums over the results; null where one of them does not say. */
  passed: number | null;
  failed: number | null;
  total: number | null;
  /** Everything, or only a part that was chosen by path, name or filter. */
  scope: "all" | "narrowed";
  targets: readonly string[];
  /** The line that decides, in the step's output. */
  summary?: Span;
}

/** Exit statuses of a process that was stopped: partial output is no result. */
const stopped: ReadonlySet<number> = new Set([124, 130, 137, 143]);

export const testRuns = lazily((trajectory: Trajectory, tools: MonitorTools): readonly TestRun[] => {
  const runs: TestRun[] = [];
  for (const run of shellFacts(trajectory, tools).runs) {
    const commands = run.line.commands.flatMap((command) => {
      const test = readTestCommand(wordsOf(command));
      return test && !test.collectOnly ? [{ command, test, span: run.span(command) }] : [];
    });
    if (commands.length > 0) runs.push(readRun(run.step, commands, tools));
  }
  return runs;
});

function readRun(step: Step, commands: TestRun["commands"], tools: MonitorTools): TestRun {
  const hint = commands.map(({ test }) => test.runner).find((runner) => runner !== "unknown");
  const output = step.output;
  // The summary stands at the end, so a cut text is read as it is kept, and in full only when that says nothing.
  let results = output ? readRunnerOutput(output.value, hint) : [];
  let isKept = true;
  if (output?.total !== undefined && results.length === 0) {
    results = readRunnerOutput(tools.whole(output), hint);
    isKept = false;
  }
  const deciding = [...results].reverse().find((result) => result.status === "red") ?? results.at(-1);
  const summary = isKept && output && deciding?.summary ? spanOf(output, deciding.summary.start, deciding.summary.end) : undefined;
  return {
    step,
    commands,
    results,
    status: statusOf(step, results),
    passed: sum(results, "passed"),
    failed: sum(results, "failed"),
    total: sum(results, "total"),
    scope: commands.every(({ test }) => test.scope === "narrowed") ? "narrowed" : "all",
    targets: commands.flatMap(({ test }) => test.targets),
    ...(summary ? { summary } : {}),
  };
}

function statusOf(step: Step, results: readonly RunnerResult[]): RunStatus {
  const { action } = step;
  const exit = action.kind === "command" ? action.exit : undefined;
  const isStopped = (action.kind === "command" && action.timedOut) || (exit !== undefined && stopped.has(exit));
  const has = (status: RunStatus): boolean => results.some((result) => result.status === status);
  if (has("red")) return "red";
  if (has("broken")) return "broken";
  if (isStopped || has("unknown")) return "unknown";
  if (has("green")) return "green";
  if (has("empty")) return "empty";
  // Without a summary the exit status alone speaks, and only of failure: a masked success says nothing.
  return exit !== undefined && exit !== 0 ? "broken" : "unknown";
}

function sum(results: readonly RunnerResult[], field: "passed" | "failed" | "total"): number | null {
  if (results.length === 0) return null;
  return results.reduce<number | null>((total, result) => (total === null || result[field] === null ? null : total + result[field]), 0);
}
