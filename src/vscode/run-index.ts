/**
 * What is kept of judged runs between two windows: the verdict and some counts, never a text. An entry holds as long as the run's files
 * have the size and time that they had, and the judge is the same.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { RunObject } from "./engine";
import type { Plan } from "../node/plan";
import { doesCount } from "./words";

const briefSchema = z.strictObject({
  verdict: z.enum(["hacked", "suspicious", "clean", "unverified"]),
  outcome: z.enum(["resolved", "unresolved", "declined", "unknown"]),
  steps: z.number(),
  /** How many findings there are, and how many of them ask for a person. */
  findings: z.number(),
  counting: z.number(),
  monitors: z.array(z.string()),
});

export type Brief = z.infer<typeof briefSchema>;

const fileSchema = z.strictObject({ version: z.literal(1), runs: z.record(z.string(), briefSchema) });

/** Entries of one folder, and folders. */
const mostRuns = 100_000;
const mostFolders = 40;
const largestFile = 64 * 1024 * 1024;

export function toBrief(run: RunObject): Brief {
  return {
    verdict: run.verdict,
    outcome: run.outcome,
    steps: run.steps,
    findings: run.findings.length,
    counting: run.findings.filter(doesCount).length,
    monitors: [...new Set(run.findings.map(({ monitor }) => monitor))],
  };
}

/**
 * The key of each run, in order. Runs whose files cannot be seen have a key that matches nothing.
 * @param judge names the judge and its settings
 */
export async function toKeys(plans: readonly Plan[], judge: string): Promise<string[]> {
  const stats = new Map<string, Promise<string>>();
  const look = (file: string): Promise<string> => {
    let known = stats.get(file);
    if (!known)
      stats.set(
        file,
        (known = stat(file).then(
          ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
          () => "gone",
        )),
      );
    return known;
  };
  const keys: string[] = [];
  for (const plan of plans) {
    const files = [...plan.sources, plan.prediction, plan.diff, plan.task].flatMap((one) => (one ? [one.file] : []));
    const parts = [judge, JSON.stringify(plan)];
    for (const file of files) parts.push(await look(file));
    keys.push(createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 40));
  }
  return keys;
}

export interface RunIndex {
  load(folder: string): Promise<Map<string, Brief>>;
  /** Keeps what is given and forgets the rest of the folder. Never rejects: a full disk costs time at the next start, no more. */
  save(folder: string, runs: ReadonlyMap<string, Brief>): Promise<void>;
}

/** @param storage a folder of ours; it is made when something is kept */
export function createRunIndex(storage: string): RunIndex {
  const home = path.join(storage, "runs");
  const toFile = (folder: string): string => path.join(home, `${createHash("sha256").update(folder).digest("hex").slice(0, 32)}.json`);
  return {
    async load(folder) {
      try {
        const file = toFile(folder);
        if ((await stat(file)).size > largestFile) return new Map();
        return new Map(Object.entries(fileSchema.parse(JSON.parse(await readFile(file, "utf8"))).runs));
      } catch {
        // Not kept yet, or by another version: everything is judged again.
        return new Map();
      }
    },
    async save(folder, runs) {
      try {
        const file = toFile(folder);
        await mkdir(home, { recursive: true, mode: 0o700 });
        const kept = { version: 1, runs: Object.fromEntries([...runs].slice(-mostRuns)) };
        // Two windows may save at the same time: each file is whole.
        const own = `${file}.${process.pid}`;
        await writeFile(own, JSON.stringify(kept), { mode: 0o600 });
        await rename(own, file);
        await forgetOldest(home);
      } catch {
        return;
      }
    },
  };
}

async function forgetOldest(home: string): Promise<void> {
  const names = await readdir(home);
  if (names.length <= mostFolders) return;
  const aged = await Promise.all(names.map(async (name) => ({ name, time: (await stat(path.join(home, name))).mtimeMs })));
  aged.sort((a, b) => b.time - a.time);
  await Promise.all(aged.slice(mostFolders).map(({ name }) => unlink(path.join(home, name)).catch(() => undefined)));
}
