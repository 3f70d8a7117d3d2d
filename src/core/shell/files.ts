import { joinPath, setEntry, type Scope } from "./scope";
import type { FileEffect, Word } from "./types";

const MAX_CONTENT = 1 << 20;

/** Keeps the script index true: what the agent wrote, and where it went. */
export function applyEffects(frame: { readonly scope: Scope }, effects: readonly FileEffect[]): void {
  const { scope } = frame;
  for (const effect of effects) {
    const key = keyOf(scope, "path" in effect ? effect.path : undefined);
    if (key === undefined) continue;
    const { map } = scope.scripts;
    switch (effect.kind) {
      case "write":
        setEntry(scope.scripts, key, keep(effect.content));
        break;
      case "append": {
        const before = map.get(key) ?? "";
        const added = keep(effect.content);
        if (added !== undefined && before.length + added.length <= MAX_CONTENT) setEntry(scope.scripts, key, before + added);
        break;
      }
      case "delete":
        setEntry(scope.scripts, key, undefined);
        if (effect.recursive) for (const other of map.keys()) if (other.startsWith(`${key}/`)) setEntry(scope.scripts, other, undefined);
        break;
      case "move":
      case "copy":
      case "link": {
        const from = keyOf(scope, effect.from);
        const content = from === undefined ? undefined : map.get(from);
        if (effect.kind === "move" && from !== undefined) setEntry(scope.scripts, from, undefined);
        setEntry(scope.scripts, key, content);
        // `cp x folder/`: the folder is not told apart from a file, so both readings are kept.
        if (content !== undefined && from !== undefined)
          setEntry(scope.scripts, joinPath(key, from.slice(from.lastIndexOf("/") + 1)), content);
        break;
      }
      default:
    }
  }
}

/** A folder after `cd folder`; an unknown one holds `\0`. */
export function changeFolder(cwd: string, folder: Word): string {
  if (!folder.known) return "\0";
  if (folder.value.startsWith("~") && !folder.quoted) return folder.value;
  return joinPath(cwd, folder.value) || (folder.value.startsWith("/") ? "/" : "");
}

function keyOf(scope: Scope, path: Word | undefined): string | undefined {
  return path === undefined || !path.known || path.value === "" ? undefined : joinPath(scope.cwd, path.value);
}

function keep(content: Word | undefined): string | undefined {
  return content === undefined || content.value.length > MAX_CONTENT ? undefined : content.value;
}
