/** What an adapter is: it knows one format, and turns its records into messages and steps. */
import type { Message, Outcome, Problem, RecordRef, Span, Step, Task, Text, Origin } from "./model";

export type Certainty = "no" | "maybe" | "sure";

/** The first 64 KiB of a file, looked at once for all adapters. */
export interface Head {
  /** Decoded; the last character may be broken when the file goes on. */
  text: string;
  /** The file ends here. */
  isWhole: boolean;
  /** The first lines that are JSON objects or arrays, at most 20; empty when the first line is not. */
  records: readonly unknown[];
  /** The whole document when it is JSON and ends here. */
  document: unknown;
  /** Paths of the keys seen in the head of a JSON document, at most three deep, `[]` for an array: `info.exit_status`, `messages.[].role`. */
  keys: ReadonlySet<string>;
}

export interface Adapter {
  id: string;
  title: string;
  /** `json-lines`: a JSON value a line. `lines`: text, line by line. `json` and `text`: one document. */
  records: "json-lines" | "json" | "lines" | "text";
  /** The format of a harness, so that its runs are graded ones: profile `bench` unless something says otherwise. */
  isHarness: boolean;
  /** Of two that are sure, the higher one is taken. */
  specificity: number;
  /** Record types that carry no acts (titles, usage, heartbeats). All others that the reader does not know count as unread. */
  silent: readonly string[];
  /** From the first 64 KiB, whatever the file's ending. */
  sniff(name: string, head: Head): Certainty;
  /** For files that hold several runs: whether this record starts a new one. The hint is a substring of every such record. */
  begins?: { hint: string; test(value: unknown): boolean };
  open(draft: Draft): Reader;
}

/** One record, decoded. */
export interface Record {
  ref: RecordRef;
  text: string;
  /** Parsed, for the JSON kinds. */
  value: unknown;
}

/**
 * Reads one run. Neither function throws, and no record is dropped in silence: an unknown one becomes an
 * `other` step. A result that comes later completes the step that was written for its call.
 */
export interface Reader {
  take(record: Record): void;
  end(): void;
}

/** A step as a reader writes it: what is left out has its ordinary value. */
export type NewStep = Partial<Omit<Step, "number" | "action" | "actor">> & Pick<Step, "action" | "actor">;

/** What a reader writes into. It belongs to one source of one run. */
export interface Draft {
  /** The source's name. */
  readonly name: string;
  /** It holds as many steps as it can: nothing more is read. */
  isFull: boolean;
  readonly steps: Step[];
  readonly messages: Message[];
  readonly problems: Problem[];
  /** A text with the limits on its length applied. */
  text(value: string, origin: Origin): Text;
  /** The JSON string at a path of a record; undefined when there is none. */
  string(record: Record, path: readonly (string | number)[]): Text | undefined;
  /** Adds a message; its index. */
  message(message: Message): number;
  /** Adds a step with the next number. `mutates` is derived from the action when it is left out. */
  step(step: NewStep): Step;
  /** A record that was not understood: kept as an `other` step. `silent` ones are kept but do not count as unread. */
  unknown(record: Record, type: string): void;
  problem(message: string, at?: Span | Record, hides?: boolean): void;
  /** What the run is, as far as the format says. */
  readonly about: About;
}

export interface About {
  id?: string;
  attempt?: string;
  agent?: { name?: string; model?: string };
  task?: Task;
  patch?: Text;
  outcome?: Outcome;
  profile?: "bench" | "dev";
  /** The folder that the agent worked in. */
  cwd?: string;
  unread: number;
}
