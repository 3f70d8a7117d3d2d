import { sliceWord } from "./slices";
import type { Word } from "./types";

interface Parsed {
  readonly operands: readonly Word[];
  readonly flags: string;
  readonly longs: readonly string[];
  value(...names: string[]): Word | undefined;
}

/** Options and operands of an ordinary program. `values`: letters and long names whose value is the next word. */
export function parseOptions(argv: readonly Word[], letters: string, longValues: readonly string[] = []): Parsed {
  const operands: Word[] = [];
  const longs: string[] = [];
  const values = new Map<string, Word>();
  let flags = "";
  let i = 1;
  for (; i < argv.length; i++) {
    const word = argv[i] as Word;
    const { value } = word;
    if (value === "--") {
      operands.push(...argv.slice(i + 1));
      break;
    }
    if (!value.startsWith("-") || value === "-") {
      operands.push(word);
      continue;
    }
    if (value.startsWith("--")) {
      const equals = value.indexOf("=");
      const name = value.slice(2, equals > 0 ? equals : undefined);
      longs.push(name);
      const given = equals > 0 ? sliceWord(word, equals + 1) : longValues.includes(name) ? argv[++i] : undefined;
      if (given !== undefined) values.set(name, given);
      continue;
    }
    for (let k = 1; k < value.length; k++) {
      const letter = value[k] ?? "";
      flags += letter;
      if (!letters.includes(letter)) continue;
      const given = k < value.length - 1 ? sliceWord(word, k + 1) : argv[++i];
      if (given !== undefined) values.set(letter, given);
      break;
    }
  }
  return { operands, flags, longs, value: (...names) => names.map((name) => values.get(name)).find((word) => word !== undefined) };
}
