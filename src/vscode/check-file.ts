/** Agent Proctor: Check This File. A log or a diff is judged, and its findings stand in the raw file. */
import path from "node:path";
import * as vscode from "vscode";
import type { Finding, Location, Profile } from "../core/model";
import type { Check, Place, Sighted } from "./board";
import { Refusal, type Checking } from "./checking";
import type { Engine, RunObject } from "./engine";
import { findEnd, findStrayReturns, readText, toRange, type StrayReturns } from "./place";

/** A file that stands on no disk is read whole, so it has to be small. */
const largestVirtual = 20 * 1024 * 1024;

/**
 * @param argument what a menu hands over: the file it was opened on. From the palette there is none.
 */
export async function checkThisFile(argument: unknown, checking: Checking, engine: Engine): Promise<Check | undefined> {
  const uri = argument instanceof vscode.Uri ? argument : (findActiveFile() ?? (await askForFile()));
  if (!uri) return undefined;
  const what = path.posix.basename(uri.path);
  return checking.start(what, async (signal) => {
    const profile = readProfile();
    if (uri.scheme !== "file") {
      const bytes = await readVirtual(uri, what);
      const runs = await engine.checkBytes(bytes, what, profile, signal);
      return placeRuns(uri, what, runs, undefined);
    }
    const runs = await engine.checkFile(uri.fsPath, profile, signal);
    return placeRuns(uri, what, runs, path.dirname(uri.fsPath));
  });
}

/** The file of the active tab. The active editor would not do: there is none for a file of more than 50 MB. */
function findActiveFile(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) return input.uri;
  return input instanceof vscode.TabInputTextDiff ? input.modified : undefined;
}

async function askForFile(): Promise<vscode.Uri | undefined> {
  const chosen = await vscode.window.showOpenDialog({ title: "A log or a diff to check", openLabel: "Check", canSelectMany: false });
  return chosen?.[0];
}

export function readProfile(): Profile | "auto" {
  const value = vscode.workspace.getConfiguration("agentProctor").get<string>("profile");
  return value === "bench" || value === "dev" ? value : "auto";
}

async function readVirtual(uri: vscode.Uri, what: string): Promise<Uint8Array> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open) return new TextEncoder().encode(open.getText());
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > largestVirtual) {
    throw new Refusal(
      `${what} is ${Math.round(size / 1e6)} MB and not on this machine's disk: up to 20 MB can be read. Copy it to the disk and check it there.`,
    );
  }
  return vscode.workspace.fs.readFile(uri);
}

/**
 * Gives every finding its place. Names in findings are relative to the folder of the file that was checked, since the files of
 * sub-agents are joined with it.
 * @param folder absent for a file that is on no disk
 */
export async function placeRuns(uri: vscode.Uri, what: string, runs: readonly RunObject[], folder: string | undefined): Promise<Check> {
  const toUri = (name: string): vscode.Uri => (folder === undefined || name === what ? uri : vscode.Uri.file(path.join(folder, name)));
  const locations = runs.flatMap((run) => run.findings.flatMap((finding) => [finding.at, ...finding.related.map(({ at }) => at)]));
  const returns = new Map<string, StrayReturns>();
  for (const name of new Set(locations.flatMap((at) => (at ? [at.file] : [])))) {
    const own = locations.filter((at) => at?.file === name);
    if (folder !== undefined && !isMember(name)) returns.set(name, await findStrayReturns(toUri(name).fsPath, findEnd(own)));
  }
  const toPlace = async (at: Location): Promise<Place> => {
    const own = toUri(at.file);
    return { uri: own, range: await toRange(at, returns.get(at.file) ?? { at: [] }, (start, end) => readText(own.fsPath, start, end)) };
  };
  const sighted: Sighted[] = [];
  for (const run of runs) for (const finding of run.findings) sighted.push(await sight(run, finding, toPlace));
  const files = new Set([uri.toString(), ...[...returns.keys()].map((name) => toUri(name).toString())]);
  return { key: uri.toString(), what, runs, sighted, concerns: (other) => files.has(other.toString()), isOld: isDirty(files) };
}

async function sight(run: RunObject, finding: Finding, toPlace: (at: Location) => Promise<Place>): Promise<Sighted> {
  const related: Sighted["related"] = [];
  for (const { message, at } of finding.related) if (at && !isMember(at.file)) related.push({ message, place: await toPlace(at) });
  if (!finding.at) return { run, finding, related, note: "nothing to point at: it is what is missing" };
  // What lies in an archive has no document; its name says where it is.
  if (isMember(finding.at.file)) return { run, finding, related, note: `${finding.at.file}:${finding.at.start.line}` };
  return { run, finding, related, place: await toPlace(finding.at) };
}

function isMember(name: string): boolean {
  return name.includes("!/");
}

/** What was judged stands on the disk: an editor with unsaved changes shows something else. */
function isDirty(files: ReadonlySet<string>): boolean {
  return vscode.workspace.textDocuments.some(
    (document) => document.uri.scheme === "file" && document.isDirty && files.has(document.uri.toString()),
  );
}
