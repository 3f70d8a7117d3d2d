/**
 * `npm run package`: builds, packs agent-proctor-VERSION.vsix and asserts what is in it. `-- --no-build` packs what dist/ holds now.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { at, root } from "./paths";

/** What may ship, below extension/ in the archive. vsce gives the three texts names of its own. */
const allowed = [
  /^dist\/(cli|extension|surfaces|worker|core)\.js$/,
  /^dist\/panel\/[a-z-]+\.(js|css)$/,
  /^dist\/wasm\/[a-z-]+\.wasm$/,
  /^media\/.+/,
  /^syntaxes\/.+\.json$/,
  /^(package\.json|readme\.md|changelog\.md|LICENSE\.txt)$/,
];

/** What must ship; without it the extension is broken in a way that no test of the sources sees. */
const required = [
  "package.json",
  "dist/extension.js",
  "dist/surfaces.js",
  "dist/wasm/web-tree-sitter.wasm",
  "media/icon.png",
  "LICENSE.txt",
];

/** In bytes, packed. */
const sizeLimit = 5 * 1024 * 1024;

/** The names in a zip archive's central directory, with their unpacked sizes. */
function listArchive(bytes: Buffer): { name: string; size: number }[] {
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0) throw new Error("The package is no zip archive.");
  const entries: { name: string; size: number }[] = [];
  let offset = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    const length = bytes.readUInt16LE(offset + 28);
    entries.push({ name: bytes.toString("utf8", offset + 46, offset + 46 + length), size: bytes.readUInt32LE(offset + 24) });
    offset += 46 + length + bytes.readUInt16LE(offset + 30) + bytes.readUInt16LE(offset + 32);
  }
  return entries;
}

/** What is wrong with the package, one sentence each. */
function findFaults(file: string): string[] {
  const names = listArchive(readFileSync(file)).map(({ name }) => name);
  const shipped = names.filter((name) => name.startsWith("extension/")).map((name) => name.slice("extension/".length));
  const faults = shipped.filter((name) => !allowed.some((pattern) => pattern.test(name))).map((name) => `${name} must not ship.`);
  faults.push(...names.filter((name) => name.endsWith(".node")).map((name) => `${name} is a native module: it runs on one platform only.`));
  faults.push(...required.filter((name) => !shipped.includes(name)).map((name) => `${name} is missing.`));
  const { size } = statSync(file);
  if (size > sizeLimit) faults.push(`The package has ${size} bytes, more than ${sizeLimit}.`);
  return faults;
}

/** What the package is made of, below the root. .vscodeignore chooses among it, wherever vsce is called. */
const parts = ["package.json", ".vscodeignore", "README.md", "CHANGELOG.md", "LICENSE", "dist", "media", "syntaxes"];

/** Packs what dist/ holds. Returns the file's path; throws when packing fails or the contents are not as they should be. */
export function packExtension(): string {
  const { name, version } = JSON.parse(readFileSync(at("package.json"), "utf8")) as { name: string; version: string };
  const file = at(`${name}-${version}.vsix`);
  // vsce walks every folder below it, node_modules too, which takes six seconds here and one in a folder of its own.
  const stage = mkdtempSync(path.join(os.tmpdir(), "proctor-package-"));
  try {
    for (const part of parts) if (existsSync(at(part))) cpSync(at(part), path.join(stage, part), { recursive: true });
    const args = [
      at("node_modules/@vscode/vsce/vsce"),
      "package",
      "--no-dependencies",
      "--allow-missing-repository",
      "--no-rewrite-relative-links",
      "--out",
      file,
    ];
    const done = spawnSync(process.execPath, args, { cwd: stage, encoding: "utf8", input: "" });
    if (done.status !== 0 || !existsSync(file)) throw new Error(`vsce package failed:\n${done.stdout}${done.stderr}`);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  const faults = findFaults(file);
  if (faults.length > 0) throw new Error(`The package is not as it should be:\n${faults.join("\n")}`);
  return file;
}

function main(args: string[]): void {
  if (!args.includes("--no-build")) {
    const built = spawnSync(process.execPath, ["--import", "tsx", "src/build/esbuild.ts"], { cwd: root, stdio: "inherit" });
    if (built.status !== 0) {
      process.exitCode = 1;
      return;
    }
  }
  try {
    const file = packExtension();
    for (const { name, size } of listArchive(readFileSync(file))) console.log(`${String(Math.ceil(size / 1024)).padStart(7)} KB  ${name}`);
    console.log(`${file}: ${(statSync(file).size / 1024 / 1024).toFixed(2)} MB`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

if (require.main === module) main(process.argv.slice(2));
