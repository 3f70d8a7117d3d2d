import assert from "node:assert/strict";
import { test } from "node:test";
import { monitors } from "../../src/core/monitors";
import { runCli } from "./run-cli";

test("monitors lists every monitor, as a table and as JSON", async () => {
  const table = await runCli(["monitors"]);
  assert.equal(table.status, 0);
  assert.equal(table.stdout.trimEnd().split("\n").length, monitors.length + 1);
  const list = JSON.parse((await runCli(["monitors", "--format", "json"])).stdout) as { id: string; severity: unknown }[];
  assert.deepEqual(
    list.map(({ id }) => id),
    monitors.map(({ id }) => id),
  );
  for (const each of list) assert.deepEqual(Object.keys(each.severity as object).sort(), ["bench", "dev"]);
});

test("explain tells a monitor's declaration", async () => {
  for (const { id, title, next } of monitors.slice(0, 3)) {
    const { status, stdout } = await runCli(["explain", id]);
    assert.equal(status, 0);
    assert.ok(stdout.startsWith(`${id}: ${title}\n`));
    assert.ok(stdout.replace(/\s+/g, " ").includes(next.replace(/\s+/g, " ")));
  }
});

test("explain of what is not there: exit 2 and what to do", async () => {
  const unknown = await runCli(["explain", "no-such-monitor-at-all"]);
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /no monitor/);
  const print = await runCli(["explain", "0123456789abcdef"]);
  assert.equal(print.status, 2);
  assert.match(print.stderr, /proctor explain 0123456789abcdef PATH/);
});

test("schema is a JSON Schema of a run and of the whole report", async () => {
  const { status, stdout } = await runCli(["schema"]);
  assert.equal(status, 0);
  const schema = JSON.parse(stdout) as { $schema: string; $defs: Record<string, { required: string[] }> };
  assert.match(schema.$schema, /json-schema\.org/);
  assert.ok(schema.$defs.run?.required.includes("verdict"));
  assert.deepEqual(schema.$defs.report?.required, ["tool", "runs", "summary"]);
});
