/** The tree views, made at activation and filled at first sight: what fills them is loaded only when one is looked at. */
import * as vscode from "vscode";

/** What fills a view. */
export interface TreeModel<T> {
  /** Tells the view to ask again. */
  readonly onDidChange: vscode.Event<unknown>;
  getChildren(node: T | undefined): readonly T[] | Promise<readonly T[]>;
  toItem(node: T): vscode.TreeItem;
}

export interface LazyView<T> extends vscode.Disposable {
  readonly view: vscode.TreeView<T>;
  /** Hands over what fills the view. */
  fill(model: TreeModel<T>): void;
  /** What it shows below a node. */
  list(node: T | undefined): Promise<{ node: T; item: vscode.TreeItem }[]>;
}

/**
 * @param load brings in the surfaces, which call `fill`; asked only when somebody looks at the view
 */
export function createLazyView<T>(id: string, load: () => Promise<unknown>): LazyView<T> {
  const changes = new vscode.EventEmitter<undefined>();
  let model: TreeModel<T> | undefined;
  let listener: vscode.Disposable | undefined;
  let isDisposed = false;
  async function getChildren(node: T | undefined): Promise<T[]> {
    if (!model) await load();
    return [...((await model?.getChildren(node)) ?? [])];
  }

  const getTreeItem = (node: T): vscode.TreeItem => model?.toItem(node) ?? new vscode.TreeItem("");
  const view = vscode.window.createTreeView<T>(id, {
    showCollapseAll: true,
    treeDataProvider: { onDidChangeTreeData: changes.event, getChildren, getTreeItem },
  });
  return {
    view,
    list: async (node) => (await getChildren(node)).map((child) => ({ node: child, item: getTreeItem(child) })),
    fill(given) {
      // A load may end after the extension was switched off.
      if (isDisposed) return;
      model = given;
      listener?.dispose();
      listener = given.onDidChange(() => changes.fire(undefined));
      changes.fire(undefined);
    },
    dispose() {
      isDisposed = true;
      listener?.dispose();
      changes.dispose();
      view.dispose();
    },
  };
}
