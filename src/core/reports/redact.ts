/** Masks what should not leave a machine: keys, tokens, addresses, the names of home folders. Positions stay as they are. */
import type { RunReport } from "./run";

/** Each pattern is one run of a character class behind a fixed start, so matching is linear. */
const masks: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]{0,20000}(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g, "[private key]"],
  [/\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,400}/g, "[key]"],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|hf_|npm_|pypi-|AIza)[A-Za-z0-9_-]{12,400}/g, "[token]"],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g, "[key]"],
  [/\beyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]{0,2000}/g, "[token]"],
  [/\b(Bearer|Basic|token) [A-Za-z0-9._~+/=-]{16,2000}/gi, "$1 [token]"],
  [/([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{1,200}):[^\s/@]{1,200}@/gi, "$1:[password]@"],
  [
    /\b((?:[A-Za-z0-9]{1,40}[_-]){0,4}(?:api[_-]?key|secret|passwd|password|token|access[_-]?key)["']?\s{0,3}[:=]\s{0,3}["']?)[^\s"',;]{6,400}/gi,
    "$1[secret]",
  ],
  [/[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}/g, "[e-mail]"],
  [/(\/home\/|\/Users\/|[A-Za-z]:\\{1,2}Users\\{1,2})(?!\[)[^\s/\\"'`:;,<>|]{1,64}/g, "$1[user]"],
];

export function redact(text: string): string {
  return masks.reduce((value, [pattern, mask]) => value.replace(pattern, mask), text);
}

/** Every text of the run; keys, ids of monitors and numbers are left as they are. */
export function redactRun(run: RunReport): RunReport {
  return mask(run, 0) as RunReport;
}

const plain = new Set(["fingerprint", "monitor", "decidedBy", "schema"]);

function mask(value: unknown, depth: number): unknown {
  if (typeof value === "string") return redact(value);
  if (typeof value !== "object" || value === null || depth > 12) return value;
  if (Array.isArray(value)) return value.map((item) => mask(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain.has(key) ? item : mask(item, depth + 1)]));
}
