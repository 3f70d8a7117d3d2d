import { afterOptions, DOCKER_VALUES, KUBECTL_VALUES, unwrapContainer } from "./containers";
import { unwrapParallel, unwrapXargs } from "./inputs";
import { joinWords, sliceWord } from "./slices";
import type { Via, Word } from "./types";

/** A command without one layer of wrapping. */
export interface Unwrapped {
  readonly name: string;
  /** The wrapped command's words; several when the wrapper runs it for several inputs; empty when `code` holds it. */
  readonly commands: readonly (readonly Word[])[];
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  /** Shell code that the wrapper hands to a shell. */
  readonly code?: Word;
  readonly via?: Via;
  /** The folder it changes to. */
  readonly folder?: Word;
  /** The wrapper itself reads standard input. */
  readonly takesInput?: boolean;
  /** It runs on another machine or in a container, so that its files are not this machine's. */
  readonly remote?: boolean;
}

/** How a wrapper's own words are told from the command's: short options with a value, long ones with a value, operands before the command. */
interface Shape {
  readonly short?: string;
  readonly long?: string;
  readonly operands?: number;
  readonly assignments?: boolean;
  readonly folder?: readonly string[];
  /** Long options that hold the whole command, as code. */
  readonly code?: readonly string[];
  readonly remote?: boolean;
}

const SHAPES: Record<string, Shape> = {
  sudo: {
    short: "ughpCrtTUDR",
    long: "user group other-user host prompt close-from role type command-timeout chdir chroot",
    assignments: true,
    folder: ["-D", "--chdir"],
  },
  doas: { short: "uC" },
  env: { short: "uCS", long: "unset chdir split-string", assignments: true, folder: ["-C", "--chdir"] },
  timeout: { short: "sk", long: "signal kill-after", operands: 1 },
  gtimeout: { short: "sk", long: "signal kill-after", operands: 1 },
  time: { short: "fo", long: "format output" },
  nice: { short: "n", long: "adjustment" },
  ionice: { short: "cnp", long: "class classdata" },
  nohup: {},
  stdbuf: { short: "ioe", long: "input output error" },
  setsid: {},
  command: {},
  builtin: {},
  exec: { short: "a" },
  chronic: {},
  unbuffer: {},
  catchsegv: {},
  setarch: { operands: 1 },
  taskset: { short: "", operands: 1 },
  chrt: { operands: 1 },
  "xvfb-run": { short: "nspewf", long: "server-num server-args error-file auth-file" },
  "dbus-run-session": {},
  strace: { short: "eopsaEuOSIPX" },
  ltrace: { short: "eopsaluD" },
  flock: { short: "wEc", long: "wait timeout conflict-exit-code command", operands: 1, code: ["-c", "--command"] },
  chroot: { long: "userspec groups", operands: 1, remote: true },
  unshare: {},
  su: { short: "cgGsw", long: "command group supp-group shell", operands: 9, code: ["-c", "--command"] },
  runuser: { short: "cgGsu", long: "command group user shell", operands: 9, code: ["-c", "--command"] },
  script: {
    short: "cEIOBmTto",
    long: "command echo log-in log-out log-io logging-format output-limit timing",
    operands: 9,
    code: ["-c", "--command"],
  },
  watch: { short: "nq", long: "interval equexit" },
  "nix-shell": { short: "IApP", long: "run command arg argstr", operands: 99, code: ["--run", "--command"] },
};

/** Two-word wrappers: `uv run pytest`. */
const RUNNERS: Record<string, readonly string[]> = {
  uv: ["run"],
  poetry: ["run"],
  pipenv: ["run"],
  pdm: ["run"],
  hatch: ["run"],
  rye: ["run"],
  conda: ["run"],
  mamba: ["run"],
  bundle: ["exec"],
  pnpm: ["exec", "dlx"],
  npm: ["exec", "x"],
  yarn: ["exec", "dlx"],
  mise: ["exec", "x"],
  direnv: ["exec"],
};

