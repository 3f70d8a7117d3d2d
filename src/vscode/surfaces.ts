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
import { createStatus } from "./status";
import { createStore } from "./store";
import { showVerdict } from "./verdict-list";

export interface Surfaces extends vscode.Disposable {
  handlers: Record<CommandId, Handler>;
  /** The content of a document of the scheme `proctor-diff`. */
  readDiff(uri: vscode.Uri): string;
}

/** @param engine what reads and judges; the tests hand in their own */
export function createSurfaces(extension: vscode.Uri, engine: Engine = createEngine(extension.fsPath)): Surfaces {
  const store = createStore();
  const log = store.add(vscode.window.createOutputChannel("Agent Proctor", { log: true }));
  const board = store.add(createBoard());
  const status = store.add(createStatus(board));
  store.add(createDiagnostics(board, listPages(extension)));
  const checking = store.add(createChecking(board, status, log));
  const changes = createChanges(checking, engine);
  return {
    handlers: {
      "agentProctor.checkThisFile": (uri) => checkThisFile(uri, checking, engine),
      "agentProctor.checkResource": (uri) => checkThisFile(uri, checking, engine),
      "agentProctor.checkWorkingChanges": () => changes.checkAgainst("HEAD"),
      "agentProctor.checkWorkingChangesAgainst": () => changes.chooseBase(),
      "agentProctor.showVerdict": () => showVerdict(board),
      "agentProctor.clearFindings": () => board.clear(),
      "agentProctor.cancel": () => checking.cancel(),
    },
    readDiff: changes.readDiff,
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
