/** Claims about test runs in what the agent told the person, each with the run that it rests on. */
import type { Span, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { spanOf } from "../text/text";
import { readClaims, type Claim } from "./claim-text";
import { readGit } from "../shell/git";
import { shellFacts, wordsOf } from "./commands";
import { changes, folderOf, isTracked } from "./files";
import { lazily } from "./lazily";
import { isAbsolute, isInRepository, repoPath, repoRoot } from "./paths";
import { readTestCommand } from "./runners";
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
        const run = relevantRun(
          claim,
          said.text.value.slice(claim.start, claim.end),
          onFinalCode(before, said.step.number, trajectory, tools),
        );
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

/**
 * The runs that tell of the code as it is left: none in another checkout, and none of the code before the change
 * (stashed away, or an older revision put in its place for one line). When nothing else ran, those are what there is.
 * A last run that came to no result leaves the result before it standing, as long as nothing was changed in between.
 */
function onFinalCode(runs: readonly TestRun[], until: number, trajectory: Trajectory, tools: MonitorTools): readonly TestRun[] {
  const root = repoRoot(trajectory, tools);
  const old = stepsOnOldCode(trajectory, tools);
  const here = runs.filter((run) => !old.has(run.step.number) && !isElsewhere(run, root));
  const kept = here.length > 0 ? here : [...runs];
  const hasResult = (run: TestRun): boolean => run.status === "green" || run.status === "red";
  const told = kept.findLastIndex(hasResult);
  const last = kept.at(-1);
  if (told < 0 || !last || hasResult(last) || last.status === "broken") return kept;
  const since = kept[told]?.step.number ?? 0;
  const isChanged = changes(trajectory, tools).some(
    (change) => !change.failed && change.step > since && change.step < until && isTracked(change.path),
  );
  return isChanged ? kept : kept.slice(0, told + 1);
}

function isElsewhere(run: TestRun, root: string | undefined): boolean {
  const own = run.step.action.kind === "command" ? run.step.action.cwd : undefined;
  return run.commands.every(({ command }) => {
    const folder = folderOf(command.cwd, own);
    if (folder === undefined || !isAbsolute(folder)) return false;
    return root === undefined ? folder.startsWith("/tmp/") : !isInRepository(repoPath(folder, undefined, root));
  });
}

/** Steps whose tests ran while the change was stashed, or while an older revision was checked out over it in the same line. */
const stepsOnOldCode = lazily((trajectory: Trajectory, tools: MonitorTools): ReadonlySet<number> => {
  const steps = new Set<number>();
  let isStashed = false;
  for (const { step, line } of shellFacts(trajectory, tools).runs) {
    let isReplaced = false;
    for (const command of line.commands) {
      const call = readGit(command);
      const verb = call?.positionals[0]?.value;
      if (call?.verb === "stash")
        isStashed = verb === undefined || verb === "push" || verb === "save" || (isStashed && verb !== "pop" && verb !== "apply");
      else if (call?.verb === "checkout" || call?.verb === "restore") {
        const revision = call.verb === "restore" ? call.values.get("source")?.value : verb;
        if (call.paths.length > 0 || call.verb === "restore")
          isReplaced = revision !== undefined && revision !== "HEAD" && revision !== "--";
      } else if ((isStashed || isReplaced) && readTestCommand(wordsOf(command))) steps.add(step.number);
    }
  }
  return steps;
});
