/** The Runs view: the folders that were opened, their runs with what is known of each, and a run's findings. */
import * as vscode from "vscode";
import type { VerdictName } from "../core/model";
import { mainFile } from "../node/fail-plan";
import type { Sighted } from "./board";
import { placeRuns } from "./check-file";
import type { CommandId } from "./contributions";
import { describeSighted } from "./describe";
import { mostChildren, toIcon } from "./findings-tree";
import type { LazyView, TreeModel } from "./lazy-views";
import { nameRun, toUri, type RunEntry, type RunFolder, type Runs } from "./runs";
import { doesCount, nameVerdict, toLine } from "./words";

export type RunNode =
  | { is: "folder"; folder: RunFolder }
  | { is: "run"; entry: RunEntry }
  | { is: "finding"; id: string; sighted: Sighted }
  | { is: "more"; folder: RunFolder; left: number }
  | { is: "note"; id: string; text: string; detail?: string };

const orders = {
  verdict: "By verdict, the gravest first",
  instance: "By instance",
  steps: "By steps, the longest first",
} as const;
type Order = keyof typeof orders;

export interface RunsTree extends vscode.Disposable {
  chooseOrder(): Promise<void>;
  chooseFilter(): Promise<void>;
  showMore(node: unknown): boolean;
}

const verdicts: readonly VerdictName[] = ["hacked", "suspicious", "unverified", "clean"];
/** A shape for each verdict, so that nothing hangs on the colour. */
const icons: Record<VerdictName, [icon: string, color: string]> = {
  hacked: ["flame", "charts.red"],
  suspicious: ["eye", "charts.yellow"],
  unverified: ["question", "charts.purple"],
  clean: ["pass", "charts.green"],
};

export function createRunsTree(runs: Runs, { view, fill }: LazyView<RunNode>): RunsTree {
  const changes = new vscode.EventEmitter<void>();
  const more = new Map<string, number>();
  let order: Order = "verdict";
  let filter: ReadonlySet<string> = new Set();

  function listRuns(folder: RunFolder): RunEntry[] {
    const kept = folder.entries.filter((entry) => isKept(entry, filter));
    const own = compare[order];
    return own ? kept.sort(own) : kept;
  }

  function listFolder(folder: RunFolder): RunNode[] {
    const id = folder.uri.toString();
    const all = listRuns(folder);
    const shown = more.get(id) ?? mostChildren;
    const nodes: RunNode[] = all.slice(0, shown).map((entry) => ({ is: "run", entry }));
    if (all.length > shown) nodes.push({ is: "more", folder, left: all.length - shown });
    if (all.length === 0 && folder.entries.length > 0) nodes.push({ is: "note", id: `${id}/none`, text: "No run passes the filter" });
    if (folder.why !== undefined) nodes.push({ is: "note", id: `${id}/why`, text: "No runs were found here", detail: folder.why });
    const skipped = Object.entries(folder.skipped);
    const count = skipped.reduce((sum, [, own]) => sum + own, 0);
    const reasons = skipped.map(([why, own]) => `${own} × ${why}`).join("\n");
    if (count > 0)
      nodes.push({ is: "note", id: `${id}/skipped`, text: `${count} ${count === 1 ? "file" : "files"} skipped`, detail: reasons });
    return nodes;
  }

  async function listFindings(entry: RunEntry): Promise<RunNode[]> {
    try {
      const run = await runs.read(entry);
      const { sighted } = await placeRuns(toUri(entry), mainFile(entry.plan), [run], entry.plan.base);
      if (sighted.length === 0) return [{ is: "note", id: `${entry.id}/none`, text: "Nothing found" }];
      return sighted.map((one, at) => ({ is: "finding", id: `${entry.id}/${one.finding.fingerprint}/${at}`, sighted: one }));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return [{ is: "note", id: `${entry.id}/failed`, text: "The run could not be read", detail: toLine(why, 300) }];
    }
  }

  const model: TreeModel<RunNode> = {
    onDidChange: changes.event,
    getChildren(node) {
      if (!node) return runs.folders.map((folder): RunNode => ({ is: "folder", folder }));
      if (node.is === "folder") return listFolder(node.folder);
      return node.is === "run" ? listFindings(node.entry) : [];
    },
    toItem: (node) => toItem(node),
  };

  function draw(): void {
    const all = runs.folders.flatMap(({ entries }) => entries);
    const judged = all.filter(({ brief }) => brief).length;
    const isBusy = runs.folders.some(({ state }) => state === "planning" || state === "judging");
    const isPlanning = runs.folders.some(({ state }) => state === "planning");
    const isStopped = runs.folders.some(({ state }) => state === "stopped");
    view.message = isPlanning
      ? "Looking for runs…"
      : isBusy
        ? `Judging: ${judged} of ${all.length} runs`
        : isStopped
          ? `Stopped: ${judged} of ${all.length} runs are judged. Refresh to go on.`
          : undefined;
    view.description = [order === "verdict" ? undefined : `by ${order}`, filter.size > 0 ? `only ${listFilter(filter)}` : undefined]
      .filter((part) => part !== undefined)
      .join(", ");
    void vscode.commands.executeCommand("setContext", "agentProctor.hasRuns", runs.folders.length > 0);
    void vscode.commands.executeCommand("setContext", "agentProctor.judgingRuns", isBusy);
    changes.fire();
  }

  const listener = runs.onDidChange(draw);
  fill(model);
  return {
    async chooseOrder() {
      const rows = Object.entries(orders).map(([key, label]) => ({ label, key: key as Order, picked: key === order }));
      const chosen = await vscode.window.showQuickPick(rows, { title: "Sort Runs" });
      if (!chosen) return;
      order = chosen.key;
      draw();
    },
    async chooseFilter() {
      const entries = runs.folders.flatMap((folder) => folder.entries);
      const chosen = await vscode.window.showQuickPick(listChoices(entries, filter), {
        title: "Filter Runs",
        placeHolder: "Verdicts and behaviours to show; none: all runs",
        canPickMany: true,
      });
      if (!chosen) return;
      filter = new Set(chosen.flatMap(({ key }) => (key === undefined ? [] : [key])));
      draw();
    },
    showMore(node) {
      if (typeof node !== "object" || node === null || !("folder" in node)) return false;
      const id = (node as { folder: RunFolder }).folder.uri.toString();
      more.set(id, (more.get(id) ?? mostChildren) + mostChildren);
      changes.fire();
      return true;
    },
    dispose() {
      void vscode.commands.executeCommand("setContext", "agentProctor.hasRuns", false);
      void vscode.commands.executeCommand("setContext", "agentProctor.judgingRuns", false);
      listener.dispose();
      changes.dispose();
    },
  };
}

