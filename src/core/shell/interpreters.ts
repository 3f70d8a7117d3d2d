import { sliceWord } from "./slices";
import type { Word } from "./types";

export type CodeLanguage = "shell" | "python" | "javascript" | "perl" | "ruby" | "other";

/** Where an interpreter takes its program from. */
export type Program =
  | {
      readonly from: "word";
      readonly language: CodeLanguage;
      readonly code: Word;
      readonly args: readonly Word[];
      readonly options: string;
    }
  | {
      readonly from: "file";
      readonly language: CodeLanguage;
      readonly path: Word;
      readonly args: readonly Word[];
      readonly options: string;
    }
  | { readonly from: "input"; readonly language: CodeLanguage; readonly args: readonly Word[]; readonly options: string };

interface Shape {
  readonly language: CodeLanguage;
  /** Short options whose value is code, and those with another value. */
  readonly code: string;
  readonly values: string;
  readonly longCode?: readonly string[];
  readonly longValues?: readonly string[];
  /** Words before the file: `deno run`. */
  readonly verbs?: readonly string[];
}

const SHELL: Shape = { language: "shell", code: "", values: "oO", longValues: ["--rcfile", "--init-file"] };

const PYTHON: Shape = { language: "python", code: "c", values: "WX", longValues: ["--check-hash-based-pycs"] };

const NODE: Shape = {
  language: "javascript",
  code: "ep",
  values: "rC",
  longCode: ["--eval", "--print"],
  longValues: ["--require", "--import", "--loader", "--experimental-loader", "--conditions", "--env-file", "--tsconfig"],
};

const RUBY: Shape = { language: "ruby", code: "e", values: "rIECKTWx" };

const SHELLS = /^(?:ba|da|z|k|a|mk|pdk|rba|)sh$/;

const PYTHONS = /^(?:python|pypy|ipython)(?:\d+(?:\.\d+)*)?[tdm]?$/;

/** How `argv` is read as an interpreter's call; undefined when the program is none, or when it only runs a module. */
export function findProgram(name: string, argv: readonly Word[]): Program | undefined {
  if (SHELLS.test(name)) return findShell(argv);
  if (PYTHONS.test(name)) return findShaped(argv, PYTHON, "m");
  switch (name) {
    case "node":
    case "nodejs":
    case "bun":
    case "tsx":
    case "ts-node":
      return findShaped(name === "bun" && argv[1]?.value === "run" ? argv.slice(1) : argv, NODE, "");
    case "deno": {
      const verb = argv[1]?.value;
      if (verb === "eval" && argv[2] !== undefined)
        return { from: "word", language: "javascript", code: argv[2], args: argv.slice(3), options: "" };
      return verb === "run" ? findShaped(argv.slice(1), { ...NODE, code: "", values: "" }, "") : undefined;
    }
    case "perl":
      return findPerl(argv);
    case "ruby":
      return findShaped(argv, RUBY, "");
    case "php":
      return findShaped(argv, { language: "other", code: "r", values: "dcz" }, "");
    case "lua":
    case "luajit":
    case "Rscript":
      return findShaped(argv, { language: "other", code: "e", values: "l" }, "");
    case "awk":
    case "gawk":
    case "mawk":
    case "nawk":
      return findAwk(argv);
    default:
      return undefined;
  }
}

function findShell(argv: readonly Word[]): Program | undefined {
  let code = false;
  let options = "";
  let i = 1;
  for (; i < argv.length; i++) {
    const { value } = argv[i] as Word;
    if (value === "--" || value === "-") {
      i++;
      break;
    }
    if (!/^[-+]./.test(value)) break;
    if (value.startsWith("--")) {
      if (SHELL.longValues?.includes(value) === true) i++;
      else if (/^--(?:version|help|dump)/.test(value)) return undefined;
      continue;
    }
    if (value.includes("c") && value.startsWith("-")) code = true;
    if (value.includes("e")) options += "e";
    if (/[oO]$/.test(value)) options += ` ${argv[++i]?.value ?? ""} `;
    if (value.includes("s") && value.startsWith("-"))
      return { from: "input", language: "shell", args: argv.slice(argv[i + 1]?.value === "--" ? i + 2 : i + 1), options };
  }
  const rest = argv.slice(i);
  const [first, ...args] = rest;
  if (code) return first === undefined ? undefined : { from: "word", language: "shell", code: first, args, options };
  return first === undefined || first.value === "/dev/stdin"
    ? { from: "input", language: "shell", args, options }
    : { from: "file", language: "shell", path: first, args, options };
}

