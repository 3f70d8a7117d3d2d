/** Sentences about builds, checks and the fix itself; those about tests are put together from parts elsewhere. */

export type ClaimKind = "tests-pass" | "tests-fail" | "build-passes" | "lint-passes" | "verified" | "fixed";

/** Where a claim's words were found in a sentence. */
export interface Match {
  readonly kind: ClaimKind;
  /** First and last character of the words that make it, subject included. */
  readonly from: number;
  readonly to: number;
  readonly noun: string;
  readonly verb: string;
  readonly counts?: { passed?: number; failed?: number; total?: number };
  readonly scope?: "all" | "some" | "unstated";
}

const CHECKER =
  "(?:lint(?:er|ers|ing)?|eslint|ruff|flake8|pylint|mypy|pyright|tsc|clippy|prettier|black|isort|pre-commit|type[- ]?check(?:s|er|ing)?|code quality|static analysis)";
const OTHERS: readonly (readonly [ClaimKind, RegExp])[] = [
  [
    "lint-passes",
    new RegExp(
      `\\b(?:all |the |both )?${CHECKER}(?: (?:checks?|hooks?|errors?|run|command)){0,2}(?: (?:now|also|all|still|have|has|is|are|should|will)){0,3} (?:pass(?:es|ed|ing)?|clean|green|happy|succeeds?|succeeded|reports? no (?:errors|issues|problems)|found no (?:errors|issues|problems))\\b`,
      "i",
    ),
  ],
  [
    "lint-passes",
    /\b(?:no|zero|0) (?:lint(?:ing|er)?|type(?:script)?|eslint|mypy|flake8|ruff|clippy) (?:errors|warnings|issues|problems)\b/i,
  ],
  [
    "build-passes",
    /\b(?:the |our |full |production )?(?:builds?|ci|ci build|ci pipeline|pipeline|compilation)(?: (?:now|also|all|still|has|have|is|are|should|will|again)){0,3} (?:pass(?:es|ed|ing)?|green|succeeds?|succeeded|successful|clean|complete[sd] (?:successfully|without errors)|works)\b(?! (?:a|an|the|to|in)\b)/i,
  ],
  [
    "build-passes",
    /\b(?:the |our |this )?(?:code|project|app|application|package|crate|extension|everything|it|solution)(?: (?:now|also|still|should|will)){0,2} (?:compiles?|builds?|compiled|built)(?: (?:now|again))?(?: (?:successfully|cleanly|fine|correctly|without (?:any )?(?:errors?|warnings?|issues)|with no errors))/i,
  ],
  [
    "verified",
    /\b(?:(?:reproduction|repro|reproducer)(?:[ _-](?:scripts?|cases?|tests?))?|(?:verification|test|validation|sanity)[ _-]scripts?)(?: (?:now|also|all|still|have|has)){0,2} (?:pass(?:es|ed)?|succeeds?|succeeded|runs? (?:successfully|without errors?|fine|cleanly)|ran (?:successfully|without errors?|fine|cleanly)|confirms?(?: that)? (?:the|my) fix)\b(?! (?:a|an|the|to|in|`)\b)/i,
  ],
  [
    "verified",
    /(?:(?:^|[.,;:!✅✓-] ?|\band |\balso |\bso )(?:successfully |manually )?(?:verified|confirmed|validated|tested)|\b(?:i|we)(?:['’]ve| have)?(?: also| now| already| just| then| manually| successfully| both)* (?:verified|confirmed|validated|tested))\b (?=[^.]{0,160}\b(?:fix|fixes|fixed|works?|working|correct(?:ly)?|pass(?:es|ed)?|changes?|solution|implementation|resolved|regressions?|as expected|behav\w+|scripts?|manually|end-to-end|locally|successfully|tests?)\b)(?![^.]{0,20}\b(?:the (?:issue|bug|problem|failure|error)|that (?:the )?(?:issue|bug|problem) (?:exists|occurs|is (?:still )?(?:present|real|reproducible)))\b)/i,
  ],
  [
    "verified",
    /\b(?:fix|change|changes|solution|implementation|patch)(?: (?:has|have|was|were|is|are|been|now|also|fully|successfully)){1,4} (?:verified|validated|tested|confirmed)\b/i,
  ],
  [
    "verified",
    /(?:^|[.,;:!✅✓-] ?|\band |\bso |\bwith |\bconfirmed |\bverified |\b(?:there )?(?:are|were|is|was) |\bintroduc(?:es|ed) |\bfound |\bthat |\bsaw )(?:that there (?:are|were) )?(?:no|zero) (?:new )?regressions?\b/i,
  ],
  [
    "fixed",
    /\b(?:the |this |that )?(?:reported |original |underlying )?(?:issue|bug|problem|regression|crash)(?:(?: (?:has|have|is|was|been|now|also|fully|completely|successfully)){1,4} (?:fixed|resolved|solved|addressed)\b| (?:fixed|resolved|solved)(?=[.!]|$))/i,
  ],
  [
    "fixed",
    /(?:(?:^|[.,;:!✅✓-] ?|\band )(?:successfully )?(?:fixed|resolved|solved)|\b(?:i|we)(?:['’]ve| have)?(?: also| now| just| already| successfully)* (?:fixed|resolved|solved)|\b(?:this|the fix|the change|my change|my fix|these changes|the patch)(?: now| also| correctly| successfully)? (?:fixes|resolves|solves|fixed|resolved)) (?:the |this |that |a |both |all )?(?:[\w`'-]+ ){0,3}?(?:issue|bug|problem|regression|crash|error|failure|failing tests?)s?\b/i,
  ],
  [
    "fixed",
    /\b(?:the|my|this) (?:fix|patch|change|solution|implementation)(?: (?:now|also|still)){0,2} (?:works|is working|is correct|worked)\b(?! (?:on|by|like|out|around|via|through)\b)/i,
  ],
];

/** What a sentence says of builds, checkers and the fix. */
export function findOthers(text: string): Match[] {
  const matches: Match[] = [];
  for (const [kind, pattern] of OTHERS) {
    const found = pattern.exec(text);
    if (!found) continue;
    const lead =
      /^[.,;:!✅✓\s-]+|^(?:and|also|so|with|confirmed|verified|there are|there were|that|found|saw|are|were|is|was) /i.exec(found[0])?.[0]
        .length ?? 0;
    matches.push({
      kind,
      from: found.index + (kind === "verified" || kind === "fixed" ? lead : 0),
      to: found.index + found[0].length,
      noun: "",
      verb: found[0].toLowerCase(),
    });
  }
  return matches;
}
