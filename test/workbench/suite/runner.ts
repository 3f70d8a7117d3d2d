/** A test runner of thirty lines: the extension host has none, and a framework would have to be bundled into it. */
import { marker, type Report } from "./report";

interface Test {
  name: string;
  body: () => Promise<void> | void;
  /** In milliseconds. */
  timeout: number;
}

const tests: Test[] = [];

/** Adds a test. It fails when it takes longer than `timeout` milliseconds. */
export function test(name: string, body: () => Promise<void> | void, timeout = 45_000): void {
  tests.push({ name, body, timeout });
}

function report(line: Report): void {
  console.log(marker + JSON.stringify(line));
}

async function runOne({ name, body, timeout }: Test): Promise<boolean> {
  const started = Date.now();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${timeout} ms`)), timeout);
  });
  try {
    await Promise.race([Promise.resolve().then(body), late]);
    report({ kind: "test", name, ms: Date.now() - started });
    return true;
  } catch (error) {
    report({
      kind: "test",
      name,
      ms: Date.now() - started,
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs all tests, one after the other, in the order in which they were added. Rejects when any failed. */
export async function runTests(filters: string[]): Promise<void> {
  const chosen = tests.filter(({ name }) => filters.length === 0 || filters.some((filter) => name.includes(filter)));
  report({ kind: "start", count: chosen.length });
  let failed = 0;
  for (const one of chosen) if (!(await runOne(one))) failed++;
  if (failed > 0 || chosen.length === 0) throw new Error(`${failed} of ${chosen.length} tests failed`);
}
