/** The workbench as a person sees it: a page in a browser, driven by playwright. */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import type { Installation } from "./install";
import type { Server } from "./serve";

export interface Workbench {
  browser: Browser;
  page: Page;
}

const browserFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export async function openBrowser(installation: Installation, size = { width: 1400, height: 900 }): Promise<Workbench> {
  const browser = await chromium.launch({ executablePath: installation.browser, args: browserFlags });
  return { browser, page: await browser.newPage({ viewport: size }) };
}

/** Opens a folder of the server's machine. `payload`: what the test driver tells the workbench, as pairs. */
export async function openFolder(page: Page, server: Server, folder: string, payload: [string, string][] = []): Promise<void> {
  const query = new URLSearchParams({ folder, payload: JSON.stringify([["skipWelcome", "true"], ...payload]) });
  await page.goto(`http://127.0.0.1:${server.port}/?${query.toString()}`);
  await page.waitForSelector(".monaco-workbench", { timeout: 60_000 });
}

/** Waits until the workbench has come to rest: the extension host runs and the status bar is there. */
export async function waitUntilReady(page: Page): Promise<void> {
  await page.waitForSelector(".monaco-workbench .statusbar-item", { timeout: 60_000 });
  await page.waitForSelector(".explorer-folders-view .monaco-list-row, .editor-group-watermark", { timeout: 60_000 });
}

/** Runs a command by its title, as a person does: F1, type, Enter. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor({ state: "visible", timeout: 10_000 });
  await input.fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row").filter({ hasText: title }).first().waitFor({ timeout: 10_000 });
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden", timeout: 10_000 });
}

/** Opens a file of the opened folder by its name. */
export async function openFile(page: Page, name: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+P");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor({ state: "visible", timeout: 10_000 });
  await input.fill(name);
  await page.locator(".quick-input-list .monaco-list-row").first().waitFor({ timeout: 10_000 });
  await page.keyboard.press("Enter");
  await page.locator(`.tab.active[data-resource-name="${path.basename(name)}"]`).waitFor({ timeout: 20_000 });
}

/** Takes a picture of the whole workbench. */
export async function takeScreenshot(page: Page, file: string): Promise<void> {
  mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file });
}
