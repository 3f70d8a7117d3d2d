/** Which steps can change something, by what the shell reader made of each command. */
import type { Step, Trajectory } from "../../model";
import type { MonitorTools } from "../../monitor";
import type { SimpleCommand } from "../../shell/types";
import { shellFacts } from "../../facts/commands";

/** Programs that only look. Anything else is taken to be able to change something. */
const looking = new Set(
  "cat ls head tail grep egrep fgrep rg wc pwd echo printf cd file stat which type tree du df diff cmp sort uniq cut nl less more true test [ date env whoami uname basename dirname realpath readlink jq column tr".split(
    " ",
  ),
);
const gitLooking = new Set("status log show diff blame grep ls-files rev-parse cat-file describe shortlog".split(" "));

export function createChanging(trajectory: Trajectory, tools: MonitorTools): (step: Step) => boolean {
  const { byStep, opaque } = shellFacts(trajectory, tools);
  const unread = new Set(opaque.map(({ step }) => step));
  return (step) => {
    if (!step.mutates || step.blocked !== undefined) return false;
    if (step.action.kind !== "command") return true;
    const line = byStep.get(step.number)?.line;
    if (!line || line.broken !== undefined || unread.has(step.number) || line.commands.length === 0) return true;
    return !line.commands.every((command) => command.effects.length === 0 && doesLook(command));
  };
}

function doesLook({ name, argv: words }: SimpleCommand): boolean {
  const argv = words.map(({ value }) => value);
  if (name === "" || looking.has(name)) return true;
  if (name === "git") return gitLooking.has(argv.find((word, i) => i > 0 && !word.startsWith("-")) ?? "");
  if (name === "sed") return !argv.some((word) => /^(-[a-z]*i|--in-place)/.test(word));
  return name === "find" && !argv.some((word) => /^-(exec|execdir|ok|okdir|delete|fprint)/.test(word));
}
