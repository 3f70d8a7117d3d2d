import { setFunction, setVariable } from "./builtins";
import { printed } from "./decode";
import { findEffects } from "./effects";
import { expandCall } from "./expand";
import { applyEffects, changeFolder } from "./files";
import { addOpaque, type Call, type Draft, type Frame, type Input, MAX_DEPTH, type Position, type ShellParser } from "./frame";
import { lex } from "./lex";
import { findMasks } from "./masks";
import { runProgram } from "./programs";
import type { RawList, RawNode, RawRedirect, RawSimple } from "./raw";
import { baseName, resolver, resolveRedirects } from "./resolving";
import { runCode } from "./run-code";
import { findScript, forkScope } from "./scope";
import { findInput, isOutput, outputWord } from "./streams";
import { readTree } from "./tree";
import type { Word } from "./types";
import { type Output, resolveFields, resolveValue } from "./words";
import { unwrap } from "./wrappers";

const MAX_COMMANDS = 4096;

const MAX_NESTING = 60;

/** Parses shell text by whichever of the two parsers understands it. */
export function parseShell(text: string, parser: ShellParser | undefined): RawList | string {
  return lex(text) ?? readTree(text, parser);
}

/** Runs a list in order; answers with what it prints when that is wanted and known. */
export function walkList(frame: Frame, list: RawList, at: Position, nesting = 0): Output | undefined {
  const masks = findMasks(list, at.masked, frame.scope);
  let output: Output | undefined | null = null;
  let first = true;
  list.forEach((item, i) => {
    if (item.node.kind === "simple" && item.node.words[0]?.parts[0]?.kind === "text" && item.node.words[0].parts[0].value === "set")
      masks.refresh(i, frame.scope);
    const position: Position = {
      joined: first ? at.joined : item.joined,
      masked: masks.at(i) || item.background,
      background: at.background || item.background,
      wanted: at.wanted,
      ...(at.input === undefined ? {} : { input: at.input }),
    };
    first = false;
    const scoped = item.background ? { ...frame, scope: forkScope(frame.scope) } : frame;
    const printed = walkNode(scoped, item.node, position, nesting + 1);
    if (at.wanted) {
      if (printed === undefined || output === undefined) output = undefined;
      else
        output =
          output === null
            ? printed
            : { text: output.text + printed.text, start: output.start, end: printed.end, decoded: output.decoded || printed.decoded };
    }
  });
  return output ?? undefined;
}