const RUNNER_VALUES =
  "-p --python --with --with-requirements --extra --group --package --project --directory -n --name --prefix -C --gemfile --env-file --cwd --index-url";

const SSH_VALUES = "BbcDEeFIiJLlmOopQRSWw";

const KEYS = /^(?:Enter|C-[a-z]|M-.|Escape|Tab|Space|Up|Down|Left|Right|BSpace|KPEnter|C-m|F\d+)$/i;

/** Takes one wrapper off. Undefined when the command is none. `input` is its standard input where known. */
export function unwrap(name: string, argv: readonly Word[], input: Word | undefined): Unwrapped | undefined {
  const second = argv[1]?.value;
  switch (name) {
    case "xargs":
      return unwrapXargs(argv, input);
    case "parallel":
      return unwrapParallel(argv);
    case "docker":
    case "podman":
    case "nerdctl":
      return unwrapContainer(name, argv);
    case "docker-compose":
      return second === "exec" || second === "run" ? afterOptions(name, argv, 2, DOCKER_VALUES, 1) : undefined;
    case "kubectl":
    case "oc": {
      const at = argv.findIndex((word) => word.value === "exec");
      if (at < 0) return undefined;
      const dashes = argv.findIndex((word, i) => i > at && word.value === "--");
      if (dashes > 0) return plain(name, argv.slice(dashes + 1), { remote: true });
      return afterOptions(name, argv, at + 1, KUBECTL_VALUES, 1);
    }
    case "ssh": {
      let i = 1;
      while (i < argv.length && argv[i]?.value.startsWith("-")) i += takesValue(argv[i]?.value ?? "", SSH_VALUES) ? 2 : 1;
      return i + 1 < argv.length ? { ...plain(name, [], { remote: true }), code: joinWords(argv.slice(i + 1)), via: "shell-c" } : undefined;
    }
    case "tmux":
      return unwrapTmux(argv);
    case "screen": {
      const stuff = argv.findIndex((word) => word.value === "stuff");
      if (stuff > 0 && argv[stuff + 1] !== undefined)
        return { ...plain(name, []), code: trimKeys(argv[stuff + 1] as Word), via: "shell-c" };
      const d = argv.findIndex((word) => /^-[dDmS]*m[dDmS]*$/.test(word.value));
      if (d < 0) return undefined;
      let i = d + 1;
      if (argv[d]?.value.includes("S") || argv[i]?.value === "-S") i += argv[i]?.value === "-S" ? 2 : 1;
      return i < argv.length ? plain(name, argv.slice(i)) : undefined;
    }
    case "npx":
    case "bunx":
    case "pnpx":
    case "uvx":
    case "pipx": {
      const from = name === "pipx" ? (second === "run" ? 2 : 0) : 1;
      if (from === 0) return undefined;
      const call = argv.findIndex((word) => word.value === "-c" || word.value === "--call");
      if (name === "npx" && call > 0 && argv[call + 1] !== undefined)
        return { ...plain(name, []), code: argv[call + 1] as Word, via: "shell-c" };
      return afterOptions(name, argv, from, "-p --package --from --with --spec --python", 0);
    }
    default: {
      const verbs = RUNNERS[name];
      if (verbs !== undefined && second !== undefined) {
        if (!verbs.includes(second)) return undefined;
        return afterOptions(name, argv, 2, RUNNER_VALUES, name === "direnv" ? 1 : 0);
      }
      const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined;
      return shape === undefined ? undefined : unwrapShape(name, argv, shape);
    }
  }
}

