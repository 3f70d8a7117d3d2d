/** The part of the hand-written `vscode` that language features use: plain holders of what they are given. */
import type { Position, Range, Uri } from "./fake";

export class DocumentSymbol {
  children: DocumentSymbol[] = [];
  constructor(
    readonly name: string,
    readonly detail: string,
    readonly kind: number,
    readonly range: Range,
    readonly selectionRange: Range,
  ) {}
}

export class FoldingRange {
  constructor(
    readonly start: number,
    readonly end: number,
    readonly kind?: number,
  ) {}
}

export class SelectionRange {
  constructor(
    readonly range: Range,
    readonly parent?: SelectionRange,
  ) {}
}

export class DocumentLink {
  tooltip?: string;
  constructor(
    readonly range: Range,
    readonly target: Uri,
  ) {}
}

export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command: { title: string; command: string; arguments?: unknown[] },
  ) {}
}

export class Hover {
  constructor(
    readonly contents: MarkdownString[],
    readonly range: Range,
  ) {}
}

/** Keeps apart what is read as Markdown and what is read as text. */
export class MarkdownString {
  isTrusted?: unknown;
  supportThemeIcons?: boolean;
  readonly markdown: string[] = [];
  readonly text: string[] = [];
  value = "";
  appendMarkdown(value: string): this {
    this.value += value;
    this.markdown.push(value);
    return this;
  }
  appendText(value: string): this {
    this.value += value;
    this.text.push(value);
    return this;
  }
}

/** A document over a text. */
export function createDocument(uri: Uri, text: string, range: new (a: number, b: number, c: number, d: number) => Range) {
  const lines = text.split("\n");
  return {
    uri,
    lineCount: lines.length,
    getText: () => text,
    lineAt: (line: number) => ({ text: lines[line] ?? "" }),
    getWordRangeAtPosition(position: Position): Range | undefined {
      for (const { index, 0: word } of (lines[position.line] ?? "").matchAll(/[^\s|"'`(){}[\]<>,;=]+/g))
        if (index <= position.character && position.character <= index + word.length)
          return new range(position.line, index, position.line, index + word.length);
      return undefined;
    },
  };
}

const kinds = ["File", "Module", "Namespace", "Package", "Class", "Method", "Property", "Field", "Constructor", "Enum", "Interface"];
const more = ["Function", "Variable", "Constant", "String", "Number", "Boolean", "Array", "Object", "Key", "Null", "EnumMember"];

export const languageApi = {
  DocumentSymbol,
  FoldingRange,
  SelectionRange,
  DocumentLink,
  CodeLens,
  Hover,
  MarkdownString,
  FoldingRangeKind: { Comment: 1, Imports: 2, Region: 3 },
  SymbolKind: Object.fromEntries([...kinds, ...more, "Struct", "Event"].map((name, index) => [name, index])),
  TextEditorRevealType: { Default: 0, InCenter: 1, InCenterIfOutsideViewport: 2, AtTop: 3 },
};
