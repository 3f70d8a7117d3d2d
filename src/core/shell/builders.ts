import type { Call, Frame, Position } from "./frame";
import { runCode } from "./run-code";
import { findScript, forkScope } from "./scope";
import { findNpmScripts, findRecipes } from "./scripts";
import type { Via, Word } from "./types";

export function runMake(frame: Frame, name: string, call: Call, at: Position): undefined {
  const args = call.words.slice(1);
  let folder = "";
  let file: string | undefined;
  const targets: string[] = [];
  const variables = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const value = args[i]?.value ?? "";
    if (value === "-C" || value === "--directory" || value === "-d") folder = `${args[++i]?.value ?? ""}/`;
    else if (value === "-f" || value === "--file" || value === "--makefile" || value === "--justfile") file = args[++i]?.value;
    else if (/^-[jlIoW]$/.test(value)) {
      if (/^\d+$/.test(args[i + 1]?.value ?? "")) i++;
    } else if (value === "-n" || value === "--dry-run" || value === "--just-print") return undefined;
    else if (value.startsWith("-")) continue;
    else if (/^\w+[:+?]?=/.test(value)) variables.set(value.slice(0, value.search(/[:+?=]/)), value.slice(value.indexOf("=") + 1));
    else targets.push(value);
  }
  const names =
    file !== undefined ? [file] : name === "just" ? ["justfile", "Justfile", ".justfile"] : ["GNUmakefile", "makefile", "Makefile"];
  const script = names.map((n) => findScript(frame.scope, folder + n)).find((found) => found !== undefined);
  if (script === undefined) return undefined;
  for (const recipe of findRecipes(script.content, targets, variables, name === "just"))
    runRecipe(frame, `make ${script.key} ${recipe.target}`, recipe.lines, "make", call, at, folder);
  return undefined;
}

function runRecipe(frame: Frame, key: string, lines: readonly string[], via: Via, call: Call, at: Position, folder: string): void {
  if (frame.run.running.has(key)) return;
  frame.run.running.add(key);
  const scope = forkScope(frame.scope);
  if (folder !== "")
    scope.cwd = folder.startsWith("/") ? folder.replace(/\/$/, "") : (scope.cwd === "" ? "" : `${scope.cwd}/`) + folder.replace(/\/$/, "");
  for (const line of lines) {
    const code: Word = { value: line, known: !line.includes("\0"), start: call.start, end: call.end, quoted: true };
    runCode({ ...frame, scope }, code, via, { position: at, start: call.start, end: call.end });
  }
  frame.run.running.delete(key);
}

const NPM_SHORT: Record<string, string> = { test: "test", t: "test", tst: "test", start: "start", stop: "stop", restart: "restart" };

const NPM_OWN =
  /^(?:install|i|ci|add|remove|uninstall|update|exec|x|init|audit|publish|pack|link|config|cache|ls|list|view|info|outdated|dlx|why|create|login|version|set|get|help|run|run-script|workspace|workspaces)$/;

export function runNpm(frame: Frame, name: string, call: Call, at: Position): undefined {
  const args = call.words.slice(1);
  let folder = "";
  let script: string | undefined;
  let i = 0;
  for (; i < args.length && script === undefined; i++) {
    const value = args[i]?.value ?? "";
    if (value === "--prefix" || value === "-C" || value === "--cwd" || value === "--dir") folder = `${args[++i]?.value ?? ""}/`;
    else if (value.startsWith("-")) continue;
    else if (value === "run" || value === "run-script") {
      while (args[i + 1]?.value.startsWith("-") === true) i++;
      script = args[++i]?.value;
    } else if (NPM_SHORT[value] !== undefined) script = NPM_SHORT[value];
    else if (name === "npm" || NPM_OWN.test(value)) return undefined;
    else script = value;
  }
  const found = script === undefined ? undefined : findScript(frame.scope, `${folder}package.json`);
  if (script === undefined || found === undefined) return undefined;
  const more = args.slice(i).filter((word) => word.value !== "--");
  const tail =
    more.length === 0
      ? ""
      : ` ${more.map((word) => (/^[\w@%+=:,./-]+$/.test(word.value) ? word.value : `'${word.value.replace(/'/g, "'\\''")}'`)).join(" ")}`;
  for (const each of findNpmScripts(found.content, script))
    runRecipe(frame, `npm ${found.key} ${each.name}`, [each.name === script ? each.line + tail : each.line], "npm", call, at, folder);
  return undefined;
}
