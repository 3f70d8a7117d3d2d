/** Recipes of build files that the agent wrote: what `make test` or `npm test` then runs. */

export interface Recipe {
  readonly target: string;
  readonly lines: readonly string[];
}

const MAX_LINES = 2000;

/** The shell lines of the targets and of what they depend on, dependencies first. Without targets, the first one. */
export function findRecipes(content: string, targets: readonly string[], given: ReadonlyMap<string, string>, just: boolean): Recipe[] {
  const variables = new Map<string, string>();
  const rules = new Map<string, { needs: string[]; lines: string[] }>();
  let current: { needs: string[]; lines: string[] }[] = [];
  let first: string | undefined;
  const text = content.replace(/\\\n[ \t]*/g, " ");
  for (const line of text.split("\n").slice(0, MAX_LINES)) {
    if (/^(?:\t| {2,})\S/.test(line) && current.length > 0 && (line.startsWith("\t") || just)) {
      for (const rule of current) rule.lines.push(line.trim());
      continue;
    }
    if (line.trim() === "" || line.startsWith("#")) continue;
    const assignment = /^(?:export[ \t]+|override[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*(?::{0,3}|\?|\+)=[ \t]*(.*)$/.exec(line);
    if (assignment !== null) {
      variables.set(assignment[1] ?? "", assignment[2] ?? "");
      current = [];
      continue;
    }
    const colon = line.indexOf(":");
    if (colon <= 0 || /^\s/.test(line)) {
      current = [];
      continue;
    }
    const semicolon = line.indexOf(";", colon);
    const needs = line
      .slice(colon + 1, semicolon < 0 ? undefined : semicolon)
      .replace(/^:/, "")
      .split("|")
      .join(" ")
      .split(/\s+/)
      .filter((name) => name !== "");
    const names = line
      .slice(0, colon)
      .split(/\s+/)
      .filter((name) => name !== "");
    if (names[0] === ".PHONY") continue;
    const own = just ? names.slice(0, 1) : names;
    current = own.map((name) => {
      const clean = name.replace(/^@/, "");
      const rule = rules.get(clean) ?? { needs: [], lines: [] };
      rule.needs.push(...needs);
      if (semicolon >= 0 && !just) rule.lines.push(line.slice(semicolon + 1).trim());
      rules.set(clean, rule);
      if (!clean.startsWith(".")) first ??= clean;
      return rule;
    });
  }
  for (const [name, value] of given) variables.set(name, value);
  const out: Recipe[] = [];
  const seen = new Set<string>();
  const visit = (target: string, depth: number): void => {
    const rule = rules.get(target);
    if (rule === undefined || seen.has(target) || depth > 20 || seen.size > 200) return;
    seen.add(target);
    for (const need of rule.needs) visit(need, depth + 1);
    if (rule.lines.length > 0) out.push({ target, lines: rule.lines.map((line) => expandLine(line, target, variables, just)) });
  };
  for (const target of targets.length > 0 ? targets : first === undefined ? [] : [first]) visit(target, 0);
  return out;
}

function expandLine(line: string, target: string, variables: ReadonlyMap<string, string>, just: boolean): string {
  const command = line.replace(/^[@+-]+[ \t]*/, "");
  if (just) return command.replace(/\{\{[ \t]*([\w-]+)[ \t]*\}\}/g, (_, name) => variables.get(name)?.replace(/^["']|["']$/g, "") ?? "\0");
  const expand = (text: string, depth: number): string =>
    text.replace(/\$(?:\$|\(([^()$]{0,200})\)|\{([^{}$]{0,200})\}|([@<^*?+]))/g, (all, round, curly, special) => {
      if (all === "$$") return depth === 0 ? "$$" : "$$";
      if (special !== undefined) return special === "@" ? target : "\0";
      const name = round ?? curly;
      const value = variables.get(name);
      if (value !== undefined) return depth < 4 ? expand(value, depth + 1) : "\0";
      return name === "MAKE" ? "make" : name === "PYTHON" ? "python" : /^\w+$/.test(name) ? "" : "\0";
    });
  return expand(command, 0).replace(/\$\$/g, "$");
}

/** A script of package.json with those that npm runs before and after it. */
export function findNpmScripts(content: string, name: string): { readonly name: string; readonly line: string }[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    return [];
  }
  const scripts = typeof parsed === "object" && parsed !== null && "scripts" in parsed ? parsed.scripts : undefined;
  if (typeof scripts !== "object" || scripts === null) return [];
  const out: { name: string; line: string }[] = [];
  for (const each of [`pre${name}`, name, `post${name}`]) {
    const line = Object.hasOwn(scripts, each) ? (scripts as Record<string, unknown>)[each] : undefined;
    if (typeof line === "string") out.push({ name: each, line });
  }
  return out;
}
