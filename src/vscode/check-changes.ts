/** Agent Proctor: Check Working Changes. What was changed since a revision is judged, and its findings stand in the source files. */
import { readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import type { Finding, Location } from "../core/model";
import type { Check, Place, Sighted } from "./board";
import type { Checking } from "./checking";
import { diffScheme } from "./contributions";
import { mapDiffLines, type DiffLine } from "./diff-lines";
import type { Engine, RunObject } from "./engine";
import { createLineFinder, type LineFinder } from "./place";

/** Source files over this size are taken to have ordinary line ends. */
const largestSource = 20 * 1024 * 1024;

/** A check that came to its end, and what it was made of. */
export interface Checked {
  check: Check;
  folder: vscode.WorkspaceFolder;
  base: string;
  /** Where the diff's paths start from, as the editor names it. */
  root: string;
  diff: string;
}

export interface Changes {
  /** Nothing when it was refused, stopped or went wrong; the person has been told then. */
  checkAgainst(base: string): Promise<Checked | undefined>;
  chooseBase(): Promise<Checked | undefined>;
  /** The diff of an earlier check, as a document. */
  readDiff(uri: vscode.Uri): string;
}

export function createChanges(checking: Checking, engine: Engine): Changes {
  // The last diff of each folder is held, so that evidence that was removed from the source can still be read.
  const diffs = new Map<string, { uri: string; diff: string }>();
  let count = 0;

  async function check(folder: vscode.WorkspaceFolder, base: string): Promise<Checked | undefined> {
    const what = `the changes in ${folder.name} against ${base}`;
    let judged: { root: string; diff: string } | undefined;
    const done = await checking.start(what, async (signal) => {
      const { root: real, diff, runs } = await engine.checkChanges(folder.uri.fsPath, base, signal);
      const root = await toEditorRoot(folder.uri.fsPath, real);
      judged = { root, diff };
      // A name of its own for each check: an open document of an earlier one keeps what it showed.
      const uri = toDiffUri(folder, base, ++count);
      const key = `${diffScheme}:${folder.uri.toString()}`;
      diffs.set(key, { uri: uri.toString(), diff });
      const place = createPlacer(root, uri, diff);
      const sighted: Sighted[] = [];
      for (const run of runs) for (const finding of run.findings) sighted.push(await place(run, finding));
      const isOurs = (other: vscode.Uri): boolean => other.scheme === "file" && isBelow(root, other.fsPath);
      const isOld = vscode.workspace.textDocuments.some((document) => document.isDirty && isOurs(document.uri));
      return { key, what, runs, sighted, concerns: isOurs, isOld } satisfies Check;
    });
    return done && judged ? { check: done, folder, base, ...judged } : undefined;
  }

  return {
    async checkAgainst(base) {
      const folder = await chooseFolder();
      return folder && check(folder, base);
    },
    async chooseBase() {
      const folder = await chooseFolder();
      const base = folder && (await askForBase(await engine.listRefs(folder.uri.fsPath).catch(() => [])));
      return folder && base ? check(folder, base) : undefined;
    },
    readDiff: (uri) =>
      [...diffs.values()].find((held) => held.uri === uri.toString())?.diff ??
      "This diff is no longer held. Run Agent Proctor: Check Working Changes again.\n",
  };
}

/** Refuses where git may not be run or cannot be. */
async function chooseFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  if (!vscode.workspace.isTrusted) {
    return refuse(
      "Agent Proctor runs no git in a workspace that is not trusted, so working changes cannot be read. Logs and diffs can be checked.",
      {
        title: "Manage Trust",
        command: "workbench.trust.manage",
      },
    );
  }
  const [first] = folders;
  if (!first) return refuse("Agent Proctor found no folder on this machine's disk: open the repository whose changes are to be checked.");
  if (folders.length === 1) return first;
  const active = vscode.window.activeTextEditor?.document.uri;
  const own = active && vscode.workspace.getWorkspaceFolder(active);
  return own?.uri.scheme === "file"
    ? own
    : vscode.window.showWorkspaceFolderPick({ placeHolder: "The folder whose working changes are to be checked" });
}

async function refuse(message: string, help?: { title: string; command: string }): Promise<undefined> {
  const chosen = await vscode.window.showWarningMessage(message, ...(help ? [help.title] : []));
  if (help && chosen === help.title) await vscode.commands.executeCommand(help.command);
  return undefined;
}

