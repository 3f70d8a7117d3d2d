import type { Program } from "./brackets";
import { resolveImport } from "./code-calls";
import { type CodeEffect, readArguments, toLiteral } from "./literals";
import type { Value } from "./values";

export interface EffectsSoFar {
  readonly effects: CodeEffect[];
  /** Paths that the code reads: writing them again is a change. */
  readonly reads: Set<string>;
  readonly handles: { value: Value; effect: CodeEffect }[];
}

const MAX_EFFECTS = 500;

type Kind = "write" | "append" | "delete" | "tree" | "move" | "copy" | "link" | "read";

const FUNCTIONS: Record<string, Kind> = {
  "os.remove": "delete",
  "os.unlink": "delete",
  "os.rmdir": "delete",
  "os.removedirs": "delete",
  "shutil.rmtree": "tree",
  "shutil.copy": "copy",
  "shutil.copy2": "copy",
  "shutil.copyfile": "copy",
  "shutil.copytree": "copy",
  "shutil.move": "move",
  "os.rename": "move",
  "os.renames": "move",
  "os.replace": "move",
  "os.symlink": "link",
  "os.link": "link",
  "fs.writeFileSync": "write",
  "fs.writeFile": "write",
  "fs.appendFileSync": "append",
  "fs.appendFile": "append",
  "fs.createWriteStream": "write",
  "fs.unlinkSync": "delete",
  "fs.unlink": "delete",
  "fs.rmSync": "tree",
  "fs.rm": "tree",
  "fs.rmdirSync": "tree",
  "fs.renameSync": "move",
  "fs.rename": "move",
  "fs.copyFileSync": "copy",
  "fs.copyFile": "copy",
  "fs.cpSync": "copy",
  "fs.symlinkSync": "link",
  "fs.linkSync": "link",
  "fs.readFileSync": "read",
  "fs.readFile": "read",
  "Deno.writeTextFileSync": "write",
  "Deno.writeTextFile": "write",
  "Bun.write": "write",
  "File.write": "write",
  "IO.write": "write",
  "File.delete": "delete",
  "File.unlink": "delete",
  "File.rename": "move",
  "File.read": "read",
  "FileUtils.rm": "delete",
  "FileUtils.rm_f": "delete",
  "FileUtils.rm_rf": "tree",
  "FileUtils.cp": "copy",
  "FileUtils.mv": "move",
  unlink: "delete",
};

/** Methods of a path or of an open file. */
const METHODS: Record<string, Kind | "handle"> = {
  write_text: "write",
  write_bytes: "write",
  unlink: "delete",
  rmdir: "delete",
  rename: "move",
  replace: "move",
  touch: "append",
  read_text: "read",
  read_bytes: "read",
  symlink_to: "link",
  write: "handle",
  writelines: "handle",
};

/** Adds what the call that starts at token `at` does to files. */
export function findCodeEffects(p: Program, at: number, name: { readonly text: string; readonly next: number }, out: EffectsSoFar): void {
  if (out.effects.length >= MAX_EFFECTS) return;
  const full = resolveImport(p, name.text).replace(/^(?:fsp|fsPromises|fs\.promises)\./, "fs.");
  const open = name.next;
  if (p.tokens[open]?.value !== "(" || (p.match[open] ?? -1) < 0) return;
  const kind = Object.hasOwn(FUNCTIONS, full) ? FUNCTIONS[full] : undefined;
  if (kind !== undefined) {
    const { list } = readArguments(p, open);
    addEffect(p, open, kind, list[0], list[1], out);
    return;
  }
  if (full === "open" || full === "io.open" || full === "codecs.open" || full === "File.open") return openFile(p, at, open, out);
  const dot = name.text.lastIndexOf(".");
  const method = dot > 0 ? name.text.slice(dot + 1) : "";
  const owner = dot > 0 ? p.variables.get(name.text.slice(0, dot)) : undefined;
  if (owner !== undefined) return applyTo(p, owner, method, open, out);
  // `Path("x").write_text("…")`: the owner is a call.
  const close = p.match[open] ?? -1;
  if ((full === "Path" || full.endsWith(".Path")) && p.tokens[close + 1]?.value === "." && p.tokens[close + 3]?.value === "(") {
    const path = readArguments(p, open).list[0];
    if (path !== undefined) applyTo(p, path, p.tokens[close + 2]?.value ?? "", close + 3, out);
  }
}

