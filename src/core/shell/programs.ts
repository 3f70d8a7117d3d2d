import { runMake, runNpm } from "./builders";
import { applyBuiltin } from "./builtins";
import { applyEffects } from "./files";
import { addOpaque, type Call, type Frame, type Input, MAX_DEPTH, type Position } from "./frame";
import { readGit } from "./git";
import { type CodeLanguage, findProgram, languageOf, type Program } from "./interpreters";
import { findActs, type Literal } from "./literals";
import { runCode } from "./run-code";
import { findScript, forkScope, setEntry } from "./scope";
import { joinWords } from "./slices";
import { outputWord } from "./streams";
import type { FileEffect, Via, Word } from "./types";
import { runWords } from "./walk";
import type { Output } from "./words";

/** After a command was noted: what else runs because of it, and what it changes in the shell. Its output, where that is known. */
export function runProgram(
  frame: Frame,
  index: number,
  call: Call,
  name: string,
  at: Position,
  input: Input | undefined,
): Output | undefined {
  const { words } = call;
  const rest: Position = { joined: at.joined, masked: at.masked, background: at.background, wanted: at.wanted };
  const code = { position: rest, start: call.start, end: call.end };
  applyBuiltin(frame, call, name);
  switch (name) {
    case "eval": {
      if (words.length < 2) return undefined;
      const text = joinWords(words.slice(1));
      const decoded = words.some((word) => frame.run.decoded?.has(word) === true);
      return runCode(frame, text, "eval", { ...code, scope: frame.scope, decoded });
    }
    case "trap":
      if (words[1] !== undefined && words.length > 2 && !words[1].value.startsWith("-"))
        runCode(frame, words[1], "eval", { ...code, position: { ...rest, masked: true } });
      return undefined;
    case "source":
    case ".":
      if (words[1] !== undefined) runFile(frame, index, "shell", words[1], words.slice(1), code, true);
      return undefined;
    case "find":
      return runFind(frame, call, rest);
    case "git":
      return runGit(frame, call, rest);
    case "make":
    case "gmake":
    case "just":
      return runMake(frame, name, call, rest);
    case "npm":
    case "yarn":
    case "pnpm":
    case "bun":
      if (name !== "bun" || words[1]?.value === "run") return runNpm(frame, name, call, rest);
      break;
    default:
  }
  const program = findProgram(name, words);
  if (program !== undefined) return runInterpreter(frame, index, program, call, rest, input);
  const head = words[0];
  if (head !== undefined && head.value.includes("/")) runFile(frame, index, undefined, head, words, code, false);
  return undefined;
}

type Where = { readonly position: Position; readonly start: number; readonly end: number };

function runInterpreter(
  frame: Frame,
  index: number,
  program: Program,
  call: Call,
  rest: Position,
  input: Input | undefined,
): Output | undefined {
  const where: Where = { position: rest, start: call.start, end: call.end };
  const { language } = program;
  const scope = forkScope(frame.scope);
  // `bash -e` and `bash -o pipefail` count inside only.
  scope.errexit = program.options.includes("e");
  scope.pipefail = program.options.includes(" pipefail ");
  if (language === "shell") for (const { name, value } of call.assignments) setEntry(scope.variables, name, value.value);
  if (program.from === "word") {
    const { code } = program;
    if (language === "shell")
      return runCode({ ...frame, scope }, code, "shell-c", {
        ...where,
        position: { ...rest, ...(input === undefined ? {} : { input }) },
        args: program.args,
        scope,
      });
    runLiterals(frame, index, language, code, where, frame.run.decoded?.has(code) === true);
    return undefined;
  }
  if (program.from === "file") {
    runFile(frame, index, language, program.path, [program.path, ...program.args], where, false);
    return undefined;
  }
  if (input === undefined || input.file === true) return undefined;
  if (input.word === undefined) {
    addOpaque(frame, call.start, call.end, "it executes an input that is not known");
    return undefined;
  }
  const via: Via = input.decoded ? "decoded" : input.from;
  if (language === "shell")
    return runCode({ ...frame, scope }, input.word, via, {
      ...where,
      args: [call.words[0] as Word, ...program.args],
      scope,
      decoded: input.decoded,
    });
  runLiterals(frame, index, language, input.word, where, input.decoded);
  return undefined;
}

