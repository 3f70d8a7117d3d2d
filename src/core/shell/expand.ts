import type { Call, Frame, Position } from "./frame";
import { readGit } from "./git";
import { runCode } from "./run-code";
import type { Word } from "./types";
import { parseShell, runWords } from "./walk";
import { type Output, resolveFields } from "./words";

/** Runs what a name stands for, when it stands for something else: an alias, a function, a git alias. */
export function expandCall(frame: Frame, call: Call, name: string, at: Position): { readonly output: Output | undefined } | undefined {
  const { scope, run } = frame;
  const head = call.words[0];
  if (head === undefined) return undefined;
  const whole = head.value;
  const alias = call.plain === true && scope.aliases.map.size > 0 ? scope.aliases.map.get(whole) : undefined;
  if (alias !== undefined && !run.running.has(`alias ${whole}`))
    return guarded(frame, `alias ${whole}`, () => runAlias(frame, call, alias, at));
  const body = scope.functions.map.size > 0 ? scope.functions.map.get(whole) : undefined;
  if (body !== undefined && !run.running.has(`function ${whole}`)) {
    const code: Word = { value: body, known: true, start: call.start, end: call.end, quoted: true };
    return guarded(frame, `function ${whole}`, () =>
      runCode(frame, code, "function", {
        position: at,
        start: call.start,
        end: call.end,
        args: call.words,
        scope,
        redirects: call.redirects,
      }),
    );
  }
  return name === "git" ? expandGit(frame, call, at) : undefined;
}

function guarded(frame: Frame, key: string, body: () => Output | undefined): { readonly output: Output | undefined } {
  frame.run.running.add(key);
  const output = body();
  frame.run.running.delete(key);
  return { output };
}

/** An alias is text put in the place of the first word; more than one command in it makes it code. */
function runAlias(frame: Frame, call: Call, alias: string, at: Position): Output | undefined {
  const words = aliasWords(frame, call, alias);
  if (words !== undefined)
    return runWords({ ...frame, via: "alias" }, { ...call, words: [...words, ...call.words.slice(1)], plain: false }, at);
  const value = [alias, ...call.words.slice(1).map((word) => quote(word.value))].join(" ");
  return runCode(frame, { value, known: !value.includes("\0"), start: call.start, end: call.end, quoted: true }, "alias", {
    position: at,
    start: call.start,
    end: call.end,
    scope: frame.scope,
  });
}

/** The fields of an alias that is one simple command without assignments or redirections. */
function aliasWords(frame: Frame, call: Call, alias: string): Word[] | undefined {
  const list = parseShell(alias, frame.run.parser);
  const node = typeof list === "string" || list.length !== 1 ? undefined : list[0]?.node;
  if (node?.kind !== "simple" || node.assignments.length > 0 || node.redirects.length > 0) return undefined;
  const head = call.words[0] as Word;
  return node.words.flatMap((word) =>
    resolveFields(word, {
      scope: frame.scope,
      place: () => ({ start: head.start, end: head.end }),
      noteDecoded: () => undefined,
      noteProcess: () => undefined,
      substitute: () => undefined,
    }),
  );
}

function expandGit(frame: Frame, call: Call, at: Position): { readonly output: Output | undefined } | undefined {
  const { scope, run } = frame;
  if (
    scope.gitAliases.map.size === 0 &&
    !call.words.some((word) => word.value === "-c" || word.value.startsWith("-c") || word.value.startsWith("--config-env"))
  )
    return undefined;
  const git = readGit({ name: "git", argv: call.words, assignments: call.assignments });
  if (git === undefined || git.verb === "") return undefined;
  const given = [...git.globals.config].reverse().find((entry) => entry.key.toLowerCase() === `alias.${git.verb.toLowerCase()}`);
  const alias = given?.value ?? scope.gitAliases.map.get(git.verb);
  const key = `git ${git.verb}`;
  if (alias === undefined || run.running.has(key)) return undefined;
  const head = call.words.slice(0, call.words.length - git.args.length - 1);
  const verb = call.words[call.words.length - git.args.length - 1] as Word;
  if (alias.trimStart().startsWith("!")) {
    // Git hands the text to a shell, with the arguments after it.
    const value = [alias.trimStart().slice(1), ...git.args.map((word) => quote(word.value))].join(" ");
    const code: Word = { value, known: !value.includes("\0"), start: call.start, end: call.end, quoted: true };
    return guarded(frame, key, () => runCode(frame, code, "alias", { position: at, start: call.start, end: call.end }));
  }
  const words = aliasWords(frame, { ...call, words: [verb] }, alias);
  if (words === undefined || words.length === 0) return undefined;
  const kept = head.filter((word, i) => !isAliasOption(word.value, head[i - 1]?.value, head[i + 1]?.value));
  return guarded(frame, key, () =>
    runWords({ ...frame, via: "alias" }, { ...call, words: [...kept, ...words, ...git.args], plain: false }, at),
  );
}

/** The `-c alias.x=…` that has just been expanded is left out of the command. */
function isAliasOption(value: string, before: string | undefined, after: string | undefined): boolean {
  return (
    (value === "-c" && after !== undefined && /^alias\./i.test(after)) ||
    (before === "-c" && /^alias\./i.test(value)) ||
    /^-calias\./i.test(value)
  );
}

function quote(value: string): string {
  return /^[\w@%+=:,./\0-]+$/.test(value) ? value : `'${value.replace(/'/g, "'\\''")}'`;
}
