/** What a reading command brought to light: its own output, and that of later steps which read the files it left. */
import type { Span } from "../model";
import type { SimpleCommand } from "../shell/types";
import { readGit } from "../shell/git";
import { spanOf } from "../text/text";
import type { ShellRun } from "./commands";

export interface Leaked {
  step: number;
  span: Span;
}

/** The output, and the outputs of later steps that read a file which the command wrote. */
export function leaksOf(run: ShellRun, command: SimpleCommand, runs: readonly ShellRun[]): readonly Leaked[] {
  const leaks = run.step.output ? [{ step: run.step.number, span: spanOf(run.step.output) }] : [];
  const files = writtenBy(run, command);
  if (files.length === 0) return leaks;
  for (const later of runs) {
    if (later.step.number <= run.step.number || !later.step.output) continue;
    const reads = later.line.commands.some((other) =>
      other.argv.some((word) => files.some((file) => word.value === file || word.value.startsWith(`${file}/`))),
    );
    if (reads) leaks.push({ step: later.step.number, span: spanOf(later.step.output) });
  }
  return leaks;
}

/** Where a clone or a download that names no redirection leaves what it fetched. */
function downloadedTo(command: SimpleCommand): string[] {
  const words = command.argv
    .slice(1)
    .filter((word) => word.known)
    .map((word) => word.value);
  const addresses = words.filter((word) => /^(?:https?|git|ssh):\/\/|^git@/.test(word));
  const last = (address: string): string =>
    address
      .replace(/[?#].*$/, "")
      .replace(/\/+$/, "")
      .split("/")
      .at(-1) ?? "";
  const call = readGit(command);
  const isGh = command.name === "gh" && words[0] === "repo" && words[1] === "clone";
  if (call?.verb === "clone" || isGh) {
    const operands = isGh ? words.slice(2).filter((word) => !word.startsWith("-")) : (call?.positionals ?? []).map((word) => word.value);
    const to = operands[1] ?? last(operands[0] ?? "").replace(/\.git$/, "");
    return to === "" ? [] : [to];
  }
  if (command.name === "curl" && words.some((word) => /^-[a-zA-Z]*O$|^--remote-name(?:-all)?$/.test(word)))
    return inFolder(command, addresses.map(last));
  if (command.name === "wget" && !words.some((word) => /^-[a-zA-Z]*O|^--output-document/.test(word)))
    return inFolder(command, addresses.map(last));
  return [];
}

/** By its own name, too: a later command may stand in the same folder. */
function inFolder(command: SimpleCommand, names: readonly string[]): string[] {
  return names.filter((name) => name !== "").flatMap((name) => (command.cwd === undefined ? [name] : [name, `${command.cwd}/${name}`]));
}

/** Paths under which the command (or the end of its pipe) left what it read. */
export function writtenBy(run: ShellRun, command: SimpleCommand): string[] {
  const files: string[] = [];
  for (let at: SimpleCommand | undefined = command; at; at = at.pipedTo === undefined ? undefined : run.line.commands[at.pipedTo]) {
    for (const effect of at.effects)
      if ((effect.kind === "write" || effect.kind === "append") && effect.path.known) files.push(effect.path.value);
    if (at.pipedTo !== undefined && at.pipedTo <= run.line.commands.indexOf(at)) break;
  }
  const call = readGit(command);
  if (call?.verb === "worktree" && call.positionals[1]) files.push(call.positionals[1].value);
  files.push(...downloadedTo(command));
  const out = call?.values.get("output") ?? call?.values.get("o");
  if (out?.known) files.push(out.value);
  return files.filter((file) => file !== "/dev/null" && file !== "");
}
