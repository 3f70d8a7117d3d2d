/** What was checked last, and all that still stands: the one place that the surfaces draw from. */
import * as vscode from "vscode";
import type { Finding } from "../core/model";
import type { RunObject } from "./engine";

export interface Place {
  uri: vscode.Uri;
  range: vscode.Range;
}

/** A finding, and where it stands for VS Code. */
export interface Sighted {
  run: RunObject;
  finding: Finding;
  /** Where it is marked. Absent: it has no line, because what it concerns was deleted or stands in an archive. */
  place?: Place;
  /** Where the evidence can be read when it is marked nowhere, or elsewhere. */
  evidence?: Place;
  /** Why it has no line, for a person. */
  note?: string;
  related: { message: string; place: Place }[];
}

export interface Check {
  /** Two checks of the same thing have the same key: the later one replaces the earlier. */
  key: string;
  /** The file's name, or `the working changes of x against HEAD`. */
  what: string;
  runs: readonly RunObject[];
  sighted: readonly Sighted[];
  /** Whether a change of this document makes the check old. */
  concerns(uri: vscode.Uri): boolean;
  /** Something that it concerns was changed since, so that it may no longer be true. */
  isOld: boolean;
}

export interface Board extends vscode.Disposable {
  readonly checks: readonly Check[];
  readonly last: Check | undefined;
  readonly onDidChange: vscode.Event<void>;
  put(check: Check): void;
  clear(): void;
}

export function createBoard(): Board {
  const checks = new Map<string, Check>();
  const changes = new vscode.EventEmitter<void>();
  let last: Check | undefined;

  function markOld(uri: vscode.Uri): void {
    let isNew = false;
    for (const check of checks.values()) {
      if (check.isOld || !check.concerns(uri)) continue;
      check.isOld = true;
      isNew = true;
    }
    if (isNew) changes.fire();
  }

  const listeners = vscode.Disposable.from(
    changes,
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) markOld(document.uri);
    }),
    vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach(markOld)),
    vscode.workspace.onDidRenameFiles(({ files }) => files.forEach(({ oldUri }) => markOld(oldUri))),
  );

  return {
    get checks() {
      return [...checks.values()];
    },
    get last() {
      return last;
    },
    onDidChange: changes.event,
    put(check) {
      // The order of the map is the order of the checks.
      checks.delete(check.key);
      checks.set(check.key, check);
      last = check;
      changes.fire();
    },
    clear() {
      checks.clear();
      last = undefined;
      changes.fire();
    },
    dispose: () => void listeners.dispose(),
  };
}
