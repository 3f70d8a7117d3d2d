import { unescapeAnsi } from "./ansi";
import type { Word } from "./types";

/** What a program prints, where its words and its input say it all. */
export interface Printed {
  readonly text: string;
  /** It undid an encoding: what comes out did not stand there in plain sight. */
  readonly decoded: boolean;
}

const MAX_TEXT = 1 << 20;

/**
 * The output of `name argv…` for literal operands. `stdin` is its input where known; `read` gives the content of files that the
 * agent wrote. Undefined when anything about it is not known.
 */
export function printed(
  name: string,
  argv: readonly Word[],
  stdin: string | undefined,
  read: (path: string) => string | undefined,
): Printed | undefined {
  if (argv.some((word) => !word.known && word.value === "\0") && name !== "echo" && name !== "printf") return undefined;
  const args = argv.slice(1).map((word) => word.value);
  const input = (operands: readonly string[]): string | undefined => {
    if (operands.length === 0 || (operands.length === 1 && operands[0] === "-")) return stdin;
    const texts = operands.map((path) => (path === "-" ? stdin : read(path)));
    return texts.includes(undefined) ? undefined : texts.join("");
  };
  const plain = (text: string | undefined): Printed | undefined =>
    text === undefined || text.length > MAX_TEXT ? undefined : { text, decoded: false };
  const decoded = (text: string | undefined): Printed | undefined =>
    text === undefined || text.length > MAX_TEXT ? undefined : { text, decoded: true };
  const flags = args.filter((a) => a.startsWith("-") && a !== "-");
  const operands = args.filter((a) => !a.startsWith("-") || a === "-");
  switch (name) {
    case "echo":
      return echo(args);
    case "printf":
      return args[0] === undefined ? undefined : printf(args[0] === "--" ? args.slice(1) : args);
    case "cat":
      return flags.every((f) => f === "-u" || f === "--") ? plain(input(operands)) : undefined;
    case "true":
    case ":":
    case "cd":
    case "set":
    case "export":
      return plain("");
    case "which":
      return operands.length === 1 && flags.length === 0 ? plain(`${operands[0]}\n`) : undefined;
    case "command":
      return (flags[0] === "-v" || flags[0] === "-V") && operands.length === 1 ? plain(`${operands[0]}\n`) : undefined;
    case "base64":
    case "base32": {
      const d = flags.some((f) => /^-[a-zA-Z]*[dD]/.test(f) || (f.startsWith("--d") && "--decode".startsWith(f)));
      const wrap = args.findIndex((a) => a === "-w" || a === "--wrap");
      const files = operands.filter((o) => wrap < 0 || o !== args[wrap + 1]);
      return d ? decoded(fromBase(input(files), name === "base64" ? 6 : 5)) : undefined;
    }
    case "openssl":
      return (args[0] === "base64" || (args[0] === "enc" && args.some((a) => a === "-base64" || a === "-a"))) &&
        args.includes("-d") &&
        !args.includes("-in")
        ? decoded(fromBase(stdin, 6))
        : undefined;
    case "xxd":
      return flags.some((f) => f.startsWith("-r") || f === "-pr") && flags.some((f) => /p/.test(f))
        ? decoded(fromHex(input(operands)))
        : undefined;
    case "rev": {
      const text = input(operands);
      return decoded(
        text === undefined
          ? undefined
          : text
              .split("\n")
              .map((line) => Array.from(line).reverse().join(""))
              .join("\n"),
      );
    }
    case "tac": {
      const text = input(operands);
      return plain(text === undefined ? undefined : text.replace(/\n$/, "").split("\n").reverse().join("\n") + "\n");
    }
    case "tr":
      return flags.length <= 1 && stdin !== undefined ? translate(stdin, flags[0], operands) : undefined;
    case "head":
    case "tail":
    case "sort":
    case "sed":
    case "grep":
    case "cut":
    case "awk":
      return undefined;
    default:
      return undefined;
  }
}

function echo(args: readonly string[]): Printed | undefined {
  let i = 0;
  let newline = true;
  let escapes = false;
  while (/^-[neE]+$/.test(args[i] ?? "")) {
    for (const c of (args[i] ?? "").slice(1)) {
      if (c === "n") newline = false;
      else escapes = c === "e";
    }
    i++;
  }
  const text = args.slice(i).join(" ");
  const out = escapes ? unescapeAnsi(text) : text;
  return { text: newline ? `${out}\n` : out, decoded: escapes && /\\(?:x[0-9a-fA-F]|0?[0-7])/.test(text) };
}

