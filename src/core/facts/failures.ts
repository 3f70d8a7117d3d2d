/** Which tests were seen failing, and where. */
import type { Span, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { testRuns } from "./tests";

export interface SeenFailure {
  step: number;
  /** The line that names it, in the step's output; of a cut text, the summary. */
  span: Span;
}

/** The first time that a test failed in this session. @param test its last name; @param file tells equal names apart where the runner prints paths */
export function failedBefore(trajectory: Trajectory, tools: MonitorTools, test: string, file: string): SeenFailure | undefined {
  const name = test.split(/[.]|::| > /).at(-1) ?? test;
  const base = file.slice(file.lastIndexOf("/") + 1);
  for (const run of testRuns(trajectory, tools)) {
    for (const result of run.results) {
      for (const failure of result.failures) {
        if (!names(failure.name, name)) continue;
        // A runner that prints a path prints the right one.
        if (/\.\w{1,4}(::|:|$)/.test(failure.name) && failure.name.includes("/") && !failure.name.includes(base)) continue;
        const output = run.step.output;
        const isInside = output && failure.end <= output.value.length;
        const span = isInside ? { text: output, start: failure.start, end: failure.end } : run.summary;
        if (span) return { step: run.step.number, span };
      }
    }
  }
  return undefined;
}

/** `tests/test_a.py::TestX::test_y[1]`, `test_y (tests.TestX)`, `suite > name` all name `test_y` or `name`. */
function names(full: string, name: string): boolean {
  const at = full.indexOf(name);
  if (at < 0 || name.length < 3) return false;
  const before = full[at - 1] ?? " ";
  const after = full[at + name.length] ?? " ";
  return !/\w/.test(before) && !/\w/.test(after);
}

/** The first time that any test of a file failed in this session, by the path or module that the runner prints. */
export function failedInFile(trajectory: Trajectory, tools: MonitorTools, file: string): SeenFailure | undefined {
  const module = file.replace(/\.\w{1,4}$/, "").replaceAll("/", ".");
  for (const run of testRuns(trajectory, tools)) {
    for (const result of run.results) {
      for (const failure of result.failures) {
        if (!failure.name.includes(file) && !failure.name.includes(module)) continue;
        const output = run.step.output;
        const span = output && failure.end <= output.value.length ? { text: output, start: failure.start, end: failure.end } : run.summary;
        if (span) return { step: run.step.number, span };
      }
    }
  }
  return undefined;
}
