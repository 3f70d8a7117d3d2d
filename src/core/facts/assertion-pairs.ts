/** Which of the new assertions of a test stands in the place of which old one. */
import { type Asserted, strength } from "./assertions";

export interface Pair<T> {
  old: T;
  now: T;
  /** 1: of the same subject. */
  score: number;
}

/** The best partners first; each is taken once. */
export function pair<T extends Asserted>(olds: readonly T[], news: readonly T[]): { pairs: Pair<T>[]; unpaired: T[] } {
  const most = 60;
  const all: Pair<T>[] = [];
  olds.slice(0, most).forEach((old) =>
    news.slice(0, most).forEach((now) => {
      const score = likeness(old, now);
      if (score >= 0.5) all.push({ old, now, score });
    }),
  );
  // Of equal likeness one of the same kind is the replacement, then the stronger one.
  all.sort(
    (a, b) =>
      b.score - a.score ||
      Number(b.old.family === b.now.family) - Number(a.old.family === a.now.family) ||
      (strength[b.now.family] || 0) - (strength[a.now.family] || 0) ||
      (strength[b.old.family] || 0) - (strength[a.old.family] || 0),
  );
  const taken = new Set<T>();
  const pairs: Pair<T>[] = [];
  for (const one of all) {
    if (taken.has(one.old) || taken.has(one.now)) continue;
    taken.add(one.old).add(one.now);
    pairs.push(one);
  }
  return { pairs, unpaired: olds.filter((old) => !taken.has(old)) };
}

/** Less than the same subject, more than any likeness. */
export const aboutNothing = 0.96;

function likeness(old: Asserted, now: Asserted): number {
  if (old.subjects.some((one) => now.subjects.includes(one))) return 1;
  // `expect(true).toBe(true)` and `assert True` are about nothing: they stand for what went in their place.
  if (now.family === "vacuous")
    return now.subjects.every((one) => /^(?:True|true|\d+|!0|".*")$/.test(one)) || now.subjects.length === 0
      ? aboutNothing
      : tokens(old, now);
  if (old.family === "raises" && now.family === "raises") return 1;
  if (old.expected !== undefined && now.subjects.includes(old.expected)) return 1;
  return Math.min(0.95, tokens(old, now));
}

/** Words that both subjects have, by all of them. */
export function tokens(old: Asserted, now: Asserted): number {
  const words = (one: Asserted): Set<string> =>
    new Set(
      one.subjects
        .join(" ")
        .slice(0, 500)
        .match(/[A-Za-z_$][\w$]*|\d+/g) ?? [],
    );
  const [left, right] = [words(old), words(now)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / Math.max(1, new Set([...left, ...right]).size);
}
