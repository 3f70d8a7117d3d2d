/** What a view shows, as plain data: for tests in a real window, and for extensions that read the screen aloud or elsewhere. */
import * as vscode from "vscode";
import type { LazyView } from "./lazy-views";

export interface Looked {
  badge: number;
  message: string;
  rows: { label: string; description: string; id: string; icon: string; spoken: string; depth: number }[];
}

/** The rows that are unfolded at first sight, in their order. */
export async function look<T>({ view, list }: LazyView<T>): Promise<Looked> {
  const rows: Looked["rows"] = [];
  async function walk(node: T | undefined, depth: number): Promise<void> {
    for (const { node: child, item } of await list(node)) {
      rows.push({
        label: typeof item.label === "string" ? item.label : "",
        description: typeof item.description === "string" ? item.description : "",
        id: item.id ?? "",
        icon: item.iconPath instanceof vscode.ThemeIcon ? item.iconPath.id : "",
        spoken: item.accessibilityInformation?.label ?? "",
        depth,
      });
      if (item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded && depth < 4) await walk(child, depth + 1);
    }
  }
  await walk(undefined, 0);
  return { badge: view.badge?.value ?? 0, message: view.message ?? "", rows };
}
