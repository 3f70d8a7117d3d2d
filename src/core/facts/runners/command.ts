import { CARGO, DJANGO, GO, JAVASCRIPT, JEST, MOCHA, NODE_TEST, PYTEST, SYMPY, TASK, UNITTEST, VITEST, wordSet } from "./command-grammars";
import type { Grammar } from "./command-grammars";
import type { RunnerName } from "./types";

/** What a command that runs tests was asked to run. */
export interface TestCommand {
  runner: RunnerName | "unknown";
  /** `narrowed`: paths, names or a filter were given, or only some tests were asked for. */
  scope: "all" | "narrowed";
  /** Paths, packages and labels as written. */
  targets: string[];
  /** `-k`, `-m`, `-t`, `-run`, … */
  filter?: string;
  /** It ends at the first failure. */
  stopsEarly: boolean;
  collectOnly: boolean;
  updatesSnapshots: boolean;
}

function last(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/**
 * What a simple command asks a test runner for; undefined when it runs no tests.
 * `argv` is a command's words after quoting and wrappers (`\0` stands for what could not be resolved).
 */
export function readTestCommand(argv: readonly string[]): TestCommand | undefined {
  let words = argv.slice(0, 2_000);
  for (let depth = 0; depth < 6; depth++) {
    const name = last(words[0] ?? "").replace(/\.(?:exe|cmd)$/, "");
    const found = readProgram(name, words);
    if (found === undefined || "command" in found) return found?.command;
    words = found.inner;
  }
  return undefined;
}

type Reading = { command: TestCommand } | { inner: string[] } | undefined;

function readProgram(name: string, words: string[]): Reading {
  const rest = words.slice(1);
  const as = (grammar: Grammar, options: readonly string[]): Reading => ({ command: readOptions(grammar, options) });
  if (/^(?:pytest|py\.test)(?:-?3(?:\.\d+)?)?$/.test(name)) return as(PYTEST, rest);
  if (/^(?:python|pypy)(?:\d(?:\.\d+)*)?t?$/.test(name)) return readPython(rest);
  if (name === "manage.py" || name === "django-admin") return rest[0] === "test" ? as(DJANGO, rest.slice(1)) : undefined;
  if (name === "runtests.py") return as(/^(?:(?:.*\/)?tests\/|\.?\/?)runtests\.py$/.test(words[0] ?? "") ? DJANGO : TASK, rest);
  if ((words[0] ?? "").endsWith("bin/test") || (words[0] ?? "").endsWith("bin/doctest")) return as(SYMPY, rest);
  if (name === "jest") return as(JEST, rest);
  if (name === "vitest")
    return rest[0] === "list" ? { command: { ...readOptions(VITEST, rest.slice(1)), collectOnly: true } } : as(VITEST, rest);
  if (name === "mocha" || name === "_mocha") return as(MOCHA, rest);
  if (name === "node") return readNode(rest);
  if (name === "bun" && rest[0] === "test") return as({ ...JEST, runner: "unknown" }, rest.slice(1));
  if (name === "deno" && rest[0] === "test") return as({ ...NODE_TEST, runner: "unknown", filters: wordSet("--filter") }, rest.slice(1));
  if (/^(?:npm|pnpm|yarn|bun|npx|pnpx|bunx|corepack)$/.test(name)) return readPackageManager(name, rest);
  if (name === "go") return rest[0] === "test" ? as(GO, rest.slice(1)) : undefined;
  if (name === "gotestsum") return as(GO, rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : []);
  if (name === "cargo") return readCargo(rest);
  if (name === "tox" || name === "nox") return readTox(rest);
  if (name === "make" || name === "gmake" || name === "just" || name === "task") return readMake(rest);
  if (/^(?:uv|poetry|pipenv|hatch|pdm|rye|conda|mamba|micromamba|coverage|xvfb-run|c8|nyc|cross-env|dotenv|tsx|ts-node)$/.test(name))
    return readWrapper(name, rest);
  return undefined;
}

function readPython(rest: string[]): Reading {
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? "";
    if (word === "-m") {
      const module = rest[i + 1] ?? "";
      const options = rest.slice(i + 2);
      if (module === "pytest" || module === "py.test") return { command: readOptions(PYTEST, options) };
      if (module === "unittest") return { command: readOptions(UNITTEST, options) };
      if (module === "django") return options[0] === "test" ? { command: readOptions(DJANGO, options.slice(1)) } : undefined;
      if (module === "coverage" || module === "tox" || module === "nox") return { inner: [module, ...options] };
      return undefined;
    }
    if (word === "-c") return undefined;
    if (word === "-W" || word === "-X") {
      i++;
      continue;
    }
    if (word.startsWith("-")) continue;
    const name = last(word);
    if (name === "manage.py" || name === "runtests.py" || /(?:^|\/)bin\/(?:doc)?test$/.test(word))
      return { inner: [word, ...rest.slice(i + 1)] };
    if (/^(?:pytest|py\.test)$/.test(name)) return { inner: [word, ...rest.slice(i + 1)] };
    return name === "setup.py" && rest[i + 1] === "test" ? { command: readOptions(TASK, []) } : undefined;
  }
  return undefined;
}

