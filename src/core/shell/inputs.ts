import { joinWords } from "./slices";
import type { Word } from "./types";
import type { Unwrapped } from "./wrappers";

export function unwrapXargs(argv: readonly Word[], input: Word | undefined): Unwrapped {
  let replace: string | undefined;
  let delimiter: RegExp = /[ \t\n]+/;
  let each = 0;
  let i = 1;
  for (; i < argv.length; i++) {
    const value = argv[i]?.value ?? "";
    if (!value.startsWith("-") || value === "-") break;
    if (value === "--") {
      i++;
      break;
    }
    const letter = value[1] ?? "";
    if (value.startsWith("--")) {
      const [option, given] = [value.split("=")[0], value.includes("=") ? value.slice(value.indexOf("=") + 1) : undefined];
      if (option === "--replace") replace = given ?? "{}";
      else if (option === "--null") delimiter = /\0/;
      else if (
        given === undefined &&
        /^--(?:max-args|max-procs|max-lines|max-chars|delimiter|arg-file|eof|process-slot-var)$/.test(option ?? "")
      )
        i++;
    } else if (letter === "I" || letter === "i") replace = value.length > 2 ? value.slice(2) : letter === "i" ? "{}" : argv[++i]?.value;
    else if ("nPLdsEa".includes(letter)) {
      const given = value.length > 2 ? value.slice(2) : argv[++i]?.value;
      if (letter === "n" || letter === "L") each = Number(given) || 0;
      if (letter === "d") delimiter = /\n/;
    } else if (value.includes("0")) delimiter = /\0/;
  }
  const command = argv.slice(i);
  const base = { name: "xargs", assignments: [], via: "xargs" as const, takesInput: true };
  if (command.length === 0) return { ...base, commands: [] };
  const inputs =
    input?.known === true ? input.value.split(replace === undefined ? delimiter : "\n").filter((piece) => piece !== "") : undefined;
  const at = input ?? (command[command.length - 1] as Word);
  const fill = (value: string): Word => ({ value, known: !value.includes("\0"), start: at.start, end: at.end, quoted: true });
  if (inputs === undefined || inputs.length > 64) return { ...base, commands: [substitute(command, replace, [fill("\0")])] };
  if (replace !== undefined)
    return { ...base, commands: inputs.slice(0, 16).map((piece) => substitute(command, replace, [fill(piece.trim())])) };
  if (each > 0) {
    const commands: Word[][] = [];
    for (let k = 0; k < inputs.length && commands.length < 16; k += each)
      commands.push(substitute(command, undefined, inputs.slice(k, k + each).map(fill)));
    return { ...base, commands };
  }
  return { ...base, commands: [substitute(command, undefined, inputs.map(fill))] };
}

/** Puts inputs into a command: in place of `replace`, or at its end. */
function substitute(command: readonly Word[], replace: string | undefined, inputs: readonly Word[]): Word[] {
  if (replace === undefined || replace === "") return [...command, ...inputs];
  const value = inputs.map((word) => word.value).join(" ");
  return command.map((word) => {
    if (!word.value.includes(replace)) return word;
    const filled = word.value.split(replace).join(value);
    return { ...word, value: filled, known: !filled.includes("\0") };
  });
}

export function unwrapParallel(argv: readonly Word[]): Unwrapped | undefined {
  let i = 1;
  for (; i < argv.length; i++) {
    const value = argv[i]?.value ?? "";
    if (!value.startsWith("-")) break;
    if (
      /^(?:-[jnNLSIaCP]|--(?:jobs|max-args|colsep|sshlogin|arg-file|timeout|delay|retries|joblog|results|tmpdir|workdir|halt|load|memfree))$/.test(
        value,
      )
    )
      i++;
  }
  const inputsAt = argv.findIndex((word, k) => k >= i && /^:::\+?:?$/.test(word.value));
  const command = argv.slice(i, inputsAt < 0 ? undefined : inputsAt);
  if (command.length === 0 && inputsAt < 0) return undefined;
  const template = joinWords(command);
  const inputs =
    inputsAt < 0 || argv[inputsAt]?.value !== ":::" ? ["\0"] : argv.slice(inputsAt + 1, inputsAt + 17).map((word) => word.value);
  // GNU parallel hands each command line to a shell, so the whole is code; one line an input.
  const lines = inputs.map((input) => {
    if (command.length === 0) return input;
    return /\{\}/.test(template.value) ? template.value.split("{}").join(input) : `${template.value} ${input}`;
  });
  const value = lines.join("\n");
  const at = command[0] ?? (argv[argv.length - 1] as Word);
  const last = argv[argv.length - 1] as Word;
  return {
    name: "parallel",
    commands: [],
    assignments: [],
    code: { value, known: !value.includes("\0"), start: at.start, end: last.end, quoted: true },
    via: "xargs",
    takesInput: inputsAt < 0,
  };
}
