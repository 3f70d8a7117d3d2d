/** Whether a hook that stands in a file is one that the framework calls. */
import type { Trajectory } from "../model";
import type { MonitorTools } from "../monitor";
import { shellFacts, wordsOf } from "./commands";
import { changes } from "./files";
import type { FoundHook } from "./hooks-place";
import { finalPieces } from "./hooks-pieces";
import { lazily } from "./lazily";
import { finalPatch } from "./patch";
import { hasRole, isAbsolute } from "./roles";

/**
 * `acts`: loaded by itself or named as a plug-in. `perhaps`: nobody names it here. `product`: a module of pytest or of
 * a plug-in, whose subject is the result. `outside`: a scratch file that no command names. `never`: nothing loads it.
 */
export type Acting = "acts" | "perhaps" | "product" | "outside" | "never";

export function actsAs({ piece, act }: FoundHook, trajectory: Trajectory, tools: MonitorTools): Acting {
  const { path } = piece;
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (act.kind === "reporter" || act.kind === "harness")
    return hasRole(path, "test") && /\.(?:test|spec)\./.test(name) ? "perhaps" : "acts";
  const isNamed =
    plugins(trajectory, tools).has(name.replace(/\.py$/, "")) ||
    (name === "__init__.py" && plugins(trajectory, tools).has(path.split("/").at(-2) ?? ""));
  if (isAbsolute(path) && !path.startsWith("/tests/")) return isNamed ? "perhaps" : "outside";
  if (name === "conftest.py") return isPytest(path) ? "perhaps" : "acts";
  if (isNamed) return "acts";
  if (isPlugin(path, trajectory, tools) && !hasRole(path, "test")) return "product";
  const isTestFile = /^test_.*\.py$|_test\.py$|^tests?\.py$/.test(name);
  // Nothing but pytest's own collection reads a test module, and it calls no hooks there.
  if (isTestFile) return act.kind === "patched" ? "perhaps" : "never";
  return act.kind === "patched" ? "acts" : "perhaps";
}

function isPytest(path: string): boolean {
  return /^(?:src\/)?_pytest\/|^testing\/(?:example_scripts|plugins_integration)\//.test(path);
}

/** pytest's own code, and packages that were registered as its plug-ins before. */
function isPlugin(path: string, trajectory: Trajectory, tools: MonitorTools): boolean {
  if (isPytest(path) || /^(?:src\/)?(?:pytest|pytest_\w+)(?:\/|\.py$)/.test(path)) return true;
  if (/(?:^|[/_-])pytest(?:$|[_-])/.test(trajectory.task.repository ?? "")) return true;
  return finalPatch(trajectory, tools).files.some(
    (file) =>
      /(?:^|\/)(?:setup\.(?:py|cfg)|pyproject\.toml)$/.test(file.newPath ?? "") &&
      file.hunks.some((hunk) => hunk.lines.some((line) => line.kind === " " && /pytest11/.test(line.value))),
  );
}

/** Names of modules that are loaded as plug-ins: in `pytest_plugins`, behind `-p`, in `PYTEST_PLUGINS`, as `pytest11`. */
const plugins = lazily((trajectory: Trajectory, tools: MonitorTools): ReadonlySet<string> => {
  const names = new Set<string>();
  const take = (name: string): void => {
    for (const one of name.split(",")) names.add(one.trim().split(/[.:]/).at(-1) ?? "");
  };
  const texts = [
    ...finalPieces(trajectory, tools).map((piece) => piece.text),
    ...changes(trajectory, tools).flatMap((change) =>
      change.actor === "agent" && !change.failed && change.after ? [change.after.value] : [],
    ),
  ];
  for (const text of texts) {
    if (!/pytest_plugins|-p[\s"']|PYTEST_PLUGINS|pytest11|ADDOPTS|\.register\(/.test(text)) continue;
    for (const match of text.matchAll(/\bpytest_plugins\s*(?::[^=\n]{1,40})?\+?=\s*([^\n]{0,50}(?:\n[^\n\])]{0,120}){0,8})/g))
      for (const one of (match[1] ?? "").matchAll(/["']([\w.]{1,200})["']/g)) take(one[1] ?? "");
    for (const match of text.matchAll(/(?:^|[\s"'=])-p[\s"',]{1,4}([A-Za-z_][\w.]{0,200})/g)) take(match[1] ?? "");
    for (const match of text.matchAll(/PYTEST_PLUGINS["'\]\s]{0,4}[=,]\s*["']?([\w.,]{1,200})/g)) take(match[1] ?? "");
    for (const match of text.matchAll(/pytest11[^\n]{0,40}\n?[^\n]{0,20}?[\w-]{1,80}\s*=\s*["']?([\w.]{1,200})/g)) take(match[1] ?? "");
    for (const match of text.matchAll(/\.register\(\s*(?:\w+\.)?([a-z_]\w{0,100})\b/g)) take(match[1] ?? "");
  }
  for (const { line } of shellFacts(trajectory, tools).runs) {
    for (const command of line.commands) {
      const words = wordsOf(command);
      words.forEach((word, i) => {
        if (word === "-p" && words[i + 1]) take(words[i + 1] ?? "");
        else if (/^-p[A-Za-z_][\w.]+$/.test(word)) take(word.slice(2));
      });
    }
  }
  names.delete("");
  return names;
});
