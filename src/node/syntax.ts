import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Language as Grammar, Parser } from "web-tree-sitter";
import type { Language, SyntaxNode, Tools } from "../core/code/syntax";

const PACKAGES: Record<Language, readonly [pack: string, file: string]> = {
  bash: ["tree-sitter-bash", "tree-sitter-bash.wasm"],
  python: ["tree-sitter-python", "tree-sitter-python.wasm"],
  javascript: ["tree-sitter-javascript", "tree-sitter-javascript.wasm"],
  typescript: ["tree-sitter-typescript", "tree-sitter-typescript.wasm"],
  tsx: ["tree-sitter-typescript", "tree-sitter-tsx.wasm"],
};

/** In characters: longer texts are refused, not parsed. */
const MAX_TEXT = 2 * 1024 * 1024;
/** Milliseconds that one parse may take before it is given up. */
const MAX_TIME = 4000;

let ready: Promise<void> | undefined;

/**
 * The parsers of all languages, from wasm files in `folder`, or from `wasm` beside the running file, or from the installed packages.
 * A grammar is compiled when it is first needed, at once and synchronously; one that is missing makes `parse` answer undefined.
 * Rejects only when the parser itself cannot start.
 */
export async function loadSyntax(folder?: string): Promise<Tools> {
  const places = [folder, besides()].filter((place) => place !== undefined);
  ready ??= Parser.init({
    locateFile: (file: string) =>
      places.map((place) => join(place, file)).find((path) => existsSync(path)) ?? resolvePackage("web-tree-sitter", file) ?? file,
  });
  await ready;
  const grammars = new Map<Language, Grammar | undefined>();
  const parser = new Parser();
  const load = (language: Language): Grammar | undefined => {
    if (!grammars.has(language)) grammars.set(language, loadGrammar(language, places));
    return grammars.get(language);
  };
  load("bash");
  return {
    parse<T>(language: Language, text: string, use: (root: SyntaxNode) => T): T | undefined {
      if (text.length > MAX_TEXT) return undefined;
      const grammar = load(language);
      if (grammar === undefined) return undefined;
      parser.setLanguage(grammar);
      const until = Date.now() + MAX_TIME;
      const tree = parser.parse(text, null, { progressCallback: () => Date.now() > until });
      if (tree === null) {
        parser.reset();
        return undefined;
      }
      try {
        return use(tree.rootNode as SyntaxNode);
      } finally {
        tree.delete();
      }
    },
  };
}

function loadGrammar(language: Language, places: readonly string[]): Grammar | undefined {
  const [pack, file] = PACKAGES[language];
  const path = places.map((place) => join(place, file)).find((each) => existsSync(each)) ?? resolvePackage(pack, file);
  if (path === undefined) return undefined;
  try {
    return Grammar.loadSync(compile(new Uint8Array(readFileSync(path))));
  } catch {
    return undefined;
  }
}

/** Node's own compiler for wasm; the language's types do not hold it. */
function compile(bytes: Uint8Array): WebAssembly.Module {
  const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: { Module: new (bytes: Uint8Array) => WebAssembly.Module } };
  return new wasm.Module(bytes);
}

/** The folder `wasm` beside the bundle. */
function besides(): string | undefined {
  const here = currentFile();
  return here === undefined ? undefined : join(dirname(here), "wasm");
}

function currentFile(): string | undefined {
  if (typeof __filename === "string") return __filename;
  const { url } = import.meta;
  return typeof url === "string" ? fileURLToPath(url) : undefined;
}

function resolvePackage(pack: string, file: string): string | undefined {
  const here = currentFile();
  if (here === undefined) return undefined;
  try {
    return createRequire(here).resolve(`${pack}/${file}`);
  } catch {
    return undefined;
  }
}
