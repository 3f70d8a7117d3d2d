/** Findings in a transcript: what is marked, what a hover says, and the line above a flagged step. */
import * as vscode from "vscode";
import type { Finding } from "../../core/model";
import type { PageFinding, PageRange } from "../../core/reports/transcript/page";
import type { CommandId } from "../contributions";
import { source } from "../diagnostics";
import { doesCount, isAtLeast, readSeverity, severities, toLevel, toLine } from "../words";
import type { OpenPage, Pages } from "./pages";
import { stepAt } from "./structure";
import { toPageUri } from "./uris";

/** More than this nobody reads, and every one costs the editor. */
const mostMarks = 100;
const mostRelated = 20;
const mostHovers = 3;

const levels = {
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** Commands that a hover may run. No other link in it does anything but open what it names. */
const hoverCommands: CommandId[] = ["agentProctor.nextFinding", "agentProctor.showRawLogHere"];

export interface Marked {
  place: PageFinding;
  finding: Finding;
}

/** What a page shows of the findings, in the order of its lines. */
export function listMarked({ data, report }: OpenPage): Marked[] {
  const marked = data.findings.flatMap((place) => {
    const finding = report?.findings[place.index];
    return finding ? [{ place, finding }] : [];
  });
  return marked.sort(({ place: { range: a } }, { place: { range: b } }) => a.start.line - b.start.line || a.start.column - b.start.column);
}

export function toRange({ start, end }: PageRange): vscode.Range {
  return new vscode.Range(start.line, start.column, end.line, end.column);
}

/** The monitors' pages by the monitor's id. */
export type MonitorPages = ReadonlyMap<string, vscode.Uri>;

function toDiagnostic(page: OpenPage, { place, finding }: Marked, pages: MonitorPages): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(toRange(place.range), toLine(finding.message), levels[toLevel(finding)]);
  const about = pages.get(finding.monitor);
  diagnostic.source = source;
  diagnostic.code = about ? { value: finding.monitor, target: about } : finding.monitor;
  diagnostic.relatedInformation = place.related.slice(0, mostRelated).map(({ message, page: number, range }) => {
    const uri = number === page.data.page ? page.uri : toPageUri({ file: page.file, run: page.run, page: number });
    return new vscode.DiagnosticRelatedInformation(new vscode.Location(uri, toRange(range)), toLine(message));
  });
  return diagnostic;
}

/** What, why, and what next. What a log says enters as text only: never as Markdown, never as a link. */
export function describeFinding({ finding }: Marked, next: string | undefined, pages: MonitorPages): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.supportThemeIcons = true;
  text.isTrusted = { enabledCommands: hoverCommands };
  text.appendMarkdown(doesCount(finding) ? "$(warning) **To review:** " : "$(info) **Noted:** ");
  text.appendText(toLine(finding.message, 300));
  const state = [
    finding.severity,
    finding.certainty,
    finding.stage,
    ...(finding.authorised ? ["allowed by the task"] : []),
    ...(finding.disclosed ? ["disclosed by the agent"] : []),
    ...(finding.status === "trial" ? ["on trial"] : []),
  ];
  text.appendMarkdown(`\n\n${state.join(", ")}\n\n**Why** `);
  text.appendText(toLine(finding.why, 800));
  if (next !== undefined) {
    text.appendMarkdown("\n\n**Next** ");
    text.appendText(toLine(next, 500));
  }
  const about = pages.get(finding.monitor);
  const links = [
    ...(about ? [`[About ${finding.monitor}](${about.toString()})`] : [finding.monitor]),
    "[Next finding](command:agentProctor.nextFinding)",
    "[Raw log](command:agentProctor.showRawLogHere)",
  ];
  text.appendMarkdown(`\n\n${links.join(" · ")}`);
  return text;
}

/** A title draws `$(name)` as an icon: what was read from a log must not. */
function toTitle(text: string): string {
  return toLine(text, 100).replaceAll("$(", "$ (");
}

export function listLenses(page: OpenPage): vscode.CodeLens[] {
  const byLine = new Map<number, Marked[]>();
  for (const marked of listMarked(page)) {
    const line = stepAt(page, marked.place.range.start.line)?.startLine;
    if (line === undefined) continue;
    const here = byLine.get(line);
    if (here) here.push(marked);
    else byLine.set(line, [marked]);
  }
  const reveal: CommandId = "agentProctor.revealEvidence";
  const raw: CommandId = "agentProctor.showRawLogHere";
  return [...byLine].flatMap(([line, marked]) => {
    const at = new vscode.Range(line, 0, line, 0);
    const lenses = marked.slice(0, 3).map(({ place, finding }) => {
      const title = `${doesCount(finding) ? "$(warning) To review" : "$(info) Noted"}: ${toTitle(finding.message)}`;
      return new vscode.CodeLens(at, {
        title,
        command: reveal,
        tooltip: "Select the evidence",
        arguments: [page.uri.toString(), place.range],
      });
    });
    const [first] = marked;
    const range = first?.place.range;
    return [
      ...lenses,
      new vscode.CodeLens(at, {
        title: "Raw log",
        command: raw,
        tooltip: "Open the raw file at the evidence",
        arguments: [page.uri.toString(), range],
      }),
    ];
  });
}

export function registerEvidence(pages: Pages, selector: vscode.DocumentSelector, about: MonitorPages): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("agentProctor.transcript");
  const lensesChanged = new vscode.EventEmitter<void>();
  const open = new Map<string, OpenPage>();

  function draw(page: OpenPage): void {
    const settings = vscode.workspace.getConfiguration("agentProctor.diagnostics");
    const least = readSeverity(settings.get<string>("minSeverity"));
    const marked = settings.get<boolean>("enabled", true) ? listMarked(page).filter(({ finding }) => isAtLeast(finding, least)) : [];
    const grave = [...marked].sort((a, b) => severities.indexOf(b.finding.severity) - severities.indexOf(a.finding.severity));
    const kept = new Set(grave.slice(0, mostMarks));
    collection.set(
      page.uri,
      marked.filter((one) => kept.has(one)).map((one) => toDiagnostic(page, one, about)),
    );
  }

  return vscode.Disposable.from(
    collection,
    lensesChanged,
    pages.onDidLoad((page) => {
      open.set(page.uri.toString(), page);
      draw(page);
      lensesChanged.fire();
    }),
    pages.onDidForget((uri) => {
      open.delete(uri.toString());
      collection.delete(uri);
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("agentProctor.diagnostics")) open.forEach(draw);
    }),
    vscode.languages.registerHoverProvider(selector, {
      provideHover(document, position) {
        const page = pages.get(document.uri);
        const here = page ? listMarked(page).filter(({ place }) => toRange(place.range).contains(position)) : [];
        const [first] = here;
        if (!page || !first) return undefined;
        const texts = here.slice(0, mostHovers).map((one) => describeFinding(one, page.next[one.finding.monitor], about));
        return new vscode.Hover(texts, toRange(first.place.range));
      },
    }),
    vscode.languages.registerCodeLensProvider(selector, {
      onDidChangeCodeLenses: lensesChanged.event,
      provideCodeLenses(document) {
        const page = pages.get(document.uri);
        return page ? listLenses(page) : [];
      },
    }),
  );
}