/** Runs a script that the agent wrote; one that it did not write is not its doing. */
function runFile(
  frame: Frame,
  index: number,
  language: CodeLanguage | undefined,
  path: Word,
  args: readonly Word[],
  where: Where,
  sourced: boolean,
): void {
  const process = frame.run.processes?.get(path);
  if (process !== undefined) {
    if (process.output === undefined)
      addOpaque(frame, where.start, where.end, "it executes what another command printed, which is not known");
    else if (language === "shell" || language === undefined)
      runCode(frame, outputWord(process.output), process.output.decoded ? "decoded" : "substitution", {
        ...where,
        ...(sourced ? { scope: frame.scope } : {}),
        decoded: process.output.decoded,
      });
    else runLiterals(frame, index, language, outputWord(process.output), where, process.output.decoded);
    return;
  }
  const script = findScript(frame.scope, path.value);
  if (script === undefined) return;
  const key = `script ${script.key}`;
  if (frame.run.running.has(key) || frame.depth >= MAX_DEPTH) return;
  const kind = language ?? languageOf(script.key, script.content) ?? "shell";
  const word: Word = { value: script.content, known: true, start: path.start, end: path.end, quoted: true };
  frame.run.running.add(key);
  if (kind === "shell") runCode(frame, word, "script", { ...where, args, ...(sourced ? { scope: frame.scope } : {}) });
  else runLiterals(frame, index, kind, word, where, false, "script");
  frame.run.running.delete(key);
}

/** Notes code of another language on its command, and runs the commands that stand in it as literals. */
function runLiterals(frame: Frame, index: number, language: CodeLanguage, text: Word, where: Where, decoded: boolean, via?: Via): void {
  if (language === "shell") return;
  const { run } = frame;
  const command = run.commands[index];
  if (command !== undefined) run.commands[index] = { ...command, code: { language, text } };
  if (text.value.length > run.budget) return addOpaque(frame, text.start, text.end, "the code is too long to be read");
  run.budget -= text.value.length;
  if (/^\0+$/.test(text.value)) return addOpaque(frame, text.start, text.end, "the code that it runs is not known");
  const acts = findActs(language, text.value);
  const offset = verbatim(run.root, text);
  const toWord = (literal: Literal): Word => {
    const value = literal.value ?? "\0";
    const span = offset === undefined ? { start: text.start, end: text.end } : { start: offset + literal.start, end: offset + literal.end };
    return { value, known: !value.includes("\0"), ...span, quoted: true };
  };
  const effects: FileEffect[] = acts.effects.map((effect) => {
    const path = toWord(effect.path);
    switch (effect.kind) {
      case "write":
      case "append":
        return { kind: effect.kind, path, ...(effect.content?.value === undefined ? {} : { content: toWord(effect.content) }) };
      case "move":
      case "copy":
      case "link":
        return { kind: effect.kind, from: toWord(effect.from ?? effect.path), path };
      case "delete":
        return { kind: "delete", path, recursive: effect.recursive === true };
      default:
        return { kind: "change", path };
    }
  });
  if (effects.length > 0) {
    const noted = run.commands[index];
    if (noted !== undefined) run.commands[index] = { ...noted, effects: [...noted.effects, ...effects] };
    applyEffects(frame, effects);
  }
  for (const unread of acts.opaque) {
    const span = toWord({ value: "", ...unread });
    addOpaque(frame, span.start, span.end, unread.why);
  }
  if (frame.depth >= MAX_DEPTH) return;
  const inner: Frame = {
    ...frame,
    via: decoded ? "decoded" : "subprocess",
    depth: frame.depth + 1,
    scope: forkScope(frame.scope),
    wrappers: [],
    aside: true,
  };
  const position: Position = { joined: ";", masked: true, background: false, wanted: false };
  for (const act of acts.calls) {
    const each: Frame = act.decoded === true ? { ...inner, via: "decoded" } : inner;
    if (act.code !== undefined) runLiterals(frame, index, language, { ...toWord(act.code) }, where, true, via);
    else if (act.shell !== undefined) {
      const word = toWord(act.shell);
      if (word.value.trim() !== "\0" && !word.value.startsWith("\0"))
        runCode(each, word, each.via, { position, start: word.start, end: word.end });
    } else if (act.argv !== undefined && act.argv.length > 0) {
      const words = act.argv.map(toWord);
      const start = Math.min(...words.map((word) => word.start));
      const end = Math.max(...words.map((word) => word.end));
      if (words[0]?.value !== "\0") runWords(each, { words, assignments: [], redirects: [], wrappers: [], start, end }, position);
    }
  }
}

