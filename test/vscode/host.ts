/** What the start chunk hands to the surfaces, on the `vscode` written by hand. */
import { Memento, Uri } from "./fake";
import { findingsView, runsView } from "../../src/vscode/contributions";
import { createLazyView } from "../../src/vscode/lazy-views";
import type { createSurfaces } from "../../src/vscode/surfaces";

type Host = Parameters<typeof createSurfaces>[1];

/**
 * @param folder where things may be kept
 * @param ends what a test calls at its end, in the opposite order
 */
export function startHost(folder: string, ends: (() => void)[], memory = new Memento()): Host {
  const none = (): Promise<void> => Promise.resolve();
  const host = {
    findings: createLazyView(findingsView, none),
    runs: createLazyView(runsView, none),
    memory,
    storage: Uri.file(`${folder}/storage`),
  } as unknown as Host;
  ends.push(
    () => host.findings.dispose(),
    () => host.runs.dispose(),
  );
  return host;
}
