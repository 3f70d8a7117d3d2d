/** Content that a command wrote, as a text that knows where it stands in the command. */
import type { Span, Text } from "../model";
import { join, made, slice } from "../text/text";

const mostMissed = 100;

/**
 * A text with exactly this value. Verbatim in the word or the command: a slice of it. Else, line by line, what stands
 * there verbatim knows its place; the rest (an unescaped `\$`, a printed `\n`) stands nowhere.
 */
export function locateContent(value: string, word: Span, command: Span): Text {
  if (value === "") return made("");
  for (const region of [word, command]) {
    const at = region.text.value.indexOf(value, region.start);
    if (at !== -1 && at + value.length <= region.end) return slice(region.text, at, at + value.length);
  }
  const { text, end } = command;
  let from = word.start;
  const pieces: (Text | string)[] = [];
  // Each line that is not found costs a scan of the command, so their number is limited.
  let missed = 0;
  for (const line of value.split(/(?<=\n)/)) {
    const bare = line.endsWith("\n") ? line.slice(0, -1) : line;
    const at = bare.trim() === "" || missed > mostMissed ? -1 : text.value.indexOf(bare, from);
    if (at === -1 && bare.trim() !== "") missed++;
    if (at === -1 || at + bare.length > end) pieces.push(line);
    else {
      pieces.push(slice(text, at, at + bare.length));
      if (bare.length < line.length) pieces.push("\n");
      from = at + bare.length;
    }
  }
  return join(pieces);
}
