/** What the manifest must hold so that VS Code and the galleries take it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { commands, listContributions } from "../../src/vscode/contributions";

const root = path.resolve(__dirname, "../..");

interface Manifest {
  version: string;
  engines: { vscode: string };
  devDependencies: Record<string, string>;
  keywords: string[];
  activationEvents: string[];
  enabledApiProposals?: unknown;
  icon: string;
  main: string;
  contributes: {
    commands: { command: string; title: string; category: string }[];
    menus: Record<string, { command?: string; when?: string }[]>;
    keybindings?: { command: string }[];
    configuration?: { properties: Record<string, { scope?: string; description?: string; markdownDescription?: string }> };
  };
}

const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as Manifest;

test("the contributions are those of src/vscode/contributions.ts", () => {
  assert.deepEqual(manifest.contributes, JSON.parse(JSON.stringify(listContributions())));
});

test("no proposed API, and the types are those of the oldest VS Code that is promised", () => {
  assert.equal(manifest.enabledApiProposals, undefined);
  const promised = /^\^(\d+\.\d+)\.0$/.exec(manifest.engines.vscode)?.[1];
  assert.ok(promised, manifest.engines.vscode);
  assert.equal(manifest.devDependencies["@types/vscode"]?.split(".").slice(0, 2).join("."), promised);
});

test("nothing activates the extension for everybody or by searching the workspace", () => {
  for (const event of manifest.activationEvents) assert.doesNotMatch(event, /^(\*|workspaceContains:.*)$/);
});

test("every command has a title and the category, and is named agentProctor.verbNoun", () => {
  for (const { command, title, category } of manifest.contributes.commands) {
    assert.match(command, /^agentProctor\.[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)?$/);
    assert.ok(title.length > 0 && title.length <= 50, `${command}: ${title}`);
    assert.equal(category, "Agent Proctor", command);
  }
});

test("menus and keys name only commands that exist", () => {
  const used = [...Object.values(manifest.contributes.menus).flat(), ...(manifest.contributes.keybindings ?? [])];
  const ours = used.flatMap(({ command }) => (command?.startsWith("agentProctor.") ? [command] : []));
  assert.deepEqual(
    ours.filter((command) => !(command in commands)),
    [],
  );
});

test("every setting says its scope and what it is", () => {
  for (const [name, setting] of Object.entries(manifest.contributes.configuration?.properties ?? {})) {
    assert.match(name, /^agentProctor\.[a-zA-Z.]+$/);
    assert.ok(setting.scope, `${name} has no scope`);
    assert.ok((setting.description ?? setting.markdownDescription ?? "").length > 0, `${name} has no description`);
  }
});

test("the icon is a PNG of at least 128 pixels, and the keywords are few", () => {
  const png = readFileSync(path.join(root, manifest.icon));
  assert.equal(png.subarray(1, 4).toString("latin1"), "PNG");
  assert.ok(png.readUInt32BE(16) >= 128 && png.readUInt32BE(16) === png.readUInt32BE(20));
  assert.ok(manifest.keywords.length <= 5);
});

test("files that the manifest names exist", () => {
  const named = JSON.stringify(manifest.contributes).match(/"\.\/[^"]+"/g) ?? [];
  for (const quoted of named) assert.ok(existsSync(path.join(root, JSON.parse(quoted) as string)), quoted);
});
