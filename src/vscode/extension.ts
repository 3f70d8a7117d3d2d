/**
 * The start chunk: a list of registrations and nothing else. Whatever is heavier than a registration lives behind
 * `import("./surfaces")`, which the build keeps as a file of its own and which is read at first use. Nothing is watched,
 * so there is nothing to do at start but to register.
 */
import * as vscode from "vscode";
import { registerCommands, type Handler } from "./commands";
import { commands, diffScheme, type CommandId } from "./contributions";
import { createStore } from "./store";
import type { Surfaces } from "./surfaces";

export function activate(context: vscode.ExtensionContext): void {
  const store = createStore();
  context.subscriptions.push(store);
  let loading: Promise<Surfaces> | undefined;
  // A load that ends after the extension was switched off is taken back at once by the store.
  const load = (): Promise<Surfaces> =>
    (loading ??= import("./surfaces").then(({ createSurfaces }) => store.add(createSurfaces(context.extensionUri))));

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
}
