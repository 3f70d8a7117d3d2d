/**
 * `npm run gen`: writes what follows from the sources: the indexes of the plug-ins, the monitors' pages and table, and the
 * manifest's contributions. Deterministic and sorted. `-- --check` writes nothing and fails when a file is stale.
 *
 * A merge conflict in a generated file is resolved by taking either side and running this.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as prettier from "prettier";
import type { Monitor } from "../core/monitor";
import { activationEvents, listContributions } from "../vscode/contributions";
import { at } from "./paths";
import { listAdapterFiles, listMonitorFiles, loadMonitor, type PlugInFile } from "./plug-ins";
import { writePage, writeTable } from "./pages";

/** What a generated file should hold; `null`: it should not exist. Keys are paths below the root. */
export type Outputs = Map<string, string | null>;

const tableBegins = "<!-- monitors: written by npm run gen -->";
const tableEnds = "<!-- monitors: end -->";

function toName(id: string): string {
  const name = id.replace(/-+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  // An id may begin with a digit, a name may not.
  return /^[a-z]/.test(name) ? name : `_${name}`;
}

async function writeIndex(kind: "Monitor" | "Adapter", files: readonly PlugInFile[]): Promise<string> {
  const one = kind.toLowerCase();
  const text = [
    `// Written by \`npm run gen\`: every ${one} of this folder, sorted by id.`,
    `import type { ${kind} } from "../${one}";`,
    ...files.map(({ id, file }) => `import { ${one} as ${toName(id)} } from "./${file}";`),
    "",
    `export const ${one}s: readonly ${kind}[] = [${files.map(({ id }) => toName(id)).join(", ")}];`,
  ];
  return format("x.ts", text.join("\n"));
}

async function format(name: string, text: string): Promise<string> {
  const options = await prettier.resolveConfig(at("package.json"));
  return prettier.format(text, { ...options, filepath: at(name) });
}

/** The manifest with the contributions of src/vscode/contributions.ts; everything else stays as it is, in its order. */
function writeManifest(manifest: Record<string, unknown>): string {
  const made: Record<string, unknown> = { activationEvents, contributes: listContributions() };
  const entries = Object.entries(manifest).filter(([key]) => !(key in made));
  const before = entries.findIndex(([key]) => key === "scripts");
  entries.splice(before < 0 ? entries.length : before, 0, ...Object.entries(made));
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

async function writeReadme(readme: string, monitors: readonly Monitor[]): Promise<string> {
  const from = readme.indexOf(tableBegins);
  const to = readme.indexOf(tableEnds);
  if (from < 0 || to < from) throw new Error(`README.md must hold the lines ${tableBegins} and ${tableEnds}: the table goes between them.`);
  const table = await format("x.md", writeTable(monitors));
  return `${readme.slice(0, from + tableBegins.length)}\n\n${table}\n${readme.slice(to)}`;
}

/** Everything that is generated. What could not be made is in `errors`, one sentence each. */
export async function generate(): Promise<{ outputs: Outputs; errors: string[] }> {
  const outputs: Outputs = new Map();
  const errors: string[] = [];
  const files = listMonitorFiles();
  const adapters = listAdapterFiles();
  const twice = files.filter(({ id }, index) => files[index + 1]?.id === id);
  errors.push(...twice.map(({ id }) => `Two monitors have the id ${id}.`));
  outputs.set("src/core/monitors/index.ts", await writeIndex("Monitor", files));
  outputs.set("src/core/adapters/index.ts", await writeIndex("Adapter", adapters));

  const pages = existsSync(at("media/monitors")) ? readdirSync(at("media/monitors")).filter((name) => name.endsWith(".md")) : [];
  for (const page of pages) outputs.set(`media/monitors/${page}`, null);
  const monitors: Monitor[] = [];
  for (const file of files) {
    try {
      const { monitor, cases } = await loadMonitor(file);
      monitors.push(monitor);
      outputs.set(`media/monitors/${file.id}.md`, writePage(monitor, file.file, cases));
    } catch (error) {
      errors.push(error instanceof Error ? error.message : String(error));
      outputs.delete(`media/monitors/${file.id}.md`);
    }
  }
  // A table without the monitors that do not load would be wrong: the old one stands.
  if (errors.length === 0 && existsSync(at("README.md"))) {
    outputs.set("README.md", await writeReadme(readFileSync(at("README.md"), "utf8"), monitors));
  }
  outputs.set("package.json", writeManifest(JSON.parse(readFileSync(at("package.json"), "utf8")) as Record<string, unknown>));
  return { outputs, errors };
}

/** The files that differ from what they should be. */
export function listStale(outputs: Outputs): string[] {
  return [...outputs]
    .filter(([file, wanted]) => (existsSync(at(file)) ? readFileSync(at(file), "utf8") : null) !== wanted)
    .map(([file]) => file);
}

export function writeOutput(file: string, wanted: string | null): void {
  if (wanted === null) return rmSync(at(file), { force: true });
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), wanted);
}

async function main(isCheck: boolean): Promise<void> {
  const { outputs, errors } = await generate();
  const stale = listStale(outputs);
  for (const file of stale) {
    if (!isCheck) writeOutput(file, outputs.get(file) ?? null);
    console.log(`${isCheck ? "stale" : outputs.get(file) === null ? "removed" : "wrote"}: ${file}`);
  }
  for (const error of errors) console.error(error);
  if (errors.length > 0 || (isCheck && stale.length > 0)) process.exitCode = 1;
  else if (stale.length === 0) console.log(`All ${outputs.size} generated files are fresh.`);
}

if (require.main === module) void main(process.argv.includes("--check"));
