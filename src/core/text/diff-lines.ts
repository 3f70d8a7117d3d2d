/** The lines of a text by index, with their offsets. A line ends before `\n` or `\r\n`. */

export interface Lines {
  count: number;
  /** The text ends with a line end, so that an empty line stands last. */
  isOpenEnd: boolean;
  /** Without its line end; empty behind the last line. */
  at(i: number): string;
  start(i: number): number;
  end(i: number): number;
  /** Where the next line starts. */
  next(i: number): number;
}

export function splitLines(value: string): Lines {
  const starts = [0];
  for (let at = value.indexOf("\n"); at !== -1; at = value.indexOf("\n", at + 1)) starts.push(at + 1);
  const next = (i: number): number => starts[i + 1] ?? value.length;
  const start = (i: number): number => starts[i] ?? value.length;
  const end = (i: number): number => {
    let to = next(i);
    if (i + 1 < starts.length) to--;
    if (to > start(i) && value.charCodeAt(to - 1) === 13) to--;
    return Math.max(to, start(i));
  };
  return {
    count: starts.length,
    isOpenEnd: value.endsWith("\n") || value === "",
    at: (i) => value.slice(start(i), end(i)),
    start,
    end,
    next,
  };
}
