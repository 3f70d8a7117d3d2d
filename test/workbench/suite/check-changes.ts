/** Agent Proctor: Check Working Changes, in a real repository below the opened folder. */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import * as vscode from "vscode";
import { fixture, git, waitFor, waitForDiagnostics, write } from "./helpers";
import { test } from "./runner";

const before = ["from heights import parse", "", "", "def test_metres():", '    assert parse("1.4 m") == 1.4', ""].join("\n");
const after = [
  "import pytest",
  "",
  "from heights import parse",
  "",
  "",
  "@pytest.mark.skip",
  "def test_metres():",
  '    assert parse("1.4 m") == 1.4',
  "",
].join("\n");

test("a test that was skipped is marked on the very line of the source, and on no twin of it", async () => {
  // The other files of the workspace are no part of this.
  write(".gitignore", "/*\n!/project\n!/.gitignore\n");
  write("project/heights.py", "def parse(text):\n    return 0\n");
  const uri = write("project/test_heights.py", before);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  write("project/test_heights.py", after);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
  await vscode.commands.executeCommand("agentProctor.checkWorkingChanges");
  const found = await waitForDiagnostics(uri);
  const [diagnostic] = found.filter(({ code }) => typeof code === "object" && code.value === "test-skipped");
  assert.ok(diagnostic, `codes: ${JSON.stringify(found.map(({ code }) => code))}`);
  assert.equal(diagnostic.range.start.line, 5);
  const document = await vscode.workspace.openTextDocument(uri);
  assert.equal(document.getText(diagnostic.range), "@pytest.mark.skip");
  assert.equal(diagnostic.severity, vscode.DiagnosticSeverity.Warning);
  assert.match(diagnostic.message, /test_metres/);
  assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, tabs);
  const twin = uri.with({ scheme: "git", query: JSON.stringify({ path: uri.fsPath, ref: "HEAD" }) });
  await waitFor("the twin", async () => {
    const opened = vscode.workspace.openTextDocument(twin);
    return await opened.then(
      () => true,
      () => false,
    );
  });
  const marked = vscode.languages.getDiagnostics().filter(([, all]) => all.some(({ source }) => source === "Agent Proctor"));
  assert.deepEqual(
    marked.map(([{ scheme }]) => scheme),
    marked.map(() => "file"),
  );
  await vscode.commands.executeCommand("agentProctor.clearFindings");
}, 40_000);

test("changes that were put back leave nothing to mark", async () => {
  const uri = write("project/test_heights.py", before);
  await vscode.commands.executeCommand("agentProctor.checkWorkingChanges");
  assert.deepEqual(
    vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "Agent Proctor"),
    [],
  );
  await vscode.commands.executeCommand("agentProctor.clearFindings");
  rmSync(fixture(".git").fsPath, { recursive: true, force: true });
}, 40_000);
