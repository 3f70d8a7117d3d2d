/**
 * A `vscode` written by hand: as much of it as the surfaces use. It keeps count of everything that is registered, so that a test
 * can hold that nothing is left. Importing this file puts it in the place of "vscode", so it comes before the surfaces.
 */
import Module from "node:module";
import path from "node:path";

type Listener<T> = (event: T) => unknown;

/** What is registered now, by kind. */
export const registrations: string[] = [];

function hold(kind: string, onDispose?: () => void): Disposable {
  registrations.push(kind);
  let isDone = false;
  return new Disposable(() => {
    if (isDone) return;
    isDone = true;
    registrations.splice(registrations.indexOf(kind), 1);
    onDispose?.();
  });
}

class Disposable {
  constructor(private readonly end: () => void) {}
  static from(...all: { dispose(): unknown }[]): Disposable {
    return new Disposable(() => all.forEach((one) => one.dispose()));
  }
  dispose(): void {
    this.end();
  }
}

class EventEmitter<T> {
  private readonly listeners = new Set<Listener<T>>();
  private readonly own?: Disposable;
  constructor(private readonly name = "") {
    // The fake's own events are no registrations of the extension's.
    if (!name) this.own = hold("emitter");
  }
  readonly event = (listener: Listener<T>): Disposable => {
    this.listeners.add(listener);
    return hold(`listener${this.name}`, () => this.listeners.delete(listener));
  };
  fire(event: T): void {
    for (const listener of [...this.listeners]) listener(event);
  }
  dispose(): void {
    this.listeners.clear();
    this.own?.dispose();
  }
}

export class Uri {
  constructor(
    readonly scheme: string,
    readonly path: string,
    readonly query = "",
  ) {}
  static file(file: string): Uri {
    return new Uri("file", path.resolve(file));
  }
  static from({ scheme, path: own, query }: { scheme: string; path: string; query?: string }): Uri {
    return new Uri(scheme, own, query);
  }
  static joinPath(base: Uri, ...parts: string[]): Uri {
    return new Uri(base.scheme, path.posix.join(base.path, ...parts), base.query);
  }
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `${this.scheme}://${encodeURI(this.path)}${this.query ? `?${encodeURIComponent(this.query)}` : ""}`;
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {
    if (line < 0 || character < 0) throw new Error(`not a position: ${line}:${character}`);
  }
}

export class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
}

class Location {
  constructor(
    readonly uri: Uri,
    readonly range: Range,
  ) {}
}

class DiagnosticRelatedInformation {
  constructor(
    readonly location: Location,
    readonly message: string,
  ) {}
}

export class Diagnostic {
  source?: string;
  code?: string | { value: string; target: Uri };
  relatedInformation?: DiagnosticRelatedInformation[];
  constructor(
    readonly range: Range,
    readonly message: string,
    readonly severity: number,
  ) {}
}

class ThemeColor {
  constructor(readonly id: string) {}
}

export class TabInputText {
  constructor(readonly uri: Uri) {}
}
class TabInputCustom {
  constructor(readonly uri: Uri) {}
}
class TabInputTextDiff {
  constructor(
    readonly original: Uri,
    readonly modified: Uri,
  ) {}
}

export interface Item {
  id: string;
  text: string;
  tooltip: string;
  command?: string;
  backgroundColor?: ThemeColor;
  accessibilityInformation?: { label: string; role?: string };
  isVisible: boolean;
}

/** What a person would see, and what they would answer. */
export const seen = {
  items: [] as Item[],
  contexts: new Map<string, unknown>(),
  messages: [] as { kind: "info" | "warning" | "error"; text: string; buttons: string[] }[],
  picks: [] as { rows: { label: string; kind?: number }[]; title?: string }[],
  executed: [] as { command: string; args: unknown[] }[],
  progress: [] as string[],
  log: [] as string[],
  diagnostics: new Map<string, Diagnostic[]>(),
};

export const answers = {
  message: undefined as string | undefined,
  pick: (_rows: readonly { label: string; kind?: number }[]): unknown => undefined,
  typed: undefined as string | undefined,
  openDialog: undefined as Uri[] | undefined,
};

export const state = {
  settings: {} as Record<string, unknown>,
  isTrusted: true,
  folders: [] as { uri: Uri; name: string; index: number }[],
  documents: [] as { uri: Uri; isDirty: boolean; getText(): string }[],
  activeTab: undefined as unknown,
  activeEditor: undefined as { document: { uri: Uri } } | undefined,
};

export const events = {
  changeDocument: new EventEmitter<{ document: { uri: Uri }; contentChanges: unknown[] }>(" document"),
  deleteFiles: new EventEmitter<{ files: Uri[] }>(" delete"),
  renameFiles: new EventEmitter<{ files: { oldUri: Uri; newUri: Uri }[] }>(" rename"),
  changeConfiguration: new EventEmitter<{ affectsConfiguration(section: string): boolean }>(" configuration"),
};

const commandTable = new Map<string, (...args: unknown[]) => unknown>();
const providers = new Map<string, { provideTextDocumentContent(uri: Uri): unknown }>();

function say(kind: "info" | "warning" | "error") {
  return (text: string, ...buttons: string[]): Promise<string | undefined> => {
    seen.messages.push({ kind, text, buttons });
    return Promise.resolve(answers.message);
  };
}

function findFolder(uri: Uri): (typeof state.folders)[number] | undefined {
  return state.folders.find((folder) => uri.scheme === folder.uri.scheme && `${uri.path}/`.startsWith(`${folder.uri.path}/`));
}

const log = (level: string) => (text: string) => void seen.log.push(`${level} ${text}`);

