import type { Word } from "./types";

/** A word from its n-th character on; the place stays the whole word's. */
export function sliceWord(word: Word, from: number): Word {
  const value = word.value.slice(from);
  return { ...word, value, known: !value.includes("\0") };
}

export function joinWords(words: readonly Word[], glue = " "): Word {
  const first = words[0];
  if (words.length === 1 && first !== undefined) return first;
  const value = words.map((word) => word.value).join(glue);
  return { value, known: !value.includes("\0"), start: first?.start ?? 0, end: words[words.length - 1]?.end ?? 0, quoted: true };
}
