/**
 * `npm test`: builds, runs the plain Node tests and then the suite inside a real VS Code workbench, and closes with
 * the line `N passed, N failed`. Fails when anything failed, and when nothing ran at all.
 *
 *     npm test -- --only unit            the plain Node tests          npm test -- --only workbench
 *     npm test -- shell                  only files whose path holds "shell" (implies --only unit)
 *     npm test -- --no-build             with what dist/ holds now
 *     npm test -- --folder DIR           unit tests below another folder
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { at, root } from "./paths";
import type { Totals } from "./totals";
import { runUnitTests } from "./unit-tests";

function build(): boolean {
  return spawnSync(process.execPath, ["--import", "tsx", "src/build/esbuild.ts"], { cwd: root, stdio: "inherit" }).status === 0;
}

async function main(args: string[]): Promise<number> {
  const totals: Totals = { passed: 0, failed: 0 };
  const add = (more: Totals): void => {
    totals.passed += more.passed;
    totals.failed += more.failed;
  };
  const { values, positionals: filters } = parseArgs({
    args,
    allowPositionals: true,
    options: { only: { type: "string" }, folder: { type: "string", default: at("test") }, "no-build": { type: "boolean", default: false } },
  });
  const only = values.only ?? (filters.length > 0 ? "unit" : undefined);
  if (only !== undefined && only !== "unit" && only !== "workbench") {
    console.error(`--only takes unit or workbench, not ${only}.`);
    return 2;
  }
  if (!values["no-build"] && !build()) {
    // Tests of an old build would say nothing about this code.
    console.error("The build failed, so no test was run.");
    add({ passed: 0, failed: 1 });
  } else {
    if (only !== "workbench") add(await runUnitTests(filters, path.resolve(values.folder)));
    // Loaded only when it is needed: it brings the browser's driver.
    if (only !== "unit") add(await (await import("../../test/workbench/drive")).runWorkbench(filters));
  }
  if (totals.passed + totals.failed === 0) console.error("No test ran: nothing was checked.");
  console.log(`\n${totals.passed} passed, ${totals.failed} failed`);
  return totals.failed > 0 || totals.passed === 0 ? 1 : 0;
}

main(process.argv.slice(2)).then(
  (status) => process.exit(status),
  (error: unknown) => {
    console.error(error);
    console.log("\n0 passed, 1 failed");
    process.exit(1);
  },
);