export const vscode = {
  Disposable,
  EventEmitter,
  Uri,
  Position,
  Range,
  Location,
  Diagnostic,
  DiagnosticRelatedInformation,
  ThemeColor,
  TabInputText,
  TabInputCustom,
  TabInputTextDiff,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
  QuickPickItemKind: { Separator: -1, Default: 0 },
  commands: {
    registerCommand(id: string, run: (...args: unknown[]) => unknown) {
      if (commandTable.has(id)) throw new Error(`command '${id}' already exists`);
      commandTable.set(id, run);
      return hold(`command ${id}`, () => commandTable.delete(id));
    },
    async executeCommand(id: string, ...args: unknown[]): Promise<unknown> {
      if (id === "setContext") return void seen.contexts.set(String(args[0]), args[1]);
      const own = commandTable.get(id);
      if (own) return own(...args);
      seen.executed.push({ command: id, args });
      return undefined;
    },
  },
  languages: {
    createDiagnosticCollection(name: string) {
      const own = hold(`diagnostics ${name}`, () => seen.diagnostics.clear());
      return {
        set: (uri: Uri, diagnostics: Diagnostic[]) => void seen.diagnostics.set(uri.toString(), diagnostics),
        clear: () => seen.diagnostics.clear(),
        dispose: () => own.dispose(),
      };
    },
  },
  window: {
    tabGroups: {
      get activeTabGroup() {
        return { activeTab: state.activeTab === undefined ? undefined : { input: state.activeTab } };
      },
    },
    get activeTextEditor() {
      return state.activeEditor;
    },
    createStatusBarItem(id: string) {
      const item: Item = { id, text: "", tooltip: "", isVisible: false };
      seen.items.push(item);
      const own = hold("status item", () => seen.items.splice(seen.items.indexOf(item), 1));
      return Object.assign(item, {
        show: () => void (item.isVisible = true),
        hide: () => void (item.isVisible = false),
        dispose: () => own.dispose(),
      });
    },
    createOutputChannel(name: string) {
      const own = hold(`channel ${name}`);
      return {
        info: log("info"),
        warn: log("warn"),
        error: log("error"),
        debug: log("debug"),
        trace: log("trace"),
        dispose: () => own.dispose(),
      };
    },
    async withProgress<T>({ title }: { title: string }, run: () => Promise<T>): Promise<T> {
      seen.progress.push(title);
      return run();
    },
    async showQuickPick(rows: { label: string; kind?: number }[], options: { title?: string }) {
      seen.picks.push({ rows, title: options.title });
      return answers.pick(rows);
    },
    createQuickPick() {
      const own = hold("quick pick");
      const handlers: Record<"value" | "accept" | "hide", ((value: string) => void)[]> = { value: [], accept: [], hide: [] };
      const on = (kind: keyof typeof handlers) => (handler: (value: string) => void) => handlers[kind].push(handler);
      const pick = {
        title: "",
        value: "",
        items: [] as { label: string }[],
        selectedItems: [] as { label: string }[],
        onDidChangeValue: on("value"),
        onDidAccept: on("accept"),
        onDidHide: on("hide"),
        hide: () => handlers.hide.forEach((handler) => handler("")),
        show() {
          seen.picks.push({ rows: pick.items, title: pick.title });
          if (answers.typed === undefined) return pick.hide();
          pick.value = answers.typed;
          handlers.value.forEach((handler) => handler(pick.value));
          pick.selectedItems = pick.items.filter(({ label }) => label === pick.value);
          handlers.accept.forEach((handler) => handler(""));
        },
        dispose: () => own.dispose(),
      };
      return pick;
    },
    showOpenDialog: async () => answers.openDialog,
    showWorkspaceFolderPick: async () => answers.pick(state.folders.map((folder) => ({ ...folder, label: folder.name }))),
    showInformationMessage: say("info"),
    showWarningMessage: say("warning"),
    showErrorMessage: say("error"),
  },
  workspace: {
    get isTrusted() {
      return state.isTrusted;
    },
    get workspaceFolders() {
      return state.folders;
    },
    get textDocuments() {
      return state.documents;
    },
    getWorkspaceFolder: findFolder,
    asRelativePath(uri: Uri) {
      const folder = findFolder(uri);
      return folder ? path.posix.relative(folder.uri.path, uri.path) : uri.path;
    },
    getConfiguration: (section: string) => ({
      get: (key: string, fallback: unknown) => state.settings[`${section}.${key}`] ?? fallback,
    }),
    registerTextDocumentContentProvider(scheme: string, provider: { provideTextDocumentContent(uri: Uri): unknown }) {
      providers.set(scheme, provider);
      return hold(`content ${scheme}`, () => providers.delete(scheme));
    },
    onDidChangeTextDocument: events.changeDocument.event,
    onDidDeleteFiles: events.deleteFiles.event,
    onDidRenameFiles: events.renameFiles.event,
    onDidChangeConfiguration: events.changeConfiguration.event,
    fs: {
      stat: async () => ({ size: 0 }),
      readFile: async () => new Uint8Array(),
    },
  },
};

/** The content of a virtual document. */
export async function readVirtual(uri: Uri): Promise<unknown> {
  return providers.get(uri.scheme)?.provideTextDocumentContent(uri);
}

/** As after a start of the window. What is still registered stays, and shows. */
export function reset(): void {
  seen.contexts.clear();
  for (const list of [seen.messages, seen.picks, seen.executed, seen.progress, seen.log]) list.length = 0;
  Object.assign(answers, { message: undefined, pick: () => undefined, typed: undefined, openDialog: undefined });
  Object.assign(state, { settings: {}, isTrusted: true, folders: [], documents: [], activeTab: undefined, activeEditor: undefined });
}

const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
const load = loader._load.bind(loader);
loader._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));
