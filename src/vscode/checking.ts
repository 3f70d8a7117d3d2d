/** How a check runs: one at a time, in the background, quietly, and stoppable. */
import * as vscode from "vscode";
import type { Board, Check } from "./board";
import type { Status } from "./status";
import { summarise, toLine } from "./words";

export interface Checking extends vscode.Disposable {
  /**
   * Runs `work` and puts what it finds on the board. A check that still runs is stopped first. Never rejects: what goes wrong is
   * told to the person who asked.
   * @param what completes the sentence "Checking …"
   * @returns the check; nothing when it was stopped, went wrong or found nothing to check
   */
  start(what: string, work: (signal: AbortSignal) => Promise<Check | undefined>): Promise<Check | undefined>;
  cancel(): void;
}

/** Something that a person can put right, told as it is. */
export class Refusal extends Error {
  constructor(
    message: string,
    /** A button that helps: its title, and the command that it runs. */
    readonly help?: { title: string; command: string },
  ) {
    super(message);
  }
}

export function createChecking(board: Board, status: Status, log: vscode.LogOutputChannel): Checking {
  let current: AbortController | undefined;

  async function start(what: string, work: (signal: AbortSignal) => Promise<Check | undefined>): Promise<Check | undefined> {
    current?.abort();
    const own = (current = new AbortController());
    const begun = status.begin(what);
    const started = Date.now();
    try {
      const options = { location: vscode.ProgressLocation.Window, title: `Agent Proctor: checking ${what}` };
      const check = await vscode.window.withProgress(options, () => work(own.signal));
      if (own.signal.aborted) return undefined;
      if (check) {
        board.put(check);
        // Never what was read: the log channel is what people paste into reports.
        log.info(`Checked ${what}: ${summarise(check.runs, what).short}, ${check.sighted.length} findings, ${Date.now() - started} ms`);
      }
      return check;
    } catch (error) {
      if (own.signal.aborted) log.info(`Stopped checking ${what} after ${Date.now() - started} ms`);
      else tell(error, what);
      return undefined;
    } finally {
      if (current === own) current = undefined;
      begun.dispose();
    }
  }

  function tell(error: unknown, what: string): void {
    const message = error instanceof Error ? error.message : String(error);
    log.error(`Could not check ${what}: ${toLine(message, 500)}`);
    if (error instanceof Refusal) void offer(error);
    else void vscode.window.showErrorMessage(`Agent Proctor could not check ${what}: ${toLine(message, 300)}`);
  }

  return {
    start,
    cancel: () => current?.abort(),
    dispose: () => current?.abort(),
  };
}

async function offer({ message, help }: Refusal): Promise<void> {
  const chosen = await vscode.window.showWarningMessage(message, ...(help ? [help.title] : []));
  if (help && chosen === help.title) await vscode.commands.executeCommand(help.command);
}
