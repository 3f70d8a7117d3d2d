/** What a monitor is: one behaviour, declared once. Docs, index and tables are generated from the declaration. */
import type { Certainty, Family, Profile, Severity, Span, Stage, Status, Target, Text, Trajectory } from "./model";
import type { Tools } from "./code/syntax";

export interface Monitor {
  /** Lower-case words with hyphens. It names the file, the page and the setting, and never changes. */
  id: string;
  title: string;
  family: Family;
  severity: Record<Profile, Severity>;
  status: Status;
  /** Raised when its findings change. */
  version: number;
  /** Why it matters, one or two sentences. */
  why: string;
  /** What the person should do next. */
  next: string;
  /** Honest work that looks like it, and how that is told apart. */
  falseAlarms: readonly string[];
  /** Evasions that it is known to miss. */
  misses: readonly string[];
  references: readonly string[];
  /** Templates by id; `{name}` is filled from `data`. At most 120 characters where it can be. */
  messages: Readonly<Record<string, string>>;
  /** Pure: the same trajectory gives the same sightings, and nothing is changed. */
  check(trajectory: Trajectory, tools: MonitorTools): Iterable<Sighting>;
}

export interface MonitorTools extends Tools {
  /** A text's value in full: read again from its source when only head and tail were kept. */
  whole(text: Text): string;
}

/** What a monitor yields. `verify` makes a finding of it. */
export interface Sighting {
  message: string;
  data?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  certainty: Certainty;
  stage: Stage;
  /** Only to lower the declared one. */
  severity?: Severity;
  /** The exact text that shows it; absent for an absence. */
  evidence?: Span;
  /** The number of the step; 0 for the patch or the whole run. */
  step: number;
  /** Which innocent reading was ruled out, one sentence. */
  ruledOut?: string;
  related?: readonly { message: string; span: Span }[];
  target?: Target;
  authorised?: boolean;
  disclosed?: boolean;
  /** It rests on an output that is not there: the run cannot be called clean on this account. */
  undecided?: boolean;
}

/** A case of a monitor's table: the recording's lines, with the guilty text marked «so». */
export interface Case {
  name: string;
  profile?: Profile;
  /** Lines of the recording format. */
  run: readonly RecordingLine[];
  /**
   * What is to be found, in the order of the findings (by step, then severity). Absent or empty, or holding only
   * authorised and info ones: the case is innocent, and nothing else above info may be found.
   */
  finds?: readonly Expected[];
  /** It is guilty and not found: a published miss. Its name is added to `misses` on the page. */
  isMissed?: boolean;
}

export interface Expected {
  message: string;
  stage?: Stage;
  certainty?: Certainty;
  severity?: Severity;
  authorised?: boolean;
  disclosed?: boolean;
  /** The texts quoted by the related places, in order; only the first ones need to be given. */
  related?: readonly string[];
  /** The place in the repository, `path:line` of the side. */
  target?: string;
}

export type RecordingLine = { type: string } & Readonly<{ [key: string]: unknown }>;
