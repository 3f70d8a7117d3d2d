/** Starts a VS Code server with fresh folders, and the packed extension installed in it. */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, createWriteStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import type { Installation } from "./install";

export interface Server {
  port: number;
  /** A copy of test/workbench/fixtures, to be opened and changed. */
  workspace: string;
  /** What the extension hosts wrote, newest last; at most 200 lines. */
  readLogs(): string;
  /** Ends the server and all that it started, and removes its folders. */
  stop(): void;
}

/** Settings that keep the workbench quiet and the same every day. */
const settings = {
  "workbench.startupEditor": "none",
  "workbench.tips.enabled": false,
  "workbench.secondarySideBar.defaultVisibility": "hidden",
  "workbench.welcomePage.walkthroughs.openOnInstall": false,
  "window.restoreWindows": "none",
  "files.hotExit": "off",
  "update.mode": "none",
  "extensions.autoUpdate": false,
  "extensions.autoCheckUpdates": false,
  "extensions.ignoreRecommendations": true,
  "telemetry.telemetryLevel": "off",
  "workbench.enableExperiments": false,
  "chat.disableAIFeatures": true,
  "git.autofetch": false,
  "git.openRepositoryInParentFolders": "never",
  "editor.accessibilitySupport": "off",
  "terminal.integrated.gpuAcceleration": "off",
  "workbench.colorTheme": "Default Dark Modern",
};

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (typeof address === "object" && address ? resolve(address.port) : reject(new Error("no free port"))));
    });
  });
}

async function waitUntilUp(port: number, hasEnded: () => boolean): Promise<void> {
  const until = Date.now() + 30_000;
  while (Date.now() < until && !hasEnded()) {
    const isUp = await fetch(`http://127.0.0.1:${port}/version`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(hasEnded() ? "The VS Code server ended at once." : "The VS Code server was not up after 30 s.");
}

function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** `extraSettings` are added to the user settings. Throws when the server does not come up or refuses the extension. */
export async function startServer(installation: Installation, vsix: string, extraSettings: Record<string, unknown> = {}): Promise<Server> {
  const data = mkdtempSync(path.join(os.tmpdir(), "proctor-workbench-"));
  const userSettings = path.join(data, "server/data/User/settings.json");
  mkdirSync(path.dirname(userSettings), { recursive: true });
  writeFileSync(userSettings, JSON.stringify({ ...settings, ...extraSettings }));
  const workspace = path.join(data, "workspace");
  cpSync(path.join(__dirname, "fixtures"), workspace, { recursive: true });
  const folders = [
    "--server-data-dir",
    path.join(data, "server"),
    "--user-data-dir",
    path.join(data, "server/data"),
    "--extensions-dir",
    path.join(data, "extensions"),
  ];
  const installed = spawnSync(
    installation.node,
    [installation.server, ...folders, "--accept-server-license-terms", "--install-extension", vsix],
    { encoding: "utf8" },
  );
  if (installed.status !== 0) throw new Error(`The packed extension could not be installed:\n${installed.stdout}${installed.stderr}`);

  const port = await findFreePort();
  const flags = [
    "--host",
    "127.0.0.1",
    "--port",
    String(port),
    "--without-connection-token",
    "--accept-server-license-terms",
    "--disable-telemetry",
  ];
  // Without the driver flag the page ignores the payload in silence.
  flags.push("--disable-workspace-trust", "--enable-smoke-test-driver");
  const child = spawn(installation.node, [installation.server, ...folders, ...flags], {
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = createWriteStream(path.join(data, "server.log"));
  child.stdout.pipe(log);
  child.stderr.pipe(log);
  let hasEnded = false;
  child.on("close", () => (hasEnded = true));

  function readLogs(): string {
    const files = [
      path.join(data, "server.log"),
      ...listFiles(path.join(data, "server/data/logs")).filter((file) => /exthost|Agent Proctor/i.test(file)),
    ];
    const texts = files
      .filter((file) => existsSync(file))
      .map((file) => `--- ${path.relative(data, file)}\n${readFileSync(file, "utf8").split("\n").slice(-200).join("\n")}`);
    return texts.join("\n");
  }
  function stop(): void {
    try {
      // The group: the extension host and the terminals are the server's children.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
    rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
  try {
    await waitUntilUp(port, () => hasEnded);
  } catch (error) {
    const logs = readLogs();
    stop();
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${logs}`, { cause: error });
  }
  return { port, workspace, readLogs, stop };
}
