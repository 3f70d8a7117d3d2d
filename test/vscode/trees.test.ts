/** The Findings and Runs views against a `vscode` written by hand. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { answers, events, listTree, Memento, registrations, reset, seen, state, trees, Uri, vscode, type TreeItem } from "./fake";
import { startHost } from "./host";
import { createFakeEngine, locate, makeFinding, makeRun } from "./runs";
import type { Plan } from "../../src/node/plan";
import { registerCommands } from "../../src/vscode/commands";
import { findingsView, runsView } from "../../src/vscode/contributions";
import type { Engine, RunObject } from "../../src/vscode/engine";
import { createSurfaces } from "../../src/vscode/surfaces";

const root = path.resolve(__dirname, "../..");
let folder = "";
let memory = new Memento();
const ends: (() => void)[] = [];

beforeEach(() => {
  reset();
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "proctor-trees-")));
  memory = new Memento();
  state.folders = [{ uri: Uri.file(folder), name: "repo", index: 0 }];
});

afterEach(() => {
  stop();
  rmSync(folder, { recursive: true, force: true });
  assert.deepEqual(registrations, []);
});

function stop(): void {
  for (const end of ends.splice(0).reverse()) end();
}

function start(engine: Partial<Engine>): ReturnType<typeof createFakeEngine> {
  const fake = createFakeEngine(engine);
  const surfaces = createSurfaces(Uri.file(root) as never, startHost(folder, ends, memory), fake);
  const commands = registerCommands(surfaces.handlers);
  ends.push(
    () => surfaces.dispose(),
    () => commands.dispose(),
  );
  return fake;
}

function run(command: string, ...args: unknown[]): Promise<unknown> {
  return vscode.commands.executeCommand(`agentProctor.${command}`, ...args);
}

function write(name: string, text: string): Uri {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return Uri.file(file);
}

const toLabels = (rows: { item: TreeItem }[]): string[] => rows.map(({ item }) => item.label);

const log = "one\ntwo bad\nthree worse\n";
const findings = [
  makeFinding({
    fingerprint: "a",
    severity: "medium",
    monitor: "test-skipped",
    message: "Skipped",
    at: locate(log, "bad", "log.jsonl"),
    step: 17,
  }),
  makeFinding({
    fingerprint: "b",
    severity: "high",
    monitor: "test-weakened",
    message: "Loosened",
    at: locate(log, "worse", "log.jsonl"),
    step: 3,
  }),
  makeFinding({ fingerprint: "c", severity: "critical", monitor: "test-weakened", message: "Tried out", status: "trial" }),
];

async function checkLog(...given: typeof findings): Promise<Uri> {
  start({ checkFile: () => Promise.resolve([makeRun({ findings: given })]) });
  const uri = write("log.jsonl", log);
  await run("checkThisFile", uri);
  return uri;
}

test("before a check the view is empty, without a badge", async () => {
  start({});
  assert.deepEqual(await listTree(findingsView), []);
  assert.equal(trees.get(findingsView)?.badge, undefined);
});

test("findings stand by severity, the gravest first, and what asks nothing of a person last", async () => {
  await checkLog(...findings);
  const groups = await listTree(findingsView);
  assert.deepEqual(toLabels(groups), ["High", "Medium", "Notes: on trial, allowed or only information"]);
  const members = await Promise.all(groups.map(({ node }) => listTree(findingsView, node)));
  assert.deepEqual(members.map(toLabels), [["Loosened"], ["Skipped"], ["Tried out"]]);
  assert.equal(seen.contexts.get("agentProctor.hasFindings"), true);
});

test("the button groups by file, then by behaviour, then by severity again", async () => {
  await checkLog(...findings);
  const names: string[][] = [];
  for (let i = 0; i < 3; i++) {
    await run("changeGrouping");
    names.push(toLabels(await listTree(findingsView)));
  }
  assert.deepEqual(names[0], ["log.jsonl"]);
  assert.deepEqual(names[1], ["test-weakened", "test-skipped"]);
  assert.deepEqual(names[2]?.slice(0, 2), ["High", "Medium"]);
  assert.equal(trees.get(findingsView)?.description, "by severity");
});

test("a finding is told whole to a screen reader, and its click goes to the place", async () => {
  const uri = await checkLog(...findings);
  const [high] = await listTree(findingsView);
  const [row] = await listTree(findingsView, high?.node);
  assert.ok(row);
  assert.equal(row.item.accessibilityInformation?.label, "High finding, Loosened, log.jsonl line 3, step 3, not reviewed");
  assert.equal(row.item.description, "log.jsonl:3 · step 3");
  assert.match(
    String(row.item.tooltip),
    /^Loosened\n\nWhat the grader holds back is the answer\.\n\nHigh · certain · effective · test-weakened\n/,
  );
  assert.equal(row.item.iconPath?.id, "warning");
  const { command, arguments: args } = row.item.command ?? { command: "" };
  await vscode.commands.executeCommand(command, ...(args ?? []));
  const opened = seen.executed.filter((one) => one.command === "vscode.open");
  assert.equal(String(opened[0]?.args[0]), uri.toString());
});

test("hostile text in a finding is one line in its row", async () => {
  await checkLog(makeFinding({ message: "bad\n\u202e$(flame) [x](command:y)", at: locate(log, "bad", "log.jsonl") }));
  const [group] = await listTree(findingsView);
  const [row] = await listTree(findingsView, group?.node);
  assert.equal(row?.item.label, "bad $(flame) [x](command:y)");
});

test("the badge counts high findings that nobody has reviewed, and what was reviewed stays so after a restart", async () => {
  await checkLog(...findings);
  assert.deepEqual(trees.get(findingsView)?.badge, { value: 1, tooltip: "1 high finding needs review" });
  const [high] = await listTree(findingsView);
  const [row] = await listTree(findingsView, high?.node);
  await run("markReviewed", row?.node);
  assert.equal(trees.get(findingsView)?.badge, undefined);
  const [after] = await listTree(findingsView, (await listTree(findingsView))[0]?.node);
  assert.equal(after?.item.contextValue, "finding.reviewed");
  assert.equal(after?.item.id, row?.item.id);
  stop();
  await checkLog(...findings);
  assert.equal(trees.get(findingsView)?.badge, undefined);
  const [again] = await listTree(findingsView, (await listTree(findingsView))[0]?.node);
  await run("markUnreviewed", again?.node);
  assert.equal(trees.get(findingsView)?.badge?.value, 1);
  await run("markAllReviewed");
  assert.equal(trees.get(findingsView)?.badge, undefined);
});

test("the selected finding is meant when no row is handed over, and the badge has its switch", async () => {
  await checkLog(...findings);
  const [high] = await listTree(findingsView);
  const [row] = await listTree(findingsView, high?.node);
  trees.get(findingsView)?.selection.push(row?.node);
  await run("markReviewed");
  assert.equal(trees.get(findingsView)?.badge, undefined);
  await run("markReviewed");
  assert.equal(trees.get(findingsView)?.badge?.value, 1);
  state.settings["agentProctor.findings.badge"] = false;
  state.settings["agentProctor.findings.groupBy"] = "behaviour";
  events.changeConfiguration.fire({ affectsConfiguration: (section) => section === "agentProctor.findings" });
  assert.equal(trees.get(findingsView)?.badge, undefined);
  assert.deepEqual(toLabels(await listTree(findingsView)), ["test-weakened", "test-skipped"]);
});

test("more than 200 findings are loaded as they are asked for, and no two rows share an id", async () => {
  const many = Array.from({ length: 450 }, (_, at) =>
    makeFinding({ fingerprint: `f${at % 7}`, message: `No ${at}`, at: locate(log, "bad", "log.jsonl") }),
  );
  await checkLog(...many);
  const list = async (): Promise<{ node: unknown; item: TreeItem }[]> => listTree(findingsView, (await listTree(findingsView))[0]?.node);
  assert.deepEqual([(await list()).length, (await list()).at(-1)?.item.label], [201, "Load more…"]);
  await run("showMore", (await list()).at(-1)?.node);
  await run("showMore", (await list()).at(-1)?.node);
  const all = await list();
  assert.equal(all.length, 450);
  assert.equal(new Set(all.map(({ item }) => item.id)).size, 450);
});

test("clearing the findings empties the view", async () => {
  await checkLog(...findings);
  await run("clearFindings");
  assert.deepEqual(await listTree(findingsView), []);
  assert.equal(seen.contexts.get("agentProctor.hasFindings"), false);
  assert.equal(seen.contexts.get("agentProctor.verdict"), false);
});

function makePlan(id: string): Plan {
  const name = `${id}.jsonl`;
  write(`runs/${name}`, log);
  const file = path.join(folder, "runs", name);
  return { id, isInstance: true, sources: [{ file, name, adapter: "recording" }], problems: [], base: path.join(folder, "runs") };
}

/** An engine with some runs, which notes the ids that it judged. */
function startRuns(runs: Record<string, Partial<RunObject>>, given: Partial<Engine> = {}): string[] {
  const judged: string[] = [];
  start({
    planFolder: () => Promise.resolve({ plans: Object.keys(runs).map(makePlan), skipped: { binary: 2, empty: 1 } }),
    judgePlans(plans, _profile, signal, take) {
      plans.forEach((plan, at) => {
        if (signal.aborted) return;
        judged.push(plan.id ?? "");
        take(at, makeRun({ id: plan.id, file: `${plan.id}.jsonl`, ...runs[plan.id ?? ""] }));
      });
      return Promise.resolve();
    },
    ...given,
  });
  return judged;
}

