/** A folder that is gone when the test is. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { TestContext } from "node:test";

/** @param files contents by path; a value that is no string is written as JSON */
export function makeFolder(t: TestContext, files: Readonly<Record<string, unknown>> = {}): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "proctor-test-")));
  t.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFile(folder, name, content);
  return folder;
}

export function writeFile(folder: string, name: string, content: unknown): string {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

/** Lines of a recording. */
export function recording(...lines: unknown[]): string {
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

export const session = { type: "session", version: 1, profile: "bench" };

/** A recording of one harmless run. */
export const quiet = recording(session, { type: "command", command: "ls", output: "a.py\n", exit: 0 });

export const diff = `diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1 +1 @@
-x = 1
+x = 2
`;
