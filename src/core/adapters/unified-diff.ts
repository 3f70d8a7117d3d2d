/** A bare patch: a trajectory of edits, one a file, and the patch is its own final patch. */
import type { Action, Part, Span, Text } from "../model";
import type { Adapter, Certainty, Draft, Head, Reader, Record } from "../adapter";
import { readDiff, type FilePatch } from "../text/diff";
import { cut, fromRecord, made, slice } from "../text/text";

/** In characters. A longer patch is judged by its ends only, and says so. */
const longestPatch = 16 * 1024 * 1024;

export const adapter: Adapter = {
  id: "unified-diff",
  title: "Unified diff",
  records: "text",
  isHarness: true,
  specificity: 40,
  silent: [],
  sniff,
  open: (draft) => ({ take: (record) => take(draft, record), end: () => undefined }) satisfies Reader,
};

/** A header of a file with what has to follow it. Each alternative starts at a line's start and is bounded. */
const header =
  /^(?:diff --(?:git|cc|combined) \S.{0,4000}\r?\n(?:index |old mode |new file mode |deleted file mode |similarity index |--- |rename |copy |Binary )|--- .{1,4000}\r?\n\+\+\+ .{1,4000}\r?\n@@|Index: .{1,4000}\r?\n={20,}\r?\n)/m;

/** What may stand before the first header in a file that is a patch all the same: a mail, `git show`, `svn diff`, `diff -r`. */
const opening = /^(?:From [0-9a-f]{40} |From: |Subject: |commit [0-9a-f]{7,40}|diff -|Only in |\*\*\* |Property changes )/;

/** In lines. */
const nearTop = 60;

function sniff(name: string, head: Head): Certainty {
  const text = head.text.slice(0, 32 * 1024);
  const match = header.exec(text);
  const isNamed = /\.(?:diff|patch)$/i.test(name);
  if (!match) return isNamed && /^(?:diff --git |@@ -\d)/m.test(text) ? "maybe" : "no";
  const before = text.slice(0, match.index);
  if (before.trim() === "" || opening.test(before.trimStart()) || isNamed) return "sure";
  // A document that shows a patch is not a patch, and neither is a program that holds one in a string.
  if (/\.(?:py|[cm]?[jt]sx?|java|go|rs|rb|php|c|h|cpp|cs|sh|md|rst|html?|ipynb|ya?ml|json)$/i.test(name)) return "no";
  if (/^[ \t>]{0,8}(?:```|~~~|[{[])/m.test(before)) return "no";
  return before.split("\n").length <= nearTop ? "maybe" : "no";
}

function take(draft: Draft, record: Record): void {
  const whole = fromRecord(record.text, record.ref);
  const patch = readDiff(whole);
  if (whole.value.length > longestPatch) {
    draft.problem(`The patch has ${whole.value.length} characters; only its ends are judged. The limit is ${longestPatch}.`, record, true);
  }
  draft.about.patch = cut(whole, longestPatch);
  for (const { message, at, isCut } of patch.problems) draft.problem(message, at, isCut ?? false);
  if (patch.files.length === 0) draft.problem("There is no file's change in this patch.", record, true);

  const parts: Part[] = [];
  const message = draft.message({ role: "assistant", parts });
  const before = slice(whole, 0, patch.files[0]?.whole.start ?? whole.value.length);
  if (before.value.trim() !== "") {
    const text = draft.text(before.value, before.origin);
    parts.push({ kind: "text", text });
    draft.step({ actor: "agent", action: { kind: "message", text }, message, part: 0 });
  }
  for (const file of patch.files) {
    const section = slice(whole, file.whole.start, file.whole.end);
    const diff = draft.text(section.value, section.origin);
    parts.push({ kind: "call", text: diff, tool: "patch", field: "diff" });
    for (const action of readActions(file, whole, diff)) draft.step({ actor: "agent", action, message, part: parts.length - 1 });
  }
}

function readActions(file: FilePatch, whole: Text, diff: Text): Action[] {
  const from = findName(whole, file.header, file.oldPath, ["--- ", "rename from ", "copy from ", "Index: ", "diff "]);
  const path = findName(whole, file.header, file.newPath ?? file.oldPath, ["+++ ", "rename to ", "copy to ", "--- ", "Index: ", "diff "]);
  if (file.kind === "deleted") return [{ kind: "delete", path: from }];
  const edit: Action = { kind: "edit", path, diff, ...(file.kind === "added" || file.kind === "copied" ? { created: true } : {}) };
  if (file.kind !== "renamed") return [edit];
  const move: Action = { kind: "move", from, path };
  return file.hunks.length === 0 ? [move] : [move, edit];
}

/** The path where a header line writes it; one that is written with escapes stands nowhere as it is. */
function findName(whole: Text, headerAt: Span, path: string | undefined, starts: readonly string[]): Text {
  if (!path) return made(path ?? "");
  const lines: { value: string; at: number }[] = [];
  for (let at = headerAt.start; at < headerAt.end;) {
    const newline = whole.value.indexOf("\n", at);
    const end = newline === -1 || newline > headerAt.end ? headerAt.end : newline;
    lines.push({ value: whole.value.slice(at, end), at });
    at = end + 1;
  }
  for (const start of starts) {
    const line = lines.find((one) => one.value.startsWith(start));
    const at = line?.value.lastIndexOf(path) ?? -1;
    if (line && at >= start.length && /[ /"]/.test(line.value[at - 1] ?? "")) return slice(whole, line.at + at, line.at + at + path.length);
  }
  return made(path);
}
