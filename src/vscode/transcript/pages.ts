/**
 * The pages that are open, as documents. A file that grows is shown as it grows, but only while it can be seen, and never so
 * that what stands above moves.
 */
import { stat } from "node:fs/promises";
import * as vscode from "vscode";
import type { Page } from "../../core/reports/transcript/page";
import type { Profile } from "../../core/model";
import { blobScheme, transcriptScheme, type CommandId } from "../contributions";
import type { RunObject } from "../engine";
import { toLine } from "../words";
import type { Reader } from "./reader";
import { createFollow } from "./follow";
import { keepHead } from "./keep-head";
import { type PageName, readBlobUri, readPageUri } from "./uris";

/** A larger log shows its beginning before all of it was read. */
const quickFrom = 8 * 1024 * 1024;
/** In bytes. Longer texts are not opened as documents: editors give up on them. */
const largestBlob = 5 * 1024 * 1024;

export interface OpenPage extends PageName {
  uri: vscode.Uri;
  page: number;
  data: Page;
  /** Absent until the run was judged. */
  report?: RunObject;
  /** The names of the file's runs. */
  runs: readonly string[];
  /** What to do next, by monitor. */
  next: Readonly<Record<string, string>>;
  /** Of the file when it was read, in bytes. */
  size: number;
}

export interface Pages extends vscode.Disposable {
  readonly onDidLoad: vscode.Event<OpenPage>;
  readonly onDidForget: vscode.Event<vscode.Uri>;
  get(uri: vscode.Uri): OpenPage | undefined;
  /** Reads the page, or takes what is there. Rejects with the reason. */
  load(uri: vscode.Uri): Promise<OpenPage>;
  /** The text of a page, or why there is none. */
  provide(uri: vscode.Uri): Promise<string>;
  provideBlob(uri: vscode.Uri): Promise<string>;
  /** A page that is open has another text now. */
  readonly onDidChange: vscode.Event<vscode.Uri>;
  profile(): Profile | "auto";
}

