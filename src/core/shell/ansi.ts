const ANSI: Record<string, string> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "?": "?",
};

/** Undoes the backslash escapes of `$'…'`, `echo -e` and `printf`: letters, `\xHH`, octal, `\uHHHH`. Bytes above 127 are read as UTF-8. */
export function unescapeAnsi(text: string): string {
  if (!text.includes("\\")) return text;
  let bytes = false;
  const out = text.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|(0?[0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|c([\s\S])|([\s\S]))/g,
    (all, hex, octal, short, long, control, letter) => {
      if (hex !== undefined || octal !== undefined) {
        const code = hex !== undefined ? parseInt(hex, 16) : parseInt(octal, 8) & 255;
        if (code > 127) bytes = true;
        return String.fromCharCode(code);
      }
      const wide = short ?? long;
      if (wide !== undefined) {
        const code = parseInt(wide, 16);
        return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
      }
      if (control !== undefined) return String.fromCharCode(String(control).charCodeAt(0) & 31);
      return ANSI[letter] ?? all;
    },
  );
  return bytes ? fromUtf8(out) : out;
}

function fromUtf8(text: string): string {
  const codes = Array.from(text, (c) => c.charCodeAt(0));
  return codes.every((code) => code < 256) ? new TextDecoder().decode(Uint8Array.from(codes)) : text;
}
