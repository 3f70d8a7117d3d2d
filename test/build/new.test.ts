/** What `npm run new` writes compiles, passes the lint rules and is formatted, so that an author starts from green. */
import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { ESLint } from "eslint";
import * as prettier from "prettier";
import ts from "typescript";
import { fill, listFiles } from "../../src/build/new";

const root = path.resolve(__dirname, "../..");
const id = "scaffold-of-a-test";
const plugIns = { ...listFiles("monitor", id, "RIG"), ...listFiles("adapter", id, "RIG") };
const files = new Map(
  Object.entries(plugIns).map(([file, template]) => [path.join(root, file), fill(template, { ID: id, TITLE: "A title", FAMILY: "RIG" })]),
);
const sources = [...files.keys()].filter((file) => file.endsWith(".ts"));

test("scaffolds compile", () => {
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(root, "tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => assert.fail() },
  );
  assert.ok(config);
  const host = ts.createCompilerHost(config.options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => files.has(path.normalize(file)) || fileExists(file);
  host.getSourceFile = (file, target, ...rest) => {
    const text = files.get(path.normalize(file));
    return text === undefined ? getSourceFile(file, target, ...rest) : ts.createSourceFile(file, text, target);
  };
  const program = ts.createProgram(sources, config.options, host);
  for (const file of sources) {
    const source = program.getSourceFile(file);
    assert.ok(source, file);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    assert.deepEqual(
      found.map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n")),
      [],
      file,
    );
  }
});

test("scaffolds pass the lint rules and are formatted", async () => {
  const eslint = new ESLint({ cwd: root });
  for (const file of sources) {
    const text = files.get(file) ?? "";
    const [result] = await eslint.lintText(text, { filePath: file });
    assert.deepEqual(
      result?.messages.map((message) => message.message),
      [],
      file,
    );
    assert.ok(await prettier.check(text, { ...(await prettier.resolveConfig(path.join(root, "package.json"))), filepath: file }), file);
  }
});

test("scaffolds leave no placeholder", () => {
  for (const [file, text] of files) assert.doesNotMatch(text, /__[A-Z]+__/, file);
});
