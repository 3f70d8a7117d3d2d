import { gitEffects } from "./git-effects";
import { parseOptions } from "./options";
import { sliceWord } from "./slices";
import { inFolder, lastPart, NONE, type Reader, transfer } from "./transfers";
import type { FileEffect, Redirect, Word } from "./types";

export interface Acting {
  readonly name: string;
  readonly argv: readonly Word[];
  readonly redirects: readonly Redirect[];
  readonly cwd?: string | undefined;
}

/** What one command does to files. `stdin` is its literal input, `stdout` what it prints where both are known. */
export function findEffects(command: Acting, stdin: Word | undefined, stdout: Word | undefined): readonly FileEffect[] {
  const program = PROGRAMS[command.name];
  if (command.redirects.length === 0)
    return program !== undefined && Object.hasOwn(PROGRAMS, command.name) ? program(command.argv, stdin, stdout) : NONE;
  const out: FileEffect[] = [];
  const caught = command.redirects.some((r) => isWrite(r) && (r.fd === 1 || r.fd === -1) && !isDevice(r.target));
  for (const redirect of command.redirects) {
    if (!isWrite(redirect) || isDevice(redirect.target)) continue;
    const kind = redirect.op === ">>" ? "append" : "write";
    const content =
      redirect.fd === 1 || redirect.fd === -1
        ? command.argv.length === 0 && command.name === ""
          ? (stdout ?? { ...redirect.target, value: "", known: true })
          : stdout
        : undefined;
    out.push({ kind, path: redirect.target, ...(content === undefined ? {} : { content }) });
  }
  if (program !== undefined && Object.hasOwn(PROGRAMS, command.name))
    out.push(...program(command.argv, stdin, caught ? undefined : stdout));
  const from = command.redirects.find((redirect) => redirect.op === "<" && redirect.fd === 0);
  return from === undefined
    ? out
    : out.map((effect) =>
        effect.kind === "apply" && effect.diff === undefined && effect.file === undefined ? { kind: "apply", file: from.target } : effect,
      );
}

function isWrite(redirect: Redirect): boolean {
  return redirect.op === ">" || redirect.op === ">>" || redirect.op === ">|";
}

function isDevice(path: Word): boolean {
  return /^(?:\/dev\/(?:null|stdout|stderr|stdin|tty|full|zero|fd\/\d+)|&\d*|-|\d+)$/.test(path.value);
}

const remove: Reader = (argv) => {
  const p = parseOptions(argv, "");
  const recursive = /[rR]/.test(p.flags) || p.longs.includes("recursive");
  return p.operands.map((path) => ({ kind: "delete", path, recursive }));
};

const sed: Reader = (argv) => {
  // `-i` takes its suffix attached only, so it is read by hand; `-E`, `-n`, `-s` and `-z` may stand before it.
  const inPlace = argv.some((word, k) => k > 0 && (/^-[Ensurz]*i/.test(word.value) || /^--in-place(?:=|$)/.test(word.value)));
  if (!inPlace) return NONE;
  const rest: Word[] = [];
  const scripts: Word[] = [];
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i] as Word;
    const { value } = word;
    if (value === "--") {
      rest.push(...argv.slice(i + 1));
      break;
    }
    if (value === "-e" || value === "--expression" || /^-[Ensurz]+e$/.test(value)) {
      const given = argv[++i];
      if (given !== undefined) scripts.push(given);
    } else if (value.startsWith("--expression=")) scripts.push(sliceWord(word, 13));
    else if (value === "-f" || value === "--file" || value === "-l" || value === "--line-length") i++;
    else if (/^-e./.test(value)) scripts.push(sliceWord(word, 2));
    // An empty word after `-i` is the suffix of the BSD spelling.
    else if (value === "" && /^-[Enr]*i$/.test(argv[i - 1]?.value ?? "")) continue;
    else if (!value.startsWith("-") || value === "-") rest.push(word);
  }
  const file = argv.some((word) => word.value === "-f" || word.value.startsWith("--file"));
  const script = scripts.length > 0 ? scripts[0] : file ? undefined : rest.shift();
  return rest.map((path) => ({ kind: "change", path, ...(script === undefined ? {} : { script }) }));
};

