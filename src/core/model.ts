/**
 * The six nouns. Read this file first: everything else produces them or consumes them.
 *
 * All of them are plain data. Offsets inside a value are UTF-16 units, from 0; lines and columns that
 * are shown count from 1; bytes count from 0 in the raw file.
 */

/** A file, an archive's member or a live buffer. Reading is synchronous and never fails: past the end it returns fewer bytes. */
export interface Source {
  /** Relative to what the user named, with `/`; a member of an archive is `x.zip!/inner.json`. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  read(start: number, end: number): Uint8Array;
}

/** The bytes of one record: a line of a line format, a whole document of the others. */
export interface RecordRef {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  /** The line on which it starts, from 1. */
  readonly line: number;
}

/** Keys and indexes from the root of a JSON value to a place in it. */
export type JsonPath = readonly (string | number)[];

/**
 * Where a string came from, as a chain of decodings that ends in a record.
 * Nothing here costs more than an object: positions are found only when a finding quotes the text.
 */
export type Origin =
  /** The record's bytes as text, or (with a path) the JSON string that stands there; of another JSON value, its raw text. */
  | { readonly from: "record"; readonly record: RecordRef; readonly path?: JsonPath }
  /** The JSON string at `path` in JSON text that was itself held in a string. */
  | { readonly from: "json"; readonly of: Origin; readonly path: JsonPath }
  /** Characters `start` to `end` of another text. */
  | { readonly from: "slice"; readonly of: Origin; readonly start: number; readonly end: number }
  /** Another text without its terminal escapes. */
  | { readonly from: "ansi"; readonly of: Origin }
  /** The first `head` characters of another text, a mark of `mark` characters, and what follows from `tail`. */
  | { readonly from: "cut"; readonly of: Origin; readonly head: number; readonly mark: number; readonly tail: number }
  /** Pieces, one after the other; a piece without origin was put there by the reader. */
  | { readonly from: "join"; readonly pieces: readonly Piece[] };

export interface Piece {
  readonly length: number;
  readonly of?: Origin;
}

/** A string that knows where it came from. */
export interface Text {
  /** What is kept of it: all, or head and tail around a mark when it was longer than the limit. */
  readonly value: string;
  readonly origin: Origin;
  /** Length before it was cut; absent when it was not. */
  readonly total?: number;
}

/** Characters `start` to `end` of a text. */
export interface Span {
  readonly text: Text;
  readonly start: number;
  readonly end: number;
}

export type Actor = "agent" | "user" | "environment";

/** What was done. Everything that a tool printed or refused stands beside it, not inside. */
export type Action =
  | { kind: "message"; text: Text; /** A compaction or hand-off: hearsay. */ summary?: boolean }
  | {
      kind: "command";
      command: Text;
      cwd?: string;
      exit?: number;
      timedOut?: boolean;
      /** Reported only, not observed. */ reported?: boolean;
    }
  /** `before` and `after` are the replaced text and its replacement; `after` alone is a whole file; `diff` stands for both. */
  | {
      kind: "edit";
      path: Text;
      before?: Text;
      after?: Text;
      diff?: Text;
      created?: boolean;
      /** Every occurrence was replaced. */
      all?: boolean;
      /** `after` is only a piece of the file although `before` is absent or empty: what it replaced is unknown, or nothing. */
      partial?: boolean;
      /** Where `before` begins in the file, from 1, when the edit was made by line numbers. */
      line?: number;
    }
  | { kind: "delete"; path: Text }
  | { kind: "move"; from: Text; path: Text }
  | { kind: "read"; path: Text }
  | { kind: "search"; query: Text }
  | { kind: "fetch"; url: Text }
  /** Kept, counted, shown. */
  | { kind: "other"; name: string; text?: Text };

export interface Step {
  /** From 1, in the order in which things happened. */
  number: number;
  actor: Actor;
  /** The sub-agent that acted, where there are several. */
  by?: string;
  /** Milliseconds since 1970, UTC. */
  time?: number;
  /** Index into `Trajectory.messages`, and of the part in it. */
  message: number;
  part: number;
  action: Action;
  /** What came back: a command's output, a file's content, a page. Absent: not recorded. Empty: nothing was printed. */
  output?: Text;
  /** A guard, a harness or the person refused it: it never ran. Why, in their words. */
  blocked?: Text;
  /** The tool reported an error: the act was tried and had no effect (a command has its exit code instead). */
  failed?: boolean;
  /** It can change files, processes or the outside world. */
  mutates: boolean;
  /** The agent's thought just before it, kept apart from what it said. */
  thought?: Text;
}

/** One verbatim string of a message. A call whose arguments are an object has one part an argument that matters. */
export interface Part {
  kind: "text" | "thought" | "call" | "result";
  text: Text;
  /** The call that this belongs to, so that a result finds its call. */
  call?: string;
  tool?: string;
  /** The argument's name, in a call. */
  field?: string;
}

/** A message as the model saw it. */
export interface Message {
  role: "system" | "user" | "assistant" | "tool";
  parts: Part[];
  by?: string;
}

export type Outcome = "resolved" | "unresolved" | "declined" | "unknown";
export type Profile = "bench" | "dev";

/** What a benchmark or a host says of the task. Globs are picomatch patterns over repository paths. */
export interface Task {
  id?: string;
  prompt?: Text;
  repository?: string;
  baseCommit?: string;
  /** Milliseconds since 1970, UTC. */
  baseTime?: number;
  policy?: { protected?: string[]; grader?: string[]; history?: "allowed" | "forbidden"; network?: "allowed" | "forbidden" };
  failToPass?: string[];
  passToPass?: string[];
  goldPatch?: Text;
  testPatch?: Text;
}

/** Something that could not be read, or a limit that was hit. `hides`: it may hide acts, so the run cannot be called clean. */
export interface Problem {
  message: string;
  at?: Span;
  hides?: boolean;
}

export interface Trajectory {
  id: string;
  /** Several attempts at one task are told apart by this. */
  attempt?: string;
  /** The adapter's id; `none` for a bare patch. */
  format: string;
  profile: Profile;
  /** Why this profile, for a person. */
  profileReason: string;
  task: Task;
  agent: { name?: string; model?: string };
  steps: Step[];
  messages: Message[];
  /** The final patch as given; the facts fall back on the sum of the edits. */
  patch?: Text;
  outcome: Outcome;
  problems: Problem[];
  /** Records that the adapter did not understand and that could have held acts. */
  unread: number;
}

export type Family = "PEEK" | "RIG" | "HIJACK" | "FAKE" | "MUTE" | "CLOCK" | "LIE" | "HIDE" | "HARM" | "HEALTH";
export type Severity = "critical" | "high" | "medium" | "low" | "info";
export type Certainty = "certain" | "suspicious" | "info";
/** How far it went: looked for it, did it in vain, got it, and it is in the result. */
export type Stage = "probe" | "attempt" | "exposed" | "effective";
export type Status = "trial" | "stable";

/** A place in a raw file. */
export interface Location {
  file: string;
  start: Position;
  end: Position;
  /** The quoted text, at most 2,000 characters of it. */
  text: string;
  /** False when the range is only the smallest one that covers the text. */
  exact: boolean;
}

export interface Position {
  line: number;
  column: number;
  byte: number;
}

/** The place in the repository that a finding concerns. Lines from 1, both ends included. */
export interface Target {
  path: string;
  side: "old" | "new";
  start: number;
  end: number;
}

export interface Finding {
  fingerprint: string;
  monitor: string;
  version: number;
  family: Family;
  severity: Severity;
  certainty: Certainty;
  stage: Stage;
  status: Status;
  /** One line, at most 120 characters where it can be. */
  message: string;
  /** Why it matters and which innocent reading was ruled out. */
  why: string;
  data: Record<string, string | number | boolean | readonly string[]>;
  /** The step's number; 0 when it concerns the patch or the whole run. */
  step: number;
  message_part: { message: number; part: number; start: number; end: number } | null;
  authorised: boolean;
  disclosed: boolean;
  at: Location | null;
  target: Target | null;
  related: { message: string; at: Location | null }[];
}

export type VerdictName = "hacked" | "suspicious" | "clean" | "unverified";

export interface Verdict {
  verdict: VerdictName;
  reason: "effective" | "exposed" | "attempted" | "uncertain" | "several" | "unread" | null;
  /** Fingerprints of the findings that decided it. */
  decidedBy: string[];
  /** Any stable finding above info. */
  tripped: boolean;
}

/** A person's mark on a span or a run: what annotation and review both write. */
export interface Label {
  run: string;
  /** Absent for the whole run. Offsets in the part's text, UTF-16. */
  span?: { message: number; part: number; start: number; end: number; quote: string };
  value: "desirable" | "neutral" | "undesirable" | "unseen" | "confirmed" | "false-positive" | "accepted" | "later";
  /** The finding that a review mark is about. */
  finding?: string;
  reason?: string;
  by: string;
  /** Milliseconds since 1970, UTC. */
  time: number;
  source: "human" | "monitor" | "judge" | "propagated";
}
