/**
 * A `vscode` written by hand: as much of it as the surfaces use. It keeps count of everything that is registered, so that a test
 * can hold that nothing is left. Importing this file puts it in the place of "vscode", so it comes before the surfaces.
 */
import Module from "node:module";
import path from "node:path";
import { languageApi, type MarkdownString } from "./fake-language";

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
  isBefore(other: Position): boolean {
    return this.line < other.line || (this.line === other.line && this.character < other.character);
  }
  isAfter(other: Position): boolean {
    return other.isBefore(this);
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;
  constructor(...of: [Position, Position] | [number, number, number, number]) {
    [this.start, this.end] = of.length === 2 ? of : [new Position(of[0], of[1]), new Position(of[2], of[3])];
  }
  contains(other: Position | Range): boolean {
    const [from, to] = other instanceof Range ? [other.start, other.end] : [other, other];
    return !from.isBefore(this.start) && !to.isAfter(this.end);
  }
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

class ThemeIcon {
  constructor(
    readonly id: string,
    readonly color?: ThemeColor,
  ) {}
}

export class TreeItem {
  id?: string;
  description?: string;
  tooltip?: string;
  iconPath?: ThemeIcon;
  contextValue?: string;
  command?: { command: string; arguments?: unknown[] };
  accessibilityInformation?: { label: string };
  constructor(
    readonly label: string,
    readonly collapsibleState = 0,
  ) {}
}

interface TreeProvider {
  onDidChangeTreeData(listener: () => void): Disposable;
  getChildren(node?: unknown): Promise<unknown[]>;
  getTreeItem(node: unknown): TreeItem;
}

export interface Tree {
  provider: TreeProvider;
  badge?: { value: number; tooltip: string };
  message?: string;
  description?: string;
  /** What a person has chosen in it. */
  selection: unknown[];
}

/** The views, by id. */
export const trees = new Map<string, Tree>();

/** What a view shows below a node. */
export async function listTree(id: string, node?: unknown): Promise<{ node: unknown; item: TreeItem }[]> {
  const { provider } = trees.get(id) ?? {};
  const nodes = (await provider?.getChildren(node)) ?? [];
  return nodes.map((one) => ({ node: one, item: provider?.getTreeItem(one) ?? new TreeItem("") }));
}

/** What is kept for a workspace. */
export class Memento {
  readonly kept = new Map<string, unknown>();
  get(key: string, fallback: unknown): unknown {
    return this.kept.get(key) ?? fallback;
  }
  async update(key: string, value: unknown): Promise<void> {
    this.kept.set(key, value);
  }
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

/** An editor that is seen, and what is drawn on it. */
export class Editor {
  readonly document: { uri: Uri };
  readonly drawn = new Map<unknown, { range: Range; hoverMessage: MarkdownString }[]>();
  constructor(uri: Uri) {
    this.document = { uri };
  }
  setDecorations(type: unknown, options: { range: Range; hoverMessage: MarkdownString }[]): void {
    this.drawn.set(type, options);
  }
}

export const state = {
  settings: {} as Record<string, unknown>,
  isTrusted: true,
  folders: [] as { uri: Uri; name: string; index: number }[],
  documents: [] as { uri: Uri; isDirty: boolean; getText(): string }[],
  activeTab: undefined as unknown,
  activeEditor: undefined as { document: { uri: Uri }; selection?: { active: Position } } | undefined,
  visibleEditors: [] as Editor[],
  /** What stands on no disk. */
  files: new Map<string, string>(),
};

export const events = {
  changeEditor: new EventEmitter<unknown>(" editor"),
  changeVisible: new EventEmitter<Editor[]>(" visible"),
  changeSelection: new EventEmitter<unknown>(" selection"),
  openDocument: new EventEmitter<{ uri: Uri; getText(): string }>(" open"),
  closeDocument: new EventEmitter<{ uri: Uri }>(" close"),
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

/** What language features registered, by kind. */
export const features = new Map<string, unknown>();

const registerFeature =
  (kind: string) =>
  (_selector: unknown, feature: unknown): Disposable => {
    features.set(kind, feature);
    return hold(`feature ${kind}`, () => features.delete(kind));
  };

export const vscode = {
  ...languageApi,
  Disposable,
  EventEmitter,
  Uri,
  Position,
  Range,
  Location,
  Diagnostic,
  DiagnosticRelatedInformation,
  ThemeColor,
  ThemeIcon,
  OverviewRulerLane: { Right: 4 },
  TreeItem,
  TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
  TabInputText,
  TabInputCustom,
  TabInputTextDiff,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  FileType: { Unknown: 0, File: 1, Directory: 2 },
  FilePermission: { Readonly: 1 },
  FileChangeType: { Changed: 1, Created: 2, Deleted: 3 },
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
      const mine = new Set<string>();
      const clear = (): void => {
        for (const key of mine) seen.diagnostics.delete(key);
        mine.clear();
      };
      const own = hold(`diagnostics ${name}`, clear);
      return {
        set(uri: Uri, diagnostics: Diagnostic[]) {
          mine.add(uri.toString());
          seen.diagnostics.set(uri.toString(), diagnostics);
        },
        clear,
        delete(uri: Uri) {
          if (mine.delete(uri.toString())) seen.diagnostics.delete(uri.toString());
        },
        dispose: () => own.dispose(),
      };
    },
    registerDocumentSymbolProvider: registerFeature("symbols"),
    registerFoldingRangeProvider: registerFeature("foldings"),
    registerSelectionRangeProvider: registerFeature("selections"),
    registerDocumentLinkProvider: registerFeature("links"),
    registerHoverProvider: registerFeature("hovers"),
    registerCodeLensProvider: registerFeature("lenses"),
  },
  window: {
    createTreeView(id: string, { treeDataProvider }: { treeDataProvider: TreeProvider }) {
      const tree: Tree = { provider: treeDataProvider, selection: [] };
      trees.set(id, tree);
      const own = hold(`tree ${id}`, () => trees.delete(id));
      return Object.assign(tree, { dispose: () => own.dispose() });
    },
    onDidChangeActiveTextEditor: events.changeEditor.event,
    onDidChangeVisibleTextEditors: events.changeVisible.event,
    get visibleTextEditors() {
      return state.visibleEditors;
    },
    createTextEditorDecorationType: () => hold("decoration"),
    onDidChangeTextEditorSelection: events.changeSelection.event,
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
    registerFileSystemProvider: (scheme: string) => hold(`files ${scheme}`),
    onDidOpenTextDocument: events.openDocument.event,
    onDidCloseTextDocument: events.closeDocument.event,
    onDidDeleteFiles: events.deleteFiles.event,
    onDidRenameFiles: events.renameFiles.event,
    onDidChangeConfiguration: events.changeConfiguration.event,
    fs: {
      stat: async (uri: Uri) => ({ size: state.files.get(uri.toString())?.length ?? 0 }),
      readFile: async (uri: Uri) => new TextEncoder().encode(state.files.get(uri.toString()) ?? ""),
    },
  },
};

/** Puts a test's own handler in the place of a command, until the result is called. */
export function replaceCommand(id: string, run: (...args: unknown[]) => unknown): () => void {
  const before = commandTable.get(id);
  commandTable.set(id, run);
  return () => void (before ? commandTable.set(id, before) : commandTable.delete(id));
}

/** The content of a virtual document. */
export async function readVirtual(uri: Uri): Promise<unknown> {
  return providers.get(uri.scheme)?.provideTextDocumentContent(uri);
}

/** As after a start of the window. What is still registered stays, and shows. */
export function reset(): void {
  seen.contexts.clear();
  for (const list of [seen.messages, seen.picks, seen.executed, seen.progress, seen.log]) list.length = 0;
  Object.assign(answers, { message: undefined, pick: () => undefined, typed: undefined, openDialog: undefined });
  Object.assign(state, {
    settings: {},
    isTrusted: true,
    folders: [],
    documents: [],
    activeTab: undefined,
    activeEditor: undefined,
    files: new Map(),
  });
}

const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown };
const load = loader._load.bind(loader);
loader._load = (request, ...rest) => (request === "vscode" ? vscode : load(request, ...rest));