function verbatim(root: string, word: Word): number | undefined {
  for (let k = 0; k <= 2; k++)
    if (word.start + k + word.value.length <= word.end && root.startsWith(word.value, word.start + k)) return word.start + k;
  return undefined;
}

function runFind(frame: Frame, call: Call, at: Position): undefined {
  const { words } = call;
  for (let i = 1; i < words.length; i++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(words[i]?.value ?? "")) continue;
    let end = i + 1;
    while (end < words.length && words[end]?.value !== ";" && !(words[end]?.value === "+" && words[end - 1]?.value === "{}")) end++;
    const command = words
      .slice(i + 1, end)
      .map((word) => (word.value.includes("{}") ? { ...word, value: word.value.split("{}").join("\0"), known: false } : word));
    if (command.length > 0)
      runWords(
        { ...frame, via: "find-exec", aside: true },
        { ...call, words: command, assignments: [], redirects: [], plain: false, fromOutput: false, unwrapped: (call.unwrapped ?? 0) + 1 },
        at,
      );
    i = end;
  }
  return undefined;
}

/** Git runs other commands, too; and it remembers aliases. */
function runGit(frame: Frame, call: Call, at: Position): undefined {
  const git = readGit({ name: "git", argv: call.words, assignments: call.assignments });
  if (git === undefined) return undefined;
  const where: Where = { position: at, start: call.start, end: call.end };
  const inner: Frame = { ...frame, aside: true };
  if (git.verb === "config") {
    const words = git.positionals[0]?.value === "set" ? git.positionals.slice(1) : git.positionals;
    const match = /^alias\.(.+)$/i.exec(words[0]?.value ?? "");
    if (match === null) return undefined;
    if (words[1] !== undefined) setEntry(frame.scope.gitAliases, match[1] ?? "", words[1].value);
    else if (git.flags.has("unset")) setEntry(frame.scope.gitAliases, match[1] ?? "", undefined);
  } else if (git.verb === "bisect" && git.positionals[0]?.value === "run") {
    const from = git.args.findIndex((word) => word.value === "run");
    runWords(inner, { ...call, words: git.args.slice(from + 1), assignments: [], redirects: [], plain: false, unwrapped: 1 }, at);
  } else if (git.verb === "rebase") {
    const exec = git.values.get("exec");
    if (exec !== undefined) runCode(inner, exec, "hook", where);
  } else if (git.verb === "submodule") {
    const from = git.args.findIndex((word) => word.value === "foreach");
    const command = git.args.slice(from + 1).filter((word, i) => i > 0 || !word.value.startsWith("-"));
    if (from >= 0 && command.length > 0) runCode(inner, joinWords(command), "hook", where);
  } else if (git.verb === "filter-branch") {
    git.args.forEach((word, i) => {
      const next = git.args[i + 1];
      if (/^--(?:env|tree|index|parent|msg|commit|tag-name|subdirectory)-filter$/.test(word.value) && next !== undefined)
        runCode(inner, next, "hook", where);
    });
  }
  return undefined;
}
