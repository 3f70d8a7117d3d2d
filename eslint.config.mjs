import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import tseslint from "typescript-eslint";
import layers from "./src/build/layers.mjs";

/** What makes an answer depend on the machine, the moment or the host. */
const impure = [
  ...["process", "Buffer", "require", "module", "console", "global", "globalThis", "__dirname", "__filename"],
  ...[
    "setTimeout",
    "setInterval",
    "setImmediate",
    "queueMicrotask",
    "fetch",
    "performance",
    "crypto",
    "navigator",
    "window",
    "document",
    "Intl",
  ],
].map((name) => ({ name, message: "core is pure: no host, no clock, no randomness, no console." }));

const unstable = ["localeCompare", "toLocaleString", "toLocaleDateString", "toLocaleTimeString", "toLocaleLowerCase", "toLocaleUpperCase"];

export default defineConfig(
  {
    ignores: [
      "dist/",
      "**/node_modules/",
      "media/",
      "test/quiet/",
      "test/caught/",
      "test/samples/",
      "test/fixtures/",
      "test/workbench/fixtures/",
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "@typescript-eslint/no-explicit-any": "error",
      "@typescript-eslint/no-require-imports": "error",
      // The terminal's escapes are our subject.
      "no-control-regex": "off",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "no-var": "error",
      "prefer-const": "error",
    },
  },
  { files: ["**/*.mjs"], languageOptions: { globals: { process: "readonly", console: "readonly" } } },
  { files: ["src/**/*.ts", "src/**/*.tsx"], plugins: { proctor: layers }, rules: { "proctor/one-way": "error" } },
  {
    files: ["src/core/**/*.ts"],
    rules: {
      "no-console": "error",
      "no-restricted-globals": ["error", ...impure],
      "no-restricted-properties": [
        "error",
        { object: "Date", property: "now", message: "core has no clock: take the time from the record." },
        { object: "Math", property: "random", message: "core has no randomness." },
        ...unstable.map((property) => ({ property, message: "The answer depends on the machine's language: compare code units." })),
      ],
      "no-restricted-syntax": [
        "error",
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: "core has no clock: take the time from the record." },
        { selector: "CallExpression[callee.name='Date']", message: "core has no clock: take the time from the record." },
        { selector: "AwaitExpression", message: "core is synchronous: what must be waited for is handed in." },
      ],
    },
  },
  {
    files: ["src/core/**/*.ts"],
    ignores: ["**/*.cases.ts", "src/core/monitors/index.ts", "src/core/adapters/index.ts"],
    rules: { "max-lines": ["error", { max: 300 }] },
  },
  {
    // Rules that need types are slow: only where promises are at home.
    files: ["src/node/**/*.ts", "src/cli/**/*.ts", "src/vscode/**/*.ts", "src/panel/**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/only-throw-error": "error",
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "CallExpression[callee.object.name=/^(test|it|describe|suite|t)$/][callee.property.name=/^(only|skip|todo)$/]",
          message: "No test is skipped and none runs alone: assert what happens today and say that it is wrong.",
        },
        {
          selector: "CallExpression[callee.name=/^(test|it|describe|suite)$/] > ObjectExpression > Property[key.name=/^(only|skip|todo)$/]",
          message: "No test is skipped and none runs alone: assert what happens today and say that it is wrong.",
        },
      ],
    },
  },
);
