/** The findings of the last check as a list to choose from: what the status bar's item opens. */
import * as vscode from "vscode";
import type { Board, Check, Place, Sighted } from "./board";
import { describeRun, nameVerdict, summarise, toLevel, toLine } from "./words";

interface Row extends vscode.QuickPickItem {
  place?: Place;
}

const icons = { warning: "$(warning)", information: "$(info)", hint: "$(lightbulb)" };

/** Enough to find something by typing; a list with more helps nobody. */
const mostRows = 500;

export async function showVerdict(board: Board): Promise<void> {
  const check = board.last;
  if (!check) {
    void vscode.window.showInformationMessage("Agent Proctor has checked nothing yet. Run Agent Proctor: Check This File.");
    return;
  }
  const { short } = summarise(check.runs, check.what);
  const chosen = await vscode.window.showQuickPick(listRows(check), {
    title: `${short} · ${check.what}${check.isOld ? " (changed since)" : ""}`,
    placeHolder: check.sighted.length > 0 ? "Choose a finding to go to its evidence" : "There is no finding",
    matchOnDetail: true,
  });
  if (chosen?.place) await reveal(chosen.place);
}

/** Opens the file at the place. It goes through the workbench, since extensions are not given documents of more than 50 MB. */
export async function reveal({ uri, range }: Place): Promise<void> {
  const selection: vscode.TextDocumentShowOptions = { selection: range, preview: true };
  await vscode.commands.executeCommand("vscode.open", uri, selection);
}

export function listRows(check: Check): Row[] {
  const rows: Row[] = [];
  for (const run of check.runs) {
    const own = check.sighted.filter((sighted) => sighted.run === run);
    if (check.runs.length > 1 && own.length === 0 && run.problems.length === 0) continue;
    const deciding = new Set(run.decidedBy);
    const name = check.runs.length > 1 ? `${toLabel(run.id, 60)}: ${nameVerdict(run.verdict)}` : nameVerdict(run.verdict);
    const decisive = own.filter(({ finding }) => deciding.has(finding.fingerprint));
    const others = own.filter(({ finding }) => !deciding.has(finding.fingerprint));
    addGroup(rows, name, decisive.map(toRow));
    addGroup(rows, decisive.length > 0 ? "Other findings" : name, others.map(toRow));
    addGroup(
      rows,
      "Problems",
      run.problems.map((problem) => ({ label: `$(question) ${toLabel(problem.message)}` })),
    );
    if (own.length === 0 && check.runs.length === 1) addGroup(rows, "What was looked at", describeRun(run).map(toFact));
  }
  if (rows.length === 0) rows.push(toFact(summarise(check.runs, check.what).sentence));
  if (rows.length <= mostRows) return rows;
  return [...rows.slice(0, mostRows), { label: `${rows.length - mostRows} more are left out here: the command line lists them all.` }];
}

function toFact(line: string): Row {
  return { label: `$(circle-small) ${toLabel(line)}` };
}

/** A row draws `$(name)` as an icon: what was read from a log must not. */
function toLabel(text: string, limit?: number): string {
  return toLine(text, limit).replaceAll("$(", "\\$(");
}

function addGroup(rows: Row[], label: string, group: Row[]): void {
  if (group.length > 0) rows.push({ label, kind: vscode.QuickPickItemKind.Separator }, ...group);
}

/** The place stands first in the second line: beside a long message it would be cut off. */
function toRow({ finding, place, evidence, note }: Sighted): Row {
  const target = place ?? evidence;
  const where = place ? `${vscode.workspace.asRelativePath(place.uri)}:${place.range.start.line + 1}` : note;
  const state = finding.authorised
    ? "allowed by the task"
    : finding.status === "trial"
      ? "on trial"
      : finding.disclosed
        ? "disclosed"
        : undefined;
  const facts = [where, finding.severity, state, finding.monitor].filter((fact) => fact !== undefined);
  return {
    label: `${icons[toLevel(finding)]} ${toLabel(finding.message)}`,
    detail: toLabel(`${facts.join(" · ")}: ${finding.why}`, 300),
    ...(target ? { place: target } : {}),
  };
}
