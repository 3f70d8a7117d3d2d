/** What the shell reader says of a line: the simple commands that really run, and what they do to files. */

/** One word after quotes, expansions and assignments were resolved. */
export interface Word {
  /** What the program receives, as far as it is known. */
  readonly value: string;
  /** False when a part could not be resolved (an unknown variable, the output of a command): `value` then has `\0` in its place. */
  readonly known: boolean;
  /** Where it stands in the text that was given to the reader. In decoded or constructed code: the word that held the code. */
  readonly start: number;
  readonly end: number;
  /** Had quotes: a glob or a tilde in it is literal. */
  readonly quoted: boolean;
}

export interface Redirect {
  /** The file descriptor, where written; else 0 for input and 1 for output. `&>` has both: -1. */
  readonly fd: number;
  readonly op: "<" | ">" | ">>" | "<>" | ">|" | "<<" | "<<<" | ">&" | "<&";
  readonly target: Word;
  /** The here-document's text. */
  readonly body?: Word;
}

/** A change to files, as far as the words tell. Paths are as written (resolve them against `cwd`). */
export type FileEffect =
  | { readonly kind: "write" | "append"; readonly path: Word; /** Known content. */ readonly content?: Word }
  /** `sed -i`, `perl -i`, `patch`, an editor script: what it becomes is not known from the line alone. */
  | { readonly kind: "change"; readonly path: Word; readonly script?: Word }
  | { readonly kind: "delete"; readonly path: Word; readonly recursive: boolean }
  | { readonly kind: "move" | "copy" | "link"; readonly from: Word; readonly path: Word }
  | { readonly kind: "chmod"; readonly path: Word; readonly mode: Word }
  /** `git checkout REV -- path`, `git restore`, `git reset --hard`; without `path`, everything. */
  | { readonly kind: "restore"; readonly path?: Word; readonly revision?: Word }
  /** `git apply`, `patch`, `git am`: the diff where it is known. */
  | { readonly kind: "apply"; readonly diff?: Word; readonly file?: Word };

/** How a command came to run. `line`: it stood there in plain sight. */
export type Via =
  | "line"
  | "shell-c"
  | "eval"
  | "heredoc"
  | "pipe"
  | "substitution"
  | "xargs"
  | "find-exec"
  | "script"
  | "alias"
  | "function"
  | "subprocess"
  | "make"
  | "npm"
  | "decoded"
  | "hook";

/** One simple command that really runs. */
export interface SimpleCommand {
  /** The program's last path component, after wrappers; `` (empty) for bare assignments. */
  readonly name: string;
  /** The words without wrappers and assignments; `argv[0]` is the program as written. */
  readonly argv: readonly Word[];
  /** `NAME=value` before it or by `env`. */
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  readonly redirects: readonly Redirect[];
  /** `sudo`, `timeout`, `env`, `nohup`, … in order. */
  readonly wrappers: readonly string[];
  readonly via: Via;
  /** The folder it runs in, as far as `cd` tells; relative to the step's folder when it does not start with `/`. Undefined: the step's. */
  readonly cwd?: string;
  /** Literal standard input: a here-document, a here-string, or `echo`/`printf`/`cat` of a known text piped in. */
  readonly stdin?: Word;
  /** Index in the result of the command whose output is this one's input, and the one that reads this one's. */
  readonly pipedFrom?: number;
  readonly pipedTo?: number;
  /** The operator before it: it runs always, if the one before succeeded, or if it failed. */
  readonly joined: ";" | "&&" | "||" | "&" | "|";
  /** Its own exit status does not decide the line's (`|| true`, `; true`, a pipe's earlier member, background). */
  readonly masked: boolean;
  readonly background: boolean;
  /** Code in another language that it executes (`python -c`, a here-document fed to node, a script the agent wrote). */
  readonly code?: { readonly language: "python" | "javascript" | "perl" | "ruby" | "other"; readonly text: Word };
  readonly effects: readonly FileEffect[];
  /** In the given text: from the first word or assignment to the last word or redirection. */
  readonly start: number;
  readonly end: number;
}

export interface ShellLine {
  readonly commands: readonly SimpleCommand[];
  /** Executed payloads that stayed unread (downloaded scripts, undecodable code). An unresolved argument is not one. */
  readonly opaque: readonly { readonly start: number; readonly end: number; readonly why: string }[];
  /** It is not shell that can be read; nothing is claimed about it. */
  readonly broken?: string;
}

/** What later lines of one session need to know of earlier ones. A new value is returned; the old one stays as it was. */
export interface ShellState {
  readonly variables: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<string, string>;
  readonly gitAliases: ReadonlyMap<string, string>;
  /** The last content that the agent wrote to each path (absolute, or relative to the session's folder). */
  readonly scripts: ReadonlyMap<string, string>;
  readonly cwd: string;
}
