import { dottedName, matchBrackets, type Program, splitArguments } from "./brackets";
import { findCalls } from "./code-calls";
import { findCodeEffects } from "./code-effects";
import { evaluate } from "./evaluate";
import type { CodeLanguage } from "./interpreters";
import { type Token, tokenize } from "./tokens";
import type { Value } from "./values";

/** A string in code, by offsets in that code; without value when it is not known. */
export interface Literal {
  readonly value?: string | undefined;
  readonly start: number;
  readonly end: number;
}

export interface CodeCall {
  readonly shell?: Literal;
  readonly argv?: readonly Literal[];
  /** Code of the same language: `exec("…")`. */
  readonly code?: Literal;
  readonly decoded?: boolean;
}

export interface CodeEffect {
  kind: "write" | "append" | "change" | "delete" | "move" | "copy" | "link";
  readonly path: Literal;
  readonly from?: Literal;
  content?: Literal;
  readonly recursive?: boolean;
}

export interface Acts {
  readonly calls: readonly CodeCall[];
  readonly effects: readonly CodeEffect[];
  readonly opaque: readonly { readonly start: number; readonly end: number; readonly why: string }[];
}

const NOTHING: Acts = { calls: [], effects: [], opaque: [] };

/** What is cheap to look for before anything is tokenised. */
const HINT =
  /subprocess|getattr|\bsystem\b|popen|pty\b|exec|spawn|`|qx|%x|open|write|unlink|remove|rmtree|rename|copy|move|rmSync|rmdir|truncate|touch|symlink|link\(|__import__|\beval\b|create_subprocess|File\.|\$\(|passthru|getline|Function\(/;

/** The commands that code starts with literals, and the files that it changes by literal names. One pass over its tokens. */
export function findActs(language: CodeLanguage, text: string): Acts {
  if (language === "shell" || !HINT.test(text)) return NOTHING;
  const tokens = tokenize(text, language);
  const p: Program = { tokens, match: matchBrackets(tokens), variables: new Map(), imports: new Map() };
  const calls: CodeCall[] = [];
  const effects: CodeEffect[] = [];
  const opaque: { start: number; end: number; why: string }[] = [];
  const reads = new Set<string>();
  const seen = new Set<number>();
  const handles: { value: Value; effect: CodeEffect }[] = [];
  const childProcess = language !== "javascript" || /child_process|execa|zx\b|Bun\.spawn|Deno\.Command|shelljs/.test(text);
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (token.kind === "string" && token.use === "shell") {
      calls.push({ shell: { value: token.value, start: token.start, end: token.inner ?? token.end } });
      continue;
    }
    if (token.kind !== "name") continue;
    const before = tokens[i - 1];
    if (before?.kind === "op" && before.value === "." && tokens[i - 2]?.kind === "name") continue;
    i = noteImport(p, i, language);
    const name = dottedName(p, i, tokens.length);
    noteAssignment(p, i, name);
    const found = findCalls(p, name, language, childProcess);
    if (found !== undefined) {
      // `require("x").run(…)` is met twice: at its head and at its method.
      for (const call of found.calls) {
        const start = (call.shell ?? call.code ?? call.argv?.[0])?.start ?? -1;
        if (!seen.has(start)) calls.push(call);
        seen.add(start);
      }
      opaque.push(...found.opaque);
    }
    findCodeEffects(p, i, name, { effects, reads, handles });
  }
  for (const { value, effect } of handles) settle(value, effect);
  for (const effect of effects)
    if (effect.kind === "write" && effect.content === undefined && reads.has(effect.path.value ?? "\0")) effect.kind = "change";
  return { calls, effects, opaque };
}

/** What was written through a handle is the file's content, when all of it is known. */
function settle(value: Value, effect: CodeEffect): void {
  const handle = value.handle;
  if (handle === undefined || handle.lost || handle.written.length === 0) return;
  const first = handle.written[0] as Value;
  const text = handle.written.map((each) => each.text ?? "\0").join("");
  if (!text.includes("\0"))
    effect.content = { value: text, start: first.start, end: (handle.written[handle.written.length - 1] as Value).end };
}

/** `import a as b`, `from a import b as c`, `const x = require("y")`. Answers with where to go on. */
function noteImport(p: Program, at: number, language: CodeLanguage): number {
  const { tokens } = p;
  const word = tokens[at]?.value;
  const value = (i: number): string => tokens[i]?.value ?? "";
  if (language === "python" && word === "import" && tokens[at - 1]?.kind !== "name") {
    const name = dottedName(p, at + 1, tokens.length);
    if (value(name.next) === "as") p.imports.set(value(name.next + 1), name.text);
  } else if (language === "python" && word === "from" && tokens[at - 1]?.kind !== "name") {
    const name = dottedName(p, at + 1, tokens.length);
    if (value(name.next) !== "import") return at;
    for (let i = name.next + 1, n = 0; i < tokens.length && tokens[i]?.kind !== "newline" && n < 60; i++, n++) {
      if (tokens[i]?.kind !== "name") continue;
      const as = value(i + 1) === "as";
      p.imports.set(as ? value(i + 2) : value(i), `${name.text}.${value(i)}`);
      if (as) i += 2;
    }
  } else if (language === "javascript" && (word === "const" || word === "let" || word === "var" || word === "import")) noteRequire(p, at);
  return at;
}

/** Names that come from a Node module are known by the module's name. */
function noteRequire(p: Program, at: number): void {
  const { tokens } = p;
  let module: string | undefined;
  let end = at + 1;
  for (let n = 0; end < tokens.length && n < 60; end++, n++) {
    const token = tokens[end];
    if (token?.value === ";" || (token?.kind === "newline" && tokens[end - 1]?.value !== "," && tokens[end - 1]?.value !== "{")) break;
    if (token?.kind === "string") {
      const before = tokens[end - 1]?.value;
      const opener = tokens[end - 2]?.value;
      if (before === "from" || before === "import" || (before === "(" && (opener === "require" || opener === "import")))
        module = token.value.replace(/^node:/, "").replace(/\/promises$/, "");
      break;
    }
  }
  if (module === undefined) return;
  const braces = tokens[at + 1]?.value === "{" || tokens[at + 2]?.value === "{";
  for (let i = at + 1; i < end; i++) {
    const token = tokens[i];
    if (token?.kind !== "name" || /^(?:from|require|as|import|await)$/.test(token.value)) continue;
    const renamed = tokens[i + 1]?.value === "as" || tokens[i + 1]?.value === ":" ? tokens[i + 2] : undefined;
    p.imports.set(renamed?.value ?? token.value, braces ? `${module}.${token.value}` : module);
    if (renamed !== undefined) i += 2;
  }
}

/** `name = expression` at the start of a statement, and `with open(…) as name`. */
function noteAssignment(p: Program, at: number, name: { readonly text: string; readonly next: number }): void {
  const { tokens } = p;
  if (name.text === "open" || name.text.endsWith(".open")) {
    const close = p.match[name.next] ?? -1;
    const value = close > 0 && tokens[close + 1]?.value === "as" ? evaluate(p, at, close + 1) : undefined;
    if (value !== undefined) p.variables.set(tokens[close + 2]?.value ?? "", value);
    return;
  }
  if (tokens[name.next]?.value !== "=" || tokens[name.next + 1]?.value === "=" || tokens[name.next + 1]?.value === ">") return;
  if (tokens[at - 1]?.kind === "op" && /[([,]/.test(tokens[at - 1]?.value ?? "")) return;
  let end = name.next + 1;
  for (let n = 0; end < tokens.length && n < 4000; n++) {
    const token = tokens[end];
    if (token?.kind === "newline" || (token?.kind === "op" && token.value === ";")) break;
    const close = p.match[end] ?? -1;
    end = close > end ? close + 1 : end + 1;
  }
  const value = evaluate(p, name.next + 1, Math.min(end, tokens.length));
  if (value === undefined || value.text === "\0") p.variables.delete(name.text);
  else if (p.variables.size < 2000) p.variables.set(name.text, value);
}

export function toLiteral(value: Value | undefined, p: Program, open: number): Literal {
  if (value === undefined) return { start: p.tokens[open]?.start ?? 0, end: p.tokens[open]?.end ?? 0 };
  return { ...(value.text === undefined ? {} : { value: value.text }), start: value.start, end: value.end };
}

/** The values of a call's arguments: in order, and by name. */
export function readArguments(
  p: Program,
  open: number,
): {
  readonly list: readonly (Value | undefined)[];
  readonly named: ReadonlyMap<string, Value | undefined>;
  readonly raw: readonly { from: number; to: number; name?: string }[];
} {
  const raw = splitArguments(p, open).slice(0, 64);
  const list: (Value | undefined)[] = [];
  const named = new Map<string, Value | undefined>();
  for (const arg of raw) {
    const value = evaluate(p, arg.from, arg.to);
    if (arg.name === undefined) list.push(value);
    else named.set(arg.name, value);
  }
  return { list, named, raw };
}
