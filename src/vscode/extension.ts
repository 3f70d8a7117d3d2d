/**
 * The start chunk: a list of registrations and nothing else. Whatever is heavier than a registration lives behind
 * `import("./surfaces")`, which the build keeps as a file of its own and which is read at first use. Nothing is watched,
 * so there is nothing to do at start but to register.
 */
import * as vscode from "vscode";
import { registerCommands, type Handler } from "./commands";
import { baseScheme, commands, diffScheme, findingsView, runsView, type CommandId } from "./contributions";
import type { FindingNode } from "./findings-tree";
import { createLazyView } from "./lazy-views";
import { look, type Looked } from "./look";
import type { RunNode } from "./runs-tree";
import { createStore } from "./store";
import type { Surfaces } from "./surfaces";
import { registerTranscripts } from "./transcript/start";

/** What the extension hands to others. It may grow, and what is there stays. */
export interface Api {
  /** What a view shows now. */
  look(view: "findings" | "runs"): Promise<Looked>;
}

export function activate(context: vscode.ExtensionContext): Api {
  const store = createStore();
  context.subscriptions.push(store);
  let loading: Promise<Surfaces> | undefined;
  // A load that ends after the extension was switched off is taken back at once by the store.
  const load = (): Promise<Surfaces> =>
    (loading ??= import("./surfaces").then(({ createSurfaces }) => store.add(createSurfaces(context.extensionUri, host))));
  const host = {
    findings: store.add(createLazyView<FindingNode>(findingsView, load)),
    runs: store.add(createLazyView<RunNode>(runsView, load)),
    memory: context.workspaceState,
    storage: context.globalStorageUri,
  };

  const ids = Object.keys(commands) as CommandId[];
  const toHandler =
    (id: CommandId): Handler =>
    async (...args) => {
      const { handlers } = await load();
      if (!store.isDisposed) await handlers[id](...args);
    };
  store.add(registerCommands(Object.fromEntries(ids.map((id) => [id, toHandler(id)])) as Record<CommandId, Handler>));
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(diffScheme, {
      provideTextDocumentContent: async (uri) => (await load()).readDiff(uri),
    }),
  );
  store.add(
    vscode.workspace.registerTextDocumentContentProvider(baseScheme, {
      provideTextDocumentContent: async (uri) => (await load()).readBase(uri),
    }),
  );
  store.add(registerTranscripts(load));
  return { look: (view) => (view === "runs" ? look(host.runs) : look(host.findings)) };
}
