/**
 * Guilty text is marked with two characters of the private use area while a run is made, because real logs may hold any
 * printable one. Before a run is read the marks are taken out, and where they stood is what a finding has to quote.
 */
export const open = "\uE000";
export const close = "\uE001";

export function mark(text: string): string {
  return `${open}${text}${close}`;
}

export function unmark(text: string): string {
  return text.replaceAll(open, "").replaceAll(close, "");
}

/** A marked text in a raw file: bytes from 0, and the text as it reads in the document. */
export interface Place {
  file: string;
  start: number;
  end: number;
}

/** The file's bytes without marks, and where each marked text stands in them. */
export function liftMarks(file: string, text: string): { bytes: Uint8Array; places: Place[] } {
  const places: Place[] = [];
  let from: number | undefined;
  let bytes = 0;
  for (const piece of text.split(/([\uE000\uE001])/)) {
    if (piece === open) from = bytes;
    else if (piece === close) {
      if (from === undefined) throw new Error(`${file}: a mark is closed that was never opened`);
      places.push({ file, start: from, end: bytes });
      from = undefined;
    } else bytes += Buffer.byteLength(piece);
  }
  if (from !== undefined) throw new Error(`${file}: a mark is never closed`);
  return { bytes: new TextEncoder().encode(unmark(text)), places };
}
