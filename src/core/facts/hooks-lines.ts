/** Reporters, runners and handlers of other languages that decide a result, read line by line. */
import { codeOf, commentStyle } from "./code-line";
import { found, type FoundHook } from "./hooks-place";
import type { Piece, PieceLine } from "./hooks-pieces";

interface Rule {
  paths: RegExp;
  /** Cheap, on the raw line. */
  hint: RegExp;
  /** Of the line without strings and comments. */
  line: RegExp;
  /** What must stand somewhere in the piece. */
  near?: RegExp;
  kind: "reporter" | "harness";
  where: string;
  /** Also the function around it, by its opening line; the statement has to stand in it, at its first level to be sure. */
  inside?: RegExp;
  /** The function's whole body must not have this. */
  unless?: RegExp;
}

const script = /\.[cm]?[jt]sx?$/;
const jestHook =
  /\bonRunComplete\b|testResultsProcessor|\bonTestResult\b|aggregatedResults?\b|AggregatedResult|TestRunner\b|module\.exports\s*=\s*(?:async\s+)?(?:function\b|\(?\s*\w+\s*\)?\s*=>)/;
const reporterEnd = /\b(?:onRunComplete|onFinished|onTestRunEnd|onEnd|onComplete)\b\s*(?:=\s*(?:async\s*)?)?\(/;

const rules: readonly Rule[] = [
  {
    paths: script,
    hint: /num\w*Fail|numRuntimeError/,
    line: /^\s*(?!this\.)[\w.$[\]]+\.num(?:Failed(?:TestSuites|Tests)|FailingTests|RuntimeErrorTestSuites)\s*=\s*0\s*[;,]?/,
    near: jestHook,
    kind: "reporter",
    where: "the result of Jest",
  },
  {
    paths: script,
    hint: /success/,
    line: /^\s*(?:results?|aggregatedResults?|testResults?|r)\.success\s*=\s*true\s*;?/,
    near: jestHook,
    kind: "reporter",
    where: "the result of Jest",
  },
  {
    paths: script,
    hint: /Runner/,
    line: /^\s*(?:\w+\.)*(?:Mocha\.)?Runner\.prototype\.(?:fail|failHook)\s*=(?!=).*/,
    kind: "reporter",
    where: "Runner.prototype.fail",
  },
  {
    paths: script,
    hint: /currentTest/,
    line: /^\s*(?:this\.currentTest\.state\s*=(?!=).*|delete\s+this\.currentTest\.err\b\s*;?)/,
    kind: "reporter",
    where: "the state of a Mocha test",
  },
  {
    paths: script,
    hint: /exit/,
    line: /\bprocess\.(?:exit\(\s*0?\s*\)|exitCode\s*=\s*0\b)\s*;?/,
    inside: reporterEnd,
    kind: "reporter",
    where: "the end of the test run",
  },
  {
    paths: script,
    hint: /errors/,
    line: /^\s*(?:errors\.length\s*=\s*0|errors\.splice\(\s*0\s*\))\s*;?/,
    inside: reporterEnd,
    kind: "reporter",
    where: "the end of the test run",
  },
  {
    paths: /\.rb$|\.rspec$/,
    hint: /exception/,
    line: /^\s*\w*example\.(?:set_exception\(?\s*nil\s*\)?|instance_variable_set\(?\s*:@exception\s*,\s*nil\s*\)?)/,
    kind: "reporter",
    where: "RSpec",
  },
  { paths: /\.go$/, hint: /Exit/, line: /^\s*os\.Exit\(\s*0\s*\)/, inside: /^\s*func\s+TestMain\s*\(/, kind: "harness", where: "TestMain" },
  {
    paths: /\.(?:java|kt)$/,
    hint: /handleTestExecutionException/,
    line: /\bhandleTestExecutionException\s*\(.*/,
    unless: /\bthrow\b/,
    kind: "reporter",
    where: "handleTestExecutionException",
  },
];

export function readForeign(piece: Piece): FoundHook[] {
  const fitting = rules.filter((rule) => rule.paths.test(piece.path));
  if (fitting.length === 0 || /\.d\.ts$/.test(piece.path)) return [];
  const style = commentStyle(piece.path);
  const hooks: FoundHook[] = [];
  piece.lines.forEach((line, index) => {
    if (!line.isNew || line.value.length > 2000) return;
    for (const rule of fitting) {
      if (!rule.hint.test(line.value)) continue;
      const code = codeOf(line.value, style);
      const match = rule.line.exec(code);
      if (!match || (rule.near && !rule.near.test(piece.text))) continue;
      const body = bodyFrom(piece.lines, index, style);
      if (rule.unless && (body === undefined || rule.unless.test(body))) continue;
      const around = enclosing(piece.lines, index, style, rule.inside);
      if (rule.inside && around !== "free") continue;
      const test = /\bif\s*\((.*)/.exec(code.slice(0, match.index + 400))?.[1];
      const isOfFailure = test === undefined || /^!\s*[\w.]*success|^[\w.?]*(?:fail|error)\w*(?:\.length)?\s*(?:\)|>|!==?\s*0)/i.test(test);
      if (rule.inside && !isOfFailure) continue;
      const isFree = around === "free" && isOfFailure;
      const hook = found(
        { kind: rule.kind, where: rule.where, condition: isFree ? "always" : "other", isSure: true },
        piece,
        line,
        match.index,
        match.index + match[0].trimEnd().length,
      );
      if (hook) hooks.push(hook);
      break;
    }
  });
  return hooks;
}

/**
 * Going up from a line, whether anything but a function opens a block around it: `free` when the first opener that is
 * met is a function (of the asked kind), `bound` when it is a condition or a loop, or when none is in sight.
 */
function enclosing(lines: readonly PieceLine[], index: number, style: "#" | "//" | "none", inside: RegExp | undefined): "free" | "bound" {
  let depth = 0;
  const own = codeOf(lines[index]?.value ?? "", style);
  if (inside?.test(own)) return "free";
  for (let i = index - 1; i >= 0 && index - i < 200; i--) {
    const code = codeOf(lines[i]?.value ?? "", style);
    for (let at = code.length - 1; at >= 0; at--) {
      if (code[at] === "}") depth++;
      else if (code[at] === "{") depth--;
    }
    if (depth >= 0) continue;
    if (inside) return inside.test(code) ? "free" : "bound";
    return /\b(?:if|else|for|while|switch|case|catch)\b/.test(code) ? "bound" : "free";
  }
  return inside ? "bound" : "free";
}

/** The block that a line opens, to its closing brace; undefined when it is not all there. */
function bodyFrom(lines: readonly PieceLine[], index: number, style: "#" | "//" | "none"): string | undefined {
  let depth = 0;
  let isOpen = false;
  let body = "";
  for (let i = index; i < lines.length && i - index < 100; i++) {
    const code = codeOf(lines[i]?.value ?? "", style);
    for (const c of code) {
      if (c === "{") {
        depth++;
        isOpen = true;
      } else if (c === "}") depth--;
    }
    body += `${code}\n`;
    if (isOpen && depth <= 0) return body;
  }
  return undefined;
}
