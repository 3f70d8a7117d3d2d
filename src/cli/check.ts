/** `proctor check`: the working changes of a repository, or a patch, judged as a person's own work. */
import fs from "node:fs";
import type { Run } from "../core/read";
import { fromRecord } from "../core/text/text";
import { decodeUtf8 } from "../core/text/utf8";
import { createSource } from "../node/files";
import { workingDiff } from "../node/git";
import { loadSyntax } from "../node/syntax";
import { judgeRun } from "../node/verify-run";
import { chooseMonitors, type Flags } from "./options";
import { UserError } from "./output";
import { report } from "./scan";

export interface CheckFlags extends Flags {
  base?: string;
  staged?: boolean;
}

const longestPatch = 256 * 1024 * 1024;

/** @returns the exit status */
export async function check(patch: string | undefined, flags: CheckFlags): Promise<number> {
  const { choices, paths } = chooseMonitors(flags);
  const file = patch ?? paths[0];
  if (file !== undefined && (flags.base !== undefined || flags.staged))
    throw new UserError("check takes a PATCH, --base or --staged: one of them.");
  if (flags.base !== undefined && flags.staged) throw new UserError("check takes --base or --staged, not both.");
  const { bytes, name } = file === undefined ? await readChanges(flags) : await readPatch(file);
  const source = createSource(bytes, name);
  const record = { source, start: 0, end: bytes.length, line: 1 };
  const run: Run = { id: name, sources: [], patch: fromRecord(decodeUtf8(bytes), record), profile: "dev" };
  return report(flags, { ...choices, profile: "dev", redact: flags.redact ?? false }, async (session) => {
    const judged = judgeRun(run, name, await loadSyntax(), session.choices);
    await session.add({ ...judged, profileReason: "check is for a person's own repository" }, "");
  });
}

async function readChanges({ base, staged }: CheckFlags): Promise<{ bytes: Uint8Array; name: string }> {
  const diff = await workingDiff(process.cwd(), { ...(base === undefined ? {} : { base }), ...(staged ? { staged } : {}) });
  if ("why" in diff) throw new UserError(diff.why);
  for (const note of diff.leftOut) process.stderr.write(`proctor: ${note}\n`);
  return { bytes: diff.bytes, name: staged ? "staged changes" : base === undefined ? "working changes" : `changes since ${base}` };
}

async function readPatch(file: string): Promise<{ bytes: Uint8Array; name: string }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const hint = "A PATCH is a unified diff, as `git diff` writes it.";
  try {
    if (file !== "-" && !fs.statSync(file).isFile()) throw new Error("it is not a regular file");
    const stream: AsyncIterable<Uint8Array> = file === "-" ? process.stdin : fs.createReadStream(file);
    for await (const chunk of stream) {
      size += chunk.length;
      if (size > longestPatch) throw new Error("it is larger than 256 MB");
      parts.push(chunk);
    }
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}. ${hint}`);
  }
  const bytes = Buffer.concat(parts);
  const text = decodeUtf8(bytes);
  if (text.trim() !== "" && !/^(diff --git |--- |\+\+\+ |Index: |@@ |rename |new file |deleted file )/m.test(text)) {
    throw new UserError(`${file} holds no diff. ${hint}`);
  }
  return { bytes, name: file };
}
