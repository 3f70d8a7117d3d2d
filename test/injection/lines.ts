/** Lines of a patch that say something: what a leak has to hold so that its use can be shown. */

/** Added lines by file, in order. */
export function addedByFile(patch: string): Map<string, string[]> {
  const files = new Map<string, string[]>();
  let path: string | undefined;
  for (const line of patch.split(/\r?\n/)) {
    const name = /^\+\+\+ (?:b\/)?(.+?)\s*$/.exec(line)?.[1];
    if (name !== undefined) path = name === "/dev/null" ? undefined : name;
    else if (path !== undefined && line.startsWith("+")) files.set(path, [...(files.get(path) ?? []), line.slice(1)]);
  }
  return files;
}

/** Lines that stay or go. */
function keptLines(patch: string): Set<string> {
  return new Set(
    patch
      .split(/\r?\n/)
      .filter((line) => /^[ -]/.test(line) && !line.startsWith("--- "))
      .map((line) => line.slice(1).trim()),
  );
}

/** Of a file's added lines those that are long enough, are code, and stood nowhere before. */
export function tellingLines(lines: readonly string[], patch: string, prompt: string): string[] {
  const kept = keptLines(patch);
  return lines.filter((line) => {
    const text = line.trim();
    if (text.length < 20 || kept.has(text) || prompt.includes(text)) return false;
    return (
      !/^(?:#|\/\/|\*|"""|'''|import |from |return (?:None|True|False|self)$|@|else|try|except|finally)/.test(text) &&
      (text.match(/\w/g)?.length ?? 0) >= 12
    );
  });
}

export interface Leakable {
  path: string;
  /** All lines that the patch adds to the file. */
  added: string[];
  telling: string[];
}

/** The file of which a leak says most. */
export function mostTelling(patch: string, prompt: string): Leakable | undefined {
  let best: Leakable | undefined;
  for (const [path, added] of addedByFile(patch)) {
    if (/(^|\/)(tests?\/|test_|reproduc|repro_|verify)/.test(path)) continue;
    const telling = [...new Set(tellingLines(added, patch, prompt))];
    if (telling.length > (best?.telling.length ?? 0)) best = { path, added, telling };
  }
  return best;
}
