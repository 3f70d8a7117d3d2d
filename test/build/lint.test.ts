/** The lint rules that hold the design together, each shown refusing what it is there for. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { ESLint } from "eslint";

const root = path.resolve(__dirname, "../..");
/** Rules that need types are off here: the snippets are files that do not exist. */
const eslint = new ESLint({
  cwd: root,
  overrideConfig: {
    languageOptions: { parserOptions: { projectService: false } },
    rules: {
      "@typescript-eslint/no-floating-promises": "off",
      "@typescript-eslint/no-misused-promises": "off",
      "@typescript-eslint/await-thenable": "off",
      "@typescript-eslint/only-throw-error": "off",
    },
  },
});

async function listRules(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: path.join(root, file) });
  return (result?.messages ?? []).map((message) => message.ruleId ?? message.message);
}

const oneWay = "proctor/one-way";

/** File, import, and whether it is refused. */
const imports: [string, string, boolean][] = [
  // Plug-ins never import each other.
  ["src/core/monitors/rig/a.ts", "./b", true],
  ["src/core/monitors/rig/a.ts", "../peek/b", true],
  ["src/core/monitors/rig/a.ts", "../index", true],
  ["src/core/monitors/rig/a.ts", "../../adapters/swe-agent", true],
  ["src/core/monitors/rig/a.ts", "../../facts/roles", false],
  ["src/core/monitors/rig/a.ts", "../../monitor", false],
  ["src/core/monitors/rig/a.ts", "../../verify", true],
  ["src/core/monitors/rig/a.cases.ts", "../../monitor", false],
  ["src/core/monitors/rig/a.cases.ts", "./a", false],
  ["src/core/monitors/rig/a.cases.ts", "./b.cases", true],
  ["src/core/monitors/index.ts", "./rig/a", false],
  ["src/core/adapters/a.ts", "./b", true],
  ["src/core/adapters/a.ts", "./shared/calls", false],
  ["src/core/adapters/a.ts", "./_calls", false],
  ["src/core/adapters/shared/calls.ts", "../a", true],
  ["src/core/adapters/a.ts", "../facts/roles", true],
  ["src/core/adapters/a.ts", "../text/json", false],
  // Core is pure and reads upwards never.
  ["src/core/text/a.ts", "node:fs", true],
  ["src/core/text/a.ts", "fs", true],
  ["src/core/text/a.ts", "fs/promises", true],
  ["src/core/text/a.ts", "vscode", true],
  ["src/core/text/a.ts", "commander", true],
  ["src/core/text/a.ts", "web-tree-sitter", true],
  ["src/core/text/a.ts", "diff", false],
  ["src/core/text/a.ts", "zod/mini", false],
  ["src/core/text/a.ts", "../facts/roles", true],
  ["src/core/text/a.ts", "../shell/read", true],
  ["src/core/shell/a.ts", "../facts/roles", true],
  ["src/core/facts/a.ts", "../monitors/index", true],
  ["src/core/facts/a.ts", "../shell/read", false],
  ["src/core/verify.ts", "./monitors/index", false],
  ["src/core/verify.ts", "./monitors/rig/a", true],
  ["src/core/verify.ts", "../node/files", true],
  ["src/core/reports/a.ts", "../verify", false],
  // Hosts.
  ["src/node/a.ts", "node:fs", false],
  ["src/node/a.ts", "vscode", true],
  ["src/node/a.ts", "../cli/main", true],
  ["src/cli/a.ts", "../node/files", false],
  ["src/cli/a.ts", "../vscode/commands", true],
  ["src/cli/a.ts", "vscode", true],
  ["src/cli/a.ts", "../../package.json", false],
  ["src/core/text/a.ts", "../../../package.json", true],
  ["src/vscode/a.ts", "vscode", false],
  ["src/vscode/a.ts", "../cli/main", true],
  ["src/vscode/a.ts", "../panel/messages", false],
  ["src/panel/report/a.ts", "node:fs", true],
  ["src/panel/report/a.ts", "../messages", false],
  ["src/panel/report/a.ts", "../../node/files", true],
  ["src/core/text/a.ts", "../../../test/x", true],
];

for (const [file, target, isRefused] of imports) {
  test(`${file} ${isRefused ? "may not" : "may"} import ${target}`, async () => {
    const rules = await listRules(file, `import { x } from "${target}";\nexport const y: unknown = x;\n`);
    assert.deepEqual(rules, isRefused ? [oneWay] : []);
  });
}

test("every way of importing is seen", async () => {
  for (const code of [
    'export { x } from "node:fs";',
    'export * from "node:fs";',
    'export type A = import("node:fs").Stats;',
    'import type { Stats } from "node:fs";\nexport type A = Stats;',
    'export const load = (): unknown => import("node:fs");',
  ]) {
    assert.deepEqual(await listRules("src/core/text/a.ts", `${code}\n`), [oneWay], code);
  }
});

/** Code that core may not hold, and the rule that says so. */
const impure: [string, string][] = [
  ["export const a = Date.now();", "no-restricted-properties"],
  ["export const a = Math.random();", "no-restricted-properties"],
  ["export const a = new Date();", "no-restricted-syntax"],
  ["export const a = Date();", "no-restricted-syntax"],
  ["export const a = process.env;", "no-restricted-globals"],
  ['export const a = Buffer.from("x");', "no-restricted-globals"],
  ["export const a = setTimeout;", "no-restricted-globals"],
  ["export const a = globalThis;", "no-restricted-globals"],
  ['export const a = "x".localeCompare("y");', "no-restricted-properties"],
  ["export const a: any = 1;", "@typescript-eslint/no-explicit-any"],
  ["export const a = async (b: Promise<void>): Promise<void> => await b;", "no-restricted-syntax"],
  [`${"// A line.\n".repeat(301)}export const a = 1;`, "max-lines"],
];

for (const [code, rule] of impure) {
  test(`core may not hold: ${code.slice(-60)}`, async () => {
    assert.deepEqual(await listRules("src/core/text/a.ts", `${code}\n`), [rule]);
  });
}

test("core may not write to the console", async () => {
  const rules = await listRules("src/core/text/a.ts", 'console.log("x");\n');
  assert.ok(rules.includes("no-console"), rules.join());
});

test("core may read a given time, encode text, and hold long tables of cases", async () => {
  assert.deepEqual(await listRules("src/core/text/a.ts", "export const a = (time: number): string => new Date(time).toISOString();\n"), []);
  assert.deepEqual(await listRules("src/core/text/a.ts", 'export const a = new TextEncoder().encode("x");\n'), []);
  assert.deepEqual(await listRules("src/core/monitors/rig/a.cases.ts", `${"// A line.\n".repeat(301)}export const a = 1;\n`), []);
});

test("a test may neither be skipped nor run alone", async () => {
  for (const code of [
    'test.only("x", () => {});',
    'it.skip("x", () => {});',
    'test("x", { skip: true }, () => {});',
    'describe.only("x", () => {});',
    "t.skip();",
    'test.todo("x");',
  ]) {
    assert.deepEqual(
      await listRules("test/a.test.ts", `declare const test: never, it: never, describe: never, t: never;\n${code}\n`).then((rules) =>
        rules.filter((rule) => rule === "no-restricted-syntax"),
      ),
      ["no-restricted-syntax"],
      code,
    );
  }
});
