/** Lines that a patch puts around or before an assertion so that it cannot fail any more. */
import type { DiffLine } from "../text/diff";
import type { Asserted } from "./assertions";
import type { Row, Statement } from "./assertion-rows";
import type { CaseLanguage } from "./cases";

export interface Shelter {
  kind: "swallowed" | "unreached";
  row: Row;
  /** The assertion that it keeps from failing. */
  over: Statement;
  isCertain: boolean;
}

const never =
  /^\s*(?:(?:if|while|elif|else if)\s*\(?\s*(?:False|false|0|None|null|not True|!true|!1)\s*\)?\s*[:{]|for\s+\w+\s+in\s+(?:\[\]|\(\)|\{\}|range\(0\))\s*:|for\s*\(\s*(?:const|let|var)\s+\w+\s+(?:of|in)\s+\[\]\s*\))/;
const suppress = /^\s*with\s+(?:contextlib\.)?suppress\s*\(([^)]{0,200})\)\s*:/;
const leaves = /^\s*(?:if\s*\(?\s*(?:True|true|1)\s*\)?\s*[:{]?\s*)?return\b\s*(?:None|True|undefined|null)?\s*;?\s*(?:\}\s*)?$/;
const catchesAll = /\b(?:AssertionError|Exception|BaseException)\b/;
/** In a handler: it lets the failure through. */
const reports =
  /\b(?:raise|throw|fail|assert\w*|expect|reject|done|exit|panic|skip\w*|skipTest|xfail|next|errors?\.(?:append|push)|failures?\.(?:append|push))\b/;

/** @param standing assertions of this side that stood before the patch, too */
export function findShelters(
  rows: readonly Row[],
  standing: readonly Asserted[],
  language: CaseLanguage,
  moved: ReadonlySet<DiffLine>,
): Shelter[] {
  if (language === "go" || language === "rust") return [];
  const found: Shelter[] = [];
  for (const [i, row] of rows.entries()) {
    if (row.line.kind !== "+" || row.isInside || moved.has(row.line)) continue;
    const within = (end: number): Statement | undefined =>
      standing.find((one) => one.statement.first > i && one.statement.first < end)?.statement;
    const isClosed = suppress.exec(row.mask);
    if (never.test(row.mask) || (isClosed && catchesAll.test(isClosed[1] ?? ""))) {
      const over = within(endOfBlock(rows, i));
      if (over) found.push({ kind: isClosed ? "swallowed" : "unreached", row, over, isCertain: true });
    } else if (leaves.test(row.mask)) {
      const over = within(endOfReach(rows, i));
      if (over) found.push({ kind: "unreached", row, over, isCertain: true });
    } else {
      const handler = handlerAt(rows, i, language);
      const over = handler ? standing.find((one) => one.statement.first > handler.from && one.statement.first < i)?.statement : undefined;
      if (over) found.push({ kind: "swallowed", row, over, isCertain: true });
    }
  }
  return found;
}

/** The first row after a block whose head is `at`. */
function endOfBlock(rows: readonly Row[], at: number): number {
  const indent = rows[at]?.indent ?? 0;
  let i = at + 1;
  while (i < rows.length && (isBlank(rows[i]) || (rows[i]?.indent ?? 0) > indent)) i++;
  return i;
}

/** Rows that a plain `return` at `at` keeps from running: those of its own block. */
function endOfReach(rows: readonly Row[], at: number): number {
  const indent = rows[at]?.indent ?? 0;
  let i = at + 1;
  while (i < rows.length && (isBlank(rows[i]) || (rows[i]?.indent ?? 0) >= indent)) i++;
  return i;
}

function isBlank(row: Row | undefined): boolean {
  return row === undefined || row.mask.trim() === "" || row.isInside;
}

/** The row is a handler that swallows what an assertion throws; `from` is the head of its `try`. */
function handlerAt(rows: readonly Row[], at: number, language: CaseLanguage): { from: number } | undefined {
  const row = rows[at];
  if (!row) return undefined;
  const isPython = language === "python";
  const head = isPython ? /^\s*except\b(.*?):\s*(.*)$/.exec(row.mask) : /^\s*\}?\s*catch\b\s*(\([^)]{0,120}\))?\s*\{(.*)$/.exec(row.mask);
  if (!head) return undefined;
  if (isPython && (head[1] ?? "").trim() !== "" && !catchesAll.test(head[1] ?? "")) return undefined;
  if (!isPython && language === "java" && !/\b(?:Throwable|Error|AssertionError|Exception)\b/.test(head[1] ?? "")) return undefined;
  const end = endOfBlock(rows, at);
  // The handler has to be seen to its end.
  const isOneLine = (head[2] ?? "").trim() !== "";
  if (!isOneLine && end === at + 1 && (isPython || !/^\s*\}/.test(rows[end]?.mask ?? ""))) return undefined;
  const body = `${head[2] ?? ""}\n${rows
    .slice(at + 1, end)
    .map((one) => one.mask)
    .join("\n")}`;
  if (reports.test(body)) return undefined;
  for (let i = at - 1; i >= 0; i--) {
    const one = rows[i];
    if (isBlank(one) || !one || one.indent > row.indent) continue;
    if (one.indent === row.indent && /^\s*try\b/.test(one.mask)) return { from: i };
    // `}` of the block before a `catch` on a line of its own, and earlier handlers.
    if (one.indent === row.indent && /^\s*(?:\}|except\b)/.test(one.mask)) continue;
    return undefined;
  }
  return undefined;
}
