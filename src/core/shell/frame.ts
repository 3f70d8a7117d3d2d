import type { Tools } from "../code/syntax";
import type { Scope } from "./scope";
import type { Redirect, SimpleCommand, Via, Word } from "./types";
import type { Output } from "./words";

export type ShellParser = Pick<Tools, "parse">;

/** A command while it is built. */
export type Draft = { -readonly [K in keyof SimpleCommand]: SimpleCommand[K] };

/** Everything that belongs to the reading of one line. */
export interface Run {
  /** The line that was given. */
  readonly root: string;
  readonly parser: ShellParser | undefined;
  readonly commands: Draft[];
  /** Commands that do not stand in their pipe themselves: those of substitutions. By index. */
  readonly aside: boolean[];
  readonly opaque: { start: number; end: number; why: string }[];
  /** Words that came out of a decoder, and those that stand for the output of a process. Made when first needed: most lines have none. */
  decoded?: Set<Word>;
  processes?: Map<Word, { readonly output: Output | undefined }>;
  /** Characters of nested code that may still be parsed. */
  budget: number;
  /** Scripts being run, against cycles. */
  readonly running: Set<string>;
}

/** A text being read, and how its commands come to run. */
export interface Frame {
  readonly run: Run;
  readonly text: string;
  readonly place: (start: number, end: number) => { start: number; end: number };
  readonly via: Via;
  readonly scope: Scope;
  readonly depth: number;
  readonly aside: boolean;
  readonly wrappers: readonly string[];
  /** The status of the frame's last command decides nothing. */
  readonly masked: boolean;
  readonly background: boolean;
  /** The whole frame's input, for its first reader. */
  readonly input?: Input;
}

/** Standard input: `undefined` text is an input that is there and not known. */
export interface Input {
  readonly word?: Word;
  readonly decoded: boolean;
  /** It comes from a file that the agent did not write: like running that file. */
  readonly file?: boolean;
  readonly from: "heredoc" | "pipe";
}

export interface Position {
  readonly joined: SimpleCommand["joined"];
  readonly masked: boolean;
  readonly background: boolean;
  /** Somebody needs to know what is printed. */
  readonly wanted: boolean;
  readonly input?: Input;
}

export const MAX_DEPTH = 8;

export function addOpaque(frame: Frame, start: number, end: number, why: string): void {
  if (frame.run.opaque.length < 100) frame.run.opaque.push({ start, end, why });
}

export interface Call {
  readonly words: readonly Word[];
  readonly assignments: SimpleCommand["assignments"];
  readonly redirects: readonly Redirect[];
  readonly wrappers: readonly string[];
  readonly start: number;
  readonly end: number;
  /** The first word may be an alias: it stood there unquoted. */
  readonly plain?: boolean;
  /** The first word is what another command printed. */
  readonly fromOutput?: boolean;
  readonly unwrapped?: number;
}

export interface CodeCall {
  readonly position: Position;
  readonly wrappers?: readonly string[];
  readonly redirects?: readonly Redirect[];
  readonly start: number;
  readonly end: number;
  readonly args?: readonly Word[];
  readonly scope?: Scope;
  readonly decoded?: boolean;
}
