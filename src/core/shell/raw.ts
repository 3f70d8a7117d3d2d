/** Shell as it is written, before anything is resolved: what both parsers produce and the walk reads. */

export type RawPart =
  | { readonly kind: "text"; readonly value: string }
  /** `$name`, `${name}` and the forms with a fallback. Any other operation on a variable is `unknown`. */
  | {
      readonly kind: "variable";
      readonly name: string;
      readonly quoted: boolean;
      readonly operator?: "-" | "+";
      readonly fallback?: readonly RawPart[];
    }
  | { readonly kind: "command"; readonly list: RawList; readonly quoted: boolean }
  /** `<(…)` and `>(…)`: the program receives a file name. */
  | { readonly kind: "process"; readonly list: RawList; readonly output: boolean }
  /** Unquoted braces, which may turn out to be text. */
  | { readonly kind: "brace"; readonly value: "{" | "," | "}" }
  | { readonly kind: "unknown" };

export interface RawWord {
  readonly parts: readonly RawPart[];
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

export interface RawAssignment {
  readonly name: string;
  readonly append: boolean;
  readonly value: RawWord;
}

export interface RawRedirect {
  readonly fd: number;
  readonly op: "<" | ">" | ">>" | "<>" | ">|" | "<<" | "<<<" | ">&" | "<&";
  readonly target: RawWord;
  readonly body?: RawWord;
  readonly start: number;
}

export interface RawSimple {
  readonly kind: "simple";
  readonly assignments: readonly RawAssignment[];
  readonly words: readonly RawWord[];
  readonly redirects: readonly RawRedirect[];
  readonly start: number;
  readonly end: number;
}

export type RawNode =
  | RawSimple
  | { readonly kind: "group"; readonly subshell: boolean; readonly list: RawList; readonly redirects: readonly RawRedirect[] }
  | { readonly kind: "pipe"; readonly stages: readonly RawNode[] }
  /** `if`, `while`, `case`: the condition always runs, each body may. */
  | {
      readonly kind: "branch";
      readonly words: readonly RawWord[];
      readonly condition: RawList;
      readonly bodies: readonly RawList[];
      readonly redirects: readonly RawRedirect[];
    }
  | {
      readonly kind: "loop";
      readonly name: string;
      readonly values: readonly RawWord[];
      readonly list: RawList;
      readonly redirects: readonly RawRedirect[];
    }
  /** The body's place in the text. */
  | { readonly kind: "function"; readonly name: string; readonly start: number; readonly end: number }
  /** A piece that could not be parsed. */
  | { readonly kind: "bad"; readonly start: number; readonly end: number };

export interface RawItem {
  readonly node: RawNode;
  /** The operator before it. */
  readonly joined: ";" | "&&" | "||" | "&";
  readonly background: boolean;
}

export type RawList = readonly RawItem[];
