/** The second chunk of the extension: what the registrations of extension.ts load at first use. */
import { readdirSync } from "node:fs";
import * as vscode from "vscode";
import { createBoard } from "./board";
import { createChanges } from "./check-changes";
import { checkThisFile } from "./check-file";
import { createChecking } from "./checking";
import type { Handler } from "./commands";
import type { CommandId } from "./contributions";
import { createDiagnostics } from "./diagnostics";
import { createEngine, type Engine } from "./engine";
import { createFindingsTree } from "./findings-tree";
import type { Host } from "./host";
import { createReview } from "./review";
import { openRun, openRuns } from "./open-runs";
import { createRunIndex } from "./run-index";
import { createRuns } from "./runs";
import { createRunsTree } from "./runs-tree";
import { createStatus } from "./status";
import { createStore } from "./store";
import type { Reader } from "./transcript/reader";
import type { TranscriptTexts } from "./transcript/start";
import { createTranscriptSurface } from "./transcript/transcripts";
import { showVerdict } from "./verdict-list";

export interface Surfaces extends vscode.Disposable {
  handlers: Record<CommandId, Handler>;
  /** The content of a document of the scheme `proctor-diff`. */
  readDiff(uri: vscode.Uri): string;
  /** The content of a document of the scheme `proctor-base`. */
  readBase(uri: vscode.Uri): Promise<string>;
  transcripts: TranscriptTexts;
}

/** @param engine what reads and judges; the tests hand in their own */
export function createSurfaces(
  extension: vscode.Uri,
  host: Host,
  engine: Engine = createEngine(extension.fsPath),
  reader?: Reader,
): Surfaces {
  const store = createStore();
  const log = store.add(vscode.window.createOutputChannel("Agent Proctor", { log: true }));
  const board = store.add(createBoard());
  const status = store.add(createStatus(board));
  const pages = listPages(extension);
  store.add(createDiagnostics(board, pages));
  const checking = store.add(createChecking(board, status, log));
  const changes = createChanges(checking, engine);
  const findings = store.add(createFindingsTree(board, host.findings, host.memory));
  const runs = store.add(createRuns(engine, createRunIndex(host.storage.fsPath), log));
  const runsTree = store.add(createRunsTree(runs, host.runs));
  const review = store.add(createReview({ board, checking, changes, engine, runs, pages }));
  const transcripts = store.add(createTranscriptSurface(extension, pages, log, reader));
  const sample = vscode.Uri.joinPath(extension, "media", "examples", "hacked.jsonl");
  return {
    handlers: {
      "agentProctor.checkThisFile": (uri) => checkThisFile(uri, checking, engine),
      "agentProctor.checkResource": (uri) => checkThisFile(uri, checking, engine),
      "agentProctor.checkWorkingChanges": () => changes.checkAgainst("HEAD"),
      "agentProctor.checkWorkingChangesAgainst": () => changes.chooseBase(),
      "agentProctor.showVerdict": () => showVerdict(board),
      "agentProctor.clearFindings": () => board.clear(),
      "agentProctor.cancel": () => checking.cancel(),
      "agentProctor.changeGrouping": () => findings.changeGrouping(),
      "agentProctor.markReviewed": (node) => findings.toggleReviewed(node),
      "agentProctor.markUnreviewed": (node) => findings.toggleReviewed(node),
      "agentProctor.markAllReviewed": () => findings.markAllReviewed(),
      "agentProctor.revealFinding": (node) => findings.revealFinding(node),
      "agentProctor.showMore": (node) => (runsTree.showMore(node) ? undefined : findings.showMore(node)),
      "agentProctor.openRuns": () => openRuns(runs),
      "agentProctor.openRunsHere": (uri) => openRuns(runs, uri),
      "agentProctor.openRun": (node) => openRun(node),
      "agentProctor.sortRuns": () => runsTree.chooseOrder(),
      "agentProctor.filterRuns": () => runsTree.chooseFilter(),
      "agentProctor.refreshRuns": () => runs.refresh(),
      "agentProctor.cancelRuns": () => runs.cancel(),
      "agentProctor.closeRuns": () => runs.close(),
      "agentProctor.reviewPatch": () => review.reviewChanges("HEAD"),
      "agentProctor.reviewPatchAgainst": () => review.reviewAgainst(),
      "agentProctor.reviewPatchFile": () => review.reviewFile(undefined),
      "agentProctor.reviewPatchResource": (uri) => review.reviewFile(uri),
      "agentProctor.reviewRunPatch": (node) => review.reviewRun(node),
      "agentProctor.showStep": () => review.showStep(),
      "agentProctor.openWalkthrough": () =>
        vscode.commands.executeCommand("workbench.action.openWalkthrough", "agent-proctor.agent-proctor#start", false),
      "agentProctor.checkSample": async () => {
        await checkThisFile(sample, checking, engine);
        await vscode.commands.executeCommand("vscode.open", sample);
      },
      ...transcripts.handlers,
    },
    readDiff: changes.readDiff,
    readBase: review.readBase,
    transcripts: transcripts.texts,
    dispose: () => store.dispose(),
  };
}

/** The monitors' pages that ship with the extension, by the monitor's id. */
function listPages(extension: vscode.Uri): Map<string, vscode.Uri> {
  const folder = vscode.Uri.joinPath(extension, "media", "monitors");
  try {
    const names = readdirSync(folder.fsPath).filter((name) => name.endsWith(".md"));
    return new Map(names.map((name) => [name.slice(0, -3), vscode.Uri.joinPath(folder, name)]));
  } catch {
    return new Map();
  }
}
