/** Looks again at the files of the pages that can be seen, and at no others. */
import { stat } from "node:fs/promises";
import * as vscode from "vscode";
import type { OpenPage } from "./pages";

/** In milliseconds: a file is looked at this often at most. A log that takes long to read rests four times as long. */
const soonest = 1000;

/** @param refresh reads a page again whose file has another size than before */
export function createFollow(pages: ReadonlyMap<string, OpenPage>, refresh: (page: OpenPage) => Promise<void>): vscode.Disposable {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  async function look(): Promise<number> {
    const started = Date.now();
    for (const { document } of vscode.window.visibleTextEditors) {
      const page = pages.get(document.uri.toString());
      // Only the last page can grow, and one that is still being read is about to change anyway.
      if (!page?.report || page.data.page < page.data.pages) continue;
      const size = await stat(page.file.fsPath).then(
        (found) => found.size,
        () => page.size,
      );
      if (size !== page.size) await refresh(page).catch(() => undefined);
    }
    return Math.max(soonest, (Date.now() - started) * 4);
  }

  function wait(ms: number): void {
    clearTimeout(timer);
    if (isOver || !vscode.window.visibleTextEditors.some(({ document }) => pages.has(document.uri.toString()))) return;
    timer = setTimeout(() => void look().then(wait, () => wait(soonest)), ms);
    timer.unref();
  }

  const visible = vscode.window.onDidChangeVisibleTextEditors(() => wait(soonest));
  return new vscode.Disposable(() => {
    isOver = true;
    clearTimeout(timer);
    visible.dispose();
  });
}
