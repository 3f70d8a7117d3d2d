/** What a planter may do to a run of any format. All edits are made in place, on a copy that the planter was given. */
import type { Json } from "./json";

export interface SeenTurn {
  command: string;
  output: string;
  /** Everything that the turn holds, for looking things up. */
  text: string;
}

export interface NewTurn {
  say: string;
  command: string;
  output: string;
  exit: number;
}

/** A replacement in a file, and how an agent without an editor would make it. */
export interface NewEdit {
  say: string;
  path: string;
  before: string;
  after: string;
  command: string;
}

export interface Format {
  id: "mini-swe-agent" | "swe-agent" | "claude-code";
  turns(run: Json): SeenTurn[];
  /** Puts a turn before turn `at`, from 0. */
  insert(run: Json, at: number, turn: NewTurn): void;
  /** Puts an edit before turn `at`. */
  insertEdit(run: Json, at: number, edit: NewEdit): void;
  /** The final patch; where the format has none, what its edits make of the files. */
  patch(run: Json): string;
  /** Adds a file's diff to the final patch. Formats without one have the edit alone. */
  addToPatch(run: Json, diff: string): void;
  /** Replaces what the agent says last. */
  close(run: Json, text: string): void;
  /** The file's text. */
  write(run: Json): string;
}
