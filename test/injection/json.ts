/** JSON that was parsed, and little helpers to reach into it. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

export type JsonObject = { [key: string]: Json };

export function objectOf(value: Json | undefined): JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? value : {};
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** The value behind keys and indexes; undefined where there is none. */
export function at(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  let here = value;
  for (const key of path) here = typeof key === "number" ? listOf(here)[key] : objectOf(here)[key];
  return here;
}
