/** Finds the plug-ins by their files: the folder is the list. */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import type { Case, Monitor } from "../core/monitor";
import { at } from "./paths";

export interface PlugInFile {
  /** The file's name without ending: the plug-in's id. */
  id: string;
  /** Below the plug-ins' folder, without ending, with `/`. */
  file: string;
}

/** `<family>/<id>.ts` below src/core/monitors, sorted by id. Cases, and files that start with `_`, are none. */
export function listMonitorFiles(): PlugInFile[] {
  if (!existsSync(at("src/core/monitors"))) return [];
  const families = readdirSync(at("src/core/monitors"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return families.flatMap((family) => listFiles(`src/core/monitors/${family.name}`, `${family.name}/`)).sort(byId);
}

/** Files right below src/core/adapters, sorted by id. What adapters share stands in `shared/` or starts with `_`. */
export function listAdapterFiles(): PlugInFile[] {
  return existsSync(at("src/core/adapters")) ? listFiles("src/core/adapters", "").sort(byId) : [];
}

function listFiles(folder: string, prefix: string): PlugInFile[] {
  return readdirSync(at(folder))
    .filter((name) => name.endsWith(".ts") && !/^(index\.ts|_)|\.(cases|test|d)\.ts$/.test(name))
    .map((name) => ({ id: path.basename(name, ".ts"), file: `${prefix}${path.basename(name, ".ts")}` }));
}

function byId(a: PlugInFile, b: PlugInFile): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : a.file < b.file ? -1 : 1;
}

/** A monitor with its cases. Throws with the file's name when either cannot be loaded or has another shape. */
export async function loadMonitor({ id, file }: PlugInFile): Promise<{ monitor: Monitor; cases: readonly Case[] }> {
  const { monitor } = (await import(at("src/core/monitors", `${file}.ts`))) as { monitor?: Monitor };
  if (monitor?.id !== id) throw new Error(`src/core/monitors/${file}.ts must export a monitor whose id is ${id}.`);
  const family = monitor.family.toLowerCase();
  if (!file.startsWith(`${family}/`))
    throw new Error(`src/core/monitors/${file}.ts is of the family ${monitor.family}: move it to ${family}/.`);
  const casesFile = at("src/core/monitors", `${file}.cases.ts`);
  if (!existsSync(casesFile)) throw new Error(`src/core/monitors/${file}.cases.ts is missing: the cases are the specification.`);
  const { cases } = (await import(casesFile)) as { cases?: readonly Case[] };
  if (!Array.isArray(cases)) throw new Error(`src/core/monitors/${file}.cases.ts must export \`cases\`.`);
  return { monitor, cases };
}