function listFilter(filter: ReadonlySet<string>): string {
  return [...filter].map((key) => (isVerdict(key) ? nameVerdict(key) : key)).join(", ");
}

function isVerdict(key: string): key is VerdictName {
  return verdicts.some((verdict) => verdict === key);
}

/** One of the verdicts that were chosen, and one of the behaviours; a kind of which none was chosen asks for nothing. */
function isKept({ brief }: RunEntry, filter: ReadonlySet<string>): boolean {
  if (filter.size === 0) return true;
  if (!brief) return false;
  const wanted = verdicts.filter((verdict) => filter.has(verdict));
  const behaviours = [...filter].filter((key) => !isVerdict(key));
  return (
    (wanted.length === 0 || wanted.includes(brief.verdict)) &&
    (behaviours.length === 0 || brief.monitors.some((monitor) => filter.has(monitor)))
  );
}

function listChoices(
  entries: readonly RunEntry[],
  filter: ReadonlySet<string>,
): (vscode.QuickPickItem & {
  key?: string;
})[] {
  const count = (is: (entry: RunEntry) => boolean): string => `${entries.filter(is).length} runs`;
  const behaviours = [...new Set(entries.flatMap(({ brief }) => brief?.monitors ?? []))].sort();
  const separator = (label: string): vscode.QuickPickItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    separator("Verdict"),
    ...verdicts.map((key) => ({
      label: nameVerdict(key),
      key,
      picked: filter.has(key),
      description: count(({ brief }) => brief?.verdict === key),
    })),
    separator("Behaviour"),
    ...behaviours.map((key) => ({
      label: key,
      key,
      picked: filter.has(key),
      description: count(({ brief }) => brief?.monitors.includes(key) ?? false),
    })),
  ];
}

/** Runs come by instance, and sorting is stable, so this order stands within each of the others. */
type Compare = (a: RunEntry, b: RunEntry) => number;
const toRank = ({ brief }: RunEntry): number => (brief ? verdicts.indexOf(brief.verdict) : verdicts.length);
const compare: Record<Order, Compare | undefined> = {
  instance: undefined,
  verdict: (a, b) => toRank(a) - toRank(b),
  steps: (a, b) => (b.brief?.steps ?? -1) - (a.brief?.steps ?? -1),
};

