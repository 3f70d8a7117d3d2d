/**
 * What an action of SWE-agent does. An action is a call of one of the agent's own tools (open, edit, search),
 * or goes to the shell as it is; the tools are shell functions, so both can stand in one action.
 */
import type { Action, Text } from "../../model";
import { slice } from "../../text/text";
import { type Window, linesOf } from "./swe-window";
import { type Word, findWords, wordText, wordValue } from "./swe-words";

/** What the reader knows while an action is read. */
export interface Context {
  /** The file that the editor showed before the action. */
  openFile?: Text;
  /** The same after it, where the log says so. */
  openAfter?: Text;
  /** The window that was shown last of a file. */
  windowOf(path: string): Window | undefined;
  cwd?: string;
  /** One agent of several acts, so there are hand-overs between them. */
  isTeam?: boolean;
  /** The last edit of a file that worked, for `undo_edit`. */
  lastEdit(path: string): { before?: Text; after?: Text } | undefined;
}

export interface Act {
  action: Action;
  mutates: boolean;
  /** One of the agent's tools, whose observation says whether it worked. */
  isTool: boolean;
}

/** With line numbers, or (in the variant with cursors) between the two cursors, which no log shows. */
const block = /^edit(?:[ \t]{1,4}(\d{1,9}):(\d{1,9})[^\n]{0,40}|[ \t]{0,4})\r?\n/;

const endOfEdit = /^end_of_edit[ \t\r]{0,20}$/gm;

