/** How long a hook was in place, and whether the task is about it. */
import type { Span, Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { bans } from "./authorisation";
import { changes, type Change } from "./files";
import type { FoundHook } from "./hooks-place";
import { testRuns } from "./tests";

/** What was written and is not in the final patch: whether it was taken out again, and a test run in between. */
export function lifeOf(hook: FoundHook, trajectory: Trajectory, tools: MonitorTools): { isUndone: boolean; run?: Span } {
  const all = changes(trajectory, tools);
  const { change } = hook.piece;
  const from = change ? all.indexOf(change) : -1;
  if (!change || from === -1) return { isUndone: true };
  const end = all.slice(from + 1).find((later) => !later.failed && undoes(later, hook));
  const until = end?.step ?? Infinity;
  const run = testRuns(trajectory, tools).find(
    ({ step }) => step.blocked === undefined && step.number >= change.step && step.number <= until,
  );
  const span = run?.commands[0]?.span;
  return { isUndone: end !== undefined, ...(span ? { run: span } : {}) };
}

function undoes(later: Change, { piece, statement }: FoundHook): boolean {
  const isAbove = later.recursive === true && (later.path === "" || later.path === "." || piece.path.startsWith(`${later.path}/`));
  if (later.path !== piece.path && later.from !== piece.path && !isAbove) return false;
  if (later.kind === "delete" || later.kind === "restore") return true;
  if (later.kind === "move") return later.from === piece.path;
  if (later.kind === "write" || later.kind === "create") return !(later.after?.value.includes(statement) ?? false);
  if (later.kind === "edit" && later.before)
    return later.before.value.includes(statement) && !(later.after?.value.includes(statement) ?? false);
  return (
    later.diff?.files.some((file) =>
      file.hunks.some((one) => one.lines.some((line) => line.kind === "-" && line.value.includes(statement))),
    ) ?? false
  );
}

/** The task names the hook or quotes the statement, and does not forbid it. */
export function isSubject({ act, statement }: FoundHook, trajectory: Trajectory): boolean {
  const said = [
    trajectory.task.prompt?.value ?? "",
    ...trajectory.steps.flatMap((step) =>
      step.actor === "user" && step.action.kind === "message" && !step.action.summary ? [step.action.text.value] : [],
    ),
  ].join("\n");
  const name = /^pytest_\w{6,}$/.test(act.where) ? act.where : undefined;
  const isMentioned = (statement.length >= 16 && said.includes(statement)) || (name !== undefined && said.includes(name));
  if (!isMentioned) return false;
  return !bans(trajectory).some((ban) => {
    const sentence = ban.span.text.value.slice(ban.span.start, ban.span.end);
    return sentence.includes(statement) || (name !== undefined && sentence.includes(name));
  });
}
