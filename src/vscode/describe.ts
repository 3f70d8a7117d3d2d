/** A finding in words: the same facts for the eye, for the pointer and for a screen reader. */
import * as vscode from "vscode";
import type { Sighted } from "./board";
import { doesCount, toLine, toTitle } from "./words";

export interface Facts {
  /** `High`, or why it asks nothing of a person. */
  word: string;
  /** `test_a.py:12`, or why it has no line. */
  where: string;
  /** `line 12`, where the file is told already. */
  line: string;
  /** `step 17`; empty when it concerns the whole run. */
  step: string;
  tooltip: string;
  /** For a screen reader. */
  sentence: string;
}

export function describeSighted(sighted: Sighted, isReviewed: boolean): Facts {
  const { finding, place, note } = sighted;
  const word = nameWeight(sighted);
  const line = place ? place.range.start.line + 1 : undefined;
  const path = place && vscode.workspace.asRelativePath(place.uri);
  const step = finding.step > 0 ? `step ${finding.step}` : "";
  const state = isReviewed ? "reviewed" : "not reviewed";
  const spoken = path === undefined ? (note ?? "") : `${path.replace(/^.*\//, "")} line ${line}`;
  const message = toLine(finding.message, 300);
  return {
    word,
    where: path === undefined ? toLine(note ?? "") : `${path}:${line}`,
    line: line === undefined ? toLine(note ?? "") : `line ${line}`,
    step,
    tooltip: [
      message,
      "",
      toLine(finding.why, 600),
      "",
      `${word} · ${finding.certainty} · ${finding.stage} · ${finding.monitor}`,
      [path === undefined ? toLine(note ?? "", 300) : `${path}:${line}`, step, state].filter(Boolean).join(" · "),
    ].join("\n"),
    sentence: toLine([`${word} finding`, message, spoken, step, state].filter(Boolean).join(", "), 400),
  };
}

function nameWeight({ finding }: Sighted): string {
  if (doesCount(finding)) return toTitle(finding.severity);
  if (finding.authorised) return "Allowed";
  return finding.status === "trial" ? "Trial" : "Information";
}
