/**
 * `npm run shots -- FOLDER`: drives the packed extension in the workbench and leaves pictures in FOLDER (default dist/shots).
 * `-- FOLDER --open DIR` shows another folder than the fixtures; `--file NAME` opens a file of it; each `--run TITLE` runs a
 * command by its title and takes a picture after it; `--theme NAME` sets the colours.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { parseArgs } from "node:util";
import { install } from "../../test/workbench/install";
import { openBrowser, openFile, openFolder, runCommand, takeScreenshot, waitUntilReady } from "../../test/workbench/page";
import { startServer } from "../../test/workbench/serve";
import { packExtension } from "./package";
import { root } from "./paths";

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      open: { type: "string" },
      file: { type: "string" },
      run: { type: "string", multiple: true, default: [] },
      theme: { type: "string" },
      wait: { type: "string", default: "1500" },
    },
  });
  const folder = path.resolve(root, positionals[0] ?? "dist/shots");
  const built = spawnSync(process.execPath, ["--import", "tsx", "src/build/esbuild.ts", "--no-types"], { cwd: root, stdio: "inherit" });
  if (built.status !== 0) throw new Error("The build failed.");
  const installation = install();
  const server = await startServer(
    installation,
    packExtension(),
    values.theme === undefined ? {} : { "workbench.colorTheme": values.theme },
  );
  const { browser, page } = await openBrowser(installation);
  let count = 0;
  const shoot = async (name: string): Promise<void> => {
    await page.waitForTimeout(Number(values.wait));
    const file = path.join(folder, `${String(++count).padStart(2, "0")}-${name.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.png`);
    await takeScreenshot(page, file);
    console.log(file);
  };
  try {
    await openFolder(page, server, values.open === undefined ? server.workspace : path.resolve(values.open));
    await waitUntilReady(page);
    await shoot("start");
    if (values.file !== undefined) {
      await openFile(page, values.file);
      await shoot(path.basename(values.file));
    }
    for (const title of values.run) {
      await runCommand(page, title);
      await shoot(title);
    }
  } catch (error) {
    await shoot("failure");
    console.error(server.readLogs());
    throw error;
  } finally {
    await browser.close();
    server.stop();
  }
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