const opensDocument = /<<-?\s{0,4}['"\\]?\w/;

/** An action as its acts, in order: whole blocks of `edit`, and what stands before, between and after them. */
export function readActs(action: Text, context: Context): Act[] {
  const { value } = action;
  const acts: Act[] = [];
  const closes = value.includes("end_of_edit") ? [...value.matchAll(endOfEdit)].map((match) => match.index) : [];
  let nextClose = 0;
  let at = 0;
  let rest = 0;
  const flush = (end: number): void => {
    const text = trimLines(slice(action, rest, end));
    if (text.value.trim() !== "") acts.push(readOne(text, context));
  };
  // An edit begins a line; one in the middle of a here-document is that document's, and the shell gets it whole.
  while (at < value.length) {
    const found = block.exec(value.slice(at, at + 80));
    const start = at + (found?.[0].length ?? 0);
    while ((closes[nextClose] ?? Infinity) < start) nextClose++;
    const edit = found ? readBlock(action, at, found, closes[nextClose], context) : undefined;
    if (edit) {
      flush(at);
      acts.push(edit.act);
      at = rest = edit.end;
      continue;
    }
    const newline = value.indexOf("\n", at);
    const next = newline === -1 ? value.length : newline + 1;
    if (opensDocument.test(value.slice(at, Math.min(next, at + 2000)))) break;
    at = next;
  }
  flush(value.length);
  return acts;
}

/** `edit N:M`, the new lines, `end_of_edit` on a line of its own; undefined when the last is missing: the shell got it all. */
function readBlock(
  action: Text,
  at: number,
  found: RegExpExecArray,
  close: number | undefined,
  context: Context,
): { act: Act; end: number } | undefined {
  const { value } = action;
  const start = at + found[0].length;
  if (close === undefined) return undefined;
  const path = context.openFile ?? context.openAfter ?? slice(action, at, at);
  const window = context.windowOf(path.value);
  const hasLines = found[1] !== undefined;
  const [first, last] = [Number(found[1]), Number(found[2])];
  const before = hasLines ? linesOf(window, first, last) : undefined;
  // An empty line says no more than a missing one of where the new lines went, unless it was the whole file.
  const isPlaced = before !== undefined && (before.value !== "" || (first === 1 && last === window?.total));
  // The last line end belongs to the closing word, not to the new lines.
  const stop = close - (value[close - 2] === "\r" ? 2 : 1);
  const after = slice(action, start, Math.max(start, stop));
  const end = value.indexOf("\n", close);
  return {
    act: edit({
      kind: "edit",
      path,
      after,
      ...(hasLines ? { line: first } : {}),
      ...(before ? { before } : {}),
      ...(isPlaced ? {} : { partial: true }),
    }),
    end: end === -1 ? value.length : end + 1,
  };
}

/** How an agent of a team hands over: free text in no shell's syntax. */
const handOver = /^(plan|succeed|fail)(?=[ \t\r\n]|$)/;

function readOne(text: Text, context: Context): Act {
  const name = context.isTeam ? handOver.exec(text.value)?.[1] : undefined;
  if (name) return tool({ kind: "other", name, text });
  const found = findWords(text.value);
  const first = found?.words[0];
  // More lines behind a tool's call make it a script.
  const isAlone = found !== undefined && text.value.slice(found.end).trim() === "";
  const act = found && first && isAlone ? readTool(wordValue(text.value, first), text, found.words, context) : undefined;
  return act ?? command(text, context);
}

function readTool(verb: string, text: Text, words: readonly Word[], context: Context): Act | undefined {
  const word = (i: number): Text | undefined => (words[i] ? wordText(text, words[i]) : undefined);
  const nothing = slice(text, text.value.length, text.value.length);
  switch (verb) {
    case "open":
      return tool({ kind: "read", path: named(word(1), context) ?? context.openAfter ?? nothing });
    case "goto":
    case "scroll_up":
    case "scroll_down":
      return tool({ kind: "read", path: context.openFile ?? context.openAfter ?? nothing });
    case "filemap":
      return tool({ kind: "read", path: word(1) ?? nothing });
    case "search_dir":
    case "search_file":
    case "find_file":
    case "rover_search_class":
    case "rover_search_method":
    case "rover_search_code":
    case "rover_search_file":
    case "similar_issue_search":
    case "stackoverflow_search":
      return tool({ kind: "search", query: word(1) ?? nothing });
    case "create":
      return edit({ kind: "edit", path: named(word(1), context) ?? nothing, after: nothing, created: true });
    case "edit":
      return words.length >= 3 ? readReplace(text, words, context) : undefined;
    case "insert":
      return readInsert(text, words, context);
    case "str_replace_editor":
    case "edit_anthropic":
      return readEditor(text, words, context);
    case "submit":
    case "exit_forfeit":
    case "exit_cost":
    case "exit_context":
    case "exit_format":
    case "exit_api":
    case "exit_error":
    case "exit_environment_error":
    case "early_exit":
    case "skip":
      return tool({ kind: "other", name: verb, ...(words.length > 1 ? { text } : {}) });
    default:
      return undefined;
  }
}

/** `edit 'old' 'new' [replace-all]` on the open file. */
function readReplace(text: Text, words: readonly Word[], context: Context): Act | undefined {
  const [, first, second, flag] = words;
  if (!first || !second) return undefined;
  const path = context.openFile ?? context.openAfter ?? slice(text, 0, 0);
  const isAll = flag !== undefined && /^(?:true|1|all|replace-all)$/i.test(wordValue(text.value, flag));
  return edit({ kind: "edit", path, before: wordText(text, first), after: wordText(text, second), ...(isAll ? { all: true } : {}) });
}

/** `insert 'text' [line]`: lines are put in, none are replaced. */
function readInsert(text: Text, words: readonly Word[], context: Context): Act | undefined {
  const [, first, line] = words;
  if (!first || (line && !/^\d{1,9}$/.test(wordValue(text.value, line)))) return undefined;
  const path = context.openFile ?? context.openAfter ?? slice(text, 0, 0);
  return edit({ kind: "edit", path, before: slice(text, first.start, first.start), after: wordText(text, first), partial: true });
}

/** `str_replace_editor COMMAND PATH --option value …`. */
function readEditor(text: Text, words: readonly Word[], context: Context): Act | undefined {
  const [, verb, target] = words;
  if (!verb || !target) return undefined;
  const path = wordText(text, target);
  const option = (name: string): Text | undefined => {
    const at = words.findIndex((word, i) => i > 2 && wordValue(text.value, word) === `--${name}`);
    const value = at === -1 ? undefined : words[at + 1];
    return value ? wordText(text, value) : undefined;
  };
  const nothing = slice(text, text.value.length, text.value.length);
  switch (wordValue(text.value, verb)) {
    case "view":
      return tool({ kind: "read", path });
    case "create":
      return edit({ kind: "edit", path, after: option("file_text") ?? nothing, created: true });
    case "str_replace":
      return edit({ kind: "edit", path, before: option("old_str") ?? nothing, after: option("new_str") ?? nothing });
    case "insert":
      return edit({ kind: "edit", path, before: nothing, after: option("new_str") ?? nothing, partial: true });
    case "undo_edit": {
      const last = context.lastEdit(path.value);
      const undone = last?.after && last.before ? { before: last.after, after: last.before } : undefined;
      return undone
        ? edit({ kind: "edit", path, ...undone })
        : { action: { kind: "other", name: "undo_edit", text: path }, mutates: true, isTool: true };
    }
    default:
      return undefined;
  }
}

/** A path that the log gives in full is better than the relative one in the call. */
function named(path: Text | undefined, context: Context): Text | undefined {
  const full = context.openAfter;
  if (!path || path.value.startsWith("/") || !full?.value.startsWith("/")) return path;
  const wanted = path.value.replace(/^(?:\.\/)+/, "");
  return full.value === wanted || full.value.endsWith(`/${wanted}`) ? full : path;
}

function tool(action: Action): Act {
  return { action, mutates: false, isTool: true };
}

function edit(action: Action & { kind: "edit" }): Act {
  return { action, mutates: true, isTool: true };
}

function command(text: Text, context: Context): Act {
  return { action: { kind: "command", command: text, ...(context.cwd ? { cwd: context.cwd } : {}) }, mutates: true, isTool: false };
}

function trimLines(text: Text): Text {
  const start = /^(?:[ \t\r]{0,200}\n)*/.exec(text.value)?.[0].length ?? 0;
  return slice(text, start, Math.max(start, text.value.trimEnd().length));
}
