/** Which texts a step shows, in which order, and what stands before each of their lines. */
import type { Step, Text, Trajectory } from "../../model";
import type { PartName } from "./page";

export interface Body {
  part: PartName;
  text: Text;
  /**
   * Two or three units before every line. A line of a log therefore never starts a line of the transcript: no output can pass
   * for a heading.
   */
  gutter: string;
  /** Short enough to stand in the heading. */
  isName?: boolean;
}

const longestName = 160;

/** Step 0 is the run's final patch. */
export function listBodies(trajectory: Trajectory, number: number): Body[] {
  if (number === 0) return trajectory.patch ? [{ part: "patch", text: trajectory.patch, gutter: "  " }] : [];
  const step = trajectory.steps[number - 1];
  if (!step) return [];
  return [
    ...(step.thought ? [body("thought", step.thought, "~ ")] : []),
    ...listAction(step),
    ...(step.output && step.output.value !== "" ? [body("output", step.output, "| ")] : []),
    ...(step.blocked ? [body("blocked", step.blocked, "! ")] : []),
  ];
}

function listAction({ action }: Step): Body[] {
  switch (action.kind) {
    case "message":
      return [body("message", action.text, "> ")];
    case "command":
      return [body("command", action.command, "$ ")];
    case "edit":
      return [
        name("path", action.path),
        ...(action.diff ? [body("diff", action.diff, "  ")] : []),
        ...(action.before ? [body("before", action.before, "  -")] : []),
        ...(action.after ? [body("after", action.after, "  +")] : []),
      ];
    case "move":
      return [name("from", action.from), name("path", action.path)];
    case "delete":
    case "read":
      return [name("path", action.path)];
    case "search":
      return [name("query", action.query)];
    case "fetch":
      return [name("url", action.url)];
    case "other":
      return action.text ? [body("other", action.text, "# ")] : [];
  }
}

function body(part: PartName, text: Text, gutter: string): Body {
  return { part, text, gutter };
}

function name(part: PartName, text: Text): Body {
  const isName = text.value.length <= longestName && text.value.trim() !== "" && !/[\r\n|]/.test(text.value);
  return { part, text, gutter: "@ ", isName };
}