/** A list of refs, and whatever is typed. */
function askForBase(refs: readonly { name: string; about: string }[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const pick = vscode.window.createQuickPick();
    const rows = [
      { label: "HEAD", description: "the last commit" },
      ...refs.map(({ name, about }) => ({ label: name, description: about })),
    ];
    pick.title = "Check Working Changes Against…";
    pick.placeholder = "Choose a branch or tag, or type any revision, such as HEAD~3";
    pick.items = rows;
    pick.onDidChangeValue((value) => {
      const typed = value.trim();
      const isKnown = typed === "" || rows.some(({ label }) => label === typed);
      pick.items = isKnown ? rows : [...rows, { label: typed, description: "as typed", alwaysShow: true }];
    });
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.label ?? (pick.value.trim() || undefined));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}

/** Git names a repository without symbolic links; the editor's documents are named as the folder was opened. */
async function toEditorRoot(folder: string, root: string): Promise<string> {
  const real = await realpath(folder).catch(() => folder);
  return path.join(folder, path.relative(real, root));
}

function isBelow(root: string, file: string): boolean {
  const below = path.relative(root, file);
  return below !== ".." && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}

function toDiffUri(folder: vscode.WorkspaceFolder, base: string, count: number): vscode.Uri {
  return vscode.Uri.from({ scheme: diffScheme, path: `/${folder.name} against ${base.replaceAll("/", "-")}.diff`, query: String(count) });
}

/**
 * Where a finding about a diff stands in the source. Added and kept lines have their line there; removed ones have none, and
 * are shown in the diff itself.
 */
function createPlacer(root: string, diffUri: vscode.Uri, diff: string): (run: RunObject, finding: Finding) => Promise<Sighted> {
  const lines = mapDiffLines(diff);
  const inDiff = createLineFinder(diff);
  const added = new Map<string, string>();
  for (const line of lines) if (line?.side === "new") added.set(`${line.path}\n${line.line}`, line.text);
  const finders = new Map<string, Promise<LineFinder | undefined>>();

  /** Nothing when the file is not there any more, or would lie outside of the repository. */
  function openFinder(file: string): Promise<LineFinder | undefined> {
    let finder = finders.get(file);
    if (!finder) finders.set(file, (finder = readFinder(root, path.join(root, file))));
    return finder;
  }

  async function toSource(
    file: string,
    from: [line: number, column: number],
    to: [line: number, column: number],
  ): Promise<Place | undefined> {
    const finder = await openFinder(file);
    return finder && { uri: vscode.Uri.file(path.join(root, file)), range: new vscode.Range(finder(...from), finder(...to)) };
  }

  function showInDiff(at: Location): Place {
    const range = new vscode.Range(inDiff(at.start.line, at.start.column), inDiff(at.end.line, at.end.column));
    return { uri: diffUri, range };
  }

  /** The very characters of the evidence, where all of it stands on the new side of one file. */
  async function follow(at: Location): Promise<Place | undefined> {
    const covered = lines.slice(at.start.line - 1, at.end.line);
    const [first] = covered;
    const last = covered.at(-1);
    const isNew = (line: DiffLine | undefined): boolean => line?.side === "new" && line.path === first?.path;
    if (!first || !last || !covered.every(isNew)) return undefined;
    // The sign stands in the diff's first column.
    return toSource(first.path, [first.line, Math.max(1, at.start.column - 1)], [last.line, Math.max(1, at.end.column - 1)]);
  }

  async function followTarget({ target }: Finding): Promise<Place | undefined> {
    if (target?.side !== "new") return undefined;
    const first = added.get(`${target.path}\n${target.start}`) ?? "";
    const last = added.get(`${target.path}\n${target.end}`) ?? "";
    const indent = first.length - first.trimStart().length;
    return toSource(target.path, [target.start, indent + 1], [target.end, last.trimEnd().length + 1]);
  }

  return async (run, finding) => {
    const related: Sighted["related"] = [];
    for (const { message, at } of finding.related) if (at) related.push({ message, place: (await follow(at)) ?? showInDiff(at) });
    const { at, target } = finding;
    const evidence = at ? showInDiff(at) : undefined;
    const exact = at ? await follow(at) : undefined;
    // Where both are known and disagree, the monitor meant the target.
    const isSame = !target || (exact && target.side === "new" && exact.uri.fsPath === path.join(root, target.path));
    const place = isSame ? exact : await followTarget(finding);
    if (place) return { run, finding, related, place, ...(evidence ? { evidence } : {}) };
    const note = target
      ? `${target.path}:${target.start}, ${target.side === "old" ? "removed" : "not there any more"}`
      : "no line of its own";
    return { run, finding, related, note, ...(evidence ? { evidence } : {}) };
  };
}

async function readFinder(root: string, file: string): Promise<LineFinder | undefined> {
  if (!isBelow(root, file)) return undefined;
  const found = await stat(file).catch(() => undefined);
  if (!found?.isFile()) return undefined;
  return createLineFinder(found.size > largestSource ? "" : await readFile(file, "utf8").catch(() => ""));
}
