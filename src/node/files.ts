/** Files as sources, and the walk through a folder. Whatever lies on the disk is taken as hostile. */
import fs from "node:fs";
import path from "node:path";
import type { Source } from "../core/model";

/** A source that holds a file open until it is closed. */
export interface OpenSource extends Source {
  /** Why a read gave less than was asked for, when the disk refused it. */
  readonly failure: string | undefined;
  close(): void;
}

/** Regular files only: opening a pipe would wait for ever, a device might act. A link put in its place meanwhile is refused as well. */
const openFlags = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOFOLLOW ?? 0);

/**
 * Opens a regular file; bytes are read when they are asked for.
 * @param file absolute, without symbolic links in its last part
 * @param name as findings show it
 * @throws when the file cannot be opened or is not a regular one
 */
export function openSource(file: string, name: string): OpenSource {
  const handle = fs.openSync(file, openFlags);
  let isOpen = true;
  let failure: string | undefined;
  const close = (): void => {
    if (isOpen) fs.closeSync(handle);
    isOpen = false;
  };
  const stat = fs.fstatSync(handle);
  if (!stat.isFile()) {
    close();
    throw new Error("it is not a regular file");
  }
  const { size } = stat;
  return {
    name,
    size,
    get failure() {
      return failure;
    },
    read(start, end) {
      const length = Math.max(0, Math.min(end, size) - start);
      const bytes = Buffer.allocUnsafe(length);
      let done = 0;
      try {
        while (done < length) {
          const count = fs.readSync(handle, bytes, done, length - done, start + done);
          if (count === 0) break;
          done += count;
        }
      } catch (error) {
        failure = describe(error);
      }
      if (done < length) failure ??= "it became shorter while it was read";
      return done === length ? bytes : bytes.subarray(0, done);
    },
    close,
  };
}

/** Bytes in memory. */
export function createSource(bytes: Uint8Array, name: string): Source {
  return { name, size: bytes.length, read: (start, end) => bytes.subarray(Math.max(0, start), Math.max(0, end)) };
}

/** A file that may hold something, or one that cannot, and why. */
export interface Found {
  /** Absolute, links resolved. */
  file: string;
  /** Relative to the PATH that was named, with `/`. */
  name: string;
  /** Why it is passed over. */
  skipped?: string;
}

const passedOver = new Set(["node_modules", ".git"]);
const deepest = 64;

/** What an error says, without the path that it repeats. */
export function describe(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "reading it is not permitted";
  if (code === "ELOOP") return "it is a symbolic link";
  if (code === "ENXIO") return "it is not a regular file";
  return error instanceof Error ? error.message : String(error);
}

/**
 * Every file below a PATH that a person named, names in the order of their code units. A named link is followed;
 * links below it are not: what they lead to is found under its own name or does not belong to the folder.
 * @throws when the PATH itself cannot be read; the message says why
 */
export function* findFiles(named: string): Generator<Found> {
  const root = fs.realpathSync(named);
  const stat = fs.statSync(root);
  if (!stat.isDirectory()) {
    const name = path.basename(named);
    yield stat.isFile() ? { file: root, name } : { file: root, name, skipped: "not a regular file" };
    return;
  }
  fs.readdirSync(root);
  const open: { folder: string; name: string; depth: number }[] = [{ folder: root, name: "", depth: 0 }];
  for (let at = open.pop(); at; at = open.pop()) {
    if (at.depth === -1) {
      yield classifyEntry(root, at.folder, at.name);
      continue;
    }
    let entries: fs.Dirent[];
    try {
      entries = fs.readdirSync(at.folder, { withFileTypes: true });
    } catch (error) {
      yield { file: at.folder, name: at.name, skipped: `cannot be read: ${describe(error)}` };
      continue;
    }
    if (at.depth >= deepest) {
      yield { file: at.folder, name: at.name, skipped: `too deep: more than ${deepest} folders one inside the other` };
      continue;
    }
    // The stack is taken from its end, so the first name goes on last.
    for (const entry of entries.sort((a, b) => compareNames(b.name, a.name))) {
      const name = at.name === "" ? entry.name : `${at.name}/${entry.name}`;
      const file = path.join(at.folder, entry.name);
      if (!entry.isDirectory()) open.push({ folder: file, name, depth: -1 });
      else if (!passedOver.has(entry.name)) open.push({ folder: file, name, depth: at.depth + 1 });
    }
  }
}

function classifyEntry(root: string, file: string, name: string): Found {
  try {
    const stat = fs.lstatSync(file);
    if (stat.isSymbolicLink()) return { file, name, skipped: describeLink(root, file) };
    if (!stat.isFile()) return { file, name, skipped: "not a regular file" };
    return { file, name };
  } catch (error) {
    return { file, name, skipped: `cannot be read: ${describe(error)}` };
  }
}

function describeLink(root: string, file: string): string {
  try {
    const target = path.relative(root, fs.realpathSync(file));
    const isInside = target === "" || (!target.startsWith("..") && !path.isAbsolute(target));
    return isInside ? "symbolic link inside the folder: read under its own name" : "symbolic link out of the folder";
  } catch {
    return "symbolic link that leads nowhere";
  }
}

/** By code units, the same on every machine. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
