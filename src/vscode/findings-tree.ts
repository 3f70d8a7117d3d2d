/** The Findings view: what the last checks found, in groups, and what of it a person has looked at. */
import * as vscode from "vscode";
import type { Severity } from "../core/model";
import type { Board, Check, Sighted } from "./board";
import type { CommandId } from "./contributions";
import { describeSighted } from "./describe";
import type { LazyView, TreeModel } from "./lazy-views";
import { reveal } from "./verdict-list";
import { doesCount, isHigh, severities, toLine, toTitle } from "./words";

/** A list with more rows than this is slow to draw, and nobody reads it. */
export const mostChildren = 200;

const groupings = ["severity", "file", "behaviour"] as const;
type Grouping = (typeof groupings)[number];

export type FindingNode =
  | { is: "group"; id: string; label: string; members: Leaf[]; severity?: Shown }
  | Leaf
  | { is: "more"; id: string; group: string; left: number };
type Leaf = { is: "finding"; id: string; key: string; check: Check; sighted: Sighted };

/** A finding that asks nothing of a person is only a note, whatever its severity. */
type Shown = Severity | "note";

export interface FindingsTree extends vscode.Disposable {
  changeGrouping(): void;
  toggleReviewed(node: unknown): void;
  markAllReviewed(): void;
  showMore(node: unknown): void;
  revealFinding(node: unknown): Promise<void>;
}

const icons: Record<Shown, [icon: string, color: string]> = {
  critical: ["error", "charts.red"],
  high: ["warning", "charts.yellow"],
  medium: ["info", "charts.blue"],
  low: ["circle-outline", "charts.blue"],
  info: ["lightbulb", "descriptionForeground"],
  note: ["lightbulb", "descriptionForeground"],
};

const memoryKey = "agentProctor.reviewed";
/** The oldest marks are forgotten first. */
const mostMarks = 5000;

export function createFindingsTree(board: Board, { view, fill }: LazyView<FindingNode>, memory: vscode.Memento): FindingsTree {
  const changes = new vscode.EventEmitter<void>();
  const reviewed = new Set(memory.get<string[]>(memoryKey, []));
  const more = new Map<string, number>();
  let grouping = readGrouping();
  let groups: FindingNode[] | undefined;

  const model: TreeModel<FindingNode> = {
    onDidChange: changes.event,
    getChildren(node) {
      if (!node) return (groups ??= group(listLeaves(board.checks), grouping));
      if (node.is !== "group") return [];
      const shown = more.get(node.id) ?? mostChildren;
      const left = node.members.length - shown;
      if (left <= 0) return node.members;
      return [...node.members.slice(0, shown), { is: "more", id: `${node.id}/more`, group: node.id, left }];
    },
    toItem: (node) => toItem(node, grouping, (key) => reviewed.has(key)),
  };

  function draw(): void {
    groups = undefined;
    const leaves = listLeaves(board.checks);
    const waiting = leaves.filter(({ key, sighted }) => doesCount(sighted.finding) && isHigh(sighted.finding) && !reviewed.has(key)).length;
    const isOff = !vscode.workspace.getConfiguration("agentProctor.findings").get<boolean>("badge", true);
    view.badge =
      waiting === 0 || isOff
        ? undefined
        : { value: waiting, tooltip: `${waiting} high ${waiting === 1 ? "finding needs" : "findings need"} review` };
    view.description = leaves.length === 0 ? undefined : `by ${grouping}`;
    view.message = board.checks.some(({ isOld }) => isOld) ? "Something was changed since it was checked." : undefined;
    void vscode.commands.executeCommand("setContext", "agentProctor.hasFindings", leaves.length > 0);
    changes.fire();
  }

  function keep(): void {
    void memory.update(memoryKey, [...reviewed].slice(-mostMarks));
    draw();
  }

  const listener = vscode.Disposable.from(
    board.onDidChange(draw),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("agentProctor.findings")) return;
      grouping = readGrouping();
      draw();
    }),
  );
  fill(model);
  return {
    changeGrouping() {
      grouping = groupings[(groupings.indexOf(grouping) + 1) % groupings.length] ?? "severity";
      draw();
    },
    toggleReviewed(given) {
      // By key or from the palette no row is handed over: the selected one is meant.
      const node = isNode(given) ? given : view.selection[0];
      if (node?.is !== "finding") return;
      if (!reviewed.delete(node.key)) reviewed.add(node.key);
      keep();
    },
    markAllReviewed() {
      for (const { key } of listLeaves(board.checks)) reviewed.add(key);
      keep();
    },
    showMore(node) {
      if (!isNode(node) || node.is !== "more") return;
      more.set(node.group, (more.get(node.group) ?? mostChildren) + mostChildren);
      changes.fire();
    },
    async revealFinding(node) {
      const place = isNode(node) && node.is === "finding" ? (node.sighted.place ?? node.sighted.evidence) : undefined;
      if (place) await reveal(place);
    },
    dispose() {
      view.badge = undefined;
      void vscode.commands.executeCommand("setContext", "agentProctor.hasFindings", false);
      listener.dispose();
      changes.dispose();
    },
  };
}

