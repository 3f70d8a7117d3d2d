/** Findings on lines: squiggles in the editor and rows of the Problems view. */
import * as vscode from "vscode";
import type { Board, Place, Sighted } from "./board";
import { isAtLeast, readSeverity, severities, toLevel, toLine } from "./words";

export const source = "Agent Proctor";

/** More than this nobody reads, and every one costs the editor. */
const mostPerFile = 100;
const mostInAll = 1000;
const mostRelated = 20;

const levels = {
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

type Placed = Sighted & { place: Place };

/**
 * @param pages the uri of each monitor's page by its id; a monitor without a page has a plain code
 */
export function createDiagnostics(board: Board, pages: ReadonlyMap<string, vscode.Uri>): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("agentProctor");

  function draw(): void {
    const settings = vscode.workspace.getConfiguration("agentProctor.diagnostics");
    collection.clear();
    if (!settings.get<boolean>("enabled", true)) return;
    const least = readSeverity(settings.get<string>("minSeverity"));
    const byFile = new Map<string, Placed[]>();
    for (const sighted of board.checks.flatMap((check) => check.sighted)) {
      if (!isPlaced(sighted) || !isAtLeast(sighted.finding, least)) continue;
      const key = sighted.place.uri.toString();
      const here = byFile.get(key);
      if (here) here.push(sighted);
      else byFile.set(key, [sighted]);
    }
    let left = mostInAll;
    for (const here of byFile.values()) {
      const [first] = here;
      if (!first || left <= 0) break;
      const most = Math.min(mostPerFile, left);
      // What is left out is the least grave; the sort is stable, so the order of events stands otherwise.
      const kept = here.length <= most ? here : [...here].sort(byGravity).slice(0, most - 1);
      const drawn = kept.map((sighted) => toDiagnostic(sighted, pages));
      if (kept.length < here.length) drawn.push(sayMore(here.length - kept.length, first.place));
      left -= drawn.length;
      collection.set(first.place.uri, drawn);
    }
  }

  const listeners = vscode.Disposable.from(
    collection,
    board.onDidChange(draw),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("agentProctor.diagnostics")) draw();
    }),
  );
  return listeners;
}

function isPlaced(sighted: Sighted): sighted is Placed {
  return sighted.place !== undefined;
}

function byGravity(a: Sighted, b: Sighted): number {
  return severities.indexOf(b.finding.severity) - severities.indexOf(a.finding.severity);
}

export function toDiagnostic({ finding, place, related }: Placed, pages: ReadonlyMap<string, vscode.Uri>): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(place.range, toLine(finding.message), levels[toLevel(finding)]);
  const page = pages.get(finding.monitor);
  diagnostic.source = source;
  diagnostic.code = page ? { value: finding.monitor, target: page } : finding.monitor;
  diagnostic.relatedInformation = related
    .slice(0, mostRelated)
    .map(({ message, place: { uri, range } }) => new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, range), toLine(message)));
  return diagnostic;
}

function sayMore(count: number, { range }: Place): vscode.Diagnostic {
  const message = `${count} more findings in this file: Agent Proctor: Show Verdict lists all of them.`;
  const diagnostic = new vscode.Diagnostic(new vscode.Range(range.start, range.start), message, vscode.DiagnosticSeverity.Information);
  diagnostic.source = source;
  return diagnostic;
}
