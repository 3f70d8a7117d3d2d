/**
 * UTF-8 the way the WHATWG encoding standard decodes it, so that an offset in the decoded string can be
 * traced to a byte even where the bytes are not valid UTF-8 (each broken sequence became one U+FFFD).
 */

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The bytes as a string; a byte order mark stays, broken sequences become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * The byte at which each of the given UTF-16 offsets starts.
 * @param offsets ascending, each from 0 to the decoded string's length
 * @returns byte offsets from 0, as many as were asked for
 */
export function findBytes(bytes: Uint8Array, offsets: readonly number[]): number[] {
  const found: number[] = [];
  let unit = 0;
  let at = 0;
  for (const offset of offsets) {
    while (unit < offset && at < bytes.length) {
      const length = sequenceLength(bytes, at);
      // A character outside the basic plane is two units; an offset between them belongs to the same bytes.
      const units = length === 4 ? 2 : 1;
      if (unit + units > offset) break;
      unit += units;
      at += length;
    }
    found.push(at);
  }
  return found;
}

/** How many bytes the decoder takes for the character at `at`: 1 to 4, and as many as it swallows for one U+FFFD. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  let needed: number;
  let low = 0x80;
  let high = 0xbf;
  if (first >= 0xc2 && first <= 0xdf) needed = 1;
  else if (first >= 0xe0 && first <= 0xef) {
    needed = 2;
    if (first === 0xe0) low = 0xa0;
    if (first === 0xed) high = 0x9f;
  } else if (first >= 0xf0 && first <= 0xf4) {
    needed = 3;
    if (first === 0xf0) low = 0x90;
    if (first === 0xf4) high = 0x8f;
  } else return 1;
  for (let i = 1; i <= needed; i++) {
    const byte = bytes[at + i];
    // A broken sequence ends before the byte that does not fit; that byte starts anew.
    if (byte === undefined || byte < low || byte > high) return Math.min(i, 3);
    low = 0x80;
    high = 0xbf;
  }
  return needed + 1;
}