const tee: Reader = (argv, stdin) => {
  const p = parseOptions(argv, "");
  const kind = p.flags.includes("a") || p.longs.includes("append") ? "append" : "write";
  return p.operands.filter((path) => !isDevice(path)).map((path) => ({ kind, path, ...(stdin?.known === true ? { content: stdin } : {}) }));
};

const PROGRAMS: Record<string, Reader> = {
  tee,
  sponge: (argv, stdin, stdout) => tee(argv, stdin, stdout),
  sed,
  gsed: sed,
  rm: remove,
  unlink: remove,
  rmdir: remove,
  shred: (argv) => {
    const p = parseOptions(argv, "ns", ["iterations", "size", "random-source"]);
    const gone = p.flags.includes("u") || p.longs.includes("remove");
    return p.operands.map((path) => (gone ? { kind: "delete", path, recursive: false } : { kind: "write", path }));
  },
  trash: remove,
  cp: transfer("copy"),
  install: transfer("copy"),
  ditto: transfer("copy"),
  mv: transfer("move"),
  ln: transfer("link"),
  rsync: (argv) => {
    const p = parseOptions(argv, "efTB", [
      "rsh",
      "exclude",
      "include",
      "filter",
      "files-from",
      "exclude-from",
      "include-from",
      "log-file",
      "bwlimit",
    ]);
    if (p.operands.some((word) => /^[^/]*:/.test(word.value))) return NONE;
    const path = p.operands[p.operands.length - 1];
    return path === undefined || p.flags.includes("n")
      ? NONE
      : p.operands.slice(0, -1).map((from) => ({
          kind: "copy",
          from,
          path: path.value.endsWith("/") && !from.value.endsWith("/") ? inFolder(path, from) : path,
        }));
  },
  touch: (argv) =>
    parseOptions(argv, "drt", ["date", "reference", "time"]).operands.map((path) => ({
      kind: "append",
      path,
      content: { ...path, value: "", known: true },
    })),
  truncate: (argv) => {
    const p = parseOptions(argv, "sr", ["size", "reference"]);
    const empty = p.value("s", "size")?.value === "0";
    return p.operands.map((path) =>
      empty ? { kind: "write", path, content: { ...path, value: "", known: true } } : { kind: "change", path },
    );
  },
  chmod: (argv) => {
    const operands = argv
      .slice(1)
      .filter(
        (word) =>
          !/^-(?:[Rcfv]+|-(?:recursive|quiet|silent|verbose|changes|preserve-root|no-preserve-root|reference=.*)|-)$/.test(word.value),
      );
    const mode = operands[0];
    return mode === undefined ? NONE : operands.slice(1).map((path) => ({ kind: "chmod", path, mode }));
  },
  dd: (argv) =>
    argv
      .filter((word) => word.value.startsWith("of=") && !word.value.startsWith("of=/dev/"))
      .map((word) => ({ kind: "write", path: sliceWord(word, 3) })),
  patch: (argv, stdin) => {
    const p = parseOptions(argv, "pidoBDFrVxYz", ["strip", "input", "directory", "output"]);
    if (p.longs.includes("dry-run")) return NONE;
    const file = p.value("i", "input") ?? p.operands[1];
    return [
      { kind: "apply", ...(file === undefined ? {} : { file }), ...(file === undefined && stdin?.known === true ? { diff: stdin } : {}) },
    ];
  },
  ed: (argv, stdin) => editor(argv, stdin),
  ex: (argv, stdin) => editor(argv, stdin),
  vim: (argv, stdin) =>
    argv.some((word) => /^-\w*[es]/.test(word.value) || word.value === "-c" || word.value.startsWith("+")) ? editor(argv, stdin) : NONE,
  vi: (argv, stdin) => (argv.some((word) => word.value === "-c" || word.value === "-es") ? editor(argv, stdin) : NONE),
  awk: awkInPlace,
  gawk: awkInPlace,
  perl: (argv) => {
    const inPlace = argv.findIndex((word, k) => k > 0 && /^-[a-zA-Z0-9]*i/.test(word.value) && !/^-[MmI]/.test(word.value));
    const e = argv.findIndex((word, k) => k > 0 && /^-[a-zA-Z0-9]*[eE]$/.test(word.value));
    if (inPlace < 0) return NONE;
    const script = argv[e + 1];
    const files = argv.slice(Math.max(inPlace, e < 0 ? 0 : e + 1) + 1).filter((word) => !word.value.startsWith("-"));
    return files.map((path) => ({ kind: "change", path, ...(script === undefined || e < 0 ? {} : { script }) }));
  },
  ruby: (argv) => {
    const inPlace = argv.findIndex((word, k) => k > 0 && /^-[pn]*i/.test(word.value));
    const e = argv.findIndex((word, k) => k > 0 && /^-[a-z]*e$/.test(word.value));
    return inPlace < 0 || e < 0
      ? NONE
      : argv.slice(e + 2).map((path) => ({ kind: "change", path, ...(argv[e + 1] === undefined ? {} : { script: argv[e + 1] as Word }) }));
  },
  curl: (argv) => {
    const p = parseOptions(argv, "oHXduAebcFTKmwxEUCyYzrt", [
      "output",
      "header",
      "request",
      "data",
      "data-raw",
      "data-binary",
      "user",
      "user-agent",
      "referer",
      "cookie",
      "form",
      "max-time",
      "write-out",
      "proxy",
      "connect-timeout",
      "retry",
      "output-dir",
      "cacert",
    ]);
    const path = p.value("o", "output");
    if (path !== undefined) return isDevice(path) ? NONE : [{ kind: "write", path }];
    if (!p.flags.includes("O") && !p.longs.includes("remote-name")) return NONE;
    return p.operands.map((url) => ({ kind: "write", path: { ...url, value: lastPart(url.value.replace(/[?#].*$/, "")) } }));
  },
  wget: (argv) => {
    const p = parseOptions(argv, "OoaPUetTwQ", [
      "output-document",
      "header",
      "user-agent",
      "directory-prefix",
      "tries",
      "timeout",
      "post-data",
    ]);
    if (p.longs.includes("spider")) return NONE;
    const path = p.value("O", "output-document");
    if (path !== undefined) return isDevice(path) ? NONE : [{ kind: "write", path }];
    return p.operands.map((url) => ({
      kind: "write",
      path: {
        ...url,
        value: `${p.value("P", "directory-prefix")?.value ?? "."}/${lastPart(url.value.replace(/[?#].*$/, ""))}`.replace(/^\.\//, ""),
      },
    }));
  },
  find: (argv) => {
    if (!argv.some((word) => word.value === "-delete")) return NONE;
    const roots: Word[] = [];
    for (const word of argv.slice(1)) {
      if (/^[-(!]/.test(word.value)) break;
      roots.push(word);
    }
    return roots.map((path) => ({ kind: "delete", path, recursive: true }));
  },
  git: (argv, stdin) => gitEffects(argv, stdin),
};

function editor(argv: readonly Word[], stdin: Word | undefined): readonly FileEffect[] {
  const p = parseOptions(argv, "cpSTuw");
  const script = stdin ?? p.value("c");
  return p.operands
    .filter((word) => !word.value.startsWith("+"))
    .map((path) => ({ kind: "change", path, ...(script === undefined ? {} : { script }) }));
}

function awkInPlace(argv: readonly Word[]): readonly FileEffect[] {
  const at = argv.findIndex(
    (word, k) =>
      (word.value === "inplace" && (argv[k - 1]?.value === "-i" || argv[k - 1]?.value === "--include")) || word.value === "-iinplace",
  );
  if (at < 0) return NONE;
  const p = parseOptions(argv.slice(at), "vFf");
  const [script, ...files] = p.operands;
  return files
    .filter((word) => !/^\w+=/.test(word.value))
    .map((path) => ({ kind: "change", path, ...(script === undefined ? {} : { script }) }));
}
