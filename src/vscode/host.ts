/** What the start chunk made and hands on: the views, and where things may be kept. */
import type * as vscode from "vscode";
import type { FindingNode } from "./findings-tree";
import type { LazyView } from "./lazy-views";
import type { RunNode } from "./runs-tree";

export interface Host {
  findings: LazyView<FindingNode>;
  runs: LazyView<RunNode>;
  /** Of this workspace: which findings a person has looked at. */
  memory: vscode.Memento;
  /** A folder of ours that may not exist yet. */
  storage: vscode.Uri;
}
