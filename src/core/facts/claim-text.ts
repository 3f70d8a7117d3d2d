import { splitSentences } from "./claim-sentences";
import type { Sentence } from "./claim-sentences";
import { findOthers } from "./claim-patterns";
import type { ClaimKind, Match } from "./claim-patterns";
import { isStated } from "./claim-stated";
import { findCounts, findNotRun, findRatio, findTests } from "./claim-tests";

export type { ClaimKind };

/** What a message states about results. Offsets are UTF-16 units in the message and cover the sentence. */
export interface Claim {
  kind: ClaimKind;
  /** `all`: of the whole suite, in so many words. `some`: of named, counted or excepted tests. */
  scope: "all" | "some" | "unstated";
  counts?: { passed?: number; failed?: number; total?: number };
  /** The test, file or script that it names. */
  subject?: string;
  /** Said to be expected, believed or conditional. */
  hedged: boolean;
  /** It says that this was not done or does not hold. */
  negated: boolean;
  /** False for what will be. */
  pastOrPresent: boolean;
  /** The same sentence, or the next one, speaks of failures. */
  mentionsFailure: boolean;
  /** Tests that it names as exceptions. */
  exceptions: string[];
  start: number;
  end: number;
}

const HEDGE =
  /\b(?:should|would|could|might|may|ought|probably|likely|presumably|hopefully|believe|think|assum\w+|suppos\w+|expect\w*|seems?|appears?|looks? like|in theory|theoretically|untested)\b/i;
const FUTURE = /\b(?:will|'ll|going to|won't)\b/i;
/** A runner called without a target of its own: `npm test`, `python -m pytest -q`. */
const RUNNER =
  /^(?:the )?`(?:[\w./-]+ (?:-m |run )?)?(?:pytest|jest|vitest|mocha|tox|nox|unittest|(?:npm|yarn|pnpm|bun)(?: run)? test|(?:go|cargo|make) test|node --test)(?: -[\w=.-]+| \.\/\.\.\.)*`(?: run)?$/;
/** Everything that a message claims about tests, builds, checks and the fix itself. Never throws. */
export function readClaims(message: string): Claim[] {
  const sentences = splitSentences(message.slice(0, 200_000));
  const claims: Claim[] = [];
  sentences.forEach((sentence, index) => {
    if (sentence.asks) return;
    const seen = new Set<string>();
    const { text } = sentence;
    for (const match of [...findNotRun(text), ...findRatio(text), ...findTests(text), ...findCounts(text), ...findOthers(text)]) {
      if (seen.has(match.kind) || !isStated(text, match)) continue;
      seen.add(match.kind);
      claims.push(toClaim(sentence, match, sentences[index + 1]));
    }
  });
  return claims;
}

