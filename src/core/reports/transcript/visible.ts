/**
 * What a log holds, made visible: no character of it can act on the editor, hide, or turn the direction of reading.
 * Offsets in the raw text and columns in the shown one are traced to each other.
 */

/** C0 and C1 controls but the tab, bidirectional marks, zero-width and tag characters, line separators, halves of pairs. */
const unseen =
  /[\x00-\x08\x0a-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A control character has a picture of one unit; what has none is written as its code point. */
function showOne(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

export function toVisible(raw: string): string {
  return raw.replace(unseen, showOne);
}

/** The column (from 0) at which `offset` of the raw text is shown. */
export function toColumn(raw: string, offset: number): number {
  return toVisible(raw.slice(0, offset)).length;
}

/** The offset in the raw text of what is shown at a column (from 0); inside of a written code point, where it starts. */
export function toOffset(raw: string, column: number): number {
  let shown = 0;
  let at = 0;
  for (const match of raw.matchAll(unseen)) {
    const plain = match.index - at;
    if (column <= shown + plain) return at + column - shown;
    const width = showOne(match[0]).length;
    at = match.index + match[0].length;
    shown += plain + width;
    if (column < shown) return match.index;
  }
  return Math.min(raw.length, at + Math.max(0, column - shown));
}

/** One visible line of at most `limit` units: for headings, where what a log says is only named. */
export function toName(raw: string, limit: number): string {
  const line = toVisible(
    raw
      .slice(0, limit * 2)
      .replace(/[\s|]+/g, " ")
      .trim(),
  );
  if (line.length <= limit) return line;
  const head = line.slice(0, limit - 3);
  return `${/[\ud800-\udbff]$/.test(head) ? head.slice(0, -1) : head}...`;
}