function walkNode(frame: Frame, node: RawNode, at: Position, nesting: number): Output | undefined {
  if (nesting > MAX_NESTING || frame.run.commands.length >= MAX_COMMANDS) {
    if (frame.run.opaque.length === 0) addOpaque(frame, 0, 0, "the line is nested too deep or runs too many commands");
    return undefined;
  }
  switch (node.kind) {
    case "simple":
      return walkSimple(frame, node, at);
    case "pipe":
      return walkPipe(frame, node.stages, at, nesting);
    case "group": {
      const scope = node.subshell ? forkScope(frame.scope) : frame.scope;
      return walkBlock({ ...frame, scope }, node.redirects, at, (inner, position) => walkList(inner, node.list, position, nesting));
    }
    case "branch":
      return walkBlock(frame, node.redirects, at, (inner, position) => {
        const r = resolver(inner);
        for (const word of node.words) resolveFields(word, r);
        walkList(inner, node.condition, { ...position, masked: true, wanted: false }, nesting);
        for (const body of node.bodies) walkList(inner, body, { ...position, joined: ";", wanted: false }, nesting);
        return undefined;
      });
    case "loop":
      return walkBlock(frame, node.redirects, at, (inner, position) => {
        const r = resolver(inner);
        const values = node.values.flatMap((word) => resolveFields(word, r));
        const known =
          values.length > 0 && values.length <= 8 && values.every((word) => word.known && (word.quoted || !/[*?[]/.test(word.value)));
        for (const value of known ? values.map((word) => word.value) : ["\0"]) {
          setVariable(inner.scope, node.name, value);
          walkList(inner, node.list, { ...position, joined: ";", wanted: false }, nesting);
        }
        return undefined;
      });
    case "function":
      setFunction(frame, node.name, node.start, node.end);
      return { text: "", ...frame.place(node.start, node.end), decoded: false };
    case "bad": {
      const { start, end } = frame.place(node.start, node.end);
      addOpaque(frame, start, end, "this part could not be parsed");
      return undefined;
    }
  }
}

/** A compound command: its redirections feed and catch all of what is inside. */
function walkBlock(
  frame: Frame,
  redirects: readonly RawRedirect[],
  at: Position,
  walk: (frame: Frame, at: Position) => Output | undefined,
): Output | undefined {
  if (redirects.length === 0) return walk(frame, at);
  const resolved = resolveRedirects(frame, redirects);
  const input = findInput(frame, resolved, at);
  const first = frame.run.commands.length;
  const caught = resolved.some((redirect) => isOutput(redirect));
  const { input: _given, ...rest } = at;
  const output = walk(frame, { ...rest, wanted: at.wanted || caught, ...(input === undefined ? {} : { input }) });
  const command = frame.run.commands[first];
  if (command !== undefined) {
    const effects = findEffects(
      { name: "{", argv: [], redirects: resolved, cwd: command.cwd },
      undefined,
      output === undefined ? undefined : { ...output, quoted: true, value: output.text, known: true },
    );
    frame.run.commands[first] = { ...command, redirects: [...command.redirects, ...resolved], effects: [...command.effects, ...effects] };
    applyEffects(frame, effects);
  }
  return caught ? { text: "", start: 0, end: 0, decoded: false } : output;
}

function walkPipe(frame: Frame, stages: readonly RawNode[], at: Position, nesting: number): Output | undefined {
  const { commands, aside } = frame.run;
  let input: Input | undefined = at.input;
  let output: Output | undefined;
  let before: number[] = [];
  stages.forEach((stage, i) => {
    const last = i === stages.length - 1;
    const from = commands.length;
    // Each stage runs in a subshell of its own.
    output = walkNode(
      { ...frame, scope: forkScope(frame.scope) },
      stage,
      {
        joined: i === 0 ? at.joined : "|",
        masked: at.masked || (!last && !frame.scope.pipefail),
        background: at.background,
        wanted: !last || at.wanted,
        ...(input === undefined ? {} : { input }),
      },
      nesting + 1,
    );
    const members: number[] = [];
    for (let k = from; k < commands.length; k++) if (aside[k] !== true) members.push(k);
    const feeder = before[before.length - 1];
    if (feeder !== undefined) {
      for (const k of members) {
        const command = commands[k];
        if (command !== undefined && command.pipedFrom === undefined) commands[k] = { ...command, pipedFrom: feeder };
      }
      const head = members[0];
      if (head !== undefined) {
        for (const k of before) {
          const command = commands[k];
          if (command !== undefined && command.pipedTo === undefined) commands[k] = { ...command, pipedTo: head };
        }
      }
    }
    before = members;
    const source = commands[from];
    const file =
      output === undefined &&
      stage.kind === "simple" &&
      source?.name === "cat" &&
      source.argv.length > 1 &&
      source.argv.every((word) => word.known);
    input = {
      decoded: output?.decoded === true,
      from: "pipe",
      ...(output === undefined ? {} : { word: outputWord(output) }),
      ...(file ? { file } : {}),
    };
  });
  return output;
}

function walkSimple(frame: Frame, raw: RawSimple, at: Position): Output | undefined {
  const r = resolver(frame);
  const assignments = raw.assignments.map((a) => {
    const value = resolveValue(a.value, r);
    if (!a.append) return { name: a.name, value };
    const joined = (frame.scope.variables.map.get(a.name) ?? "\0") + value.value;
    return { name: a.name, value: { ...value, value: joined, known: !joined.includes("\0") } };
  });
  const words: Word[] = [];
  for (const word of raw.words) for (const field of resolveFields(word, r)) words.push(field);
  const redirects = raw.redirects.length === 0 ? [] : resolveRedirects(frame, raw.redirects);
  const span = frame.place(raw.start, raw.end);
  const first = raw.words[0];
  const fromOutput = first?.parts[0]?.kind === "command";
  return runWords(
    frame,
    { words, assignments, redirects, wrappers: frame.wrappers, ...span, plain: first !== undefined && !first.quoted, fromOutput },
    at,
  );
}

/** Runs resolved words: through wrappers, aliases, functions and interpreters down to simple commands. */
export function runWords(frame: Frame, call: Call, at: Position): Output | undefined {
  const { run, scope } = frame;
  const head = call.words[0];
  const name = head === undefined ? "" : baseName(head.value);
  const input = findInput(frame, call.redirects, at);
  if (head !== undefined && (call.unwrapped ?? 0) < 12 && frame.depth < MAX_DEPTH) {
    const expanded = expandCall(frame, call, name, at);
    if (expanded !== undefined) return expanded.output;
    const inner = unwrap(name, call.words, input?.word);
    if (inner !== undefined && (inner.commands.length > 0 || inner.code !== undefined)) {
      const wrappers = [...call.wrappers, name];
      const folder = inner.folder === undefined ? scope : { ...scope, cwd: changeFolder(scope.cwd, inner.folder) };
      const via = inner.via ?? frame.via;
      const next: Frame = { ...frame, via, scope: folder, depth: inner.code === undefined ? frame.depth : frame.depth + 1 };
      const assignments = [...call.assignments, ...inner.assignments];
      const { input: _taken, ...rest } = at;
      const position: Position = inner.takesInput === true ? rest : at;
      if (inner.code !== undefined)
        return runCode(next, inner.code, via, { position, wrappers, redirects: call.redirects, start: call.start, end: call.end });
      let output: Output | undefined;
      for (const words of inner.commands)
        output = runWords(next, { ...call, words, assignments, wrappers, plain: false, unwrapped: (call.unwrapped ?? 0) + 1 }, position);
      return inner.commands.length === 1 ? output : undefined;
    }
  }
  const result =
    at.wanted || call.redirects.length > 0 || name === "tee" || name === "sponge"
      ? printed(name, call.words, input?.word?.known === true ? input.word.value : undefined, (path) => findScript(scope, path)?.content)
      : undefined;
  let output: Output | undefined;
  if (result !== undefined) {
    // The span that the text came from: a filter's input, else the operands.
    const operands = call.words.slice(1).filter((word) => !/^-[neE]+$/.test(word.value));
    const filter = input?.word !== undefined && name !== "echo" && name !== "printf" && !(name === "cat" && operands.length > 0);
    const at0 = filter ? (input.word ?? call) : (operands[0] ?? call);
    const last = filter ? (input.word ?? call) : (operands[operands.length - 1] ?? call);
    output = {
      text: result.text,
      start: at0.start,
      end: last.end,
      decoded:
        result.decoded ||
        input?.decoded === true ||
        (run.decoded !== undefined && call.words.some((word) => run.decoded?.has(word) === true)),
    };
  }
  const stdin = input?.word;
  const effects = findEffects(
    { name, argv: call.words, redirects: call.redirects, cwd: scope.cwd },
    stdin,
    name === "cat" && call.words.length === 1 && stdin !== undefined ? stdin : output === undefined ? undefined : outputWord(output),
  );
  const index = run.commands.length;
  const draft: Draft = {
    name,
    argv: call.words,
    assignments: call.assignments,
    redirects: call.redirects,
    wrappers: call.wrappers,
    via: frame.via,
    joined: at.joined,
    masked: at.masked || frame.masked,
    background: at.background || frame.background,
    effects,
    start: call.start,
    end: call.end,
  };
  if (scope.cwd !== "") draft.cwd = scope.cwd;
  if (stdin !== undefined) draft.stdin = stdin;
  run.commands.push(draft);
  run.aside.push(frame.aside);
  if (effects.length > 0) applyEffects(frame, effects);
  if (head === undefined) {
    for (const assignment of call.assignments) setVariable(scope, assignment.name, assignment.value.value);
    return { text: "", start: call.start, end: call.end, decoded: false };
  }
  if (call.fromOutput === true && !head.known) addOpaque(frame, head.start, head.end, "it runs what another command printed");
  const inner = runProgram(frame, index, call, name, at, input);
  if (inner !== undefined) output = inner;
  return call.redirects.some((redirect) => isOutput(redirect)) ? { text: "", start: call.start, end: call.end, decoded: false } : output;
}
