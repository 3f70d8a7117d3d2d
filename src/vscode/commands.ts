import * as vscode from "vscode";
import type { CommandId } from "./contributions";

export type Handler = (...args: unknown[]) => unknown;

/** Registers every command of the manifest. A missing or a stray handler does not compile. */
export function registerCommands(handlers: Record<CommandId, Handler>): vscode.Disposable {
  return vscode.Disposable.from(...Object.entries(handlers).map(([id, handler]) => vscode.commands.registerCommand(id, handler)));
}
