/** Why an assertion that went may be no loss: the case tries something else now, or says the same in another way. */
import type { DiffLine, Patch } from "../text/diff";
import { strength } from "./assertions";
import { shown } from "./assertion-places";
import type { Held } from "./assertion-sides";
import type { CaseChange } from "./direction";
import { hasRole } from "./roles";

/** The changed lines of one test case, or of a hunk where it cannot be told whose they are. */
export type Part = Pick<CaseChange, "removed" | "added">;

/** It takes its values from a table or a loop now. */
export function hasTable({ added }: Part): boolean {
  return added.some((line) => /parametrize|\.each\b|subTest|^\s*for\b|\.forEach\(/.test(line.value.slice(0, 400)));
}

/** More went than assertions: the case tries something else now. */
export function isRewritten({ removed }: Part, asserting: ReadonlySet<DiffLine>): boolean {
  return removed.filter((line) => !asserting.has(line) && /\w/.test(line.value)).length >= 3;
}

/** Added lines check something in a way that is not read here: `.expect(200, done)`. */
export function hasOtherChecks({ added }: Part, asserting: ReadonlySet<DiffLine>): boolean {
  return added.some(
    (line) =>
      !asserting.has(line) &&
      /\w*(?:expect|assert|should|verify|check|raises)\w*\s*[(.]/i.test(line.value.slice(0, 400)) &&
      !/^\s*(?:#|\/\/|\*)/.test(line.value),
  );
}

/** An added line of the case holds the expected text: it is checked in another way. */
export function isWritten({ added }: Part, one: Held): boolean {
  const plain = (value: string): string => value.replace(/[\\\s]/g, "");
  const text = /^[rbfu]{0,2}["'](.{4,40})/.exec(one.expected ?? "")?.[1]?.replace(/["']$/, "");
  return text !== undefined && added.some((line) => plain(line.value).includes(plain(text)));
}

/** The step that made its subject went with it: less is tried, not only less asked. */
export function wentWith({ removed, added }: Part, one: Held): boolean {
  const root = /^(?:await )?([A-Za-z_$][\w$]*)/.exec(one.subjects[0] ?? "")?.[1];
  if (!root) return false;
  // Names come from source and are compared as text, never compiled into a pattern.
  const makes = (line: DiffLine): boolean => {
    const match = /^\s*(?:(?:const|let|var)\s+)?([\w$, {}[\]:]{1,200}?)\s*(?::=|=(?![=>]))/.exec(line.value.slice(0, 400));
    return match !== null && (match[1] ?? "").split(/[^\w$]+/).includes(root);
  };
  return removed.filter(makes).length > added.filter(makes).length;
}

/** What is left of the case says the same, or more, of that subject. */
export function isSaidElsewhere(old: Held, news: readonly Held[]): boolean {
  return news.some((one) =>
    one.family === "unknown"
      ? one.isChanged
      : strength[one.family] >= Math.min(6, strength[old.family]) &&
        one.subjects.some((mine) =>
          old.subjects.some((subject) => mine === subject || (strength[old.family] <= 3 && mine.startsWith(subject))),
        ),
  );
}

/** A warning that is no longer given is most often a deprecation that ran out. */
export function isWarning(one: Held): boolean {
  return one.family === "raises" && /\b(?:warns|assertWarns\w*)\s*\(/.test(one.statement.code.mask);
}

const longNames = /[A-Za-z_$][\w$]{3,}/g;

/** Names that the patch takes out of the product and does not put back. */
export function vanishedNames(patch: Patch): ReadonlySet<string> {
  const [out, back] = [new Set<string>(), new Set<string>()];
  for (const file of patch.files) {
    if (hasRole(file.newPath ?? file.oldPath ?? "", "test")) continue;
    for (const hunk of file.hunks)
      for (const line of hunk.lines)
        for (const word of line.value.slice(0, 1000).match(longNames) ?? []) (line.kind === "-" ? out : back).add(word);
  }
  return new Set([...out].filter((word) => !back.has(word)));
}

/** It is about something that the patch takes out of the product. */
export function isAboutVanished(one: Held, vanished: ReadonlySet<string>): boolean {
  return vanished.size > 0 && (shown(one).match(longNames) ?? []).some((word) => vanished.has(word));
}
