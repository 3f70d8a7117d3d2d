/** Runs the built command line, as a person would. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { z } from "zod";
import { reportSchema, runSchema } from "../../src/core/reports/schema";

const cli = process.env.PROCTOR_CLI ?? path.resolve(__dirname, "../../dist/cli.js");
if (!fs.existsSync(cli)) throw new Error(`${cli} is not there: build first (npm run build).`);

export interface Done {
  status: number | null;
  stdout: string;
  stderr: string;
}

export function runCli(
  args: readonly string[],
  options: { cwd?: string; input?: string | Uint8Array; env?: Record<string, string> } = {},
): Promise<Done> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [cli, ...args], { cwd: options.cwd, env: { ...process.env, ...options.env } });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }));
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
  });
}

export function startCli(args: readonly string[]): ReturnType<typeof spawn> {
  return spawn(process.execPath, [cli, ...args], { stdio: ["pipe", "pipe", "pipe"] });
}

/** The runs of `--format jsonl`, each held against the schema. */
export function readRuns(stdout: string): z.infer<typeof runSchema>[] {
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => runSchema.parse(JSON.parse(line)));
}

/** The object of `--format json`, held against the schema. */
export function readReport(stdout: string): z.infer<typeof reportSchema> {
  return reportSchema.parse(JSON.parse(stdout));
}
