/**
 * The actions in a message of mini-swe-agent's text mode. The harness takes every block of one kind and runs
 * it only when there is exactly one; so this finds what the harness found, neither more nor less.
 */

/** How a run marks its actions: the fence's first characters, or a tag. */
export interface Style {
  open: string;
  close: string;
  /** A fence's content starts on a line of its own. */
  isFence: boolean;
}

export interface Block {
  /** The marks around it included. */
  start: number;
  end: number;
  /** The command, without white space at its ends. */
  from: number;
  to: number;
}

const fence = "```";

export function fenceStyle(language: string): Style {
  return { open: fence + language, close: "\n" + fence, isFence: true };
}

export function tagStyle(tag: string): Style {
  return { open: `<${tag}>`, close: `</${tag}>`, isFence: false };
}

const known: readonly Style[] = [fenceStyle("mswea_bash_command"), tagStyle("mswea_bash_command"), fenceStyle("bash")];

/**
 * The style that a run uses. A configured pattern is only understood in its two documented shapes, since a
 * pattern from a log is never executed; else the prompts show an example, and the first one that is found counts.
 */
export function findStyle(pattern: string | undefined, prompts: readonly string[]): Style {
  const asFence = pattern ? /^```([\w-]{1,40})(?:\\s\*)?\\n\(\.\*\?\)\\n```$/.exec(pattern) : null;
  if (asFence?.[1]) return fenceStyle(asFence[1]);
  const asTag = pattern ? /^<([\w-]{1,40})>\(\.\*\?\)<\/([\w-]{1,40})>$/.exec(pattern) : null;
  if (asTag?.[1] && asTag[1] === asTag[2]) return tagStyle(asTag[1]);
  for (const prompt of prompts) {
    const shown = known.find((style) => prompt.includes(style.open));
    if (shown) return shown;
  }
  return fenceStyle("bash");
}

/** The blocks of one style, from the first to the last, none inside another. Linear. */
export function findBlocks(text: string, style: Style): Block[] {
  const blocks: Block[] = [];
  let at = text.indexOf(style.open);
  while (at !== -1) {
    const inside = at + style.open.length;
    const from = style.isFence ? skipToContent(text, inside) : inside;
    if (from === undefined) {
      at = text.indexOf(style.open, inside);
      continue;
    }
    const later = text.indexOf(style.close, from);
    // An empty block's closing fence begins with the line end that its content would start behind. The harness's
    // pattern is greedy: it takes a fence further down, if there is one, before it sees that.
    const isEmpty = style.isFence && later === -1 && text.startsWith(fence, from) && text.slice(inside, from - 1).includes("\n");
    const end = isEmpty ? from - 1 : later;
    if (end === -1) break;
    const to = Math.max(from, end);
    blocks.push({ start: at, end: end + style.close.length, ...trimmed(text, Math.min(from, end), to) });
    at = text.indexOf(style.open, end + style.close.length);
  }
  return blocks;
}

/** Behind the white space that follows a fence's language; undefined when no line ends in it. */
function skipToContent(text: string, at: number): number | undefined {
  let from: number | undefined;
  let i = at;
  for (; i < text.length && isSpace(text.charCodeAt(i)); i++) if (text.charCodeAt(i) === 10) from = i + 1;
  return from;
}

function trimmed(text: string, start: number, end: number): { from: number; to: number } {
  let from = start;
  let to = end;
  while (from < to && isSpace(text.charCodeAt(from))) from++;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to--;
  return { from, to };
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x85 || (code >= 0x1c && code <= 0x1f) || code === 0x2028;
}