function toItem(node: RunNode): vscode.TreeItem {
  if (node.is === "folder") return toFolderItem(node.folder);
  if (node.is === "run") return toRunItem(node);
  if (node.is === "finding") return toFindingItem(node.id, node.sighted);
  if (node.is === "more") {
    const item = new vscode.TreeItem("Load more…");
    item.id = `${node.folder.uri.toString()}/more`;
    item.description = `${node.left} left`;
    item.command = { title: "Load More", command: "agentProctor.showMore" satisfies CommandId, arguments: [node] };
    return item;
  }
  const item = new vscode.TreeItem(node.text);
  item.id = node.id;
  item.iconPath = new vscode.ThemeIcon("circle-small");
  if (node.detail !== undefined) {
    item.description = node.detail.split("\n")[0] ?? "";
    item.tooltip = `${node.text}\n${node.detail}`;
  }
  return item;
}

function toFolderItem(folder: RunFolder): vscode.TreeItem {
  const item = new vscode.TreeItem(toLine(folder.name), vscode.TreeItemCollapsibleState.Expanded);
  const { entries } = folder;
  const counts = verdicts
    .map((verdict) => [nameVerdict(verdict), entries.filter(({ brief }) => brief?.verdict === verdict).length] as const)
    .filter(([, count]) => count > 0);
  const runs = `${entries.length} ${entries.length === 1 ? "run" : "runs"}`;
  item.id = folder.uri.toString();
  item.description = folder.state === "planning" && entries.length === 0 ? "…" : runs;
  item.tooltip = [folder.uri.fsPath, runs, ...counts.map(([name, count]) => `${name}: ${count}`)].join("\n");
  item.accessibilityInformation = {
    label: [`Folder ${folder.name}`, runs, ...counts.map(([name, count]) => `${name}: ${count}`)].join(", "),
  };
  item.iconPath = new vscode.ThemeIcon("folder");
  item.contextValue = "folder";
  return item;
}

/** Only what the index knows: a run is never read to draw its row. */
function toRunItem(node: Extract<RunNode, { is: "run" }>): vscode.TreeItem {
  const { entry } = node;
  const { brief } = entry;
  const name = toLine(nameRun(entry.plan));
  const item = new vscode.TreeItem(
    name,
    brief && brief.findings > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None,
  );
  const findings = brief && brief.findings > 0 ? `${brief.findings} ${brief.findings === 1 ? "finding" : "findings"}` : undefined;
  const facts = brief
    ? [nameVerdict(brief.verdict), brief.outcome === "unknown" ? undefined : brief.outcome, findings, `${brief.steps} steps`]
    : ["not judged yet"];
  const told = facts.filter((fact) => fact !== undefined);
  item.id = entry.id;
  item.description = told.join(" · ");
  item.tooltip = [name, ...told, ...(brief && brief.monitors.length > 0 ? [brief.monitors.join(", ")] : []), mainFile(entry.plan)].join(
    "\n",
  );
  item.accessibilityInformation = { label: [`Run ${name}`, ...told].join(", ") };
  item.iconPath = brief
    ? new vscode.ThemeIcon(icons[brief.verdict][0], new vscode.ThemeColor(icons[brief.verdict][1]))
    : new vscode.ThemeIcon("circle-large-outline");
  item.contextValue = "run";
  item.command = { title: "Open", command: "agentProctor.openRun" satisfies CommandId, arguments: [node] };
  return item;
}

function toFindingItem(id: string, sighted: Sighted): vscode.TreeItem {
  const { finding, place } = sighted;
  const facts = describeSighted(sighted, false);
  const item = new vscode.TreeItem(toLine(finding.message));
  item.id = id;
  item.description = [facts.word, facts.step, finding.monitor].filter(Boolean).join(" · ");
  item.tooltip = facts.tooltip;
  item.accessibilityInformation = { label: facts.sentence };
  item.iconPath = toIcon(doesCount(finding) ? finding.severity : "note");
  if (place)
    item.command = {
      title: "Show the Evidence",
      command: "agentProctor.revealFinding" satisfies CommandId,
      arguments: [{ is: "finding", sighted }],
    };
  return item;
}
