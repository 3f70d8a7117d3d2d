/**
 * Runs the in-host suite inside a real VS Code: packs the extension, installs it into a fresh server, opens the page, and counts
 * what the suite reports. On a failure it prints the extension host's logs and leaves a picture in dist/workbench.
 */
import path from "node:path";
import { packExtension } from "../../src/build/package";
import { at } from "../../src/build/paths";
import type { Totals } from "../../src/build/totals";
import { install, MissingError } from "./install";
import { openBrowser, openFolder, takeScreenshot } from "./page";
import { startServer, type Server } from "./serve";
import { marker, type Report } from "./suite/report";

/** In milliseconds, for the whole suite: a hanging extension host must not hang the run. */
const suiteTimeout = 600_000;

async function runSuite(
  server: Server,
  browserPage: Awaited<ReturnType<typeof openBrowser>>,
  filters: string[],
  onReport: (report: Report) => void,
): Promise<number> {
  const { page } = browserPage;
  const toRemote = (file: string): string => `vscode-remote://127.0.0.1:${server.port}${file}`;
  const exit = new Promise<number>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The suite had not ended after ${suiteTimeout / 1000} s.`)), suiteTimeout);
    timer.unref();
    void page.exposeFunction("codeAutomationExit", (code: number) => resolve(code));
    page.on("crash", () => reject(new Error("The page crashed.")));
  });
  // Whoever waits for it comes later; until then a rejection is not unhandled.
  exit.catch(() => undefined);
  await page.exposeFunction("codeAutomationLog", (type: string, args: unknown[]) => {
    const text = args.map((arg) => (typeof arg === "string" ? arg : JSON.stringify(arg))).join(" ");
    const found = text.indexOf(marker);
    if (found >= 0) onReport(JSON.parse(text.slice(found + marker.length)) as Report);
    else if (type === "error" && process.env["PROCTOR_VERBOSE"]) console.log(`  [${type}] ${text.slice(0, 500)}`);
  });
  await openFolder(page, server, server.workspace, [
    ["extensionDevelopmentPath", toRemote(path.join(__dirname, "host"))],
    ["extensionTestsPath", toRemote(at("dist/test/suite.js"))],
    ["extensionEnvironment", JSON.stringify({ PROCTOR_WORKSPACE: server.workspace, PROCTOR_FILTERS: filters.join("\n") })],
  ]);
  return exit;
}

export async function runWorkbench(filters: string[]): Promise<Totals> {
  const started = Date.now();
  const totals: Totals = { passed: 0, failed: 0 };
  let server: Server | undefined;
  let workbench: Awaited<ReturnType<typeof openBrowser>> | undefined;
  let announced: number | undefined;
  const onReport = (report: Report): void => {
    if (report.kind === "start") announced = report.count;
    else if (report.error === undefined) {
      totals.passed++;
      console.log(`ok   workbench: ${report.name}  ${report.ms} ms`);
    } else {
      totals.failed++;
      console.log(`FAIL workbench: ${report.name}  ${report.ms} ms\n  ${report.error.replaceAll("\n", "\n  ")}`);
    }
  };
  try {
    const installation = install();
    const vsix = packExtension();
    const packed = Date.now();
    server = await startServer(installation, vsix);
    workbench = await openBrowser(installation);
    const status = await runSuite(server, workbench, filters, onReport);
    if (announced === undefined) throw new Error(`The suite said nothing (exit ${status}).`);
    if (announced !== totals.passed + totals.failed)
      throw new Error(`The suite announced ${announced} tests and reported ${totals.passed + totals.failed}.`);
    if (status !== 0 && totals.failed === 0) throw new Error(`The suite ended with ${status}, and every test had passed.`);
    console.log(`Workbench: packed in ${((packed - started) / 1000).toFixed(1)} s, ran in ${((Date.now() - packed) / 1000).toFixed(1)} s`);
  } catch (error) {
    totals.failed++;
    console.log(
      `FAIL workbench\n  ${error instanceof MissingError || !(error instanceof Error) ? String(error) : (error.stack ?? error.message)}`,
    );
  }
  if (totals.failed > 0) {
    if (workbench) {
      await takeScreenshot(workbench.page, at("dist/workbench/failure.png")).catch(() => undefined);
      console.log("A picture of the workbench is in dist/workbench/failure.png");
    }
    if (server) console.log(server.readLogs());
  }
  await workbench?.browser.close().catch(() => undefined);
  server?.stop();
  return totals;
}
