/** One item of the status bar: the last verdict, and the way to stop a check that takes long. Hidden until the first check. */
import * as vscode from "vscode";
import type { Board, Check } from "./board";
import type { CommandId, ContextKey } from "./contributions";
import { describeRun, summarise } from "./words";

/** In milliseconds. Shorter checks change nothing but the verdict. */
const patience = 2000;

export interface Status extends vscode.Disposable {
  /** Says that a check goes on, until the result is disposed of. */
  begin(what: string): vscode.Disposable;
}

const showVerdict: CommandId = "agentProctor.showVerdict";
const cancel: CommandId = "agentProctor.cancel";

export function createStatus(board: Board): Status {
  const item = vscode.window.createStatusBarItem("agentProctor.verdict", vscode.StatusBarAlignment.Left, 0);
  item.name = "Agent Proctor";
  const running = new Map<symbol, { what: string; isLong: boolean; timer: NodeJS.Timeout }>();

  function draw(): void {
    const long = [...running.values()].find(({ isLong }) => isLong);
    if (long) {
      item.text = "$(circle-slash) Cancel the check";
      item.tooltip = `Agent Proctor is checking ${long.what}. Click to stop it.`;
      item.accessibilityInformation = { label: `Agent Proctor is checking ${long.what}. Cancel the check.`, role: "button" };
      item.backgroundColor = undefined;
      item.command = cancel;
      item.show();
    } else if (board.last) {
      drawVerdict(item, board.last);
      item.show();
    } else item.hide();
    setContext("agentProctor.checking", running.size > 0);
    setContext("agentProctor.hasVerdict", board.last !== undefined);
    setContext("agentProctor.verdict", board.last ? summarise(board.last.runs, board.last.what).verdict : false);
  }

  const known = new Map<ContextKey, boolean | string>();
  function setContext(key: ContextKey, value: boolean | string): void {
    if ((known.get(key) ?? false) === value) return;
    known.set(key, value);
    void vscode.commands.executeCommand("setContext", key, value);
  }

  const listener = board.onDidChange(draw);
  return {
    begin(what) {
      const id = Symbol(what);
      const entry = { what, isLong: false, timer: setTimeout(() => ((entry.isLong = true), draw()), patience) };
      running.set(id, entry);
      draw();
      return new vscode.Disposable(() => {
        clearTimeout(entry.timer);
        if (running.delete(id)) draw();
      });
    },
    dispose() {
      for (const { timer } of running.values()) clearTimeout(timer);
      running.clear();
      setContext("agentProctor.checking", false);
      setContext("agentProctor.hasVerdict", false);
      setContext("agentProctor.verdict", false);
      listener.dispose();
      item.dispose();
    },
  };
}

function drawVerdict(item: vscode.StatusBarItem, check: Check): void {
  const { short, sentence, isGrave } = summarise(check.runs, check.what);
  const old = check.isOld ? ["Changed since this check."] : [];
  item.text = `$(shield) ${short}`;
  item.tooltip = [`Agent Proctor: ${check.what}`, ...describe(check), ...old].join("\n");
  item.accessibilityInformation = { label: ["Agent Proctor:", sentence, ...old].join(" "), role: "button" };
  item.backgroundColor = isGrave ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
  item.command = showVerdict;
}

/** One run is told in full; of several, the list tells. */
function describe({ runs, sighted, what }: Check): string[] {
  const [first] = runs;
  if (!first) return [summarise(runs, what).sentence];
  if (runs.length > 1) return [`${runs.length} runs, ${sighted.length} findings`];
  const findings = sighted.length === 0 ? [] : [`${sighted.length} ${sighted.length === 1 ? "finding" : "findings"}`];
  return [...describeRun(first), ...findings];
}
