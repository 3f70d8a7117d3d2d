/** What one test case lost: assertions that became weaker, went into a comment, or went altogether. */
import type { DiffLine } from "../text/diff";
import { strength } from "./assertions";
import {
  hasOtherChecks,
  hasTable,
  isAboutVanished,
  isRewritten,
  isSaidElsewhere,
  isWarning,
  isWritten,
  type Part,
  wentWith,
} from "./assertion-excuses";
import { weakened } from "./assertion-order";
import { aboutNothing, pair, type Pair, tokens } from "./assertion-pairs";
import { type AssertionChange, oldForm, partOf, shown, tell, wholeLine } from "./assertion-places";
import type { Row } from "./assertion-rows";
import type { Held } from "./assertion-sides";

/** One test case, or what a hunk holds outside of all cases. */
export interface CaseSides {
  file: string;
  owner: string;
  olds: readonly Held[];
  news: readonly Held[];
  part: Part;
  /** It cannot be told which case these lines belong to. */
  isUnclear: boolean;
}

/** What counts for all cases of a file. */
export interface Around {
  /** The keys of all assertions that the patch adds: one that comes back has only moved. */
  comes: ReadonlySet<string>;
  /** Names that the patch takes out of the product. */
  vanished: ReadonlySet<string>;
  /** Rows that the patch adds and that hold nothing but a comment. */
  comments: readonly Row[];
  /** The lines of all assertions of the file. */
  asserting: ReadonlySet<DiffLine>;
}

export function findLosses(one: CaseSides, around: Around): AssertionChange[] {
  const fresh = one.news.filter((now) => now.isChanged);
  const gone: Held[] = [];
  for (const old of one.olds) {
    if (!old.isChanged) continue;
    const same = fresh.findIndex((now) => now.key === old.key && !(old.isAsync && old.isAwaited && !now.isAwaited));
    if (same >= 0) fresh.splice(same, 1);
    else if (!around.comes.has(old.key) || old.isAsync) gone.push(old);
  }
  const { pairs, unpaired } = pair(gone, fresh);
  const found = findWeaker(one, pairs, fresh);
  const lost: Held[] = [];
  for (const old of unpaired) {
    const comment = around.comments.find(({ line }) => isCommentOf(line.value, old));
    if (comment) found.push(tell("commented", one.file, one.owner, wholeLine(comment.line), oldForm(old)));
    else lost.push(old);
  }
  // An added assertion that replaces none may well make up for one that went.
  const isReplaced = fresh.length > pairs.length;
  return isReplaced ? found : [...found, ...findRemoved(one, lost, around)];
}

function findWeaker({ file, owner, news }: CaseSides, pairs: readonly Pair<Held>[], fresh: readonly Held[]): AssertionChange[] {
  const found: AssertionChange[] = [];
  const taken = new Set(pairs.map(({ now }) => now));
  for (const { old, now, score } of pairs) {
    const weaker = weakened(old, now);
    // Of another subject, only what asks next to nothing can be told to stand in its place.
    if (!weaker || (score < 1 && strength[now.family] > 2)) continue;
    const others = fresh.filter((one) => one !== now && !taken.has(one));
    if (isMadeUp(old, now, others) || isStillAsked(old, now, news)) continue;
    const row = now.statement.rows.find(({ line }) => line.kind === "+") ?? now.statement.rows[0];
    if (!row) continue;
    const isSure = score === 1 || (now.family === "vacuous" && score >= aboutNothing);
    found.push(
      tell(weaker.kind, file, owner, partOf(row, now), {
        isCertain: weaker.isCertain && isSure,
        isSlight: weaker.isSlight ?? false,
        now: shown(now),
        ...oldForm(old),
      }),
    );
  }
  return found;
}

/** One assertion split into several, about the same thing or about its parts. What cannot be read may be such a part. */
function isMadeUp(old: Held, now: Held, others: readonly Held[]): boolean {
  if (others.some((one) => one.family === "unknown")) return true;
  if (now.family === "vacuous") return false;
  const isNear = (one: Held): boolean =>
    one.subjects.some((mine) => old.subjects.some((subject) => mine.includes(subject) || subject.includes(mine)));
  return others.some(
    (one) =>
      one.family !== "vacuous" && (isNear(one) || tokens(old, one) >= 0.5 || (one.expected !== undefined && one.expected === old.expected)),
  );
}

/** Another assertion of the case asks all that the old one asked. */
function isStillAsked(old: Held, now: Held, news: readonly Held[]): boolean {
  return news.some(
    (one) =>
      one !== now &&
      strength[one.family] >= strength[old.family] &&
      one.subjects.some((mine) => old.subjects.includes(mine)) &&
      one.expected === old.expected,
  );
}

/** One change for all that went without a replacement and without an excuse. */
function findRemoved({ file, owner, news, part, isUnclear }: CaseSides, gone: readonly Held[], around: Around): AssertionChange[] {
  const lost = gone.filter(
    (old) =>
      old.family !== "unknown" &&
      old.family !== "vacuous" &&
      !isSaidElsewhere(old, news) &&
      !isWritten(part, old) &&
      !isAboutVanished(old, around.vanished),
  );
  const [first] = lost;
  const row = first?.statement.rows.find(({ line }) => line.kind === "-");
  if (!first || !row || isUnclear || hasTable(part) || hasOtherChecks(part, around.asserting)) return [];
  const isMinor = (one: Held): boolean =>
    strength[one.family] <= 3 || (one.isNegated === true && one.family !== "boolean") || isWarning(one) || wentWith(part, one);
  return [
    tell("removed", file, owner, partOf(row, first), {
      isCertain: false,
      isSlight: owner.startsWith("#") || isRewritten(part, around.asserting) || lost.every(isMinor),
      side: "old",
      old: shown(first),
      oldLine: row.line,
      count: lost.length,
    }),
  ];
}

/** The comment holds the beginning of the assertion. */
function isCommentOf(comment: string, one: Held): boolean {
  const plain = (value: string): string => value.replace(/\s+/g, "").replace(/;+$/, "");
  const wanted = plain(shown(one)).slice(0, 60);
  return wanted.length >= 6 && plain(comment).includes(wanted) && /^\s*(?:#|\/\/|\/\*|\*|"""|''')/.test(comment);
}
