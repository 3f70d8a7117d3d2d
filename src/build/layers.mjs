/**
 * The lint rule that keeps imports going one way. The table below is the picture of src/README.md in code:
 * each layer names the layers that it may read, and the npm packages that it may use.
 *
 * Paths are compared as text, so the rule needs no resolver, works on snippets, and costs nothing.
 */
import { builtinModules } from "node:module";
import path from "node:path";

const base = ["base"];
const facts = [...base, "shell", "code", "facts"];
const core = [...facts, "monitors-index", "adapters-index", "core", "labels", "statistics", "reports"];
const corePackages = ["diff", "picomatch", "re2js", "zod"];

/**
 * First match wins. `match` is tested on the path below src/, without extension. `packages`: npm names that are allowed,
 * or absent for any. `node`: whether Node's built-in modules are allowed.
 */
export const layers = [
  { name: "monitors-index", match: /^core\/monitors\/index$/, reads: [...base, "monitors"], packages: [] },
  { name: "adapters-index", match: /^core\/adapters\/index$/, reads: [...base, "adapters"], packages: [] },
  { name: "adapters-shared", match: /^core\/adapters\/(.*\/)?(shared\/.*|_[^/]*)$/, reads: base, packages: corePackages },
  { name: "adapters", match: /^core\/adapters\//, reads: [...base, "adapters-shared"], packages: corePackages, isPlugIn: true },
  { name: "monitors", match: /^core\/monitors\//, reads: facts, packages: corePackages, isPlugIn: true },
  {
    name: "base",
    match: /^core\/(model|adapter|monitor|draft|text\/.*)$/,
    reads: base,
    alsoReads: /^core\/code\/syntax$/,
    packages: corePackages,
  },
  { name: "shell", match: /^core\/shell\//, reads: [...base, "code"], packages: corePackages },
  { name: "code", match: /^core\/code\//, reads: [...base, "shell"], packages: corePackages },
  { name: "facts", match: /^core\/facts\//, reads: facts, packages: corePackages },
  { name: "labels", match: /^core\/labels\//, reads: core, packages: corePackages },
  { name: "statistics", match: /^core\/statistics\//, reads: core, packages: corePackages },
  { name: "reports", match: /^core\/reports\//, reads: core, packages: corePackages },
  { name: "core", match: /^core\//, reads: core, packages: corePackages },
  { name: "node", match: /^node\//, reads: core, node: true, refuses: ["vscode", "commander"] },
  { name: "cli", match: /^cli\//, reads: [...core, "node"], node: true, refuses: ["vscode"] },
  { name: "panel", match: /^panel\//, reads: core, refuses: ["vscode", "commander", "web-tree-sitter"] },
  { name: "vscode", match: /^vscode\//, reads: [...core, "node", "panel"], node: true, refuses: ["commander"] },
];

const builtins = new Set(builtinModules);

/** A plug-in is one file with its cases beside it, or a folder of its own: this is the name that they share. */
function toPlugIn(file) {
  const inside = file.replace(/^core\/(monitors\/[^/]+|adapters)\//, "");
  return `${file.slice(0, file.length - inside.length)}${inside.split(/[./]/)[0]}`;
}

/** Why `from` may not import `specifier`, or nothing. Both are below src/, without extension. */
export function findViolation(from, specifier) {
  const layer = layers.find((candidate) => candidate.match.test(from));
  if (!layer) return undefined;
  if (!specifier.startsWith(".")) {
    const name = specifier
      .split("/")
      .slice(0, specifier.startsWith("@") ? 2 : 1)
      .join("/");
    if (specifier.startsWith("node:") || builtins.has(name)) {
      return layer.node ? undefined : `${layer.name} is pure: Node's ${specifier} belongs into src/node, and what it yields is handed in.`;
    }
    if (layer.packages && !layer.packages.includes(name))
      return `${layer.name} may use ${layer.packages.join(", ") || "no package"}, not ${name}.`;
    return layer.refuses?.includes(name) ? `${layer.name} may not use ${name}.` : undefined;
  }
  const to = path.posix.join(path.posix.dirname(from), specifier).replace(/\.(ts|tsx|js|json)$/, "");
  // The version stands in the manifest, and nowhere else.
  if (to === "../package" && layer.node) return undefined;
  const target = layers.find((candidate) => candidate.match.test(to) || candidate.match.test(`${to}/index`));
  if (!target) return `src/${to} is no layer that ${layer.name} may read.`;
  if (target === layer) {
    if (!layer.isPlugIn || toPlugIn(from) === toPlugIn(to)) return undefined;
    return `Plug-ins never import each other. What ${from} and ${to} share belongs into core/facts (monitors) or core/adapters/shared.`;
  }
  if (layer.reads.includes(target.name) || layer.alsoReads?.test(to)) return undefined;
  return `Imports go one way: ${layer.name} may read ${layer.reads.join(", ")}, not ${target.name}.`;
}

const rule = {
  meta: { type: "problem", schema: [], messages: { refused: "{{why}}" } },
  create(context) {
    const below = /(?:^|\/)src\/(.+)\.tsx?$/.exec(path.relative(context.cwd, context.filename).replaceAll("\\", "/"))?.[1];
    if (below === undefined) return {};
    const check = (source) => {
      if (source?.type !== "Literal" || typeof source.value !== "string") return;
      const why = findViolation(below, source.value);
      if (why !== undefined) context.report({ node: source, messageId: "refused", data: { why } });
    };
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType: (node) => check(node.source ?? node.argument?.literal),
    };
  },
};

export default { rules: { "one-way": rule } };
