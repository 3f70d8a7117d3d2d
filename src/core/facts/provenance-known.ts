/** What is known of commits so far, by hashes of any length: a short hash and the full one are the same commit. */

export type Provenance = "ancestor" | "own" | "future" | "unknown";

export interface KnownCommit {
  /** The longest that was seen. */
  hash: string;
  provenance: Provenance;
  /** One sentence; undefined for `unknown`. */
  why?: string;
}

export interface KnownCommits {
  find(hash: string): KnownCommit | undefined;
  /** Takes in one more word on a commit; of two the surer one stays. */
  note(hash: string, provenance: Provenance, why?: string): void;
}

/** The agent's own beats all; the plain log beats what a widened one suggested. */
const sureness: readonly Provenance[] = ["unknown", "future", "ancestor", "own"];

export function createKnownCommits(): KnownCommits {
  /** By the first seven characters, then by prefix. */
  const byStart = new Map<string, KnownCommit[]>();
  const find = (hash: string): KnownCommit | undefined =>
    byStart.get(hash.slice(0, 7))?.find((one) => one.hash.startsWith(hash) || hash.startsWith(one.hash));
  return {
    find,
    note(hash, provenance, why) {
      const known = find(hash);
      if (!known) {
        const made = { hash, provenance, ...(why === undefined ? {} : { why }) };
        const start = hash.slice(0, 7);
        const alike = byStart.get(start);
        if (alike) alike.push(made);
        else byStart.set(start, [made]);
        return;
      }
      if (hash.length > known.hash.length) known.hash = hash;
      if (sureness.indexOf(provenance) > sureness.indexOf(known.provenance)) Object.assign(known, { provenance, why });
    },
  };
}

export function sameCommit(a: string, b: string): boolean {
  return a.length >= 7 && b.length >= 7 && (a.startsWith(b) || b.startsWith(a));
}
