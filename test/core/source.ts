import type { Source } from "../../src/core/model";

/** A source over bytes in memory. */
export function sourceOf(name: string, bytes: Uint8Array): Source {
  return { name, size: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}
