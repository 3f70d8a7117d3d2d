/** The little of a syntax tree that core uses. web-tree-sitter's `Node` fits it as it is. Positions are UTF-16 units. */
export interface SyntaxNode {
  readonly type: string;
  readonly text: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly hasError: boolean;
  readonly isMissing: boolean;
  readonly namedChildren: readonly (SyntaxNode | null)[];
  readonly children: readonly (SyntaxNode | null)[];
  childForFieldName(name: string): SyntaxNode | null;
}

export type Language = "bash" | "python" | "javascript" | "typescript" | "tsx";

/** What a host hands to core. */
export interface Tools {
  /**
   * Parses `text` and returns what `use` makes of the root. The tree is gone when `use` has returned, so nothing of it may be kept.
   * Undefined when there is no parser or grammar, or when the text is over the budget.
   */
  parse<T>(language: Language, text: string, use: (root: SyntaxNode) => T): T | undefined;
}