function readNode(rest: string[]): Reading {
  const tests = rest.indexOf("--test");
  const script = rest.findIndex((word) => !word.startsWith("-"));
  const target = script >= 0 ? (rest[script] ?? "") : "";
  if (tests >= 0 && (script < 0 || tests < script || NODE_TEST.valued.has(rest[script - 1] ?? "")))
    return {
      command: readOptions(
        NODE_TEST,
        rest.filter((_, index) => index !== tests),
      ),
    };
  const tool = /node_modules\/(?:\.bin\/)?(jest|vitest|mocha)(?:\/|$)/.exec(target)?.[1];
  return tool === undefined ? undefined : { inner: [tool, ...rest.slice(script + 1)] };
}

function readPackageManager(name: string, rest: string[]): Reading {
  const words = [...rest];
  // Options of the manager itself come before what it runs.
  while (words[0]?.startsWith("-")) {
    const word = words.shift() ?? "";
    if (/^(?:--prefix|-C|--dir|--cwd|-F|--filter|-w|--workspace|-p|--package)$/.test(word)) words.shift();
  }
  const first = words[0] ?? "";
  if (/^(?:npx|pnpx|bunx)$/.test(name) || first === "exec" || first === "dlx" || first === "x") {
    const inner = /^(?:exec|dlx|x)$/.test(first) && !/^(?:npx|pnpx|bunx)$/.test(name) ? words.slice(1) : words;
    while (inner[0]?.startsWith("-")) inner.shift();
    return { inner };
  }
  const run = first === "run" || first === "run-script" ? words.slice(1) : words;
  const script = run[0] ?? "";
  const given = run.slice(1).filter((word, index) => !(word === "--" && index === run.indexOf("--") - 1));
  if (script === "test" || script === "t" || script === "tst") return { command: readOptions(JAVASCRIPT, given) };
  if (/^test:[\w:.-]+$/.test(script)) return { command: { ...readOptions(JAVASCRIPT, given), scope: "narrowed", targets: [script] } };
  // `yarn jest` and `pnpm vitest` run the tool itself.
  return /^(?:jest|vitest|mocha)$/.test(script) && name !== "npm" ? { inner: run } : undefined;
}

function readCargo(rest: string[]): Reading {
  const words = rest.filter((word, index) => !(index === 0 && word.startsWith("+")));
  if (words[0] === "test" || words[0] === "t") return { command: readOptions(CARGO, words.slice(1)) };
  if (words[0] === "nextest" && (words[1] === "run" || words[1] === "r")) {
    const command = readOptions(CARGO, words.slice(2));
    if (!words.includes("--no-fail-fast")) command.stopsEarly = true;
    return { command };
  }
  return words[0] === "nextest" && words[1] === "list"
    ? { command: { ...readOptions(CARGO, words.slice(2)), collectOnly: true } }
    : undefined;
}

function readTox(rest: string[]): Reading {
  if (rest.includes("--version") || rest.includes("-l") || rest.includes("--list") || rest.includes("-h") || rest.includes("--help"))
    return undefined;
  const dashes = rest.indexOf("--");
  const given = dashes < 0 ? [] : rest.slice(dashes + 1);
  const own = dashes < 0 ? rest : rest.slice(0, dashes);
  const at = own.findIndex((word) => word === "-e" || word === "-s" || word === "--session");
  const environment = at >= 0 ? (own[at + 1] ?? "") : "";
  if (environment !== "" && /lint|flake|mypy|docs?|format|type|black|ruff|coverage-report/.test(environment)) return undefined;
  const command = readOptions(PYTEST, given);
  return { command: { ...command, runner: "unknown" } };
}

