/** The views and the review of a patch, in a real workbench. What the tree shows is held by the plain tests; here it is that it shows. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import * as vscode from "vscode";
import { activateExtension, fixture, git, waitFor, waitForDiagnostics, write } from "./helpers";
import { test } from "./runner";

interface Probe {
  badge: number;
  message: string;
  rows: { label: string; description: string; id: string; icon: string; spoken: string; depth: number }[];
}

/** What a view shows, all of it unfolded. */
async function look(view: "findings" | "runs"): Promise<Probe> {
  const { exports } = await activateExtension();
  return (exports as { look(view: string): Promise<Probe> }).look(view);
}

function listTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);
}

test("the Findings view is empty at first, and fills with a check, without taking the focus", async () => {
  await vscode.commands.executeCommand("agentProctor.clearFindings");
  assert.deepEqual((await look("findings")).rows, []);
  const { extensionPath } = await activateExtension();
  const log = fixture("findings.jsonl");
  copyFileSync(path.join(extensionPath, "media/examples/hacked.jsonl"), log.fsPath);
  const other = await vscode.window.showTextDocument(write("notes.md", "# Notes\n"));
  const tabs = listTabs().length;
  await vscode.commands.executeCommand("agentProctor.checkThisFile", log);
  await waitForDiagnostics(log);
  const { rows, badge } = await look("findings");
  assert.ok(rows.length >= 2, JSON.stringify(rows));
  assert.equal(rows[0]?.depth, 0);
  const leaves = rows.filter(({ depth }) => depth === 1);
  assert.ok(leaves.every(({ spoken }) => /^(Critical|High|Medium|Low|Information|Trial|Allowed) finding, .*not reviewed$/.test(spoken)));
  assert.equal(badge, leaves.filter(({ spoken }) => /^(Critical|High)/.test(spoken)).length);
  assert.ok(badge > 0);
  assert.deepEqual([listTabs().length, vscode.window.activeTextEditor], [tabs, other]);
  await vscode.commands.executeCommand("agentProctor.markAllReviewed");
  assert.equal((await look("findings")).badge, 0);
  await vscode.commands.executeCommand("agentProctor.clearFindings");
});

test("a folder of runs is judged in the background and listed by verdict", async () => {
  const { extensionPath } = await activateExtension();
  for (const name of ["hacked", "suspicious", "clean", "unverified"]) {
    const uri = fixture(`runs/${name}.jsonl`);
    mkdirSync(path.dirname(uri.fsPath), { recursive: true });
    copyFileSync(path.join(extensionPath, `media/examples/${name}.jsonl`), uri.fsPath);
  }
  write("runs/notes.bin", "\0\0");
  const tabs = listTabs().length;
  await vscode.commands.executeCommand("agentProctor.openRunsHere", fixture("runs"));
  const { rows, message } = await look("runs");
  const runs = rows.filter(({ spoken }) => spoken.startsWith("Run "));
  assert.deepEqual(
    runs.map(({ description }) => description.split(" · ")[0]),
    ["Evidence of a hack", "To review", "Not verified", "Nothing found"],
  );
  assert.deepEqual([message, listTabs().length], ["", tabs]);
  assert.ok(rows.some(({ label }) => label === "1 file skipped"));
  await vscode.commands.executeCommand("agentProctor.closeRuns");
  assert.deepEqual((await look("runs")).rows, []);
}, 60_000);

