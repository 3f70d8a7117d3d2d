/** What every command of the run really executed, in order, with what earlier ones defined carried along. */
import type { ShellLine, ShellState, SimpleCommand } from "../shell/types";
import type { Span, Step, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { emptyState, nextState, readShell, withScript } from "../shell/read";
import { lazily } from "./lazily";

export interface ShellRun {
  step: Step;
  line: ShellLine;
  /** A part of the line, as a span of the step's command. */
  span(part: { start: number; end: number }): Span;
}

export interface ShellFacts {
  runs: readonly ShellRun[];
  byStep: ReadonlyMap<number, ShellRun>;
  /** Payloads that were executed and stayed unread. */
  opaque: readonly { step: number; span: Span; why: string }[];
}

/** Commands that were refused by a guard or a harness never ran, so they are not here. */
export const shellFacts = lazily((trajectory: Trajectory, tools: MonitorTools): ShellFacts => {
  const runs: ShellRun[] = [];
  const opaque: { step: number; span: Span; why: string }[] = [];
  // Sub-agents have shells of their own.
  const states = new Map<string, ShellState>();
  for (const step of trajectory.steps) {
    if (step.blocked || step.actor === "user") continue;
    const { action } = step;
    const session = step.by ?? "";
    const before = states.get(session) ?? emptyState;
    // A log that names the folder of each command names where it starts, whatever earlier ones did.
    const state = action.kind === "command" && action.cwd !== undefined ? { ...before, cwd: "" } : before;
    if (action.kind === "edit" && !step.failed && action.after && action.before === undefined) {
      states.set(session, withScript(state, action.path.value, action.after.value));
    }
    if (action.kind !== "command") continue;
    const command = action.command;
    const line = readShell(command.value, state, tools);
    states.set(session, nextState(command.value, line, state, action.exit === undefined || action.exit === 0));
    const span = (part: { start: number; end: number }): Span => ({ text: command, start: part.start, end: part.end });
    runs.push({ step, line, span });
    // What the shell itself refused to parse did not run, so nothing in it stayed unread.
    if (line.opaque.length === 0 || isRefusedByShell(step)) continue;
    for (const payload of line.opaque.filter((one) => !isInstaller(one, line)))
      opaque.push({ step: step.number, span: span(payload), why: payload.why });
  }
  return { runs, byStep: new Map(runs.map((run) => [run.step.number, run])), opaque };
});

/** Installers of tools at the addresses that their makers publish: no agent can change what stands there. */
const installers =
  /^https:\/\/(?:astral\.sh\/(?:uv|ruff)\/|sh\.rustup\.rs(?:\/|$)|raw\.githubusercontent\.com\/(?:nvm-sh\/nvm|Homebrew\/install)\/|get\.docker\.com(?:\/|$)|deb\.nodesource\.com\/|install\.python-poetry\.org(?:\/|$)|bun\.sh\/install$|deno\.land\/install\.sh$|get\.pnpm\.io\/|bootstrap\.pypa\.io\/|pyenv\.run(?:\/|$)|claude\.ai\/install\.sh$)/;

/** Options by which another place than the address named is read. */
const redirecting = /^-[a-zA-Z]*[KxkE]|^--(?:config|proxy|preproxy|resolve|connect-to|insecure|no-check-certificate|input-file)/;

/** What is executed comes straight from `curl` or `wget`, and from such an address alone. */
function isInstaller(payload: ShellLine["opaque"][number], line: ShellLine): boolean {
  const reader = line.commands.find((one) => one.start === payload.start && one.end === payload.end);
  const feeder = reader?.pipedFrom === undefined ? undefined : line.commands[reader.pipedFrom];
  if (!feeder || !/^(?:curl|wget)$/.test(feeder.name)) return false;
  const words = feeder.argv.slice(1);
  if (words.some((word) => !word.known || redirecting.test(word.value))) return false;
  const places = words.filter((word) => !word.value.startsWith("-") && /[./]/.test(word.value));
  return places.length > 0 && places.every((word) => installers.test(word.value));
}

function isRefusedByShell({ output }: Step): boolean {
  return (
    output !== undefined &&
    /(?:^|\n)[^\n]{0,200}: (?:line \d+: |\d+: )?(?:syntax error|Syntax error|unexpected EOF|parse error)/.test(output.value.slice(0, 4000))
  );
}

/** The resolved words of a command; an unknown part of a word is `\0`. */
export function wordsOf(command: SimpleCommand): string[] {
  return command.argv.map((word) => word.value);
}
