/** The first ring: plain Node tests, found by their name, run by Node's own runner, two files at a time. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { run } from "node:test";
import { root } from "./paths";
import type { Totals } from "./totals";

/** What the runner's events say of one test. */
interface Result {
  name: string;
  nesting: number;
  skip?: string | boolean;
  todo?: string | boolean;
  details: { type?: string; error?: Error & { failureType?: string } };
}

interface Failure {
  name: string;
  why: string;
}

interface FileResult {
  file: string;
  passed: number;
  failures: Failure[];
  /** What the file's tests printed. */
  output: string;
  ms: number;
}

/** Every test file below a folder but the workbench's, as paths relative to the root with `/`, sorted. */
function listTestFiles(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .filter((file) => !file.includes("node_modules/") && !file.startsWith("test/workbench/"))
    .sort();
}

/** A failure's message with its cause: node:test wraps what was thrown. */
function describe(error: Error | undefined): string {
  const cause = error?.cause;
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? error?.stack ?? "no reason given");
}

/**
 * One file in a process of its own. Each file has a stream of its own too: the events name the place where `test` was
 * called, which is not the file when a helper calls it.
 */
async function runFile(file: string): Promise<FileResult> {
  const started = Date.now();
  const result: FileResult = { file, passed: 0, failures: [], output: "", ms: 0 };
  const absolute = path.resolve(root, file);
  const isWholeFile = ({ name, nesting }: Result): boolean => nesting === 0 && path.resolve(root, name) === absolute;
  const fail = (name: string, why: string): void => void result.failures.push({ name, why });
  const stream = run({ files: [absolute], concurrency: 1 });
  stream.on("test:pass", (event: Result) => {
    if (isWholeFile(event)) return;
    if (event.skip !== undefined || event.todo !== undefined)
      fail(event.name, "Skipped: no test may be. Assert what happens today and say that it is wrong.");
    else if (event.details.type !== "suite") result.passed++;
  });
  stream.on("test:fail", (event: Result) => {
    // A parent fails because a child did; the child has been counted.
    if (event.details.error?.failureType !== "subtestsFailed")
      fail(isWholeFile(event) ? "(the whole file)" : event.name, describe(event.details.error));
  });
  stream.on("test:diagnostic", ({ message }: { message: string }) => {
    // Node only remarks on what is thrown after a test has ended.
    if (/asynchronous activity/i.test(message)) fail("(after a test had ended)", message);
  });
  const collect = ({ message }: { message: string }): void => void (result.output += message);
  stream.on("test:stderr", collect);
  stream.on("test:stdout", collect);
  await new Promise<void>((resolve, reject) => {
    stream.on("end", resolve);
    stream.on("error", reject);
    stream.resume();
  });
  if (result.passed + result.failures.length === 0) fail("(the whole file)", "The file holds no test.");
  return { ...result, ms: Date.now() - started };
}

/** Runs the files below `folder` whose path holds one of the filters; all of them without a filter. One line a file, failures in full at the end. */
export async function runUnitTests(filters: string[], folder: string): Promise<Totals> {
  const wanted = filters.map((filter) => filter.replaceAll("\\", "/"));
  const files = listTestFiles(folder).filter((file) => wanted.length === 0 || wanted.some((filter) => file.includes(filter)));
  if (files.length === 0) {
    console.error(filters.length === 0 ? `There is no test file below ${folder}.` : `No test file matches ${filters.join(" or ")}.`);
    return { passed: 0, failed: 1 };
  }
  const started = Date.now();
  const results: FileResult[] = [];
  const waiting = [...files];
  const work = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const result = await runFile(file);
      results.push(result);
      const failed = result.failures.length;
      console.log(
        `${failed > 0 ? "FAIL" : "ok  "} ${file}  ${result.passed} passed${failed > 0 ? `, ${failed} failed` : ""}  ${result.ms} ms`,
      );
      if (result.output.trim() !== "") console.log(result.output.trimEnd().replace(/^/gm, "     | "));
    }
  };
  await Promise.all([work(), work()]);
  const totals: Totals = { passed: 0, failed: 0 };
  for (const { file, passed, failures } of results) {
    totals.passed += passed;
    totals.failed += failures.length;
    for (const { name, why } of failures) console.log(`\nFAILED ${file}: ${name}\n  ${why.replaceAll("\n", "\n  ")}`);
  }
  console.log(
    `Unit: ${totals.passed} passed, ${totals.failed} failed, ${files.length} files, ${((Date.now() - started) / 1000).toFixed(1)} s`,
  );
  return totals;
}