function applyTo(p: Program, owner: Value, method: string, open: number, out: EffectsSoFar): void {
  const kind = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
  if (owner.handle !== undefined) {
    if (kind === "handle") {
      const value = readArguments(p, open).list[0];
      if (method === "write" && value?.text !== undefined && owner.handle.written.length < 1000) owner.handle.written.push(value);
      else owner.handle.lost = true;
    } else if (method === "read" || method === "readlines") out.reads.add(owner.handle.path.text ?? "\0");
    return;
  }
  if (owner.text === undefined) return;
  if (method === "open") {
    const mode = readArguments(p, open).list[0]?.text ?? "r";
    if (/[wax+]/.test(mode)) out.effects.push({ kind: mode.includes("a") ? "append" : "write", path: toLiteral(owner, p, open) });
    return;
  }
  if (kind === undefined || kind === "handle") return;
  const first = readArguments(p, open).list[0];
  if (kind === "move") addEffect(p, open, "move", owner, first, out);
  else if (kind === "link") addEffect(p, open, "link", first, owner, out);
  else if (kind === "append")
    out.effects.push({ kind: "append", path: toLiteral(owner, p, open), content: { value: "", start: owner.start, end: owner.end } });
  else addEffect(p, open, kind, owner, first, out);
}

function addEffect(p: Program, open: number, kind: Kind, first: Value | undefined, second: Value | undefined, out: EffectsSoFar): void {
  const path = toLiteral(first, p, open);
  if (kind === "read") {
    if (path.value !== undefined) out.reads.add(path.value);
  } else if (kind === "write" || kind === "append")
    out.effects.push({
      kind,
      path,
      ...(second?.text === undefined || second.text.includes("\0") ? {} : { content: toLiteral(second, p, open) }),
    });
  else if (kind === "delete" || kind === "tree") out.effects.push({ kind: "delete", path, recursive: kind === "tree" });
  else out.effects.push({ kind, from: path, path: toLiteral(second, p, open) });
}

/** `open(path, mode)`, with what is written through it at once or by the name that it is given. */
function openFile(p: Program, at: number, open: number, out: EffectsSoFar): void {
  const { list, named } = readArguments(p, open);
  const path = list[0] ?? named.get("file");
  const mode = (list[1] ?? named.get("mode"))?.text ?? "r";
  if (path === undefined) return;
  if (!/[wax+]/.test(mode)) {
    if (path.text !== undefined) out.reads.add(path.text);
    return;
  }
  const effect: CodeEffect = { kind: mode.includes("a") ? "append" : "write", path: toLiteral(path, p, open) };
  out.effects.push(effect);
  const close = p.match[open] ?? -1;
  if (p.tokens[close + 1]?.value === "." && p.tokens[close + 2]?.value === "write" && p.tokens[close + 3]?.value === "(") {
    const content = readArguments(p, close + 3).list[0];
    if (content?.text !== undefined && !content.text.includes("\0")) effect.content = toLiteral(content, p, open);
    return;
  }
  for (const value of [p.variables.get(p.tokens[close + 2]?.value ?? ""), p.variables.get(p.tokens[at - 2]?.value ?? "")]) {
    if (value?.handle !== undefined && value.handle.path.start === path.start) {
      if (mode.includes("+") && !mode.includes("w")) value.handle.lost = true;
      out.handles.push({ value, effect });
      return;
    }
  }
}
