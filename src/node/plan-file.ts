/** The runs of one file, with the files that belong to them. */
import fs from "node:fs";
import path from "node:path";
import type { Plan } from "./plan";
import { listFormats, planScan } from "./scan";

/**
 * Names are relative to the file's folder, those of its sub-agents' logs as well.
 * @returns why there is none, for a person, when the file holds no run
 */
export function planFile(file: string): { plans: Plan[] } | { refused: string } {
  const helpers = path.join(file.replace(/\.jsonl$/i, ""), "subagents");
  const { runs, refused } = planScan(helpers !== path.join(file, "subagents") && fs.existsSync(helpers) ? [file, helpers] : [file]);
  const real = fs.realpathSync(file);
  const own = runs.filter(({ sources, prediction, diff }) => [sources[0]?.file, prediction?.file, diff?.file].includes(real));
  if (own.length === 0) return { refused: `${refused[0]?.why ?? "it holds no run"}. Looked for: ${listFormats()}` };
  return { plans: own.map((plan) => renameSources(plan, file)) };
}

/** Sub-agents' logs were found below another PATH, and the main log may be a link: names as they stand beside the named file. */
function renameSources(plan: Plan, named: string): Plan {
  const folder = fs.realpathSync(path.dirname(named));
  const rename = (file: string): string => path.relative(folder, file).split(path.sep).join("/");
  const sources = plan.sources.map((source, index) => ({ ...source, name: index === 0 ? path.basename(named) : rename(source.file) }));
  return { ...plan, sources };
}
