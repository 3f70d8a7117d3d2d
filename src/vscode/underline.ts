/** Marks in documents that cannot be edited: there the editor draws no squiggles of its own, unless a setting asks for them. */
import * as vscode from "vscode";

export interface Underline extends vscode.Disposable {
  /** Replaces all that is drawn. Keys are URIs as strings. */
  set(marks: readonly (readonly [uri: string, diagnostics: readonly vscode.Diagnostic[]])[]): void;
}

/** Two types for all marks: one for each range is what makes an editor slow. */
export function createUnderline(): Underline {
  const toType = (color: string): vscode.TextEditorDecorationType =>
    vscode.window.createTextEditorDecorationType({
      borderWidth: "0 0 2px 0",
      borderStyle: "dotted",
      borderColor: new vscode.ThemeColor(color),
      overviewRulerColor: new vscode.ThemeColor(color),
      overviewRulerLane: vscode.OverviewRulerLane.Right,
    });
  const grave = toType("editorWarning.foreground");
  const other = toType("editorInfo.foreground");
  let held = new Map<string, readonly vscode.Diagnostic[]>();
  /** Editors on which something is drawn, so that it can be taken away. */
  const drawn = new Set<vscode.TextEditor>();

  function draw(editors: readonly vscode.TextEditor[]): void {
    for (const editor of editors) {
      const marks = held.get(editor.document.uri.toString());
      if (!marks && !drawn.delete(editor)) continue;
      if (marks) drawn.add(editor);
      const isGrave = ({ severity }: vscode.Diagnostic): boolean => severity === vscode.DiagnosticSeverity.Warning;
      editor.setDecorations(grave, (marks ?? []).filter(isGrave).map(toOptions));
      editor.setDecorations(other, (marks ?? []).filter((mark) => !isGrave(mark)).map(toOptions));
    }
  }

  const listeners = vscode.Disposable.from(
    grave,
    other,
    vscode.window.onDidChangeVisibleTextEditors((editors) => {
      for (const editor of drawn) if (!editors.includes(editor)) drawn.delete(editor);
      draw(editors);
    }),
  );
  return {
    set(marks) {
      held = new Map(marks);
      draw(vscode.window.visibleTextEditors);
    },
    dispose: () => void listeners.dispose(),
  };
}

/** What was read from a log is shown as text, never as Markdown. */
function toOptions({ range, message }: vscode.Diagnostic): vscode.DecorationOptions {
  return { range, hoverMessage: new vscode.MarkdownString().appendText(`Agent Proctor: ${message}`) };
}