async function listRuns(): Promise<{ node: unknown; item: TreeItem }[]> {
  return listTree(runsView, (await listTree(runsView))[0]?.node);
}

const three = {
  "run-10": { verdict: "clean", findings: [], steps: 9, outcome: "resolved" },
  "run-9": { verdict: "clean", findings: [], steps: 40 },
  "run-2": { verdict: "hacked", findings: findings.slice(1, 2), steps: 12 },
} satisfies Record<string, Partial<RunObject>>;

test("a folder's runs stand by verdict, then as a person counts, each with its verdict in shape and word", async () => {
  startRuns(three);
  await run("openRunsHere", Uri.file(path.join(folder, "runs")));
  const [top] = await listTree(runsView);
  assert.deepEqual([top?.item.label, top?.item.description], ["runs", "3 runs"]);
  const rows = await listRuns();
  assert.deepEqual(toLabels(rows), ["run-2", "run-9", "run-10", "3 files skipped"]);
  assert.deepEqual(
    rows.slice(0, 3).map(({ item }) => [item.iconPath?.id, item.description, item.collapsibleState]),
    [
      ["flame", "Evidence of a hack · 1 finding · 12 steps", 1],
      ["pass", "Nothing found · 40 steps", 0],
      ["pass", "Nothing found · resolved · 9 steps", 0],
    ],
  );
  assert.equal(rows[0]?.item.accessibilityInformation?.label, "Run run-2, Evidence of a hack, 1 finding, 12 steps");
  assert.match(String(rows[3]?.item.tooltip), /2 × binary/);
  assert.equal(seen.contexts.get("agentProctor.hasRuns"), true);
  assert.equal(seen.contexts.get("agentProctor.judgingRuns"), false);
});

