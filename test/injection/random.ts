/** Random choices from a seed: the same seed, the same choices. */

export interface Random {
  /** From 0 to 1, 1 left out. */
  next(): number;
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  hex(length: number): string;
  shuffle<T>(from: readonly T[]): T[];
}

/** A counter run through a mixing function with 32 bits of state; good enough to vary tests, and for nothing else. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick<T>(from: readonly T[]): T {
      const one = from[below(from.length)];
      if (one === undefined) throw new Error("nothing to pick from");
      return one;
    },
    hex: (length) =>
      Array.from({ length }, (_, i) => "0123456789abcdef"[i === 0 ? 10 + below(6) : i === 1 ? below(10) : below(16)]).join(""),
    shuffle<T>(from: readonly T[]): T[] {
      const all = [...from];
      for (let i = all.length - 1; i > 0; i--) {
        const j = below(i + 1);
        [all[i], all[j]] = [all[j] as T, all[i] as T];
      }
      return all;
    },
  };
}
