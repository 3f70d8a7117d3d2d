import type { Program } from "./brackets";
import { evaluate } from "./evaluate";
import type { CodeLanguage } from "./interpreters";
import { type CodeCall, readArguments, toLiteral } from "./literals";
import type { Value } from "./values";

export interface FoundCalls {
  readonly calls: readonly CodeCall[];
  readonly opaque: readonly { readonly start: number; readonly end: number; readonly why: string }[];
}

/** Python's functions that start a program by one argument: a shell line, or a list. */
const PYTHON =
  /^(?:subprocess\.(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|commands\.getoutput|os\.(?:system|popen\d?)|pty\.spawn|pexpect\.(?:run|spawn)|asyncio\.(?:subprocess\.)?create_subprocess_(?:shell|exec)|os\.(?:exec|spawn|posix_spawn)[a-z]*)$/;

/** Names that mean it whatever they hang on. */
const PYTHON_LAST = /^(?:system|popen|check_output|check_call|Popen|getoutput|getstatusoutput|create_subprocess_shell)$/;

const NODE_LAST = /^(?:execSync|spawnSync|execFileSync|spawn|execFile|fork|exec|execaSync|execa|execaCommand|execaCommandSync)$/;

const UNREADABLE =
  /^(?:fromhex|b64decode|urlsafe_b64decode|b32decode|unhexlify|decompress|urlopen|atob|decode64|get|read|loads|unpack|unpack1)$/;

/** Does the call of a name start a program with what is known? */
export function findCalls(
  p: Program,
  name: { readonly text: string; readonly next: number },
  language: CodeLanguage,
  childProcess: boolean,
): FoundCalls | undefined {
  const { tokens } = p;
  let open = name.next;
  let full = resolveImport(p, name.text);
  if (tokens[open]?.value !== "(") {
    // Perl and Ruby call without parentheses.
    if (language === "perl" || language === "ruby") return findBare(p, name.text, name.next);
    return undefined;
  }
  const close = p.match[open] ?? -1;
  if (close < 0) return undefined;
  // `getattr(os, "system")("…")` and `__import__("os").system("…")`.
  if (full === "getattr" && tokens[close + 1]?.value === "(") {
    const parts = readArguments(p, open).list;
    full = `${resolveImport(p, tokens[open + 1]?.value ?? "")}.${parts[1]?.text ?? ""}`;
    open = close + 1;
  } else if (
    (full === "__import__" || full.endsWith("import_module") || full === "require") &&
    tokens[close + 1]?.value === "." &&
    tokens[close + 2]?.kind === "name"
  ) {
    full = `${(readArguments(p, open).list[0]?.text ?? "").replace(/^node:/, "")}.${tokens[close + 2]?.value}`;
    open = close + 3;
    if (tokens[open]?.value !== "(") return undefined;
  }
  const last = full.slice(full.lastIndexOf(".") + 1);
  switch (language) {
    case "python":
      if (PYTHON.test(full) || (PYTHON_LAST.test(last) && full.includes("."))) return fromArguments(p, open, full, last);
      if (full === "exec" || full === "eval") return fromCode(p, open);
      return undefined;
    case "javascript":
      if (full === "eval" || full === "Function" || full === "vm.runInThisContext" || full === "vm.runInNewContext")
        return fromCode(p, open);
      if (!childProcess || !NODE_LAST.test(last)) return undefined;
      if (
        (last === "exec" || last === "spawn" || last === "fork") &&
        full.includes(".") &&
        !/(?:^|\.)(?:child_process|cp|childProcess|proc|sh|shell|shelljs|Bun)\.\w+$/.test(full)
      )
        return undefined;
      return fromArguments(p, open, full, last);
    case "perl":
    case "ruby":
      if (full === "eval") return fromCode(p, open);
      if (/^(?:system|exec|spawn|Kernel\.(?:system|exec|spawn)|IO\.popen|Open3\.\w+|PTY\.spawn|Process\.spawn)$/.test(full))
        return fromArguments(p, open, full, last);
      return full === "open" ? fromPerlOpen(p, open) : undefined;
    default:
      return /^(?:system|exec|shell_exec|passthru|popen|proc_open|os\.execute|io\.popen)$/.test(full)
        ? fromArguments(p, open, full, last)
        : undefined;
  }
}

export function resolveImport(p: Program, name: string): string {
  const whole = p.imports.get(name);
  if (whole !== undefined) return whole;
  const dot = name.indexOf(".");
  const head = dot > 0 ? p.imports.get(name.slice(0, dot)) : undefined;
  return head === undefined ? name : head + name.slice(dot);
}

function fromArguments(p: Program, open: number, full: string, last: string): FoundCalls | undefined {
  const { list, named } = readArguments(p, open);
  const first = list[0] ?? named.get("args") ?? named.get("cmd");
  if (first === undefined) return undefined;
  if (first.list !== undefined) return call({ argv: first.list.map((item) => toLiteral(item, p, open)), decoded: isDecoded(first) });
  if (first.text === undefined) return undefined;
  // The words stand one by one, or a program with a list.
  const second = list[1];
  if (second?.list !== undefined) {
    const exec = /^os\.(?:exec|spawn|posix_spawn)/.test(full);
    const rest = exec ? second.list.slice(1) : second.list;
    return call({
      argv: [toLiteral(first, p, open), ...rest.map((item) => toLiteral(item, p, open))],
      decoded: isDecoded(first) || isDecoded(second),
    });
  }
  if (/^(?:execl|execlp|execle)/.test(last)) return call({ argv: [first, ...list.slice(2)].map((item) => toLiteral(item, p, open)) });
  if (/^spawnl/.test(last)) return call({ argv: [list[1], ...list.slice(3)].map((item) => toLiteral(item, p, open)) });
  const separate =
    last === "create_subprocess_exec" ||
    last === "system" ||
    last === "exec" ||
    last === "spawn" ||
    last.startsWith("capture") ||
    last.startsWith("popen2");
  if (separate && list.length > 1 && full !== "os.system" && list.slice(1).every((item) => item?.text !== undefined))
    return call({ argv: list.map((item) => toLiteral(item, p, open)), decoded: isDecoded(first) });
  return call({ shell: toLiteral(first, p, open), decoded: isDecoded(first) });
}

function call(one: CodeCall): FoundCalls {
  return { calls: [one], opaque: [] };
}

function isDecoded(value: Value): boolean {
  return value.decoded === true || value.list?.some((item) => item.decoded === true) === true;
}

/** `exec("…")`: more code; what comes out of a decoder or a download and is not known stays unread. */
function fromCode(p: Program, open: number): FoundCalls | undefined {
  const { list, raw } = readArguments(p, open);
  const first = list[0];
  const text = first?.text;
  if (text !== undefined && !text.startsWith("\0")) return call({ code: toLiteral(first, p, open), decoded: first?.decoded === true });
  const arg = raw[0];
  if (arg === undefined) return undefined;
  for (let i = arg.from; i < arg.to && i < arg.from + 200; i++) {
    const token = p.tokens[i];
    if (token?.kind !== "name" || !UNREADABLE.test(token.value)) continue;
    // `exec(open("x").read())` runs a file, which is no hidden payload.
    if ((token.value === "read" || token.value === "get") && p.tokens.slice(arg.from, i).some((each) => each.value === "open")) continue;
    return {
      calls: [],
      opaque: [
        {
          start: p.tokens[arg.from]?.start ?? 0,
          end: p.tokens[arg.to - 1]?.end ?? 0,
          why: "it executes code that it decodes or fetches, which is not known",
        },
      ],
    };
  }
  return undefined;
}

/** `system "git log"` and `exec "git", "log"`. */
function findBare(p: Program, name: string, next: number): FoundCalls | undefined {
  if (!/^(?:system|exec|spawn)$/.test(name) || p.tokens[next]?.kind !== "string") return undefined;
  const words: Value[] = [];
  let from = next;
  for (let i = next; i <= p.tokens.length && words.length < 64; i++) {
    const token = p.tokens[i];
    const ends = token === undefined || token.kind === "newline" || token.value === ";" || token.value === "}" || token.value === ")";
    if (!ends && token.value !== ",") continue;
    const value = evaluate(p, from, i);
    if (value !== undefined) words.push(value);
    from = i + 1;
    if (ends) break;
  }
  const first = words[0];
  if (first === undefined) return undefined;
  return words.length === 1 && first.list === undefined
    ? call({ shell: toLiteral(first, p, next) })
    : call({ argv: (first.list ?? words).map((word) => toLiteral(word, p, next)) });
}

/** Perl's `open(F, "git log |")` and `open(F, "-|", "git", "log")`. */
function fromPerlOpen(p: Program, open: number): FoundCalls | undefined {
  const { list } = readArguments(p, open);
  const strings = list.slice(1);
  const mode = strings[0]?.text ?? (list[0]?.text?.endsWith("|") === true ? list[0].text : undefined);
  if (mode === undefined) return undefined;
  if (mode === "-|" || mode === "|-") {
    const words = strings.slice(1);
    return words.length === 1
      ? call({ shell: toLiteral(words[0], p, open) })
      : call({ argv: words.map((word) => toLiteral(word, p, open)) });
  }
  const value = strings[0] ?? list[0];
  if (value?.text === undefined || !/^\s*\||\|\s*$/.test(mode)) return undefined;
  return call({ shell: toLiteral({ ...value, text: value.text.replace(/^\s*\||\|\s*$/g, "") }, p, open) });
}
