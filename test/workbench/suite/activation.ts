import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands } from "../../../src/vscode/contributions";
import { activateExtension, extensionId, fixture } from "./helpers";
import { test } from "./runner";

test("the packed extension is installed, and not the sources", () => {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension);
  assert.match(extension.extensionPath, /[\\/]extensions[\\/]agent-proctor\.agent-proctor-/);
});

test("the extension activates", async () => {
  assert.equal((await activateExtension()).isActive, true);
});

test("every command of the manifest is registered", async () => {
  await activateExtension();
  const registered = new Set(await vscode.commands.getCommands(true));
  assert.deepEqual(
    Object.keys(commands).filter((id) => !registered.has(id)),
    [],
  );
});

test("the workspace is the fixtures' copy", async () => {
  const document = await vscode.workspace.openTextDocument(fixture("README.md"));
  assert.match(document.getText(), /^# A workspace/);
});
