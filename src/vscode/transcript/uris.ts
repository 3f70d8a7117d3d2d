/** How a page of a transcript is named. The uri holds all that is needed to show it again after the window was closed. */
import * as vscode from "vscode";
import { blobScheme, transcriptScheme } from "../contributions";

export interface PageName {
  /** The raw file. */
  file: vscode.Uri;
  /** From 0. */
  run: number;
  /** From 1. */
  page: number;
}

/** What stands behind the file's name in the tab; the language is recognised by it. */
const mark = / — trajectory(?:, run \d+)?(?:, page \d+)?$/;

export function toPageUri({ file, run, page }: PageName): vscode.Uri {
  const name = `${file.path} — trajectory${run > 0 ? `, run ${run + 1}` : ""}${page > 1 ? `, page ${page}` : ""}`;
  const query = [...(run > 0 ? [`run=${run + 1}`] : []), ...(page > 1 ? [`page=${page}`] : [])].join("&");
  return vscode.Uri.from({ scheme: transcriptScheme, path: name, query });
}

export function readPageUri(uri: vscode.Uri): PageName | undefined {
  if (uri.scheme !== transcriptScheme || !mark.test(uri.path)) return undefined;
  const query = new URLSearchParams(uri.query);
  const number = (key: string): number => Math.max(1, Math.trunc(Number(query.get(key))) || 1);
  return { file: toFile(uri.path.replace(mark, "")), run: number("run") - 1, page: number("page") };
}

/** One text of one step in full. */
export interface BlobName extends Omit<PageName, "page"> {
  step: number;
  part: string;
}

export function toBlobUri({ file, run, step, part }: BlobName): vscode.Uri {
  const where = step > 0 ? `step ${step}, ${part}` : part;
  return vscode.Uri.from({ scheme: blobScheme, path: `${file.path} — ${where}`, query: `run=${run + 1}&step=${step}&part=${part}` });
}

export function readBlobUri(uri: vscode.Uri): BlobName | undefined {
  const query = new URLSearchParams(uri.query);
  const [run, step, part] = [Number(query.get("run")), Number(query.get("step")), query.get("part")];
  const found = / — (?:step \d+, )?[a-z]+$/.exec(uri.path);
  if (!found || !part || !Number.isInteger(run) || !Number.isInteger(step) || run < 1 || step < 0) return undefined;
  return { file: toFile(uri.path.slice(0, found.index)), run: run - 1, step, part };
}

function toFile(path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: "file", path });
}

/** One string a page: to compare documents with. */
export function isTranscript(document: vscode.TextDocument | undefined): document is vscode.TextDocument {
  return document?.uri.scheme === transcriptScheme;
}
