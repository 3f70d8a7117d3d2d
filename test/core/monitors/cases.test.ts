/** Every monitor's table of cases, found by file name. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import assert from "node:assert/strict";
import type { Case } from "../../../src/core/monitor";
import type { Tools } from "../../../src/core/code/syntax";
import { monitors } from "../../../src/core/monitors";
import { loadSyntax } from "../../../src/node/syntax";
import { checkCase, checkTable } from "./tester";

const folder = join(__dirname, "../../../src/core/monitors");
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".cases.ts"));

let tools: Tools;
before(async () => {
  tools = await loadSyntax();
});

test("every monitor has a table, and every table a monitor", () => {
  const tables = files.map((file) => file.replace(/^.*[\\/]/, "").replace(".cases.ts", "")).sort();
  assert.deepEqual(tables, monitors.map((monitor) => monitor.id).sort());
});

for (const file of files) {
  const id = file.replace(/^.*[\\/]/, "").replace(".cases.ts", "");
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the tables are found by name
  const { cases } = require(join(folder, file)) as { cases: readonly Case[] };
  const monitor = monitors.find((candidate) => candidate.id === id);
  describe(id, () => {
    test("the table is whole", () => {
      assert.ok(monitor);
      checkTable(monitor, cases);
    });
    for (const example of cases) {
      test(example.name, () => {
        assert.ok(monitor);
        checkCase(monitor, example, tools);
      });
    }
  });
}
