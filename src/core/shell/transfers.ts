import { parseOptions } from "./options";
import type { FileEffect, Word } from "./types";

export const NONE: readonly FileEffect[] = [];

export type Reader = (argv: readonly Word[], stdin: Word | undefined, stdout: Word | undefined) => readonly FileEffect[];

/** `cp a b dir`, `mv -t dir a b`: every source with its target. */
export function transfer(kind: "move" | "copy" | "link"): Reader {
  return (argv) => {
    const p = parseOptions(argv, kind === "copy" ? "tSogm" : "tS", ["target-directory", "suffix", "owner", "group", "mode"]);
    if (kind === "copy" && argv[0]?.value.endsWith("install") === true && (p.flags.includes("d") || p.longs.includes("directory")))
      return NONE;
    const into = p.value("t", "target-directory");
    const target = into ?? p.operands[p.operands.length - 1];
    const sources = into === undefined ? p.operands.slice(0, -1) : p.operands;
    if (target === undefined) return NONE;
    if (kind === "link" && sources.length === 0) return [{ kind, from: target, path: { ...target, value: lastPart(target.value) } }];
    const folder = into !== undefined || sources.length > 1 || target.value.endsWith("/");
    return sources.map((from) => ({
      kind,
      from,
      path: folder || target.value === "." || target.value === ".." ? inFolder(target, from) : target,
    }));
  };
}

export function inFolder(folder: Word, from: Word): Word {
  const value = `${folder.value.replace(/\/+$/, "")}/${lastPart(from.value)}`;
  return { ...folder, value, known: !value.includes("\0") };
}

export function lastPart(path: string): string {
  return path.replace(/\/+$/, "").replace(/^.*\//, "");
}