function printf(args: readonly string[]): Printed | undefined {
  const format = args[0] ?? "";
  const rest = args.slice(1);
  let decoded = /\\(?:x[0-9a-fA-F]|[0-7])/.test(format);
  const conversion = /%([-+ #0]*)(\d*)(?:\.(\d+))?([%sbcdiq])/g;
  if (/%/.test(format.replace(conversion, ""))) return undefined;
  let out = "";
  let used = 0;
  let rounds = 0;
  do {
    const before = used;
    // The format is unescaped first and piecewise, so that an argument's backslashes stay as they are.
    let from = 0;
    conversion.lastIndex = 0;
    for (let m = conversion.exec(format); m !== null; m = conversion.exec(format)) {
      out += unescapeAnsi(format.slice(from, m.index));
      from = m.index + m[0].length;
      if (m[4] === "%") {
        out += "%";
        continue;
      }
      const arg = rest[used++] ?? (m[4] === "d" || m[4] === "i" ? "0" : "");
      if (m[4] === "b") {
        if (/\\(?:x[0-9a-fA-F]|0?[0-7])/.test(arg)) decoded = true;
        out += unescapeAnsi(arg);
      } else out += m[4] === "c" ? arg.slice(0, 1) : m[3] !== undefined && m[4] === "s" ? arg.slice(0, Number(m[3])) : arg;
    }
    out += unescapeAnsi(format.slice(from));
    if (used === before) break;
  } while (used < rest.length && ++rounds < 1000 && out.length < MAX_TEXT);
  return { text: out, decoded };
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base64 (6 bits a digit, both alphabets) or base32 (5) as UTF-8; undefined when it is neither. */
export function fromBase(text: string | undefined, bits: 5 | 6): string | undefined {
  if (text === undefined) return undefined;
  const digits = (bits === 6 ? text.replace(/-/g, "+").replace(/_/g, "/") : text).replace(/[\s=]/g, "");
  const alphabet = bits === 6 ? BASE64 : BASE32;
  const bytes: number[] = [];
  let value = 0;
  let held = 0;
  for (const c of digits) {
    const digit = alphabet.indexOf(c);
    if (digit < 0) return undefined;
    value = ((value << bits) | digit) & 0xffff;
    held += bits;
    if (held >= 8) {
      held -= 8;
      bytes.push((value >> held) & 255);
    }
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

/** Pairs of hexadecimal digits as UTF-8. */
export function fromHex(text: string | undefined): string | undefined {
  const digits = text?.replace(/\s+/g, "");
  if (digits === undefined || digits.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(digits)) return undefined;
  const bytes = new Uint8Array(digits.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(digits.slice(2 * i, 2 * i + 2), 16);
  return new TextDecoder().decode(bytes);
}

/** `tr`: `-d` and plain one-to-one sets with ranges. Swapping letters for letters counts as decoding. */
function translate(text: string, flag: string | undefined, sets: readonly string[]): Printed | undefined {
  const from = expandSet(sets[0]);
  if (from === undefined) return undefined;
  if (flag === "-d")
    return {
      text: Array.from(text)
        .filter((c) => !from.includes(c))
        .join(""),
      decoded: true,
    };
  const to = expandSet(sets[1]);
  if (flag !== undefined || to === undefined || to.length === 0) return undefined;
  const map = new Map<string, string>();
  from.forEach((c, i) => map.set(c, to[Math.min(i, to.length - 1)] ?? c));
  return { text: Array.from(text, (c) => map.get(c) ?? c).join(""), decoded: true };
}

function expandSet(set: string | undefined): string[] | undefined {
  if (set === undefined) return undefined;
  const classes: Record<string, string> = {
    "[:lower:]": "a-z",
    "[:upper:]": "A-Z",
    "[:digit:]": "0-9",
    "[:space:]": " \t\n\r\f\v",
    "[:alpha:]": "A-Za-z",
  };
  const plain = unescapeAnsi(set.replace(/\[:[a-z]+:\]/g, (name) => classes[name] ?? ""));
  const out: string[] = [];
  const chars = Array.from(plain);
  for (let i = 0; i < chars.length && out.length < 1024; i++) {
    const from = (chars[i] ?? "").codePointAt(0) ?? 0;
    const to = chars[i + 1] === "-" && chars[i + 2] !== undefined ? ((chars[i + 2] ?? "").codePointAt(0) ?? 0) : -1;
    if (to >= from && to - from < 512) {
      for (let c = from; c <= to; c++) out.push(String.fromCodePoint(c));
      i += 2;
    } else out.push(chars[i] ?? "");
  }
  return out;
}
