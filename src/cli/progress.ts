/** Progress on standard error, one line that is written over, and only on a terminal. */
export interface Progress {
  look(name: string): void;
  judge(done: number, total: number): void;
  /** Takes the line away, before results are written to the same terminal. */
  end(): void;
}

/** In milliseconds between two lines. */
const pause = 100;

export function createProgress(): Progress {
  const { stderr } = process;
  if (!stderr.isTTY) return { look: () => undefined, judge: () => undefined, end: () => undefined };
  let last = 0;
  let seen = 0;
  let isShown = false;
  const show = (line: string): void => {
    const now = Date.now();
    if (now - last < pause) return;
    last = now;
    isShown = true;
    stderr.write(`\r\x1b[K${line}`);
  };
  return {
    look: () => show(`looking: ${++seen} files`),
    judge: (done, total) => show(`judging: ${done} of ${total} runs`),
    end: () => {
      if (isShown) stderr.write("\r\x1b[K");
      isShown = false;
    },
  };
}
