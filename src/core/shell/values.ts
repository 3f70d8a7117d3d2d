/** What an expression is worth, as far as literals tell. */
export interface Value {
  /** A string, with `\0` for unknown parts. */
  readonly text?: string;
  readonly list?: readonly Value[];
  /** An open file. */
  readonly handle?: Handle;
  readonly decoded?: boolean;
  readonly start: number;
  readonly end: number;
}

export interface Handle {
  readonly path: Value;
  readonly mode: string;
  readonly written: Value[];
  /** Something was written that is not known, or the handle went elsewhere. */
  lost: boolean;
}

/** A value that grows beyond this is not followed: doubling must not fill the memory. */
export const MAX_TEXT = 1 << 18;

export function join(left: Value, right: Value | undefined, between: string): Value | undefined {
  if (left.list !== undefined && right?.list !== undefined && left.list.length + right.list.length <= 256)
    return { list: [...left.list, ...right.list], start: left.start, end: right.end };
  if (left.text === undefined || left.text.length + (right?.text?.length ?? 0) > MAX_TEXT) return undefined;
  return {
    text: left.text + between + (right?.text ?? "\0"),
    start: left.start,
    end: right?.end ?? left.end,
    decoded: left.decoded === true || right?.decoded === true,
  };
}

export function decodeWith(value: Value | undefined, decode: (text: string) => string | undefined): Value | undefined {
  const text = value?.text === undefined || value.text.includes("\0") ? undefined : decode(value.text);
  return value === undefined || text === undefined ? undefined : { text, decoded: true, start: value.start, end: value.end };
}

export function rot13(text: string): string {
  return text.replace(/[a-zA-Z]/g, (c) => {
    const base = c <= "Z" ? 65 : 97;
    return String.fromCharCode(((c.charCodeAt(0) - base + 13) % 26) + base);
  });
}

export function splitWords(value: Value): Value[] {
  return (value.text ?? "")
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((text) => ({ text, start: value.start, end: value.end }));
}