export function createPages(reader: Reader, log: vscode.LogOutputChannel): Pages {
  const pages = new Map<string, OpenPage>();
  const loading = new Map<string, Promise<OpenPage>>();
  const loaded = new vscode.EventEmitter<OpenPage>();
  const forgotten = new vscode.EventEmitter<vscode.Uri>();
  const changed = new vscode.EventEmitter<vscode.Uri>();

  function profile(): Profile | "auto" {
    const value = vscode.workspace.getConfiguration("agentProctor").get<string>("profile");
    return value === "bench" || value === "dev" ? value : "auto";
  }

  async function read(uri: vscode.Uri, isQuick: boolean): Promise<OpenPage> {
    const name = readPageUri(uri);
    if (!name) throw new Error("this is no page of a transcript");
    const ask = { is: "page", file: name.file.fsPath, run: name.run, profile: profile(), page: name.page, isQuick } as const;
    const { size } = await stat(name.file.fsPath);
    const { page, report, runs = [], next = {} } = await reader.ask(ask, isQuick);
    if (!page) throw new Error("the page is missing");
    return { ...name, uri, data: page, runs, next, size, ...(report ? { report } : {}) };
  }

  /** The whole answer, and before it the beginning of a large log. */
  async function readNew(uri: vscode.Uri): Promise<OpenPage> {
    const name = readPageUri(uri);
    const size = name ? (await stat(name.file.fsPath)).size : 0;
    if (size < quickFrom || name?.page !== 1 || name.run !== 0) return keep(await read(uri, false));
    const title = `Agent Proctor: reading ${toLine(name.file.path.split("/").at(-1) ?? "", 60)}, ${Math.round(size / 1e6)} MB`;
    const whole = Promise.resolve(vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () => read(uri, false)));
    const quick = read(uri, true);
    const first = await Promise.any([whole, quick]).catch(() => whole);
    if (first.report) return keep(first);
    void whole.then(
      (page) => {
        // It may have been closed meanwhile.
        if (!pages.has(uri.toString())) return;
        keep(page);
        log.info(`Read ${Math.round(size / 1e6)} MB: ${page.data.pages} pages`);
        changed.fire(uri);
      },
      (error: unknown) => log.info(`Reading on was stopped: ${toLine(String(error), 300)}`),
    );
    return keep(first);
  }

  function keep(page: OpenPage): OpenPage {
    pages.set(page.uri.toString(), page);
    loaded.fire(page);
    return page;
  }

  function load(uri: vscode.Uri): Promise<OpenPage> {
    const key = uri.toString();
    const known = pages.get(key);
    if (known) return Promise.resolve(known);
    let own = loading.get(key);
    if (!own) {
      own = readNew(uri).finally(() => loading.delete(key));
      loading.set(key, own);
    }
    return own;
  }

  async function provide(uri: vscode.Uri): Promise<string> {
    try {
      return (await load(uri)).data.text;
    } catch (error) {
      return explain(uri, error);
    }
  }

  async function provideBlob(uri: vscode.Uri): Promise<string> {
    const name = readBlobUri(uri);
    if (!name) return "This is no text of a step.\n";
    try {
      // A part that is not known is refused by the worker.
      const ask = {
        is: "body",
        file: name.file.fsPath,
        run: name.run,
        profile: profile(),
        step: name.step,
        part: name.part as "output",
      } as const;
      const { body = "" } = await reader.ask(ask);
      if (body.length <= largestBlob) return body;
      const left = body.length - largestBlob;
      return `${body.slice(0, largestBlob)}\n[${left} characters more: they are in the raw file, which Show Raw Log Here opens]\n`;
    } catch (error) {
      return explain(uri, error);
    }
  }

  const follow = createFollow(pages, async (page) => {
    const fresh = await read(page.uri, false);
    const now = { ...fresh, data: keepHead(page.data, fresh.data) };
    if (!pages.has(page.uri.toString())) return;
    keep(now);
    if (now.data.text === page.data.text) return;
    keepSelections(page.uri);
    changed.fire(page.uri);
  });

  const listeners = vscode.Disposable.from(
    loaded,
    forgotten,
    changed,
    follow,
    vscode.workspace.onDidOpenTextDocument((document) => {
      const page = pages.get(document.uri.toString());
      // What changed while the document was being opened was told to nobody.
      if (page && page.data.text.length !== document.getText().length) changed.fire(document.uri);
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      if (uri.scheme !== transcriptScheme || !pages.delete(uri.toString())) return;
      forgotten.fire(uri);
    }),
  );
  return {
    onDidChange: changed.event,
    onDidLoad: loaded.event,
    onDidForget: forgotten.event,
    get: (uri) => pages.get(uri.toString()),
    load,
    provide,
    provideBlob,
    profile,
    dispose: () => void listeners.dispose(),
  };
}

/** In milliseconds: how long an editor may take to show a new text. */
const longestUpdate = 2000;

/**
 * Puts cursors back once the new text is there: the editor takes a change at the top and one at the end for one change of all
 * that lies between.
 */
function keepSelections(uri: vscode.Uri): void {
  const isIt = (document: vscode.TextDocument): boolean => document.uri.toString() === uri.toString();
  const views = vscode.window.visibleTextEditors.filter(({ document }) => isIt(document));
  const kept = views.map((editor) => ({ editor, selections: editor.selections }));
  const listener = vscode.workspace.onDidChangeTextDocument(({ document }) => {
    if (!isIt(document)) return;
    listener.dispose();
    for (const { editor, selections } of kept) editor.selections = selections;
  });
  setTimeout(() => void listener.dispose(), longestUpdate).unref();
}

/** What stands in the place of a page that cannot be shown: never a message that is in the way. */
function explain(uri: vscode.Uri, error: unknown): string {
  const why = toLine(error instanceof Error ? error.message : String(error), 500);
  const next: CommandId = "agentProctor.openTranscript";
  const advice =
    why === "stopped" ? `Run Agent Proctor: Open as Transcript (${next}) to read it again.` : "The raw file can be opened as text.";
  return `This ${uri.scheme === blobScheme ? "text" : "transcript"} cannot be shown: ${why}.\n\n${advice}\n`;
}