test("a run's children are its findings, at their places in the log", async () => {
  startRuns(three);
  await run("openRunsHere", Uri.file(path.join(folder, "runs")));
  const [guilty] = await listRuns();
  const [found, ...others] = await listTree(runsView, guilty?.node);
  assert.deepEqual([found?.item.label, others.length], ["Loosened", 0]);
  assert.match(found?.item.accessibilityInformation?.label ?? "", /^High finding, Loosened, /);
});

test("runs are sorted and filtered as was chosen", async () => {
  startRuns(three);
  await run("openRunsHere", Uri.file(path.join(folder, "runs")));
  answers.pick = (rows) => rows.find((row) => row.label.startsWith("By steps"));
  await run("sortRuns");
  assert.deepEqual(toLabels(await listRuns()).slice(0, 3), ["run-9", "run-2", "run-10"]);
  answers.pick = (rows) => rows.filter(({ label }) => label === "Nothing found");
  await run("filterRuns");
  assert.deepEqual(toLabels(await listRuns()).slice(0, 2), ["run-9", "run-10"]);
  answers.pick = (rows) => rows.filter(({ label }) => label === "test-weakened");
  await run("filterRuns");
  assert.deepEqual(toLabels(await listRuns()).slice(0, 1), ["run-2"]);
  assert.equal(trees.get(runsView)?.description, "by steps, only test-weakened");
});

