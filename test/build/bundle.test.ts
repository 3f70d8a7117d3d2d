/** What the build leaves in dist/: read from esbuild's own account of it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";

const root = path.resolve(__dirname, "../..");

interface Metafile {
  inputs: Record<string, unknown>;
  outputs: Record<string, { bytes: number; imports: { path: string; external?: boolean }[] }>;
}

function readMeta(name: string): Metafile {
  return JSON.parse(readFileSync(path.join(root, "dist/meta", `${name}.json`), "utf8")) as Metafile;
}

test("the start chunk stays under 60 KB", () => {
  const bytes = statSync(path.join(root, "dist/extension.js")).size;
  assert.ok(bytes > 0 && bytes <= 60 * 1024, `dist/extension.js has ${bytes} bytes`);
});

test("the start chunk holds none of the heavy packages and nothing of the core but types", () => {
  const heavy = Object.keys(readMeta("extension").inputs).filter((file) => /node_modules\/|^src\/(core|node|cli)\//.test(file));
  assert.deepEqual(heavy, []);
});

test("the start chunk reaches the surfaces only as a file of its own", () => {
  const outside = readMeta("extension")
    .outputs["dist/extension.js"]?.imports.filter((found) => found.external)
    .map((found) => found.path);
  assert.ok(outside?.includes("./surfaces.js"), `external: ${outside?.join(", ")}`);
  assert.ok(!Object.keys(readMeta("extension").inputs).includes("src/vscode/surfaces.ts"));
});

test("no bundle holds a native module or the parser's development build", () => {
  for (const name of ["extension", "surfaces", "worker", "cli", "core"]) {
    if (!existsSync(path.join(root, "dist/meta", `${name}.json`))) continue;
    const bad = Object.keys(readMeta(name).inputs).filter((file) => file.endsWith(".node") || file.includes("web-tree-sitter/debug"));
    assert.deepEqual(bad, [], name);
  }
});

test("every grammar that the loader asks for lies in dist/wasm", () => {
  for (const name of [
    "web-tree-sitter",
    "tree-sitter-bash",
    "tree-sitter-python",
    "tree-sitter-javascript",
    "tree-sitter-typescript",
    "tree-sitter-tsx",
  ]) {
    const head = readFileSync(path.join(root, "dist/wasm", `${name}.wasm`)).subarray(0, 4);
    assert.deepEqual([...head], [0x00, 0x61, 0x73, 0x6d], name);
  }
});