/** `modules` are options after which nothing is a program any more (`python -m`). */
function findShaped(argv: readonly Word[], shape: Shape, modules: string): Program | undefined {
  const { language } = shape;
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i] as Word;
    const { value } = word;
    if (value === "-" || value === "/dev/stdin") return { from: "input", language, args: argv.slice(i + 1), options: "" };
    if (value === "--") continue;
    if (!value.startsWith("-")) {
      const args = argv.slice(i + 1);
      // Django's shell reads Python from its input.
      if (language === "python" && /(?:^|\/)manage\.py$/.test(value) && args[0]?.value === "shell") {
        const c = args.findIndex((arg) => arg.value === "-c" || arg.value === "--command");
        const code = c > 0 ? args[c + 1] : undefined;
        return code === undefined
          ? { from: "input", language, args: [], options: "" }
          : { from: "word", language, code, args: [], options: "" };
      }
      return { from: "file", language, path: word, args, options: "" };
    }
    if (value.startsWith("--")) {
      const equals = value.indexOf("=");
      const option = equals > 0 ? value.slice(0, equals) : value;
      if (shape.longCode?.includes(option) === true) {
        const code = equals > 0 ? sliceWord(word, equals + 1) : argv[i + 1];
        return code === undefined ? undefined : { from: "word", language, code, args: argv.slice(i + 2), options: "" };
      }
      if (/^--(?:version|help|test|check|run|watch)$/.test(option))
        return option === "--test" || option === "--watch" ? undefined : undefined;
      if (equals < 0 && shape.longValues?.includes(option) === true) i++;
      continue;
    }
    for (let k = 1; k < value.length; k++) {
      const letter = value[k] ?? "";
      if (modules.includes(letter) && modules !== "") return undefined;
      if (shape.code.includes(letter)) {
        // `node -pe CODE`: one cluster, one value.
        const attached = value.slice(k + 1).replace(language === "javascript" ? /^[ep]+/ : /^$/, "");
        const code = attached !== "" ? sliceWord(word, value.length - attached.length) : argv[i + 1];
        return code === undefined ? undefined : { from: "word", language, code, args: argv.slice(i + 2), options: "" };
      }
      if (shape.values.includes(letter) && shape.values !== "") {
        if (k === value.length - 1) i++;
        break;
      }
    }
    if (/^-(?:V|v|h)$/.test(value)) return undefined;
  }
  return { from: "input", language, args: [], options: "" };
}

/** Perl's `-i.bak`, `-0777`, `-Mx`, `-lane` before `-e`. */
function findPerl(argv: readonly Word[]): Program | undefined {
  let options = "";
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i] as Word;
    const { value } = word;
    if (value === "-") return { from: "input", language: "perl", args: argv.slice(i + 1), options };
    if (!value.startsWith("-")) return { from: "file", language: "perl", path: word, args: argv.slice(i + 1), options };
    if (/^-[MmIdDxF]/.test(value)) continue;
    const inPlace = value.indexOf("i");
    const e = value.search(/[eE]/);
    if (inPlace > 0 && (e < 0 || inPlace < e)) {
      options += "i";
      if (!/[eE]$/.test(value) || /\./.test(value.slice(inPlace))) continue;
    }
    if (e > 0) {
      const code = e < value.length - 1 ? sliceWord(word, e + 1) : argv[i + 1];
      const next = e < value.length - 1 ? i + 1 : i + 2;
      return code === undefined
        ? undefined
        : { from: "word", language: "perl", code, args: argv.slice(next), options: options + (/^-\w*i/.test(value) ? "i" : "") };
    }
    if (value === "-v" || value === "-V") return undefined;
  }
  return { from: "input", language: "perl", args: [], options };
}

function findAwk(argv: readonly Word[]): Program | undefined {
  for (let i = 1; i < argv.length; i++) {
    const { value } = argv[i] as Word;
    if (value === "-f" || value === "--file")
      return argv[i + 1] === undefined
        ? undefined
        : { from: "file", language: "other", path: argv[i + 1] as Word, args: argv.slice(i + 2), options: "" };
    if (value === "-F" || value === "-v" || value === "-i" || value === "--include" || value === "--assign") i++;
    else if (!value.startsWith("-"))
      return { from: "word", language: "other", code: argv[i] as Word, args: argv.slice(i + 1), options: "" };
  }
  return undefined;
}

/** The language of a script by its first line or its name; undefined when neither says it. */
export function languageOf(path: string, content: string): CodeLanguage | undefined {
  const shebang = /^#![ \t]*(?:\S*\/)?([a-z]+)[\d.]*(?:[ \t]+(?:-S[ \t]+)?([a-z]+))?/.exec(content.slice(0, 200));
  const program = shebang?.[1] === "env" ? shebang[2] : shebang?.[1];
  if (program !== undefined) {
    if (SHELLS.test(program)) return "shell";
    if (/^(?:python|pypy)$/.test(program)) return "python";
    if (/^(?:node|deno|bun)$/.test(program)) return "javascript";
    if (program === "perl" || program === "ruby") return program;
    return "other";
  }
  const ending = /\.([a-z]+)$/.exec(path)?.[1];
  if (ending === "sh" || ending === "bash") return "shell";
  if (ending === "py") return "python";
  if (ending === "js" || ending === "mjs" || ending === "cjs" || ending === "ts") return "javascript";
  if (ending === "pl") return "perl";
  if (ending === "rb") return "ruby";
  return undefined;
}
