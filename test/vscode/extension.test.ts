/** Activation and its end, with the whole extension on a `vscode` written by hand. */
import assert from "node:assert/strict";
import os from "node:os";
import path from "node:path";
import { beforeEach, test } from "node:test";
import { Memento, registrations, reset, seen, Uri, vscode } from "./fake";
import { commands } from "../../src/vscode/contributions";
import { activate } from "../../src/vscode/extension";
import { createStore } from "../../src/vscode/store";

beforeEach(reset);

function start(): { end: () => void } {
  const subscriptions: { dispose(): unknown }[] = [];
  const context = {
    subscriptions,
    extensionUri: Uri.file(path.resolve(__dirname, "../..")),
    workspaceState: new Memento(),
    globalStorageUri: Uri.file(path.join(os.tmpdir(), "proctor-storage")),
  };
  activate(context as unknown as Parameters<typeof activate>[0]);
  return { end: () => subscriptions.reverse().forEach((one) => one.dispose()) };
}

/** Loads the surfaces by a command that does nothing. */
const wake = (): Promise<unknown> => vscode.commands.executeCommand("agentProctor.cancel");

test("activation registers the commands, the schemes and the views, and shows nothing", () => {
  const { end } = start();
  const others = [
    "content proctor-base",
    "content proctor-blob",
    "files proctor-traj",
    "content proctor-diff",
    "tree agentProctor.findings",
    "tree agentProctor.runs",
    "emitter",
    "emitter",
    "emitter",
  ];
  assert.deepEqual([...registrations].sort(), [...Object.keys(commands).map((id) => `command ${id}`), ...others].sort());
  assert.deepEqual(seen.items, []);
  end();
  assert.deepEqual(registrations, []);
});

test("what a command loaded goes with the rest, and a second activation finds an empty place", async () => {
  for (let round = 0; round < 2; round++) {
    const { end } = start();
    await wake();
    await wake();
    assert.equal(seen.items.length, 1);
    assert.ok(registrations.includes("diagnostics agentProctor"));
    end();
    assert.deepEqual(registrations, []);
    assert.deepEqual(seen.items, []);
  }
});

test("a load that ends after the extension was switched off leaves nothing", async () => {
  const { end } = start();
  const woken = wake();
  end();
  await woken;
  assert.deepEqual(registrations, []);
});

test("a store disposes in the opposite order, once, and of what comes late at once", () => {
  const gone: number[] = [];
  const store = createStore();
  for (const number of [1, 2]) store.add({ dispose: () => gone.push(number) });
  store.dispose();
  store.dispose();
  store.add({ dispose: () => gone.push(3) });
  assert.deepEqual(gone, [2, 1, 3]);
  assert.equal(store.isDisposed, true);
});
