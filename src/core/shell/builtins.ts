import { changeFolder } from "./files";
import type { Call, Frame } from "./frame";
import { type Scope, setEntry } from "./scope";
import type { Word } from "./types";

const MAX_VALUE = 1 << 16;

export function setVariable(scope: Scope, name: string, value: string): void {
  setEntry(scope.variables, name, value.length > MAX_VALUE ? "\0" : value);
}

export function setFunction(frame: Frame, name: string, start: number, end: number): void {
  if (end - start <= MAX_VALUE) setEntry(frame.scope.functions, name, frame.text.slice(start, end));
}

/** What builtins do to the shell itself: variables, aliases, folders, options. */
export function applyBuiltin(frame: Frame, call: Call, name: string): void {
  const { scope } = frame;
  const args = call.words.slice(1);
  switch (name) {
    case "cd":
    case "pushd": {
      const target = args.find((word) => !/^-[LPe@]+$/.test(word.value) && word.value !== "--");
      if (target === undefined) scope.cwd = "~";
      else if (target.value === "-") scope.cwd = scope.variables.map.get("OLDPWD") ?? "\0";
      else {
        const before = scope.cwd;
        scope.cwd = changeFolder(scope.cwd, target);
        setVariable(scope, "OLDPWD", before);
      }
      break;
    }
    case "popd":
      scope.cwd = "\0";
      break;
    case "export":
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      for (const word of args) {
        const match = /^([A-Za-z_][A-Za-z0-9_]*)(\+?)=/.exec(word.value);
        if (match !== null)
          setVariable(
            scope,
            match[1] ?? "",
            (match[2] === "+" ? (scope.variables.map.get(match[1] ?? "") ?? "\0") : "") + word.value.slice(match[0].length),
          );
      }
      break;
    case "unset":
      for (const word of args) {
        if (args[0]?.value !== "-f") setEntry(scope.variables, word.value, undefined);
        if (args[0]?.value !== "-v") setEntry(scope.functions, word.value, undefined);
      }
      break;
    case "read":
    case "mapfile":
    case "readarray":
    case "getopts":
      for (const word of args) if (/^[A-Za-z_]\w*$/.test(word.value)) setVariable(scope, word.value, "\0");
      break;
    case "alias":
      for (const word of args) {
        const match = /^([^\s=/$`'"]+)=/.exec(word.value);
        if (match !== null) setEntry(scope.aliases, match[1] ?? "", word.value.slice(match[0].length));
      }
      break;
    case "unalias":
      for (const word of args) setEntry(scope.aliases, word.value, undefined);
      if (args[0]?.value === "-a") for (const key of scope.aliases.map.keys()) setEntry(scope.aliases, key, undefined);
      break;
    case "set":
      setOptions(scope, args);
      break;
    case "printf":
      if (args[0]?.value === "-v" && args[1] !== undefined)
        setVariable(scope, args[1].value, args.length === 3 && args[2]?.known === true ? args[2].value : "\0");
      break;
    default:
  }
}

function setOptions(scope: Scope, args: readonly Word[]): void {
  for (let i = 0; i < args.length; i++) {
    const value = args[i]?.value ?? "";
    if (value === "--") break;
    if (!/^[-+]\w/.test(value)) break;
    const on = value.startsWith("-");
    if (/^.\w*e/.test(value)) scope.errexit = on;
    if (value.endsWith("o")) {
      const option = args[++i]?.value;
      if (option === "errexit") scope.errexit = on;
      if (option === "pipefail") scope.pipefail = on;
    }
  }
}
