/** One line of source without what is no code: the contents of its strings, and its comment. Offsets stay. */

export type CommentStyle = "#" | "//" | "none";

/** By the file's ending; `none` where it is no source that is known. */
export function commentStyle(path: string): CommentStyle {
  if (/\.(pyi?|rb|sh|bash|pl|ya?ml|toml|cfg|ini|r)$/.test(path)) return "#";
  if (/\.([cm]?[jt]sx?|go|rs|java|kt|kts|scala|c|cc|cpp|cxx|h|hpp|cs|swift|php|groovy|gradle|vue|svelte)$/.test(path)) return "//";
  return "none";
}

/**
 * The line with string contents blanked and the comment cut off. A string that began on an earlier line cannot be
 * known from one line; a line inside of one may be read as code.
 */
export function codeOf(line: string, style: CommentStyle): string {
  let out = "";
  for (let i = 0; i < line.length; i++) {
    const c = line[i] ?? "";
    if (style === "#" && c === "#") break;
    if (style === "//" && c === "/" && (line[i + 1] === "/" || line[i + 1] === "*")) break;
    if (style === "//" && c === "*" && out.trim() === "" && (line[i + 1] === " " || line[i + 1] === "/" || line[i + 1] === undefined))
      break;
    const isQuote = c === '"' || c === "'" || (c === "`" && style === "//");
    // A lifetime or a digit separator is no string, and neither is an apostrophe in a word.
    if (
      !isQuote ||
      (c === "'" && style === "//" && /[\w]/.test(line[i - 1] ?? "")) ||
      (c === "'" && /^'\w+[^\w']/.test(line.slice(i, i + 40)) && !line.slice(i + 1).includes("'"))
    ) {
      out += c;
      continue;
    }
    const triple = style === "#" && line.startsWith(c.repeat(3), i);
    const quote = triple ? c.repeat(3) : c;
    let end = i + quote.length;
    while (end < line.length && !line.startsWith(quote, end)) end += line[end] === "\\" ? 2 : 1;
    end = Math.min(end, line.length);
    out += quote + " ".repeat(Math.max(0, end - i - quote.length)) + line.slice(end, end + quote.length);
    i = end + quote.length - 1;
  }
  return out;
}