function readMake(rest: string[]): Reading {
  const targets = rest.filter((word) => !word.startsWith("-") && !word.includes("="));
  const target = targets.find(
    (word) => /^(?:test|tests|check|unittest|unit-tests?|pytest)$/.test(word) || /^(?:test|check)[-_:][\w:.-]+$/.test(word),
  );
  if (target === undefined) return undefined;
  const isAll = /^(?:tests?|check)$/.test(target);
  return { command: { ...readOptions(TASK, []), scope: isAll ? "all" : "narrowed", targets: isAll ? [] : [target] } };
}

/** Tools that run the command that follows them. */
function readWrapper(name: string, rest: string[]): Reading {
  const words = [...rest];
  if (/^(?:uv|poetry|pipenv|hatch|pdm|rye|conda|mamba|micromamba|coverage)$/.test(name)) {
    const run = words.indexOf("run");
    if (run < 0) return name === "hatch" && words[0] === "test" ? { command: readOptions(PYTEST, words.slice(1)) } : undefined;
    words.splice(0, run + 1);
  }
  const isCoverage = name === "coverage";
  while (words.length > 0 && (words[0]?.startsWith("-") || (name === "cross-env" && words[0]?.includes("=")))) {
    const word = words[0] ?? "";
    if (isCoverage && word === "-m") return { inner: ["python", ...words] };
    words.shift();
    if (/^(?:-n|-p|--with|--group|--extra|--python|--env|--source|--rcfile|--directory|--project|--omit|--include)$/.test(word))
      words.shift();
  }
  return { inner: isCoverage ? ["python", ...words] : words };
}

function readOptions(grammar: Grammar, options: readonly string[]): TestCommand {
  const command: TestCommand = {
    runner: grammar.runner,
    scope: "all",
    targets: [],
    stopsEarly: false,
    collectOnly: false,
    updatesSnapshots: false,
  };
  const filters: string[] = [];
  let plain = false;
  for (let i = 0; i < options.length; i++) {
    const word = options[i] ?? "";
    if (word === "--" && !plain) {
      plain = grammar.runner !== "cargo-test";
      continue;
    }
    if (plain || !word.startsWith("-") || word === "-") {
      if (word !== "" && !grammar.everything?.(word)) command.targets.push(word);
      continue;
    }
    const { option, value, takesNext } = split(grammar, word, options[i + 1]);
    if (takesNext) i++;
    if (grammar.filters.has(option)) filters.push(value === undefined ? option : `${option} ${value}`);
    if (grammar.narrowing.has(option)) command.scope = "narrowed";
    if (grammar.stops.has(option) && !(value === "0" || value === "false")) command.stopsEarly = true;
    if (grammar.collects.has(option)) command.collectOnly = true;
    // `--inline-snapshot=report` and `-update=false` only look.
    const looksOnly = value !== undefined && /^(?:false|0|no|report|review|disable)$/.test(value);
    if ((grammar.updates.has(option) && !looksOnly) || (option === "--ci" && value === "false")) command.updatesSnapshots = true;
    if (grammar.runner === "pytest" && /^-[a-zA-Z]{2,}$/.test(word) && /^-[vqslxrf]*x/.test(word)) command.stopsEarly = true;
    if (option === "--no-fail-fast") command.stopsEarly = false;
  }
  if (filters.length > 0) command.filter = filters.join(" ");
  if (filters.length > 0 || command.targets.length > 0) command.scope = "narrowed";
  return command;
}

/** `--name=value`, `--name value`, `-kvalue`. Go writes its options with one dash or two. */
function split(grammar: Grammar, word: string, next: string | undefined): { option: string; value?: string; takesNext: boolean } {
  const equals = word.indexOf("=");
  let option = equals > 0 ? word.slice(0, equals) : word;
  if (grammar.runner === "go-test") option = option.replace(/^--/, "-").replace(/^-test\./, "-");
  if (equals > 0) return { option, value: word.slice(equals + 1), takesNext: false };
  if (grammar.valued.has(option)) {
    const isOptional = /^(?:--bail|--cov|--parallel|--shuffle|--inline-snapshot|--changed|--split|--maxWorkers)$/.test(option);
    const takesNext =
      next !== undefined &&
      (!isOptional ||
        (option === "--bail" || option === "--parallel" || option === "--shuffle"
          ? /^\d+$/.test(next)
          : option !== "--inline-snapshot" && option !== "--cov" && !next.startsWith("-")));
    return takesNext ? { option, value: next, takesNext } : { option, takesNext: false };
  }
  const short = word.slice(0, 2);
  if (!word.startsWith("--") && word.length > 2 && grammar.runner !== "go-test" && grammar.valued.has(short))
    return { option: short, value: word.slice(2), takesNext: false };
  return { option, takesNext: false };
}
