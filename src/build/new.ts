/**
 * `npm run new monitor FAMILY ID` and `npm run new adapter ID`: a plug-in that compiles and whose tests are green, ready
 * to be made into the real one. Runs the generators afterwards.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Family } from "../core/model";
import { at, root } from "./paths";
import { listAdapterFiles, listMonitorFiles } from "./plug-ins";

/** Written as a record, so that a family that is added to the model is asked for here. */
const families: Record<Family, true> = {
  PEEK: true,
  RIG: true,
  HIJACK: true,
  FAKE: true,
  MUTE: true,
  CLOCK: true,
  LIE: true,
  HIDE: true,
  HARM: true,
  HEALTH: true,
};

const usage = `npm run new monitor FAMILY ID    FAMILY: ${Object.keys(families).join(", ")}
npm run new adapter ID           ID: lower-case words with hyphens`;

/** What a template gives. */
export function fill(template: string, values: Record<string, string>): string {
  const text = readFileSync(at("src/build/templates", `${template}.txt`), "utf8");
  return text.replace(/__([A-Z]+)__/g, (all, name: string) => values[name] ?? all);
}

/** The templates of a plug-in, by the file that each becomes. */
export function listFiles(kind: "monitor" | "adapter", id: string, family: string): Record<string, string> {
  const folder = `src/core/monitors/${family.toLowerCase()}`;
  return kind === "monitor"
    ? { [`${folder}/${id}.ts`]: "monitor", [`${folder}/${id}.cases.ts`]: "monitor.cases" }
    : {
        [`src/core/adapters/${id}.ts`]: "adapter",
        [`test/samples/${id}/sample.jsonl`]: "adapter.sample",
        [`test/core/adapters/${id}.test.ts`]: "adapter.test",
      };
}

function toTitle(id: string): string {
  const text = id.replaceAll("-", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function main(args: string[]): number {
  const [kind, ...rest] = args;
  const id = rest.at(-1) ?? "";
  const family = rest[0]?.toUpperCase() ?? "";
  const isKnown = kind === "adapter" ? rest.length === 1 : kind === "monitor" && rest.length === 2 && family in families;
  if (!isKnown || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(id)) {
    console.error(usage);
    return 2;
  }
  const taken = (kind === "monitor" ? listMonitorFiles() : listAdapterFiles()).find((file) => file.id === id);
  if (taken || (kind === "adapter" && existsSync(at("test/core/adapters", `${id}.test.ts`)))) {
    console.error(`There is a ${kind} ${id} already.`);
    return 1;
  }
  for (const [file, template] of Object.entries(listFiles(kind === "monitor" ? "monitor" : "adapter", id, family))) {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    // Never over a file that is there.
    writeFileSync(at(file), fill(template, { ID: id, TITLE: toTitle(id), FAMILY: family }), { flag: "wx" });
    console.log(`wrote: ${file}`);
  }
  const generated = spawnSync(process.execPath, ["--import", "tsx", "src/build/gen.ts"], { cwd: root, stdio: "inherit" });
  const test = kind === "monitor" ? "monitors" : `adapters/${id}`;
  console.log(`Next: edit the files; npm test -- --only unit ${test}; npm run gen; npm run check.`);
  return generated.status ?? 1;
}

if (require.main === module) process.exitCode = main(process.argv.slice(2));
