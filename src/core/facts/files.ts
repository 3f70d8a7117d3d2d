/** What happened to files, in order: the tools' edits and the file effects of commands, told in one way. */
import type { Actor, Span, Step, Text, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import type { FileEffect, SimpleCommand, Word } from "../shell/types";
import { type Patch, readDiff } from "../text/diff";
import { made, spanOf } from "../text/text";
import { shellFacts, type ShellRun } from "./commands";
import { locateContent } from "./content";
import { lazily } from "./lazily";
import { finalPatch } from "./patch";
import { readReplacements, type Replacement } from "./python-edits";
import { isAbsolute, isInRepository, repoPath, repoRoot } from "./paths";

export interface Change {
  /** The step's number. */
  step: number;
  actor: Actor;
  /** Of the repository; absolute outside of it; `` (empty) for the whole tree; with `\0` where a part is unknown. */
  path: string;
  kind: "create" | "write" | "append" | "edit" | "delete" | "move" | "copy" | "chmod" | "restore" | "apply" | "unknown";
  /** Where it came from, for a move and a copy. */
  from?: string;
  /** The replaced text, of an edit. */
  before?: Text;
  /** The replacement; the whole file for `create` and `write`; what is added for `append`. */
  after?: Text;
  /** Every occurrence was replaced. */
  all?: boolean;
  diff?: Patch;
  /** The evidence in the step. */
  text?: Span;
  via: "tool" | "shell";
  /** Tried without effect: the tool said so, the command's exit code does, or a guard refused it. */
  failed: boolean;
  /** Of `restore`: absent for HEAD or the index. */
  revision?: string;
  /** Of `unknown`: the editor script of `sed -i` and its like. */
  script?: Text;
  /** Of `unknown`: the replacements that a script makes, as far as it names them. */
  replacements?: readonly Replacement[];
  /** Below the path, too. */
  recursive?: boolean;
  mode?: string;
  command?: SimpleCommand;
}

/** All changes in order. Those of refused steps are there and failed. */
export const changes = lazily((trajectory: Trajectory, tools: MonitorTools): readonly Change[] => {
  const root = repoRoot(trajectory, tools);
  const shell = shellFacts(trajectory, tools);
  const written = new Map<string, Text>();
  const all: Change[] = [];
  for (const step of trajectory.steps) {
    const run = shell.byStep.get(step.number);
    const made = run ? fromShell(run, root, written) : fromTool(step, root);
    for (const change of made) {
      if (change.after && !change.failed && (change.kind === "create" || change.kind === "write")) written.set(change.path, change.after);
      all.push(change);
    }
  }
  return all;
});

/** The changes that had an effect, by path. */
export const fileHistory = lazily((trajectory: Trajectory, tools: MonitorTools): ReadonlyMap<string, readonly Change[]> => {
  const byPath = new Map<string, Change[]>();
  for (const change of changes(trajectory, tools)) {
    if (change.failed) continue;
    for (const path of change.from !== undefined && change.kind === "move" ? [change.from, change.path] : [change.path]) {
      const list = byPath.get(path);
      if (list) list.push(change);
      else byPath.set(path, [change]);
    }
  }
  return byPath;
});

/** Made by the agent in this session, and not in the final patch. */
export function isScratch(trajectory: Trajectory, tools: MonitorTools, path: string): boolean {
  const first = fileHistory(trajectory, tools).get(path)?.[0];
  if (!first || first.actor !== "agent") return false;
  const isMade =
    first.kind === "create" ||
    first.kind === "copy" ||
    (first.kind === "move" && first.path === path) ||
    first.kind === "write" ||
    first.kind === "append";
  return isMade && !isInFinalPatch(trajectory, tools, path);
}

function isInFinalPatch(trajectory: Trajectory, tools: MonitorTools, path: string): boolean {
  return finalPaths(trajectory, tools).has(path);
}

const finalPaths = lazily((trajectory: Trajectory, tools: MonitorTools): ReadonlySet<string> => {
  const paths = new Set<string>();
  for (const file of finalPatch(trajectory, tools).files) {
    if (file.oldPath !== undefined) paths.add(file.oldPath);
    if (file.newPath !== undefined) paths.add(file.newPath);
  }
  return paths;
});

function fromTool(step: Step, root: string | undefined): Change[] {
  const { action } = step;
  if (action.kind !== "edit" && action.kind !== "delete" && action.kind !== "move") return [];
  const path = repoPath(action.path.value, undefined, root);
  const base = {
    step: step.number,
    actor: step.actor,
    path,
    via: "tool",
    failed: step.failed === true || step.blocked !== undefined,
  } as const;
  const isOfPath = { text: spanOf(action.path) };
  if (action.kind === "delete") return [{ ...base, ...isOfPath, kind: "delete", recursive: true }];
  if (action.kind === "move") return [{ ...base, ...isOfPath, kind: "move", from: repoPath(action.from.value, undefined, root) }];
  if (action.diff) {
    const diff = readDiff(action.diff);
    const isNew = action.created === true || diff.files[0]?.kind === "added";
    return [{ ...base, kind: isNew ? "create" : "edit", diff, text: spanOf(action.diff) }];
  }
  const { before, after } = action;
  const evidence = after?.value ? { text: spanOf(after) } : before?.value ? { text: spanOf(before) } : isOfPath;
  // A part of a file, at a place that is not known: an edit that replaces nothing that is known.
  if (before === undefined && action.partial) return [{ ...base, ...evidence, kind: "edit", before: made(""), after: after ?? made("") }];
  if (before === undefined)
    return [{ ...base, ...evidence, kind: action.created ? "create" : after ? "write" : "unknown", ...(after ? { after } : {}) }];
  return [{ ...base, ...evidence, kind: "edit", before, after: after ?? made(""), ...(action.all ? { all: true } : {}) }];
}

/** What goes to these is no file. */
const devices = /^\/(?:dev|proc|sys)\//;

function fromShell(run: ShellRun, root: string | undefined, written: Map<string, Text>): Change[] {
  const { step, line } = run;
  if (step.action.kind !== "command") return [];
  const { exit, timedOut } = step.action;
  const decides = line.commands.findLastIndex((command) => !command.masked && command.pipedTo === undefined);
  const isBad = exit !== undefined && exit !== 0 && !timedOut;
  const out: Change[] = [];
  line.commands.forEach((command, i) => {
    for (const effect of command.effects) {
      const change = toChange(effect, command, run, root, written);
      if (devices.test(change.path)) continue;
      const isFailed = step.failed === true || (isBad && i === decides && isUndone(effect, command, step));
      out.push({ ...change, failed: isFailed });
      // A script may be written and run in one line.
      if (change.after && !isFailed && (change.kind === "create" || change.kind === "write")) written.set(change.path, change.after);
    }
  });
  return out;
}

/** Whether a command that failed left this effect undone. */
function isUndone(effect: FileEffect, command: SimpleCommand, step: Step): boolean {
  // The redirection opens its file before the program can fail; `cat > file` fails when it cannot be opened.
  if (effect.kind === "write" || effect.kind === "append")
    return command.redirects.length === 0 || command.name === "cat" || command.name === "cp" || command.name === "tee";
  // `rm a b` deletes the one although the other is missing.
  if (effect.kind === "delete" && command.name === "rm" && command.effects.length > 1 && step.output) {
    return step.output.value.split("\n").some((line) => line.startsWith("rm:") && line.includes(effect.path.value));
  }
  return true;
}

/** The folder of a command: its own, below that of the step. */
export function folderOf(command: string | undefined, step: string | undefined): string | undefined {
  if (command === undefined) return step;
  return isAbsolute(command) || step === undefined ? command : `${step}/${command}`;
}

function toChange(
  effect: FileEffect,
  command: SimpleCommand,
  run: ShellRun,
  root: string | undefined,
  written: ReadonlyMap<string, Text>,
): Omit<Change, "failed"> {
  const { step } = run;
  const own = step.action.kind === "command" ? step.action.cwd : undefined;
  const cwd = folderOf(command.cwd, own);
  const pathOf = (word: Word): string => repoPath(word.value, cwd, root);
  const whole = run.span(command);
  const textOf = (word: Word): Text => locateContent(word.value, run.span(word), whole);
  const base = { step: step.number, actor: step.actor, via: "shell", text: whole, command } as const;
  switch (effect.kind) {
    case "write":
    case "append": {
      // A script that writes a file back that it read changes it.
      const replacements = effect.content ? [] : readCode(command, run, written);
      if (replacements.length > 0) return { ...base, path: pathOf(effect.path), kind: "unknown", replacements };
      return { ...base, path: pathOf(effect.path), kind: effect.kind, ...(effect.content?.known ? { after: textOf(effect.content) } : {}) };
    }
    case "change": {
      const replacements = readCode(command, run, written);
      return {
        ...base,
        path: pathOf(effect.path),
        kind: "unknown",
        ...(effect.script?.known ? { script: textOf(effect.script) } : {}),
        ...(replacements.length > 0 ? { replacements } : {}),
      };
    }
    case "delete":
      return { ...base, path: pathOf(effect.path), kind: "delete", recursive: effect.recursive };
    case "move":
    case "copy":
    case "link":
      return { ...base, path: pathOf(effect.path), from: pathOf(effect.from), kind: effect.kind === "link" ? "copy" : effect.kind };
    case "chmod":
      return { ...base, path: pathOf(effect.path), kind: "chmod", mode: effect.mode.value };
    case "restore": {
      const revision = effect.revision?.value;
      const isHead = revision === undefined || revision === "HEAD" || revision === "@";
      const path = effect.path ? pathOf(effect.path) : "";
      return { ...base, path: path === "." ? "" : path, kind: "restore", ...(isHead ? {} : { revision }), recursive: true };
    }
    case "apply": {
      const file = effect.file ? pathOf(effect.file) : undefined;
      const diff = effect.diff?.known ? textOf(effect.diff) : file === undefined ? undefined : written.get(file);
      const patch = diff ? readDiff(diff) : undefined;
      const only = patch?.files.length === 1 ? patch.files[0] : undefined;
      return {
        ...base,
        path: only?.newPath ?? only?.oldPath ?? "",
        kind: "apply",
        ...(file === undefined ? {} : { from: file }),
        ...(patch ? { diff: patch } : {}),
      };
    }
  }
}

/** Of a Python script that changes one file only, since its replacements name none. The script may stand in an earlier step. */
function readCode(command: SimpleCommand, run: ShellRun, written: ReadonlyMap<string, Text>): readonly Replacement[] {
  const code = command.code;
  if (
    code?.language !== "python" ||
    !code.text.known ||
    new Set(command.effects.map((effect) => ("path" in effect ? effect.path?.value : ""))).size > 1
  )
    return [];
  const { value } = code.text;
  for (const text of written.values()) if (text.value === value) return readReplacements(text);
  return readReplacements(locateContent(value, run.span(code.text), run.span(command)));
}

/** Inside of the repository and known by name. */
export function isTracked(path: string): boolean {
  return isInRepository(path) && path !== "" && path !== "." && !path.includes("\0") && !path.startsWith(".git/");
}
