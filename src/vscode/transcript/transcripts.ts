/** The transcript of a run as a document: reading a trajectory as one reads code. */
import * as vscode from "vscode";
import { blobScheme, type ContextKey, transcriptScheme } from "../contributions";
import type { Handler } from "../commands";
import { type MonitorPages, registerEvidence } from "./evidence";
import { createMoves } from "./moves";
import { openTranscript } from "./open";
import { createPages } from "./pages";
import { openPage, showInTranscript, showRawLog } from "./raw";
import { createReader, type Reader } from "./reader";
import type { TranscriptTexts } from "./start";
import { registerStructure } from "./structure";
import { isTranscript, readPageUri, toPageUri } from "./uris";

/** The commands that are answered here. */
export type TranscriptCommand =
  | "agentProctor.openTranscript"
  | "agentProctor.openTranscriptHere"
  | "agentProctor.nextFinding"
  | "agentProctor.previousFinding"
  | "agentProctor.nextStep"
  | "agentProctor.previousStep"
  | "agentProctor.nextUnreadChange"
  | "agentProctor.nextPage"
  | "agentProctor.previousPage"
  | "agentProctor.showRawLogHere"
  | "agentProctor.showInTranscript"
  | "agentProctor.stopReading"
  | "agentProctor.revealEvidence";

export interface TranscriptSurface extends vscode.Disposable {
  handlers: Record<TranscriptCommand, Handler>;
  texts: TranscriptTexts;
}

/** @param reader what reads and renders; the tests hand in their own */
export function createTranscriptSurface(
  extension: vscode.Uri,
  about: MonitorPages,
  log: vscode.LogOutputChannel,
  reader: Reader = createReader(extension.fsPath),
): TranscriptSurface {
  const pages = createPages(reader, log);
  const moves = createMoves(pages);
  const selector: vscode.DocumentSelector = { scheme: transcriptScheme };
  const inTrajectory: ContextKey = "agentProctor.inTrajectory";
  let isIn = false;
  const watch = (editor: vscode.TextEditor | undefined): void => {
    const now = isTranscript(editor?.document);
    if (now !== isIn) void vscode.commands.executeCommand("setContext", inTrajectory, now);
    isIn = now;
  };
  watch(vscode.window.activeTextEditor);
  const turn = async (by: number): Promise<void> => {
    const page = vscode.window.activeTextEditor && pages.get(vscode.window.activeTextEditor.document.uri);
    const to = page && readPageUri(page.uri);
    const number = (to?.page ?? 0) + by;
    if (page && to && number >= 1 && number <= page.data.pages) await openPage(toPageUri({ ...to, page: number }));
  };
  const all = vscode.Disposable.from(
    registerStructure(pages, selector),
    registerEvidence(pages, selector, about),
    vscode.window.onDidChangeActiveTextEditor(watch),
    moves,
    pages,
    reader,
  );
  return {
    handlers: {
      "agentProctor.openTranscript": (uri, place) => openTranscript(pages, reader, uri, place),
      "agentProctor.openTranscriptHere": (uri) => openTranscript(pages, reader, uri, undefined),
      "agentProctor.nextFinding": () => moves.toFinding(1),
      "agentProctor.previousFinding": () => moves.toFinding(-1),
      "agentProctor.nextStep": () => moves.toStep(1),
      "agentProctor.previousStep": () => moves.toStep(-1),
      "agentProctor.nextUnreadChange": () => moves.toUnreadChange(),
      "agentProctor.nextPage": () => turn(1),
      "agentProctor.previousPage": () => turn(-1),
      "agentProctor.showRawLogHere": (...given) => showRawLog(pages, reader, given),
      "agentProctor.showInTranscript": () => showInTranscript(pages, reader),
      "agentProctor.stopReading": () => reader.stop(),
      "agentProctor.revealEvidence": (uri, range) => moves.reveal(uri, range),
    },
    texts: {
      read: (uri) => (uri.scheme === blobScheme ? pages.provideBlob(uri) : pages.provide(uri)),
      onDidChange: pages.onDidChange,
    },
    dispose() {
      if (isIn) void vscode.commands.executeCommand("setContext", inTrajectory, false);
      all.dispose();
    },
  };
}
