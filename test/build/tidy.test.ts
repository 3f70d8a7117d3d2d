/** Generated files are fresh. A stale one is rewritten and the test fails, so that the next run is green. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { generate, listStale, writeOutput } from "../../src/build/gen";

test("generated files are fresh", async () => {
  const { outputs, errors } = await generate();
  assert.deepEqual(errors, []);
  const stale = listStale(outputs);
  for (const file of stale) writeOutput(file, outputs.get(file) ?? null);
  assert.deepEqual(stale, [], "These were stale and have been rewritten: look at them and run the test again.");
});

test("generating twice gives the same bytes", async () => {
  const [first, second] = [await generate(), await generate()];
  assert.deepEqual([...first.outputs], [...second.outputs]);
});
