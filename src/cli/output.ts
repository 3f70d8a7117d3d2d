/** Where results go: standard output or a file, at the reader's pace. */
import fs from "node:fs";

/** Misuse, or something the person must put right: its message is for them, and the exit status is 2. */
export class UserError extends Error {}

export interface Output {
  /** Resolves when more may be written. */
  write(text: string): Promise<void>;
  /** The reader has gone: nothing more needs to be made. */
  isClosed(): boolean;
  close(): Promise<void>;
}

/** @param file a path, or nothing for standard output */
export function openOutput(file: string | undefined): Output {
  return file === undefined ? openStdout() : openFile(file);
}

function openStdout(): Output {
  const { stdout } = process;
  let isClosed = false;
  let wake: (() => void) | undefined;
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    isClosed = true;
    wake?.();
    if (error.code !== "EPIPE" && error.code !== "ERR_STREAM_DESTROYED") {
      process.stderr.write(`proctor: the output could not be written: ${error.message}.\n`);
      process.exitCode = 2;
    }
  });
  stdout.on("drain", () => wake?.());
  return {
    async write(text) {
      if (isClosed || text === "") return;
      if (stdout.write(text)) return;
      await new Promise<void>((resolve) => (wake = resolve));
      wake = undefined;
    },
    isClosed: () => isClosed,
    close: () => new Promise((resolve) => (isClosed ? resolve() : stdout.write("", () => resolve()))),
  };
}

function openFile(file: string): Output {
  let handle: number;
  try {
    handle = fs.openSync(file, "w");
  } catch (error) {
    throw new UserError(`The file ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return {
    write(text) {
      const bytes = Buffer.from(text);
      for (let done = 0; done < bytes.length;) done += fs.writeSync(handle, bytes, done);
      return Promise.resolve();
    },
    isClosed: () => false,
    close() {
      fs.closeSync(handle);
      return Promise.resolve();
    },
  };
}
