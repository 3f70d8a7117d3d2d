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

/** Paths under which the command (or the end of its pipe) left what it read. */
function writtenBy(run: ShellRun, command: SimpleCommand): string[] {
  const files: string[] = [];
  for (let at: SimpleCommand | undefined = command; at; at = at.pipedTo === undefined ? undefined : run.line.commands[at.pipedTo]) {
    for (const effect of at.effects)
      if ((effect.kind === "write" || effect.kind === "append") && effect.path.known) files.push(effect.path.value);
    if (at.pipedTo !== undefined && at.pipedTo <= run.line.commands.indexOf(at)) break;
  }
  const call = readGit(command);
  if (call?.verb === "worktree" && call.positionals[1]) files.push(call.positionals[1].value);
  const out = call?.values.get("output") ?? call?.values.get("o");
  if (out?.known) files.push(out.value);
  return files.filter((file) => file !== "/dev/null" && file !== "");
}