/** What the view begins with; the button changes it for this window. */
function readGrouping(): Grouping {
  const value = vscode.workspace.getConfiguration("agentProctor.findings").get<string>("groupBy");
  return groupings.find((grouping) => grouping === value) ?? "severity";
}

function isNode(value: unknown): value is FindingNode {
  return typeof value === "object" && value !== null && "is" in value;
}

/** Ids name the check, the run and the finding, so that a second check of the same thing keeps what was selected. */
function listLeaves(checks: readonly Check[]): Leaf[] {
  const seen = new Map<string, number>();
  return checks.flatMap((check) =>
    check.sighted.map((sighted): Leaf => {
      const key = `${check.key}#${sighted.run.id}#${sighted.run.attempt ?? ""}#${sighted.finding.fingerprint}`;
      const count = seen.get(key) ?? 0;
      seen.set(key, count + 1);
      return { is: "finding", id: `${key}#${count}`, key, check, sighted };
    }),
  );
}

function toShown({ finding }: Sighted): Shown {
  return doesCount(finding) ? finding.severity : "note";
}

function group(leaves: Leaf[], grouping: Grouping): FindingNode[] {
  const groups = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const name = nameGroup(leaf, grouping);
    const members = groups.get(name);
    if (members) members.push(leaf);
    else groups.set(name, [leaf]);
  }
  const rank = ({ sighted }: Leaf): number => (doesCount(sighted.finding) ? severities.indexOf(sighted.finding.severity) : -1);
  const made = [...groups].map(([label, members]) => {
    // The gravest first; the sort is stable, so the order of events stands otherwise.
    members.sort((a, b) => rank(b) - rank(a));
    const [first] = members;
    const severity = first && grouping === "severity" ? toShown(first.sighted) : undefined;
    return { is: "group" as const, id: `${grouping}:${label}`, label, members, ...(severity ? { severity } : {}) };
  });
  const top = ({ members }: { members: Leaf[] }): number => (members[0] ? rank(members[0]) : -1);
  return made.sort((a, b) => top(b) - top(a));
}

function nameGroup({ sighted, check }: Leaf, grouping: Grouping): string {
  if (grouping === "behaviour") return sighted.finding.monitor;
  if (grouping === "file") {
    const { place, finding } = sighted;
    return place ? vscode.workspace.asRelativePath(place.uri) : (finding.target?.path ?? check.what);
  }
  const shown = toShown(sighted);
  return shown === "note" ? "Notes: on trial, allowed or only information" : toTitle(shown);
}

function toItem(node: FindingNode, grouping: Grouping, isReviewed: (key: string) => boolean): vscode.TreeItem {
  if (node.is === "more") {
    const item = new vscode.TreeItem("Load more…");
    item.id = node.id;
    item.description = `${node.left} left`;
    item.command = { title: "Load More", command: "agentProctor.showMore" satisfies CommandId, arguments: [node] };
    return item;
  }
  if (node.is === "group") {
    const item = new vscode.TreeItem(toLine(node.label), vscode.TreeItemCollapsibleState.Expanded);
    const count = `${node.members.length} ${node.members.length === 1 ? "finding" : "findings"}`;
    item.id = node.id;
    item.description = String(node.members.length);
    item.tooltip = `${node.label}: ${count}`;
    item.accessibilityInformation = { label: `${node.label}, ${count}` };
    if (node.severity) item.iconPath = toIcon(node.severity);
    item.contextValue = "group";
    return item;
  }
  const { sighted, check } = node;
  const { finding } = sighted;
  const done = isReviewed(node.key);
  const facts = describeSighted(sighted, done);
  const item = new vscode.TreeItem(toLine(finding.message));
  item.id = `${grouping}:${node.id}`;
  item.description = [...(grouping === "severity" ? [] : [facts.word]), ...(grouping === "file" ? [facts.line] : [facts.where]), facts.step]
    .filter(Boolean)
    .concat(done ? ["reviewed"] : [])
    .join(" · ");
  item.tooltip = [facts.tooltip, check.what].join("\n");
  item.accessibilityInformation = { label: facts.sentence };
  item.iconPath = done ? new vscode.ThemeIcon("check", new vscode.ThemeColor("descriptionForeground")) : toIcon(toShown(sighted));
  item.contextValue = done ? "finding.reviewed" : "finding";
  if (sighted.place ?? sighted.evidence) {
    item.command = { title: "Show the Evidence", command: "agentProctor.revealFinding" satisfies CommandId, arguments: [node] };
  }
  return item;
}

/** A shape for each severity, so that nothing hangs on the colour. */
export function toIcon(shown: Shown): vscode.ThemeIcon {
  const [icon, color] = icons[shown];
  return new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}
