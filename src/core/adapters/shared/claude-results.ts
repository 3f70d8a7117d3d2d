/** Claude Code's results: what came back, how it ended, and whether it ran at all. */
import type { JsonPath, Step, Text } from "../../model";
import type { Draft, Record } from "../../adapter";
import { join, slice } from "../../text/text";
import { asArray, asObject, asString, type JsonObject } from "./values";

export interface Result {
  /** The strings that the model saw, one a block. */
  texts: Text[];
  /** All of them as one; undefined when the record holds none. */
  whole: Text | undefined;
  isError: boolean;
  /** The record's `toolUseResult`: what the program kept for itself. */
  extra: JsonObject | undefined;
  /** Where `extra` stands. */
  extraAt: JsonPath;
  /** The program's own word for a refusal. */
  isDenied: boolean;
}

export function readResult(draft: Draft, record: Record, block: JsonObject, at: JsonPath, line: JsonObject, lineAt: JsonPath): Result {
  const field = block.content === undefined && block.output !== undefined ? "output" : "content";
  const content = block[field];
  const texts: Text[] = [];
  if (typeof content === "string") push(draft.string(record, [...at, field]));
  else
    asArray(content).forEach((one, i) =>
      push(draft.string(record, typeof one === "string" ? [...at, field, i] : [...at, field, i, "text"])),
    );
  function push(text: Text | undefined): void {
    if (text) texts.push(text);
  }
  // The session file's spelling, and that of the printed stream.
  const extraKey = line.toolUseResult === undefined ? "tool_use_result" : "toolUseResult";
  const extra = asObject(line[extraKey]);
  return {
    texts,
    whole: texts.length > 1 ? join(texts.flatMap((text, i) => (i === 0 ? [text] : ["\n", text]))) : texts[0],
    isError: block.is_error === true,
    extra,
    extraAt: [...lineAt, extraKey],
    isDenied: typeof line.toolDenialKind === "string",
  };
}

