/** Marks that keep a test from running or from failing, as one line of code shows them. */
import { codeOf, commentStyle } from "./code-line";

export interface SkipMarker {
  /** As it is known: `skip`, `xfail`, `only`, `skipif`. */
  kind: "skip" | "xfail" | "only" | "conditional";
  /** Offsets in the line: the marker's own words. */
  start: number;
  end: number;
  /** It stands for a test or class that follows, not for the one that it stands in. */
  isDecorator: boolean;
  /** For the whole file. */
  isModule: boolean;
}

interface Rule {
  languages: RegExp;
  pattern: RegExp;
  kind: SkipMarker["kind"];
  isDecorator?: boolean;
  isModule?: boolean;
}

const python = /\.pyi?$/;
const script = /\.[cm]?[jt]sx?$/;

/** The code has its string contents blanked, so that words inside strings match nothing. */
const rules: readonly Rule[] = [
  { languages: python, pattern: /\bpytestmark\s*=.*\bmark\.(skip|xfail)\b/, kind: "skip", isModule: true },
  { languages: python, pattern: /\bpytestmark\s*=.*\bmark\.skipif\b/, kind: "conditional", isModule: true },
  { languages: python, pattern: /@(?:pytest\.)?mark\.skipif\b/, kind: "conditional", isDecorator: true },
  { languages: python, pattern: /@(?:pytest\.)?mark\.skip\b/, kind: "skip", isDecorator: true },
  { languages: python, pattern: /@(?:pytest\.)?mark\.xfail\b/, kind: "xfail", isDecorator: true },
  {
    languages: python,
    pattern: /@(?:unittest\.)?(?:skipIf|skipUnless|skipUnlessDBFeature|skipIfDBFeature)\b/,
    kind: "conditional",
    isDecorator: true,
  },
  { languages: python, pattern: /@(?:unittest\.)?skip\b/, kind: "skip", isDecorator: true },
  { languages: python, pattern: /@(?:unittest\.)?expectedFailure\b/, kind: "xfail", isDecorator: true },
  { languages: python, pattern: /\bmarks\s*=.*\bmark\.(?:skip|xfail)\b/, kind: "skip" },
  { languages: python, pattern: /\b(?:applymarker|add_marker)\s*\(\s*(?:pytest\.)?mark\.(?:skip|xfail)\b/, kind: "skip" },
  { languages: python, pattern: /\bpytest\.skip\s*\(.*\ballow_module_level\b/, kind: "skip", isModule: true },
  { languages: python, pattern: /\bpytest\.skip\s*\(/, kind: "skip" },
  { languages: python, pattern: /\bpytest\.xfail\s*\(/, kind: "xfail" },
  { languages: python, pattern: /\bself\.skipTest\s*\(/, kind: "skip" },
  { languages: python, pattern: /\braise\s+(?:unittest\.)?SkipTest\b/, kind: "skip" },
  { languages: python, pattern: /^\s*__test__\s*=\s*False\b/, kind: "skip", isModule: true },
  { languages: script, pattern: /\b(?:it|test|describe|suite|context|specify)(?:\.\w+)?\.(?:skipIf|runIf)\s*\(/, kind: "conditional" },
  {
    languages: script,
    pattern: /\b(?:it|test|describe|suite|context|specify)(?:\.concurrent|\.serial)?\.(?:skip|todo|failing|fixme|fails)\b/,
    kind: "skip",
  },
  { languages: script, pattern: /\b(?:it|test|describe|suite|context|specify)\.only\b/, kind: "only" },
  { languages: script, pattern: /^\s*(?:xit|xtest|xdescribe|xcontext|xspecify)\s*\(/, kind: "skip" },
  { languages: script, pattern: /^\s*(?:fit|fdescribe)\s*\(/, kind: "only" },
  { languages: script, pattern: /^[^:]*\b(?:it|test|describe|suite)\s*\(.*\{\s*(?:skip|todo)\s*:\s*(?:true|["'`])/, kind: "skip" },
  { languages: script, pattern: /\b(?:this|t|ctx|context)\.skip\s*\(/, kind: "skip" },
  { languages: /\.go$/, pattern: /\b[tb]\.Skip(?:Now|f)?\s*\(/, kind: "skip" },
  { languages: /\.go$/, pattern: /^\/\/(?:go:build|\s*\+build)\s+ignore\b/, kind: "skip", isModule: true },
  { languages: /\.rs$/, pattern: /#\[ignore\b/, kind: "skip", isDecorator: true },
  { languages: /\.rs$/, pattern: /#\[cfg\(any\(\)\)\]/, kind: "skip", isDecorator: true },
  { languages: /\.(?:java|kt|groovy|scala)$/, pattern: /@(?:Disabled|Ignore)\b(?!If|Unless|On)/, kind: "skip", isDecorator: true },
  { languages: /\.(?:java|kt)$/, pattern: /\bassume(?:True\s*\(\s*false|False\s*\(\s*true)\b/, kind: "skip" },
  { languages: /\.(?:java|kt)$/, pattern: /@Test\s*\(.*\benabled\s*=\s*false\b/, kind: "skip", isDecorator: true },
  { languages: /\.(?:cc|cpp|cxx|c|h|hpp)$/, pattern: /\bGTEST_SKIP\s*\(|\bTEST(?:_F|_P)?\s*\(\s*\w+\s*,\s*DISABLED_\w+/, kind: "skip" },
  { languages: /\.cs$/, pattern: /\[(?:Ignore\b|(?:Fact|Theory|Test)\s*\(.*\bSkip\s*=)/, kind: "skip", isDecorator: true },
  { languages: /\.rb$/, pattern: /^\s*(?:xit|xdescribe|xcontext|pending|skip)\b(?!\s*=)/, kind: "skip" },
  { languages: /\.php$/, pattern: /\bmarkTest(?:Skipped|Incomplete)\s*\(/, kind: "skip" },
  { languages: /\.swift$/, pattern: /\bthrow\s+XCTSkip\b/, kind: "skip" },
  { languages: /\.bats$/, pattern: /^\s*skip\b/, kind: "skip" },
];

/**
 * The first marker in the line, or undefined.
 * @param path decides which language's marks count
 * @param next the lines behind it, where the condition of a marker may stand
 */
export function findSkip(line: string, path: string, next = ""): SkipMarker | undefined {
  const code =
    path.endsWith(".go") && line.startsWith("//go:build")
      ? line
      : codeOf(line.slice(0, 2000), path.endsWith(".bats") ? "#" : commentStyle(path));
  for (const rule of rules) {
    if (!rule.languages.test(path)) continue;
    const match = rule.pattern.exec(code);
    if (!match) continue;
    const kind = rule.kind === "conditional" && isAlways(`${line}\n${next}`, match.index) ? "skip" : rule.kind;
    // Of a long match the marker's own words are at its end.
    const words = /\{\s*(?:skip|todo)\s*:/.exec(match[0])?.index ?? match[0].length - match[0].trimStart().length;
    const start = match.index + words;
    return { kind, start, end: line.trimEnd().length, isDecorator: rule.isDecorator ?? false, isModule: rule.isModule ?? false };
  }
  return undefined;
}

/** A condition that is constant: `skipif(True, …)`, `skipIf(true)`, `runIf(false)`. */
function isAlways(line: string, from: number): boolean {
  const call = /\(\s*([^,)]{1,60})/.exec(line.slice(from))?.[1]?.trim() ?? "";
  const isRun = /runIf|skipUnless/.test(line.slice(from));
  return isRun
    ? /^(?:False|false|0|None|null)$/.test(call)
    : /^(?:True|true|1|not False|!false|["']True["']|sys\.version_info\s*>=?\s*\([23])$/.test(call);
}
