/** A guilty statement, and where it stands in the evidence. */
import type { Span } from "../model";
import type { Piece, PieceLine } from "./hooks-pieces";
import type { HookAct } from "./hooks-python";

export interface FoundHook {
  piece: Piece;
  act: Pick<HookAct, "where" | "condition" | "isSure"> & { kind: HookAct["kind"] | "reporter" | "harness" };
  line: PieceLine;
  /** The guilty statement, on the line that shows it. */
  evidence: Span;
  statement: string;
}

export function found(act: FoundHook["act"], piece: Piece, line: PieceLine, from: number, to: number): FoundHook | undefined {
  if (!line.at) return undefined;
  const raw = line.value.slice(from, to);
  const start = from + raw.length - raw.trimStart().length;
  const statement = raw.trim();
  const { text } = line.at;
  return { piece, act, line, statement, evidence: { text, start: line.at.start + start, end: line.at.start + start + statement.length } };
}
