/** What the manifest must hold so that VS Code and the galleries take it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { commands, contextKeys, findingsView, listContributions, runsView } from "../../src/vscode/contributions";

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
    keybindings?: { command: string; when?: string }[];
    walkthroughs: { steps: { media: { svg: string; altText: string } }[] }[];
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

test("links of welcome texts and of the walkthrough lead to commands that exist", () => {
  const ours = [...JSON.stringify(manifest.contributes).matchAll(/\(command:(agentProctor\.[A-Za-z.]+)\)/g)].map(([, id]) => id ?? "");
  assert.ok(ours.length > 10);
  // The editor makes one to focus each view.
  assert.deepEqual(
    ours.filter((id) => !(id in commands) && id !== "agentProctor.findings.focus"),
    [],
  );
});

test("conditions name only context keys that the extension sets, and views that it has", () => {
  const named = JSON.stringify(manifest.contributes).match(/(?<="(?:[^"\\]|\\.)*"when":"[^"]*)agentProctor\.[A-Za-z.]+/g) ?? [];
  const known = new Set<string>([...contextKeys, findingsView, runsView]);
  assert.deepEqual(
    [...new Set(named)].filter((key) => !known.has(key)),
    [],
  );
});

test("keys hold only where something of ours has the focus", () => {
  for (const { command, when } of manifest.contributes.keybindings ?? []) {
    assert.match(when ?? "", /focusedView == agentProctor\.|resourceScheme == proctor-|agentProctor\.inTrajectory/, command);
  }
});

test("pictures of the walkthrough exist and take their colours from the theme; the view's icon is an outline of 24 pixels", () => {
  const [walkthrough, ...others] = manifest.contributes.walkthroughs;
  assert.equal(others.length, 0);
  const steps = walkthrough?.steps ?? [];
  assert.ok(steps.length >= 4 && steps.length <= 5);
  for (const { media } of steps) {
    const svg = readFileSync(path.join(root, media.svg), "utf8");
    assert.ok(svg.includes("var(--vscode-") && !/#[0-9a-f]{3,8}/i.test(svg), media.svg);
    assert.ok(media.altText.length > 0);
  }
  const icon = readFileSync(path.join(root, "media/proctor.svg"), "utf8");
  assert.match(icon, /viewBox="0 0 24 24" fill="none"/);
});
