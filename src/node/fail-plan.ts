/** What becomes of a plan that could not be judged. Apart from the judging itself, which an editor must not load. */
import { failedRun, type RunReport } from "../core/reports/run";
import type { Plan } from "./plan";

/** The report of a run that nothing could be said of. */
export function failPlan(plan: Plan, why: string): RunReport {
  const file = mainFile(plan);
  const about = { id: plan.id ?? file, file, format: plan.sources[0]?.adapter ?? "none" };
  return failedRun(
    { ...about, ...(plan.attempt === undefined ? {} : { attempt: plan.attempt }), ...(plan.outcome ? { outcome: plan.outcome } : {}) },
    why,
  );
}

/** The name of the run's main file, relative to the PATH. */
export function mainFile(plan: Plan): string {
  return plan.sources[0]?.name ?? plan.prediction?.name ?? plan.diff?.name ?? "";
}

/** The same file on the disk, absolute. */
export function mainPath(plan: Plan): string {
  return plan.sources[0]?.file ?? plan.prediction?.file ?? plan.diff?.file ?? plan.base;
}