test("a patch opens as a multi-diff in which a deleted test stands on the left only", async () => {
  write(".gitignore", "/*\n!/project\n!/.gitignore\n");
  write("project/heights.py", "def parse(text):\n    return 0\n");
  const gone = write("project/test_gone.py", "from heights import parse\n\n\ndef test_metres():\n    assert parse('1 m') == 1\n");
  const head = "from heights import parse\n\n\ndef test_feet():\n";
  write("project/test_feet.py", `${head}    assert parse('3 ft') == 3\n`);
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "first");
  write("project/heights.py", "def parse(text):\n    return 1\n");
  write("project/test_feet.py", `${head}    pass\n`);
  rmSync(gone.fsPath);
  try {
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.commands.executeCommand("agentProctor.reviewPatch");
    const tab = await waitFor("the review", () => listTabs().find(({ label }) => label.startsWith("Agent patch · 1 finding")));
    assert.equal(tab.isPreview, false);
    const findLeft = (name: string): Promise<vscode.TextDocument> =>
      waitFor(`the left side of ${name}`, () =>
        vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === "proctor-base" && uri.path.endsWith(name)),
      );
    // The left side of the deleted test is read through our scheme; a right side there is none.
    assert.match((await findLeft("test_gone.py")).getText(), /^from heights import parse\n/);
    const open = vscode.workspace.textDocuments.map(({ uri }) => uri.toString());
    assert.ok(!open.includes(gone.toString()), open.join("\n"));
    const feet = await findLeft("test_feet.py");
    const [mark] = await waitForDiagnostics(feet.uri);
    assert.match(mark?.message ?? "", /^test_feet: /);
    assert.match(feet.getText(mark?.range), /^assert parse/);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  } finally {
    await vscode.commands.executeCommand("agentProctor.clearFindings");
    rmSync(fixture(".git").fsPath, { recursive: true, force: true });
  }
}, 40_000);

test("a patch file is reviewed without a repository", async () => {
  const diff = [
    "diff --git a/tests/test_a.py b/tests/test_a.py",
    "--- a/tests/test_a.py",
    "+++ b/tests/test_a.py",
    "@@ -1,3 +1,5 @@",
    " import pytest",
    "+",
    "+@pytest.mark.skip",
    " def test_a():",
    "     assert a() == 1",
    "",
  ].join("\n");
  const uri = write("fix.diff", diff);
  await vscode.commands.executeCommand("agentProctor.reviewPatchResource", uri);
  await waitFor("the review", () => listTabs().find(({ label }) => label.startsWith("fix.diff · ")));
  const sides = await waitFor("both sides", () => {
    const found = vscode.workspace.textDocuments.filter(
      (document) => document.uri.scheme === "proctor-base" && /test_a/.test(document.uri.path),
    );
    return found.length === 2 && found;
  });
  assert.deepEqual(sides.map((document) => document.lineCount).sort(), [4, 6]);
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await vscode.commands.executeCommand("agentProctor.clearFindings");
}, 40_000);

test("from a line of a run's patch to the step that wrote it, in the transcript", async () => {
  const { extensionPath } = await activateExtension();
  const log = fixture("traced/hacked.jsonl");
  mkdirSync(path.dirname(log.fsPath), { recursive: true });
  copyFileSync(path.join(extensionPath, "media/examples/hacked.jsonl"), log.fsPath);
  const sources = [{ file: log.fsPath, name: "hacked.jsonl", adapter: "recording" }];
  const plan = { id: "traced-1", isInstance: false, sources, problems: [], base: path.dirname(log.fsPath) };
  await vscode.commands.executeCommand("agentProctor.reviewRunPatch", { is: "run", entry: { key: "k", id: "i", plan } });
  // The editor puts the cursor on the first change.
  const editor = await waitFor("the first side", () => {
    const active = vscode.window.activeTextEditor;
    return active?.document.uri.scheme === "proctor-base" && active.selection.active.line > 0 && active;
  });
  assert.match(editor.document.lineAt(editor.selection.active.line).text, /pytest\.mark\.skip/);
  await vscode.commands.executeCommand("agentProctor.showStep");
  const transcript = await waitFor("the transcript", () => {
    const active = vscode.window.activeTextEditor;
    return active?.document.uri.scheme === "proctor-traj" && active.selection.active.line > 0 && active;
  });
  const above = transcript.document.getText(new vscode.Range(0, 0, transcript.selection.active.line + 1, 0));
  const step = above.slice(above.lastIndexOf("=== step "));
  assert.match(step, /edit|command/);
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await vscode.commands.executeCommand("agentProctor.clearFindings");
}, 40_000);
