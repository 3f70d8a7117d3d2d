/** Where test cases begin and end in a run of lines, by the shape of the lines: a hunk is too little for a parser. */
import type { DiffLine } from "../text/diff";

export type CaseLanguage = "python" | "javascript" | "go" | "rust" | "java";

export interface CaseBody {
  name: string;
  /** The line that names it; absent when it lies before the hunk. */
  start?: DiffLine;
  /** Its lines, decorators before it included. */
  lines: DiffLine[];
  isParametrised: boolean;
}

export function languageOf(path: string): CaseLanguage | undefined {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  if (ending === "py" || ending === "pyi") return "python";
  if (/^[cm]?[jt]sx?$/.test(ending)) return "javascript";
  if (ending === "go") return "go";
  if (ending === "rs") return "rust";
  if (ending === "java" || ending === "kt") return "java";
  return undefined;
}

const starts: Readonly<Record<CaseLanguage, RegExp>> = {
  python: /^\s*(?:async )?def (test\w*)\s*\(/,
  javascript:
    /^\s*(?:(?:x|f)?(?:it|test|specify)|(?:it|test)\.\w+(?:\.\w+)?|Deno\.test)(?:\.each\s{0,4}(?:\(.*?\)|`[^`]*`))?\s*\(\s*(["'`])(.{0,300}?)\1/,
  go: /^func (?:\([^)]{0,80}\) )?((?:Test|Benchmark|Fuzz|Example)\w*)\s*\(/,
  rust: /^\s*(?:pub )?(?:async )?fn (\w+)\s*[(<]/,
  java: /^\s*(?:(?:public|protected|private|static|final|internal|open) )*(?:fun|void|[\w<>[\]]+) +`?([\w ]+?)`?\s*\(.*\)?\s*(?:throws [\w., ]+)?\{?\s*$/,
};

/** A test that needs a mark before it: these lines make the next function one. */
const marks: Readonly<Partial<Record<CaseLanguage, RegExp>>> = {
  rust: /^\s*#\[(?:[\w:]+::)?(?:test|rstest|test_case|bench|case)\b/,
  java: /^\s*@(?:Test|ParameterizedTest|RepeatedTest|org\.junit\S*Test)\b/,
};

/** Lines before a case that belong to it. */
const decorator = /^\s*(?:@|#\[)/;
const parameters = /parametrize|subTest|\.each\b|@ParameterizedTest|#\[(?:case|values|test_case)|\[\]struct|\bcases\b|\bt\.Run\(/;
const group: Readonly<Partial<Record<CaseLanguage, RegExp>>> = { python: /^\s*class (\w+)/ };

export function findCases(lines: readonly DiffLine[], language: CaseLanguage, section: string, _side: "+" | "-"): CaseBody[] {
  const cases: CaseBody[] = [];
  let owner = language === "python" ? /\bclass (\w+)/.exec(section)?.[1] : undefined;
  let ownerIndent = 0;
  const cut = nameIn(section, language);
  let open: (CaseBody & { indent: number }) | undefined =
    cut === undefined ? undefined : { name: qualify(owner, cut), lines: [], isParametrised: false, indent: indentOf(section) };
  if (open) cases.push(open);
  let waiting: DiffLine[] = [];
  let isMarked = false;
  for (const line of lines) {
    const { value } = line;
    const indent = indentOf(value);
    const class_ = group[language]?.exec(value)?.[1];
    if (class_ !== undefined) {
      owner = class_;
      ownerIndent = indent;
      open = undefined;
      waiting = [];
      continue;
    }
    if (marks[language]?.test(value)) isMarked = true;
    const name = isStart(value, language, isMarked);
    if (name !== undefined) {
      if (owner !== undefined && language === "python" && indent <= ownerIndent) owner = undefined;
      open = {
        name: qualify(owner, name),
        start: line,
        lines: [...waiting, line],
        isParametrised: [...waiting, line].some((one) => parameters.test(one.value.slice(0, 400))),
        indent,
      };
      cases.push(open);
      waiting = [];
      isMarked = false;
      continue;
    }
    if (decorator.test(value) && (!open || indent <= open.indent || language === "rust" || language === "java")) {
      waiting.push(line);
      if (open && indent <= open.indent) open = undefined;
      continue;
    }
    // Lines of a decorator that goes on, until its function comes.
    if (waiting.length > 0 && !open) {
      waiting.push(line);
      if (waiting.length > 200 || (/^\S/.test(value) === false && value.trim() === "")) waiting = value.trim() === "" ? [] : waiting;
      continue;
    }
    if (open && value.trim() !== "" && ends(value, indent, open.indent, language)) {
      open = undefined;
      isMarked = false;
      if (/^\s*(?:def|class|func|fn|async def)\b/.test(value)) continue;
    }
    if (open) {
      open.lines.push(line);
      if (!open.isParametrised && parameters.test(value.slice(0, 400))) open.isParametrised = true;
    }
  }
  return cases;
}

function isStart(value: string, language: CaseLanguage, isMarked: boolean): string | undefined {
  const match = starts[language].exec(value.slice(0, 500));
  if (!match) return undefined;
  if ((language === "rust" || language === "java") && !isMarked && !/^test/i.test(match[1] ?? "")) return undefined;
  return language === "javascript" ? match[2] : match[1];
}

function nameIn(section: string, language: CaseLanguage): string | undefined {
  return section === "" ? undefined : isStart(section, language, /test/i.test(section));
}

/** Python ends by indentation; the others at a closing brace in the case's own column, which still belongs to it. */
function ends(value: string, indent: number, own: number, language: CaseLanguage): boolean {
  if (language === "python") return indent <= own && !/^\s*[)\]}]/.test(value);
  return indent < own || (indent === own && !/^\s*[)\]}]/.test(value));
}

function qualify(owner: string | undefined, name: string): string {
  return owner === undefined ? name : `${owner}.${name}`;
}

function indentOf(value: string): number {
  let columns = 0;
  for (const character of value) {
    if (character === " ") columns++;
    else if (character === "\t") columns += 8;
    else break;
  }
  return columns;
}
