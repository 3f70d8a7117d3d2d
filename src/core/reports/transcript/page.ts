/** A page of the readable transcript, as plain data: it crosses threads. Lines and columns count from 0, as editors do; columns in UTF-16 units. */

export interface Spot {
  line: number;
  column: number;
}

export interface PageRange {
  start: Spot;
  end: Spot;
}

/** Which of a step's texts. `patch` belongs to step 0, which stands for the run's final patch. */
export type PartName =
  | "thought"
  | "message"
  | "command"
  | "path"
  | "from"
  | "before"
  | "after"
  | "diff"
  | "url"
  | "query"
  | "other"
  | "output"
  | "blocked"
  | "patch";

export interface PageBody {
  part: PartName;
  /** Both ends included. A name in the heading stands on the heading's line. */
  startLine: number;
  endLine: number;
}

export interface PageStep {
  /** From 1; 0 for the final patch. */
  number: number;
  startLine: number;
  endLine: number;
  /** What the outline shows: the heading without `=== `. */
  name: string;
  /** In a few words: a path, the first line of a command or of a message. */
  about: string;
  kind: string;
  actor: string;
  mutates: boolean;
  /** The path, as the log has it, that the act is about. */
  path: string | null;
  bodies: PageBody[];
}

export interface PageFinding {
  /** Index into the run's findings. */
  index: number;
  fingerprint: string;
  range: PageRange;
  /** False when the range is only the line of its step or of the header. */
  exact: boolean;
  related: { message: string; page: number; range: PageRange }[];
}

export interface Elision {
  line: number;
  step: number;
  part: PartName;
  /** How many characters of the body are left out in that line. */
  chars: number;
  /** Of the body, in characters. */
  total: number;
}

export interface Page {
  /** From 1. */
  page: number;
  pages: number;
  /** Ends in a line end. */
  text: string;
  /** How many lines stand before the first step. */
  head: number;
  steps: PageStep[];
  findings: PageFinding[];
  /** Every page that holds findings, ascending. */
  flagged: number[];
  elisions: Elision[];
}

export interface PageOptions {
  pageSteps: number;
  /** In characters. */
  pageChars: number;
  /** Editors stop colouring documents of very many lines. */
  pageLines: number;
  /** A longer body keeps its ends and what findings quote. */
  maxBodyChars: number;
  maxLineChars: number;
}

export const pageOptions: PageOptions = {
  pageSteps: 2000,
  pageChars: 2 * 1024 * 1024,
  pageLines: 40_000,
  maxBodyChars: 8192,
  maxLineChars: 2000,
};
