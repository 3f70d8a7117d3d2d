/**
 * The one door to every script of this repository: `node src/build/setup.mjs NAME [ARGUMENTS]`.
 *
 * It is plain JavaScript without dependencies because it must run on a fresh clone. It installs what is
 * missing or out of date, then runs `src/build/NAME.ts`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** Why `npm ci` must run, or nothing. Compares the lock file with the record npm leaves of what it installed. */
function findStaleness() {
  const record = path.join(root, "node_modules/.package-lock.json");
  if (!existsSync(record)) return "dependencies are not installed";
  const wanted = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  for (const [name, entry] of Object.entries(wanted)) {
    // Optional packages are often meant for another platform.
    if (name === "" || entry.optional || entry.devOptional || entry.link) continue;
    if (installed[name]?.version !== entry.version) return `${name} is ${installed[name]?.version ?? "missing"}, wanted ${entry.version}`;
  }
  return undefined;
}

function run(command, args) {
  const done = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" && command === "npm" });
  if (done.error) console.error(`Could not run ${command}: ${done.error.message}`);
  return done.status ?? 1;
}

const [name, ...args] = process.argv.slice(2);
const major = Number(process.versions.node.split(".")[0]);
if (major < 20) {
  console.error(`Node ${process.versions.node} is too old: Agent Proctor is built with Node 20 or newer.`);
  process.exit(2);
}
const why = findStaleness();
if (why) {
  console.error(`Installing dependencies (${why}) …`);
  const status = run("npm", ["ci", "--no-audit", "--no-fund"]);
  if (status !== 0) {
    console.error("npm ci failed: see above. Nothing else was run.");
    process.exit(status);
  }
}
if (name !== undefined) process.exit(run(process.execPath, ["--import", "tsx", path.join("src/build", `${name}.ts`), ...args]));
