/** The file names of a patch's header lines: quoted or not, with or without prefixes and dates. */
import { decodeUtf8 } from "./utf8";

/** A name as a header line gives it; undefined for /dev/null and its kin. */
export interface HeaderName {
  path: string | undefined;
  /** The date beside it is the epoch, which is how `diff -N` says that there is no file. */
  isAbsent: boolean;
}

const escapes: { readonly [letter: string]: number } = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** Reads a C-quoted name that starts at `at`; its end is behind the closing quote. */
export function unquote(line: string, at: number): { name: string; end: number } | undefined {
  if (line[at] !== '"') return undefined;
  const bytes: number[] = [];
  const encoder = new TextEncoder();
  for (let i = at + 1; i < line.length; i++) {
    const c = line[i] ?? "";
    if (c === '"') return { name: decodeUtf8(Uint8Array.from(bytes)), end: i + 1 };
    if (c !== "\\") {
      const unit = line.codePointAt(i) ?? 0;
      bytes.push(...encoder.encode(String.fromCodePoint(unit)));
      if (unit > 0xffff) i++;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(line.slice(i + 1, i + 4))?.[0];
    if (octal) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(escapes[line[i + 1] ?? ""] ?? line.charCodeAt(i + 1) & 0xff);
    i += octal ? 3 : 1;
  }
  return undefined;
}

const svnNote = /[ \t]{1,8}\((?:revision \d{1,12}|working copy|nonexistent|original|\.\.\..{0,200})\)$/;
const dateNote = /[ \t]{1,8}\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?: ?(?:[+-]\d{4}|Z))?$/;
const epoch = /[ \t](?:1970-01-01|1969-12-31)[ T]\d\d:\d\d:\d\d/;

/** What follows `--- ` or `+++ `. */
export function readName(rest: string): HeaderName {
  const quoted = unquote(rest, 0);
  const note = quoted ? rest.slice(quoted.end) : rest.slice(Math.max(0, rest.length - 260));
  const isAbsent = epoch.test(note) || note.endsWith("(nonexistent)");
  if (quoted) return { path: quoted.name, isAbsent };
  const tab = rest.indexOf("\t");
  let path = tab === -1 ? rest : rest.slice(0, tab);
  if (tab === -1 && path.length <= 4096) path = path.replace(svnNote, "").replace(dateNote, "");
  path = path.trimEnd();
  return path === "/dev/null" || path === "NUL" ? { path: undefined, isAbsent: true } : { path, isAbsent };
}

/** The two names behind `diff --git `, as they stand there; undefined when they cannot be told apart. */
export function splitGitLine(rest: string): { old: string; new: string } | undefined {
  const first = unquote(rest, 0);
  if (first) {
    const second = rest.slice(first.end).trimStart();
    return { old: first.name, new: unquote(second, 0)?.name ?? second };
  }
  const quote = rest.indexOf(' "');
  if (quote > 0) {
    const second = unquote(rest, quote + 1);
    if (second) return { old: rest.slice(0, quote), new: second.name };
  }
  // The same name twice, in which spaces may stand.
  const middle = (rest.length - 1) / 2;
  if (rest[middle] === " ") {
    const [left, right] = [rest.slice(0, middle), rest.slice(middle + 1)];
    if (left === right || afterSlash(left) === afterSlash(right)) return { old: left, new: right };
  }
  const prefixed = rest.startsWith("a/") ? rest.indexOf(" b/") : -1;
  if (prefixed > 0) return { old: rest.slice(0, prefixed), new: rest.slice(prefixed + 1) };
  // Prefixes of different lengths: the place where the same path stands on both sides.
  for (let space = rest.indexOf(" "), tries = 0; space !== -1 && tries < 50; space = rest.indexOf(" ", space + 1), tries++) {
    const [left, right] = [rest.slice(0, space), rest.slice(space + 1)];
    const tail = afterSlash(left);
    if (tail !== undefined && tail === afterSlash(right)) return { old: left, new: right };
  }
  const space = rest.indexOf(" ");
  return space > 0 && space === rest.lastIndexOf(" ") ? { old: rest.slice(0, space), new: rest.slice(space + 1) } : undefined;
}

function afterSlash(path: string): string | undefined {
  const slash = path.indexOf("/");
  return slash === -1 ? undefined : path.slice(slash + 1);
}

/** `a/` and `b/`, and git's mnemonic ones: commit, index, object, working tree. */
const isPrefix = /^[abciow]\//;

/**
 * The names without their prefixes. Whether there are any is seen from the pair: `a/x b/x` and `old/x new/x` have
 * them, `x x` has none. A name alone loses `a/` or `b/`.
 * @param pair the two names of the `diff --git` line, which settle it for a file that is absent on one side
 */
export function stripPrefixes(
  old: string | undefined,
  now: string | undefined,
  pair: { old: string; new: string } | undefined,
): { old: string | undefined; new: string | undefined } {
  const left = pair?.old ?? old;
  const right = pair?.new ?? now;
  const strip = (path: string | undefined): string | undefined => (path === undefined ? undefined : (afterSlash(path) ?? path));
  if (left !== undefined && right !== undefined) {
    if (left === right) return { old, new: now };
    const isMnemonic = isPrefix.test(left) && isPrefix.test(right) && left[0] !== right[0];
    const isCustom = afterSlash(left) !== undefined && afterSlash(left) === afterSlash(right);
    return isMnemonic || isCustom ? { old: strip(old), new: strip(now) } : { old, new: now };
  }
  return {
    old: old !== undefined && /^a\//.test(old) ? strip(old) : old,
    new: now !== undefined && /^b\//.test(now) ? strip(now) : now,
  };
}
