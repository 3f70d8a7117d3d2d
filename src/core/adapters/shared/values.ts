/** Looking into parsed JSON of unknown shape. */

export type JsonObject = { readonly [key: string]: unknown };

/** The value as an object that is no array; undefined for anything else. */
export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

export function asString(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i;
const isIso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * A moment as milliseconds since 1970, UTC: an ISO 8601 string or a number of milliseconds.
 * Without a zone UTC is meant: the answer must not depend on the machine that reads.
 */
export function asTime(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) && Math.abs(value) <= 8.64e15 ? value : undefined;
  if (typeof value !== "string" || value.length > 40 || !isIso.test(value)) return undefined;
  const time = Date.parse(hasZone.test(value) || value.length <= 10 ? value : `${value.replace(" ", "T")}Z`);
  return Number.isNaN(time) ? undefined : time;
}
