import { GIT_VERBS, type VerbTable } from "./git-options";
import type { SimpleCommand, Word } from "./types";

export interface GitCall {
  /** The subcommand; empty when there is none. */
  readonly verb: string;
  /** Everything after the verb. */
  readonly args: readonly Word[];
  readonly globals: {
    readonly C?: string;
    readonly gitDir?: string;
    readonly workTree?: string;
    /** From `-c` and `--config-env`; keys as written (git reads section and name without case). */
    readonly config: readonly { readonly key: string; readonly value: string }[];
  };
  /**
   * Long options by their full name without dashes, and short ones by the long name they stand for, else by their letter.
   * A prefix counts when it is unique; an ambiguous or unknown long option is kept as written.
   */
  readonly flags: ReadonlySet<string>;
  /** What each option was given, by the same names; the last one wins. */
  readonly values: ReadonlyMap<string, Word>;
  /** Operands before `--`. */
  readonly positionals: readonly Word[];
  /** Operands after `--`. */
  readonly paths: readonly Word[];
}

const GLOBAL_VALUES = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--super-prefix",
  "--config-env",
  "--attr-source",
  "--list-cmds",
]);

/** A git command taken apart; undefined when it is none. Nothing that follows depends on how its options were spelt. */
export function readGit(command: Pick<SimpleCommand, "name" | "argv" | "assignments">): GitCall | undefined {
  const { argv } = command;
  if (command.name !== "git" && command.name !== "git.exe" && command.name !== "hub")
    return /^git-[a-z-]+$/.test(command.name) ? readGit({ ...command, name: "git", argv: splitDashed(argv) }) : undefined;
  const config: { key: string; value: string }[] = [];
  let C: string | undefined;
  let gitDir = valueOf(command, "GIT_DIR");
  let workTree = valueOf(command, "GIT_WORK_TREE");
  readEnvironment(command, config);
  let i = 1;
  for (; i < argv.length; i++) {
    const { value } = argv[i] as Word;
    if (!value.startsWith("-") || value === "-") break;
    const equals = value.startsWith("--") ? value.indexOf("=") : -1;
    const option = equals > 0 ? value.slice(0, equals) : value;
    let given: string | undefined = equals > 0 ? value.slice(equals + 1) : undefined;
    if (given === undefined && GLOBAL_VALUES.has(option) && option !== "--exec-path") given = argv[++i]?.value;
    else if (equals < 0 && /^-c./.test(value)) given = value.slice(2);
    if (option === "-C" && given !== undefined) C = C === undefined || given.startsWith("/") ? given : `${C}/${given}`;
    else if (option === "--git-dir") gitDir = given;
    else if (option === "--work-tree") workTree = given;
    else if ((option.startsWith("-c") || option === "--config-env") && given !== undefined) {
      const at = given.indexOf("=");
      config.push(
        at < 0 ? { key: given, value: "true" } : { key: given.slice(0, at), value: option === "--config-env" ? "\0" : given.slice(at + 1) },
      );
    }
  }
  const verb = argv[i]?.value ?? "";
  const args = argv.slice(i + 1);
  const globals = {
    config,
    ...(C === undefined ? {} : { C }),
    ...(gitDir === undefined ? {} : { gitDir }),
    ...(workTree === undefined ? {} : { workTree }),
  };
  return { verb, args, globals, ...readOptions(Object.hasOwn(GIT_VERBS, verb) ? GIT_VERBS[verb] : undefined, args) };
}

function splitDashed(argv: readonly Word[]): Word[] {
  const head = argv[0] as Word;
  const verb = head.value.slice(head.value.lastIndexOf("git-") + 4);
  return [{ ...head, value: "git" }, { ...head, value: verb }, ...argv.slice(1)];
}

function valueOf(command: Pick<SimpleCommand, "assignments">, name: string): string | undefined {
  let found: string | undefined;
  for (const assignment of command.assignments) if (assignment.name === name) found = assignment.value.value;
  return found;
}

/** `GIT_CONFIG_COUNT` with its keys and values, and `GIT_CONFIG_PARAMETERS`, are configuration like `-c`. */
function readEnvironment(command: Pick<SimpleCommand, "assignments">, config: { key: string; value: string }[]): void {
  for (const { name, value } of command.assignments) {
    const match = /^GIT_CONFIG_KEY_(\d+)$/.exec(name);
    if (match !== null) config.push({ key: value.value, value: valueOf(command, `GIT_CONFIG_VALUE_${match[1]}`) ?? "" });
    else if (name === "GIT_CONFIG_PARAMETERS") {
      for (const [, quoted, bare] of value.value.matchAll(/'([^']*)'(?:='([^']*)')?/g)) {
        const text = bare === undefined ? (quoted ?? "") : `${quoted}=${bare}`;
        const at = text.indexOf("=");
        config.push(at < 0 ? { key: text, value: "true" } : { key: text.slice(0, at), value: text.slice(at + 1) });
      }
    }
  }
}

function readOptions(table: VerbTable | undefined, args: readonly Word[]): Pick<GitCall, "flags" | "values" | "positionals" | "paths"> {
  const flags = new Set<string>();
  const values = new Map<string, Word>();
  const positionals: Word[] = [];
  let paths: readonly Word[] = [];
  for (let i = 0; i < args.length; i++) {
    const word = args[i] as Word;
    const { value } = word;
    if (value === "--") {
      paths = args.slice(i + 1);
      break;
    }
    if (!value.startsWith("-") || value === "-") {
      positionals.push(word);
      continue;
    }
    if (value.startsWith("--")) {
      const equals = value.indexOf("=");
      const written = value.slice(2, equals > 0 ? equals : undefined);
      const name = resolveLong(table, written);
      flags.add(name);
      if (equals > 0) values.set(name, { ...word, value: value.slice(equals + 1) });
      else if (table?.values.has(name) === true) {
        const given = args[++i];
        if (given !== undefined) values.set(name, given);
      }
      continue;
    }
    // `-5` and `-n5` of log.
    if (/^-\d+$/.test(value)) {
      flags.add("max-count");
      values.set("max-count", { ...word, value: value.slice(1) });
      continue;
    }
    for (let k = 1; k < value.length; k++) {
      const letter = value[k] ?? "";
      const name = table?.shorts[letter] ?? letter;
      flags.add(name);
      if (table?.shortValues.includes(letter) === true) {
        const given = k < value.length - 1 ? { ...word, value: value.slice(k + 1) } : args[++i];
        if (given !== undefined) values.set(name, given);
        break;
      }
      // `-S<key>`, `-M50%`: the rest of the word belongs to the letter, when there is one.
      if (table?.shortAttached.includes(letter) === true) {
        if (k < value.length - 1) values.set(name, { ...word, value: value.slice(k + 1) });
        break;
      }
    }
  }
  return { flags, values, positionals, paths };
}

/** A long option by its full name, when what was written names or begins exactly one option of the verb. */
function resolveLong(table: VerbTable | undefined, written: string): string {
  if (table === undefined || table.exact.has(written)) return written;
  const matches = table.longs.filter((name) => name.startsWith(written));
  // `--no-verif` begins only `no-verify`; a negated option counts as one more name.
  if (table.longs.includes(written)) return written;
  return matches.length === 1 ? (matches[0] as string) : written;
}
