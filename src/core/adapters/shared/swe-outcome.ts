/** What SWE-agent's tools say of how an act went: in prose, since there are no exit codes. */

/** Beginnings of answers to an edit, a reading or a search that had no effect. */
const failures = [
  "Your proposed edit has introduced",
  "Your edit was not applied",
  "No replacement was performed",
  "No file open",
  "No edits were made",
  "Usage: ",
  "usage: ",
  "Error: ",
  "ERROR: ",
  "Invalid `",
  "Parameter `",
  "Ran into ",
  "Text not found",
  "Text in the window",
  "The path ",
  "/bin/bash: line ",
  "bash: ",
  "awk: ",
  "Traceback (most recent call last)",
  "No edit history found",
];

/** Whether a call of one of the agent's tools failed; a command of the shell is not asked. */
export function hasFailed(observation: string): boolean {
  const start = observation.slice(0, 400).trimStart();
  if (failures.some((way) => start.startsWith(way))) return true;
  if (/^(?:File|Directory) [^\n]{1,300} not found/.test(start) || /^Error: File '[^\n]{1,300}' already exists/.test(start)) return true;
  return observation.slice(-1500).includes("Your changes have NOT been applied");
}

export function isLintRefusal(observation: string): boolean {
  return (
    observation.includes("Your changes have NOT been applied") || observation.trimStart().startsWith("Your proposed edit has introduced")
  );
}

/** The environment turned it down: an editor or another program that waits for a person. */
export function isBlocked(observation: string): boolean {
  const start = observation.slice(0, 400).trimStart();
  return (
    /^(?:Interactive operation|Operation) '[^\n]{1,200}' is not supported by this environment/.test(start) ||
    start.startsWith("Your command was blocked")
  );
}

export function hasTimedOut(observation: string): boolean {
  const start = observation.slice(0, 400);
  return (
    observation.trimEnd().endsWith("EXECUTION TIMED OUT") ||
    start.includes("EXECUTION TIMED OUT BECAUSE NO OUTPUT") ||
    /^\s{0,4}The command '[^\n]{0,300}' was cancelled because it took more than/.test(start) ||
    /was cancelled because it took more than \d{1,6} seconds/.test(start)
  );
}