/** How refusals begin: by the person, by the permission rules, by a hook, by the classifier of the automatic mode. */
const refusals = [
  "The user doesn't want to",
  "Permission to use ",
  "Permission for this ",
  "Claude requested permissions to ",
  "Agent does not have permission",
  "This command requires approval",
  "User rejected ",
  "<tool_use_error>Cancelled",
  "<tool_use_error>Sibling tool call errored",
  "<tool_use_error>InputValidationError",
];
const hookRefusal = /^(?:Error: )?(?:Hook )?PreToolUse:\S{1,100} (?:hook |\[|denied this tool)/;
const shellRefusal = /^(?:Error: )?(?:<tool_use_error>|Blocked: |.{1,300} was blocked\. For security)/;
const exitCode = /^(?:Error: )?Exit code (-?\d{1,10})(?:\r?\n|$)/;
const timedOut = /(?:^|\n)(?:Error: )?Command timed out/;
const spilled = /Output too large \(([\d.]{1,12}) ?(B|bytes|KB|MB|GB)\)/;
const units: { readonly [unit: string]: number } = { B: 1, bytes: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };

/** What stands in place of an output that was empty. */
const nothing = new Set(["(Bash completed with no output)", "Tool ran without output"]);

/** How a command that went on in the background is announced. */
const inBackground =
  /^Command (?:running in background with|was manually backgrounded|did not complete within .{1,60} moved to the background)/;

/** Completes the steps of one call. */
export function complete(draft: Draft, record: Record, steps: readonly Step[], result: Result): void {
  const { whole, isError, extra } = result;
  const start = whole?.value.slice(0, 1000) ?? "";
  for (const step of steps) {
    const { action } = step;
    const isCommand = action.kind === "command";
    const isRefused =
      result.isDenied ||
      (isError &&
        (refusals.some((words) => start.startsWith(words)) || hookRefusal.test(start) || (isCommand && shellRefusal.test(start))));
    if (isRefused) {
      step.blocked = whole ?? draft.text("", { from: "record", record: record.ref, path: result.extraAt });
      continue;
    }
    if (isCommand) completeCommand(draft, record, step, action, result, start);
    else {
      if (isError) step.failed = true;
      const file = action.kind === "read" ? draft.string(record, [...result.extraAt, "file", "content"]) : undefined;
      const output = file ?? whole;
      if (output) step.output = output;
    }
    if (action.kind === "edit" && !isError) {
      const original = draft.string(record, [...result.extraAt, "originalFile"]);
      if (extra?.type === "create") action.created = true;
      // For a whole file that was written over: what was there.
      else if (original && !action.before && !action.created) action.before = original;
    }
  }
}

function completeCommand(draft: Draft, record: Record, step: Step, action: Step["action"], result: Result, start: string): void {
  if (action.kind !== "command") return;
  const { whole, isError, extra } = result;
  const output = whole && (whole.value !== "" || !extra) ? whole : (readStreams(draft, record, result) ?? whole);
  if (output) step.output = nothing.has(output.value) ? slice(output, 0, 0) : withTotal(output, extra);
  const code = exitCode.exec(start)?.[1];
  if (timedOut.test(start)) action.timedOut = true;
  if (isError) {
    if (code !== undefined) action.exit = Number(code);
    else step.failed = true;
    return;
  }
  // The program takes "no matches" and "files differ" for success; the command's own exit code is 1.
  const meaning = asString(extra?.returnCodeInterpretation);
  if (meaning !== undefined && meaning !== "") action.exit = Number(/code (-?\d{1,10})/.exec(meaning.slice(0, 200))?.[1] ?? 1);
  else if (extra?.interrupted !== true && !isBackground(result)) action.exit = 0;
}

/** It goes on running: how it ends is not known yet. */
function isBackground({ extra, whole }: Result): boolean {
  return asString(extra?.backgroundTaskId) !== undefined || inBackground.test(whole?.value.slice(0, 500) ?? "");
}

/** The id under which a command goes on in the background. */
export function backgroundId(result: Result): string | undefined {
  if (!isBackground(result)) return undefined;
  return asString(result.extra?.backgroundTaskId) ?? /\bID: (\w{1,64})/.exec(result.whole?.value.slice(0, 500) ?? "")?.[1];
}

/** Adds to a background command what a later call read of it. */
export function completeBackground(step: Step, result: Result): void {
  const { action } = step;
  const { whole, extra } = result;
  if (action.kind !== "command" || !whole || result.isError) return;
  step.output = step.output ? join([step.output, "\n", whole]) : whole;
  const stated = extra?.exitCode ?? asObject(extra?.task)?.exitCode ?? /<exit_code>(-?\d{1,10})<\/exit_code>/.exec(whole.value)?.[1];
  const code = typeof stated === "string" ? Number(stated) : stated;
  if (typeof code === "number" && Number.isInteger(code)) action.exit = code;
}

/** The notice that a background command has ended: which one, and how. */
export function readNotice(text: string): { id: string; exit: number | undefined } | undefined {
  const start = text.slice(0, 2000);
  const id = /<task-id>(\w{1,64})<\/task-id>/.exec(start)?.[1];
  if (!start.startsWith("<task-notification>") || id === undefined) return undefined;
  const code = /exit code (-?\d{1,10})/.exec(start)?.[1];
  return { id, exit: code === undefined ? undefined : Number(code) };
}

function readStreams(draft: Draft, record: Record, { extraAt }: Result): Text | undefined {
  const texts = ["stdout", "stderr"].flatMap((name) => {
    const text = draft.string(record, [...extraAt, name]);
    return text && text.value !== "" ? [text] : [];
  });
  return texts.length > 1 ? join(texts.flatMap((text, i) => (i === 0 ? [text] : ["\n", text]))) : texts[0];
}

/** An output that was moved to a file says how long it was. */
function withTotal(output: Text, extra: JsonObject | undefined): Text {
  const stated = extra?.persistedOutputSize;
  const [, size, unit = "B"] = spilled.exec(output.value.slice(0, 400)) ?? [];
  const total = typeof stated === "number" ? stated : size === undefined ? undefined : Math.round(Number(size) * (units[unit] ?? 1));
  return total !== undefined && total > (output.total ?? output.value.length) ? { ...output, total } : output;
}