function unwrapShape(name: string, argv: readonly Word[], shape: Shape): Unwrapped | undefined {
  const assignments: { name: string; value: Word }[] = [];
  let folder: Word | undefined;
  let code: Word | undefined;
  let operands = shape.operands ?? 0;
  let i = 1;
  for (; i < argv.length; i++) {
    const word = argv[i] as Word;
    const { value } = word;
    if (value === "--") {
      i++;
      while (operands > 0 && operands < 9 && i < argv.length) {
        operands--;
        i++;
      }
      break;
    }
    if (value.length > 1 && value.startsWith("-")) {
      if (name === "command" && /^-[pvV]*[vV]/.test(value)) return undefined;
      if (name === "nice" && /^-\d+$/.test(value)) continue;
      if (name === "sudo" && /^-(?:e|l|v|k|K)$/.test(value)) return undefined;
      const equals = value.indexOf("=");
      const long = value.startsWith("--");
      const option = long && equals > 0 ? value.slice(0, equals) : value;
      let optionValue: Word | undefined;
      if (long) {
        if (equals > 0) optionValue = sliceWord(word, equals + 1);
        else if (` ${shape.long ?? ""} `.includes(` ${option.slice(2)} `)) optionValue = argv[++i];
      } else if (takesValue(value, shape.short ?? "")) optionValue = argv[++i];
      else {
        const at = shortWithValue(value, shape.short ?? "");
        if (at > 0) optionValue = sliceWord(word, at + 1);
      }
      const letter = long ? option : `-${value[shortWithValue(value, shape.short ?? "")] ?? value.slice(-1)}`;
      if (optionValue !== undefined && shape.folder?.includes(letter) === true) folder = optionValue;
      if (optionValue !== undefined && shape.code?.includes(letter) === true) code = optionValue;
      if (name === "env" && optionValue !== undefined && (letter === "-S" || letter === "--split-string"))
        code = joinWords([optionValue, ...argv.slice(i + 1)]);
      continue;
    }
    if (shape.assignments === true) {
      const match = /^([A-Za-z_][A-Za-z0-9_]*)=/.exec(value);
      if (match !== null) {
        assignments.push({ name: match[1] ?? "", value: sliceWord(word, match[0].length) });
        continue;
      }
    }
    if (operands > 0) {
      operands--;
      continue;
    }
    break;
  }
  const base = { name, assignments, ...(folder === undefined ? {} : { folder }), ...(shape.remote === true ? { remote: true } : {}) };
  if (code !== undefined) return { ...base, commands: [], code, via: "shell-c" };
  const rest = argv.slice(i);
  if (rest.length === 0) return undefined;
  // `watch` and a lone word with blanks hand it to a shell.
  if (name === "watch") return { ...base, commands: [], code: joinWords(rest), via: "shell-c" };
  return { ...base, commands: [rest] };
}

function unwrapTmux(argv: readonly Word[]): Unwrapped | undefined {
  const verb = argv.findIndex((word) =>
    /^(?:send-keys|send|new-session|new|new-window|neww|split-window|respawn-pane|run-shell|run)$/.test(word.value),
  );
  if (verb < 0) return undefined;
  const keys = argv[verb]?.value.startsWith("send") === true;
  let i = verb + 1;
  while (argv[i]?.value.startsWith("-") === true) i += /^-[tscnxyNFe]$/.test(argv[i]?.value ?? "") ? 2 : 1;
  const rest = argv.slice(i).filter((word) => !(keys && KEYS.test(word.value)));
  if (rest.length === 0) return undefined;
  // Keys are typed one after the other without blanks between them.
  const code = keys ? trimKeys(joinWords(rest, "")) : joinWords(rest);
  return { name: "tmux", commands: [], assignments: [], code, via: "shell-c" };
}

function trimKeys(word: Word): Word {
  const value = word.value.replace(/(?:\\n|\\r|\^M|\n|\r)+$/, "");
  return { ...word, value };
}

function plain(name: string, command: readonly Word[], more: { remote?: boolean } = {}): Unwrapped {
  return { name, commands: command.length === 0 ? [] : [command], assignments: [], ...more };
}

/** An option word whose value is the next word: its last letter takes one. */
function takesValue(option: string, letters: string): boolean {
  if (option.startsWith("--")) return false;
  const at = shortWithValue(option, letters);
  return at > 0 && at === option.length - 1;
}

/** Index in a cluster of short options of the first that takes a value; 0 when none does. */
function shortWithValue(option: string, letters: string): number {
  for (let i = 1; i < option.length; i++) if (letters.includes(option[i] ?? " ")) return i;
  return 0;
}