function toClaim(sentence: Sentence, match: Match, next: Sentence | undefined): Claim {
  const { text } = sentence;
  const around = text.slice(0, match.to);
  const right = text.slice(match.to);
  const clause = around.slice(Math.max(0, around.search(/[^,;]*$/)));
  const claim: Claim = {
    kind: match.kind,
    scope: match.scope ?? readScope(match),
    hedged:
      HEDGE.test(clause) ||
      /^ (?:if|once|only if|as long as|unless|provided|assuming)\b/i.test(right) ||
      /^\W*(?:i (?:believe|think|assume|expect)|hopefully|presumably|in theory)\b/i.test(text),
    negated: match.verb === "not run" || sentence.crossed,
    pastOrPresent: !FUTURE.test(clause),
    mentionsFailure: match.kind !== "tests-fail" && match.verb !== "not run" && mentionsFailure(text, match, next),
    exceptions: [],
    start: sentence.start,
    end: sentence.end,
  };
  const exception = /\b(?:except(?: for)?|apart from|other than|besides|excluding|with the exception of|aside from|but)\b(.{1,300})$/i.exec(
    right,
  );
  if (exception && match.kind === "tests-pass" && (!/^but$/i.test(exception[0].slice(0, 3)) || /\bfail/i.test(exception[0]))) {
    claim.scope = "some";
    claim.mentionsFailure = true;
    claim.exceptions = [...(exception[1] ?? "").matchAll(/`([^`]{1,120})`|\b(test_\w{1,80})\b/g)]
      .slice(0, 20)
      .map((found) => found[1] ?? found[2] ?? "");
  }
  const counts = match.counts ?? readCounts(match);
  if (counts) claim.counts = counts;
  const subject = readSubject(match, text);
  if (subject !== undefined) claim.subject = subject;
  return claim;
}

function mentionsFailure(text: string, match: Match, next: Sentence | undefined): boolean {
  const failing = /(?<!\b(?:no|0|zero|without|any|previously|were|was) )\bfail(?:s|ed|ing|ures?)?\b|pre-?existing|\bflaky\b/i;
  const rest = `${text.slice(0, match.from)} \u00b7 ${text.slice(match.to)}`;
  return (
    failing.test(rest) ||
    (next !== undefined &&
      /^\W*(?:the (?:only|one|other|remaining|two|three|failing|\d+)|only|one|two|three|\d+|however|but|there (?:is|are)|(?:unrelated|remaining|pre-existing))\b/i.test(
        next.text,
      ) &&
      failing.test(next.text))
  );
}

/** `all` only for the whole suite: a word that narrows it, a place or a name makes it `some`. */
function readScope(match: Match): Claim["scope"] {
  if (match.kind !== "tests-pass" && match.kind !== "tests-fail") return "unstated";
  const noun = match.noun.toLowerCase();
  if (RUNNER.test(noun)) return "unstated";
  if (noun === "") return "unstated";
  const isWhole = /\b(?:all|every|entire|full|whole|complete)\b/.test(noun) || /\b(?:all)\b/.test(match.verb);
  const isPlaced = /`|\b(?:in|for|from|under|within|related to|covering|of (?!the (?:existing |\d+ )?tests?\b))\b/.test(
    noun.replace(/\ball of (?:the|our)\b/, "all").replace(/\b(?:in|of) the (?:(?:full|whole|entire|test) ){0,2}suite\b/, ""),
  );
  const words = noun
    .replace(/[`*_]/g, " ")
    .split(/[\s(),]+/)
    .filter((word) => word !== "");
  const narrows = words.some(
    (word) =>
      !/^(?:all|of|the|every|each|entire|full|whole|complete|existing|our|project|repository|test|tests|suite|suites|cases?|spec|specs|unit|in|current|now|\d[\d,]*|including|new|ones|both)$/.test(
        word,
      ),
  );
  const isNew = /\bnew\b/.test(noun) && !/\b(?:existing|including)\b/.test(noun);
  if (isWhole && !isPlaced && !narrows && !isNew && !/\bboth\b/.test(noun)) return "all";
  if (/^(?:the )?test suite$/.test(noun)) return "all";
  if (isPlaced || narrows || isNew || /\b(?:most|some|both|other|remaining|these|those|this|test|spec)\b/.test(noun) || /^\d/.test(noun))
    return "some";
  return "unstated";
}

function readCounts(match: Match): Claim["counts"] | undefined {
  const found = /(?:^|\s)(\d[\d,]{0,8}|one|two|three|four|five|six|seven|eight|nine|ten)\b(?!\/)/i.exec(match.noun);
  if (!found?.[1]) return undefined;
  const small = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].indexOf(found[1].toLowerCase());
  const count = small >= 0 ? small + 1 : Number(found[1].replace(/,/g, ""));
  if (match.kind === "tests-fail") return { failed: count };
  return /\ball\b/i.test(match.noun) ? { passed: count, total: count } : { passed: count };
}

function readSubject(match: Match, text: string): string | undefined {
  const code = /`([^`]{1,120})`/.exec(match.noun) ?? (match.kind === "verified" ? /`([^`]{1,120})`/.exec(text.slice(match.from)) : null);
  if (code && RUNNER.test(code[0])) return undefined;
  if (code) return code[1];
  const named = /\btest_\w{1,80}\b|\b[\w/.-]{1,80}\.(?:py|[cm]?[jt]sx?|go|rs|rb)\b/.exec(match.noun);
  return named?.[0];
}