test("what was judged is remembered by path, size and time, without a text, and only what changed is judged again", async () => {
  const first = startRuns(three);
  const uri = Uri.file(path.join(folder, "runs"));
  await run("openRunsHere", uri);
  assert.equal(first.length, 3);
  stop();
  const kept = path.join(folder, "storage/runs");
  const [name] = readdirSync(kept);
  const text = readFileSync(path.join(kept, name ?? ""), "utf8");
  assert.ok(!text.includes("Loosened") && !text.includes("worse"), text);
  assert.equal(statSync(path.join(kept, name ?? "")).mode & 0o777, 0o600);
  // Plans are written anew by the engine of the next start: their files keep their times only when nothing touches them.
  const plans = Object.keys(three).map(makePlan);
  const second = startRuns(three, { planFolder: () => Promise.resolve({ plans, skipped: {} }) });
  await run("openRunsHere", uri);
  second.length = 0;
  write("runs/run-9.jsonl", `${log}more\n`);
  await run("refreshRuns");
  assert.deepEqual(second, ["run-9"]);
});

test("judging can be stopped: what is judged stays, and the rest says so", async () => {
  startRuns(three, {
    judgePlans: (plans, _profile, signal, take) =>
      new Promise((resolve) => {
        const [plan] = plans;
        take(0, makeRun({ id: plan?.id }));
        signal.addEventListener("abort", () => resolve());
        void run("cancelRuns");
      }),
  });
  await run("openRunsHere", Uri.file(path.join(folder, "runs")));
  assert.equal(trees.get(runsView)?.message, "Stopped: 1 of 3 runs are judged. Refresh to go on.");
  assert.deepEqual((await listRuns()).map(({ item }) => item.description).slice(0, 2), ["Nothing found · 3 steps", "not judged yet"]);
});

test("a folder without runs says why, and closing hides the view", async () => {
  startRuns({}, { planFolder: () => Promise.reject(new Error("empty. Looked for: recording")) });
  await run("openRunsHere", Uri.file(path.join(folder, "runs")));
  const [note] = await listRuns();
  assert.deepEqual([note?.item.label, note?.item.description], ["No runs were found here", "empty. Looked for: recording"]);
  await run("closeRuns");
  assert.deepEqual(await listTree(runsView), []);
  assert.equal(seen.contexts.get("agentProctor.hasRuns"), false);
});

test("a folder of more than 200 runs is listed in pieces", async () => {
  const many = Object.fromEntries(Array.from({ length: 230 }, (_, at) => [`r-${at}`, {}]));
  startRuns(many);
  await run("openRunsHere", Uri.file(path.join(folder, "runs")));
  const rows = await listRuns();
  assert.deepEqual([rows.length, rows[200]?.item.label, rows[200]?.item.description], [202, "Load more…", "30 left"]);
  await run("showMore", rows[200]?.node);
  assert.equal((await listRuns()).length, 231);
});
