/** Folders of runs: planned when they are opened, judged in the background, and remembered by what is known of them. */
import path from "node:path";
import * as vscode from "vscode";
import { mainFile, mainPath } from "../node/fail-plan";
import type { Plan } from "../node/plan";
import { readProfile } from "./check-file";
import type { Engine, RunObject } from "./engine";
import { toBrief, toKeys, type Brief, type RunIndex } from "./run-index";
import { toLine } from "./words";

export interface RunEntry {
  /** Of the run's content: what the index knows it by. */
  key: string;
  /** Stays the same as long as the folder's files keep their names. */
  id: string;
  plan: Plan;
  folder: RunFolder;
  /** Absent: not judged yet. */
  brief?: Brief;
}

export interface RunFolder {
  uri: vscode.Uri;
  name: string;
  /** By instance. */
  entries: RunEntry[];
  /** Files that are no runs, by the reason. */
  skipped: Record<string, number>;
  state: "planning" | "judging" | "done" | "stopped" | "refused";
  /** Why it was refused. */
  why?: string;
}

export interface Runs extends vscode.Disposable {
  readonly folders: readonly RunFolder[];
  readonly onDidChange: vscode.Event<void>;
  /** Settles when everything is judged or it was stopped. Never rejects: what fails stands in the folder. */
  open(uri: vscode.Uri): Promise<void>;
  /** Plans and judges again what was changed since. */
  refresh(): Promise<void>;
  close(): void;
  cancel(): void;
  /** The whole of one run, from memory or judged now. */
  read(entry: RunEntry): Promise<RunObject>;
}

/** Whole reports in memory; any other is judged again when it is asked for. */
const mostReports = 200;
/** In milliseconds: the view is drawn at most twice a second. */
const drawEvery = 500;

export function createRuns(engine: Engine, index: RunIndex, log: vscode.LogOutputChannel): Runs {
  const changes = new vscode.EventEmitter<void>();
  const reports = new Map<string, RunObject>();
  const running = new Map<string, AbortController>();
  let folders: RunFolder[] = [];
  let timer: NodeJS.Timeout | undefined;

  function drawNow(): void {
    clearTimeout(timer);
    timer = undefined;
    changes.fire();
  }

  function drawSoon(): void {
    timer ??= setTimeout(drawNow, drawEvery);
  }

  function remember(key: string, run: RunObject): void {
    reports.delete(key);
    reports.set(key, run);
    const [oldest] = reports.keys();
    if (reports.size > mostReports && oldest !== undefined) reports.delete(oldest);
  }

  async function open(uri: vscode.Uri): Promise<void> {
    const id = uri.toString();
    running.get(id)?.abort();
    const own = new AbortController();
    running.set(id, own);
    const before = folders.find((folder) => folder.uri.toString() === id);
    const folder: RunFolder = before ?? { uri, name: path.basename(uri.fsPath), entries: [], skipped: {}, state: "planning" };
    if (!before) folders = [...folders, folder];
    folder.state = "planning";
    delete folder.why;
    drawNow();
    const started = Date.now();
    try {
      const profile = readProfile();
      const { plans, skipped } = await engine.planFolder(uri.fsPath, own.signal);
      const known = await index.load(uri.fsPath);
      const keys = await toKeys(plans, `${engine.stamp} ${profile}`);
      if (own.signal.aborted) throw new Error("stopped");
      folder.skipped = skipped;
      folder.entries = listEntries(plans, keys, known, folder);
      folder.state = "judging";
      drawNow();
      const waiting = folder.entries.filter(({ brief }) => !brief);
      try {
        await engine.judgePlans(
          waiting.map(({ plan }) => plan),
          profile,
          own.signal,
          (at, run) => {
            const entry = waiting[at];
            if (!entry) return;
            entry.brief = toBrief(run);
            remember(entry.key, run);
            drawSoon();
          },
        );
      } finally {
        await index.save(uri.fsPath, new Map(folder.entries.flatMap(({ key, brief }) => (brief ? [[key, brief]] : []))));
      }
      if (running.get(id) === own) folder.state = own.signal.aborted ? "stopped" : "done";
      log.info(`Judged ${waiting.length} of ${folder.entries.length} runs in ${Date.now() - started} ms`);
    } catch (error) {
      if (running.get(id) !== own) return;
      folder.state = own.signal.aborted ? "stopped" : "refused";
      if (!own.signal.aborted) {
        folder.why = toLine(error instanceof Error ? error.message : String(error), 300);
        log.error(`Could not read a folder of runs: ${folder.why}`);
      }
    } finally {
      if (running.get(id) === own) running.delete(id);
      drawNow();
    }
  }

  function cancel(): void {
    for (const own of running.values()) own.abort();
  }

  return {
    get folders() {
      return folders;
    },
    onDidChange: changes.event,
    open,
    async refresh() {
      await Promise.all(folders.map(({ uri }) => open(uri)));
    },
    close() {
      cancel();
      running.clear();
      folders = [];
      reports.clear();
      drawNow();
    },
    cancel,
    async read(entry) {
      const known = reports.get(entry.key);
      if (known) return known;
      const [run] = await judgeOne(engine, entry.plan);
      if (!run) throw new Error("the run could not be judged");
      remember(entry.key, run);
      return run;
    },
    dispose() {
      cancel();
      clearTimeout(timer);
      changes.dispose();
    },
  };
}

async function judgeOne(engine: Engine, plan: Plan): Promise<RunObject[]> {
  const runs: RunObject[] = [];
  await engine.judgePlans([plan], readProfile(), new AbortController().signal, (_, run) => runs.push(run));
  return runs;
}

function listEntries(plans: readonly Plan[], keys: readonly string[], known: ReadonlyMap<string, Brief>, folder: RunFolder): RunEntry[] {
  const seen = new Map<string, number>();
  const entries = plans.map((plan, at): RunEntry => {
    const name = `${folder.uri.toString()}#${plan.id ?? ""}#${plan.attempt ?? ""}#${mainFile(plan)}`;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const key = keys[at] ?? "";
    const brief = known.get(key);
    return { key, id: `${name}#${count}`, plan, folder, ...(brief ? { brief } : {}) };
  });
  // Once for all: names are dear to compare, and the view is drawn again and again.
  const named = entries.map((entry) => ({ entry, name: nameRun(entry.plan) })).sort((a, b) => words.compare(a.name, b.name));
  return named.map(({ entry }) => entry);
}

/** As a person counts: run 9 stands before run 10. */
const words = new Intl.Collator("en", { numeric: true });

/** The instance and the attempt, else the file. */
export function nameRun(plan: Plan): string {
  const name = plan.id ?? path.basename(mainFile(plan));
  return plan.attempt === undefined ? name : `${name} · ${plan.attempt}`;
}

/** The run's main file. */
export function toUri({ plan }: RunEntry): vscode.Uri {
  return vscode.Uri.file(mainPath(plan));
}
