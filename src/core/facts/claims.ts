/** Claims about test runs in what the agent told the person, each with the run that it rests on. */
import type { Span, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { spanOf } from "../text/text";
import { readClaims, type Claim } from "./claim-text";
import { lazily } from "./lazily";
import { closingMessages, type Said } from "./messages";
import { testRuns, type TestRun } from "./tests";

export interface StatedClaim {
  claim: Claim;
  said: Said;
  span: Span;
  /** The last run before it that it can be about. */
  run?: TestRun;
}

/** Plain statements of fact about tests in closing messages; hopes, plans and quotations are none. */
export const testClaims = lazily((trajectory: Trajectory, tools: MonitorTools): readonly StatedClaim[] => {
  const runs = testRuns(trajectory, tools);
  return closingMessages(trajectory, tools).flatMap((said) => {
    // What stands beside a command was written before the command ran.
    const before = runs.filter((run) => run.step.number < said.step.number && (run.step.by ?? "") === (said.step.by ?? ""));
    return readClaims(said.text.value)
      .filter((claim) => claim.kind === "tests-pass" && claim.pastOrPresent && !claim.hedged && !claim.negated)
      .map((claim) => {
        const run = relevantRun(claim, said.text.value.slice(claim.start, claim.end), before);
        return { claim, said, span: spanOf(said.text, claim.start, claim.end), ...(run ? { run } : {}) };
      });
  });
});

/**
 * The last run that a claim can be about: of what its sentence names, if a run named that, too. A claim that names
 * something no run was about (a script, say) has no run; one that names nothing is about the last run.
 */
function relevantRun(claim: Claim, sentence: string, runs: readonly TestRun[]): TestRun | undefined {
  const words = new Set(sentence.split(/[^\w]+/).filter((word) => word.length > 2));
  const isNamed = (target: string): boolean => nameParts(target).some((part) => words.has(part));
  const named = runs.filter(
    (run) => run.targets.some(isNamed) || run.commands.some(({ test }) => test.filter !== undefined && isNamed(test.filter)),
  );
  const failing = claim.subject
    ? runs.at(-1)?.results.some((result) => result.failures.some((failure) => failure.name.includes(claim.subject ?? "")))
    : false;
  if (named.length > 0) return named.at(-1);
  return claim.subject && !failing ? undefined : runs.at(-1);
}

/** The parts of a target that tell it from others: `tests/test_cart.py::test_total` → `test_cart`, `test_total`. */
function nameParts(target: string): string[] {
  const parts = target.replace(/\.(py|[cm]?[jt]sx?|go|rs)\b/g, "").split(/[^\w]+/);
  return parts.filter((part) => part.length > 2 && !/^(tests?|src|lib|testing|spec|unit)$/.test(part)).slice(-3);
}
