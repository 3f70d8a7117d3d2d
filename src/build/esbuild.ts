/**
 * Builds everything that ships into dist/: `npm run build`, with `-- --dev` for source maps and readable output,
 * `-- --watch` to stay, `-- --no-types` to leave out the declarations of the npm entry.
 */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as esbuild from "esbuild";
import { at, root } from "./paths";

interface Bundle {
  entry: string;
  out: string;
  options?: esbuild.BuildOptions;
}

/**
 * The start chunk may not grow: what it reaches by `import("./surfaces")` stays a file of its own, required at first use.
 * esbuild cannot split CommonJS, so the seam is drawn here.
 */
const surfacesStayOutside: esbuild.Plugin = {
  name: "surfaces-stay-outside",
  setup(build) {
    build.onResolve({ filter: /^\.\/surfaces$/ }, (found) =>
      found.kind === "dynamic-import"
        ? { path: "./surfaces.js", external: true }
        : { errors: [{ text: "Reach ./surfaces by import(): a static import would put it into the start chunk." }] },
    );
  },
};

function listBundles(): Bundle[] {
  const vscode = { external: ["vscode"] };
  const bundles: Bundle[] = [
    { entry: "src/cli/main.ts", out: "dist/cli.js", options: { banner: { js: "#!/usr/bin/env node" } } },
    { entry: "src/vscode/extension.ts", out: "dist/extension.js", options: { ...vscode, plugins: [surfacesStayOutside] } },
    { entry: "src/vscode/surfaces.ts", out: "dist/surfaces.js", options: vscode },
    { entry: "src/node/worker.ts", out: "dist/worker.js" },
    { entry: "src/core/index.ts", out: "dist/core.js" },
    { entry: "test/workbench/suite/index.ts", out: "dist/test/suite.js", options: { ...vscode, minify: false } },
  ];
  const panels = existsSync(at("src/panel")) ? readdirSync(at("src/panel"), { withFileTypes: true }) : [];
  for (const panel of panels) {
    const entry = `src/panel/${panel.name}/main.ts`;
    if (panel.isDirectory())
      bundles.push({ entry, out: `dist/panel/${panel.name}.js`, options: { platform: "browser", format: "iife", target: "chrome120" } });
  }
  return bundles.filter((bundle) => existsSync(at(bundle.entry)));
}

function toOptions(bundle: Bundle, isDev: boolean): esbuild.BuildOptions {
  return {
    absWorkingDir: root,
    entryPoints: [bundle.entry],
    outfile: bundle.out,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "cjs",
    minify: !isDev,
    sourcemap: isDev ? "linked" : false,
    metafile: true,
    legalComments: "none",
    logLevel: "warning",
    // What is read from the sources by tests looks for import.meta, and copes without it.
    logOverride: { "empty-import-meta": "silent" },
    // The ESM build of the parser reads import.meta, which CommonJS has not.
    alias: { "web-tree-sitter": at("node_modules/web-tree-sitter/web-tree-sitter.cjs") },
    // In the extension host `import()` of a file goes another way than `require`, and that way does not know "vscode" everywhere.
    supported: { "dynamic-import": false },
    ...bundle.options,
  };
}

/** Where each wasm file comes from; all of them end up in dist/wasm, under their own names. */
const wasmFiles = [
  "web-tree-sitter/web-tree-sitter.wasm",
  "tree-sitter-bash/tree-sitter-bash.wasm",
  "tree-sitter-python/tree-sitter-python.wasm",
  "tree-sitter-javascript/tree-sitter-javascript.wasm",
  "tree-sitter-typescript/tree-sitter-typescript.wasm",
  "tree-sitter-typescript/tree-sitter-tsx.wasm",
];

function copyWasm(): void {
  mkdirSync(at("dist/wasm"), { recursive: true });
  for (const file of wasmFiles) copyFileSync(at("node_modules", file), at("dist/wasm", path.basename(file)));
}

/** Declarations for `agent-proctor/core`. Types come from the compiler, so they wait for code that compiles. */
async function writeTypes(): Promise<boolean> {
  if (!existsSync(at("src/core/index.ts"))) return true;
  writeFileSync(at("dist/core.d.ts"), 'export * from "./types/index";\n');
  const args = ["node_modules/typescript/bin/tsc", "-p", "src/build/tsconfig.types.json"];
  return new Promise((resolve) => {
    spawn(process.execPath, args, { cwd: root, stdio: "inherit" }).on("close", (status) => resolve(status === 0));
  });
}

/** What an earlier build left and this one no longer makes. dist/ is not emptied first: something may be running from it. */
function removeLeftovers(made: string[]): void {
  for (const file of readdirSync(at("dist"))) {
    if (/\.js(\.map)?$/.test(file) && !made.includes(file.replace(/\.map$/, ""))) rmSync(at("dist", file));
  }
}

async function main(flags: Set<string>): Promise<void> {
  const started = Date.now();
  const isDev = flags.has("--dev") || flags.has("--watch");
  const bundles = listBundles();
  mkdirSync(at("dist/meta"), { recursive: true });
  copyWasm();
  if (flags.has("--watch")) {
    for (const bundle of bundles) await (await esbuild.context({ ...toOptions(bundle, isDev), logLevel: "info" })).watch();
    return;
  }
  const types = flags.has("--no-types") || isDev ? Promise.resolve(true) : writeTypes();
  const built = await Promise.all(
    bundles.map(async (bundle) => {
      const { metafile } = await esbuild.build(toOptions(bundle, isDev));
      // A test reads these: how large the start chunk is, and what it holds.
      writeFileSync(at("dist/meta", `${path.basename(bundle.out, ".js")}.json`), JSON.stringify(metafile));
      const bytes = metafile?.outputs[bundle.out]?.bytes ?? 0;
      return `${path.basename(bundle.out)} ${(bytes / 1024).toFixed(0)} KB`;
    }),
  );
  removeLeftovers(bundles.map((bundle) => path.basename(bundle.out)));
  if (!(await types)) {
    console.error("The declarations of src/core could not be written: see the compiler's messages above.");
    process.exitCode = 1;
  }
  console.log(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s: ${built.join(", ")}`);
}

main(new Set(process.argv.slice(2))).catch((error: unknown) => {
  // esbuild has printed its own messages by now.
  if (!(error instanceof Error && "errors" in error)) console.error(error);
  process.exitCode = 1;
});
