import type { ClaimKind, Match } from "./claim-patterns";

const VERB =
  /^ ?(?:\([^()]{1,80}\) ?|, including [^,]{1,80}, ?|s? ?(?:in|for|from|of|under|within|at|related to|that cover|covering) (?:the |all |both )?(?:`[^`]{1,120}`|[\w./:-]{1,80})(?:(?: and |, )(?:`[^`]{1,120}`|[\w./:-]{1,80})){0,4}(?: (?:module|suite|file|package|directory|folder|app|class|tests?)s?)? ?|using [^,.]{1,60} )?((?:(?:now|still|all|also|both|then|just|do|does|did|have|has|had|already|currently|each|again|successfully|continue to|continues to|continued to|should|would|will|might|may|must|could|can|are|is|were|was|be|being|expected to|likely|probably|not|n't|don't|doesn't|didn't|aren't|isn't|haven't|hasn't|won't|no longer|seem to|seems to|appear to|appears to|ran and|run and|run|ran|executed and|finished and|completed and|reported as|remain|remains|stay|stayed) ){0,6}(?:pass(?:es|ed|ing)?|fail(?:s|ed|ing)?|green|red|succeed(?:s|ed)?|successful(?:ly)?|broken|clean))(?=$|[^\w`-])/i;
/** A noun that stands for tests. */
const NOUN = /\b(?:test suites?|test cases?|unit tests?|tests?|specs?|suites?)\b(?:`)?/gi;
const NAMED =
  /(?:`[^`\n]{0,80}\b(?:pytest|jest|vitest|mocha|tox|nox|unittest|(?:npm|yarn|pnpm|bun)(?: run)? test|(?:go|cargo|make) test|node --test)\b[^`\n]{0,80}`|`(?:[\w.-]+\/){0,8}tests?\/[\w./-]{1,120}`|`(?:[\w./-]*\/)?[\w.-]*tests?[\w.-]*(?:::[\w.:[\]-]+)*(?:\(\))?`|\btest_\w{1,80}(?:\.py)?(?:::\w{1,80}){0,3}|\b[\w/.-]{0,80}\.(?:test|spec)\.[cm]?[jt]sx?\b|\b[\w/.-]{0,60}(?:_tests?|_spec)\.(?:go|py|rb|rs)\b)/g;
const MODIFIER =
  /^(?:all|both|every|each|the|these|those|this|that|my|our|its|any|some|most|many|several|no|none|of|not|existing|new|newly|added|other|remaining|relevant|related|previously|failing|passing|entire|full|whole|complete|current|original|affected|own|same|regression|integration|unit|end-to-end|e2e|acceptance|smoke|doc|doctest|backend|frontend|only|two|three|four|five|six|seven|eight|nine|ten|one|\d[\d,]*|\d+\/\d+|[\w`./:'’+-]+)$/i;
const NO_MODIFIER =
  /^(?:that|and|but|so|if|when|once|until|unless|whether|because|since|as|to|sure|is|are|was|were|be|have|has|had|with|in|on|for|from|which|then|also|now|i|we|it|they|you|run|runs|ran|rerun|make|makes|made|ensure[ds]?|verif(?:y|ied|ies)|check(?:s|ed)?|confirm(?:s|ed)?|see|saw|shows?|means?|keep|let|get|gets|got|write|wrote|add|fix|fixed|fixes|your|do|does|did|will|should|must|can|may|might|why|how|what|where|or|until|expect|need|want|after|before|while|by|at|via|than|like|using|break|breaks|broke|think|believe|assume|yes|great|good|perfect|excellent|indeed|thus|result|results|green|red|found|pass|passed)$/i;

/** `all 42 tests pass`, `tests in x are failing`, `test_a passes`. */
export function findTests(text: string): Match[] {
  const matches: Match[] = [];
  if (!/pass|fail|green|succe|broken|clean|\bred\b/i.test(text)) return matches;
  const nouns = [...text.matchAll(NOUN), ...text.matchAll(NAMED)].sort((a, b) => a.index - b.index).slice(0, 40);
  for (const noun of nouns) {
    let end = noun.index + noun[0].length;
    let verb = VERB.exec(text.slice(end, end + 400));
    // A quoted name may be followed by its kind: `test_x` test passes.
    if (!verb && noun[0].startsWith("`")) {
      const kind = /^ (?:test|tests|suite|file|module|script)\b/.exec(text.slice(end));
      if (kind) {
        end += kind[0].length;
        verb = VERB.exec(text.slice(end, end + 400));
      }
    }
    const words = verb?.[1]?.toLowerCase() ?? "";
    if (!verb || words === "" || isOtherSense(words, text.slice(end + verb[0].length), noun[0])) continue;
    const from = startOfSubject(text, noun.index);
    const subject = text.slice(from, end + verb[0].length - words.length).trim();
    if (/^(?:no|none of)\b/i.test(subject) && /fail/.test(words)) {
      matches.push({ kind: "tests-pass", from, to: end + verb[0].length, noun: subject, verb: words });
      continue;
    }
    const isNegative = /\b(?:not|n't|no longer)\b|n't\b/.test(words) || /^(?:not|nearly|almost|no|none of)\b/i.test(subject);
    const fails = /fail|red\b|broken/.test(words) !== isNegative;
    matches.push({ kind: fails ? "tests-fail" : "tests-pass", from, to: end + verb[0].length, noun: subject, verb: words });
  }
  const whole =
    /(?:^|[.,;:!(—–|✅✓✔☑] ?|\b(?:and|so|now|but|they|that) )((?:they )?(?:all|both|everything)(?: of (?:them|these|those))?(?: (?:now|still|are|is|have|has|should|will)){0,2} (?:pass(?:es|ed|ing)?|green))(?=$|[.,;:!)✅| ])(?! (?:the|a|an|in|to|through|over|by|`))/i.exec(
      text,
    );
  const they =
    /\btests?\b.{0,120}?\b(?:and|but|they|; ?) ?(they (?:all |both |still |now |also |have ){0,2}pass(?:ed)?)(?=$|[ .,;:!)])(?! (?:the|a|an|in|to|through|over|by|`))/i.exec(
      text,
    );
  if (they?.[1] !== undefined && matches.length === 0) {
    const from = they.index + they[0].length - they[1].length;
    matches.push({ kind: "tests-pass", from, to: from + they[1].length, noun: "", verb: they[1].toLowerCase(), scope: "unstated" });
  }
  if (whole?.[1] !== undefined && !matches.some((match) => match.kind === "tests-pass")) {
    const from = whole.index + whole[0].indexOf(whole[1]);
    const scope = /both/i.test(whole[1]) ? "some" : "unstated";
    matches.push({ kind: "tests-pass", from, to: from + whole[1].length, noun: "", verb: whole[1].toLowerCase(), scope });
  }
  return matches;
}

/** `pass` can also hand something over, and `failed to` is about something else. */
function isOtherSense(verb: string, right: string, noun: string): boolean {
  if (/\bmust\b/.test(verb)) return true;
  if (
    /\b(?:run|ran|are|is|were|was|be)? ?(?:successfully|successful|clean|broken|red)$/.test(verb) &&
    !/\b(?:run|ran|are|is|were|was|be|remain|stay)/.test(verb)
  )
    return true;
  if (/pass(?:es|ed)?$/.test(verb) && !/\b(?:are|is|were|was)\b/.test(verb)) {
    if (
      /^ (?:a|an|the|`|'|"|its|their|it|them|these|those|through|over|by|via|on to|to|\{|\[|an?other|arguments?|parameters?|values?|strings?|data|None|True|False|keyword|kwargs)(?:\b|\s|`|'|"|\{|\[|$)/i.test(
        right,
      )
    )
      return true;
    if (/^ in (?:a|an|`|'|"|some|values?|arguments?)/i.test(right)) return true;
  }
  if (/fail(?:s|ed)?$/.test(verb) && /^ to \w/i.test(right)) return true;
  // An adjective before its noun: "the tests failing case".
  if (
    /^(?:passing|failing|passed|failed)$/.test(verb) &&
    /^ (?:\w+ )?(?:cases?|state|status|counts?|rate|criteria|values?|arguments?|parameters?|data)\b/i.test(right)
  )
    return true;
  if (/^(?:passed|failed)$/.test(verb) && /^ (?:to|into|by|as (?!well|expected|before|intended))\b/i.test(right)) return true;
  return (
    /^(?:failing|passing)$/.test(verb) && /^`?test/.test(noun) && /^ (?:because|with|on|at|in|due)\b/.test(right) && verb === "passing"
  );
}

/** Walks left from a noun over its determiners and adjectives. */
function startOfSubject(text: string, noun: number): number {
  let start = noun;
  for (let count = 0; count < 9; count++) {
    const left = text.slice(Math.max(0, start - 80), start);
    const word = /([^\s,;:()]+) +$/.exec(left);
    if (!word?.[1]) break;
    const plain = word[1].replace(/[*_"✅✓✔]/gu, "");
    if (plain === "" || NO_MODIFIER.test(plain) || !MODIFIER.test(plain) || /[.!?]$/.test(plain)) break;
    if (
      /ing$/i.test(plain) &&
      !/^(?:existing|remaining|failing|passing|string|timing|testing|rendering|parsing|formatting|logging|caching|routing|printing|pre-existing|corresponding|binding|encoding|encodings?|mapping|ordering|indexing|plotting|preprocessing|rolling|slicing|tracking|typing|accompanying)$/i.test(
        plain,
      )
    )
      break;
    start -= word[0].length;
    if (/^(?:all|both|every|each)$/i.test(plain)) break;
  }
  const not = /\b(?:not|nearly|almost) +$/i.exec(text.slice(Math.max(0, start - 12), start));
  return not ? start - not[0].length : start;
}

/** `12/12 passing`, `3 out of 4 tests pass`. */
export function findRatio(text: string): Match[] {
  const ratio = /\b(\d{1,6}) ?(?:\/|of|out of) ?(?:the )?(\d{1,6})(?: [\w`-]{1,40}){0,3}? (?:pass(?:es|ed|ing)?|green|succeeded)\b/i.exec(
    text,
  );
  if (ratio) {
    const passed = Number(ratio[1]);
    const total = Number(ratio[2]);
    const kind = passed < total ? "tests-fail" : "tests-pass";
    const scope = passed < total ? "some" : /\ball\b/i.test(text) ? "all" : "unstated";
    return [{ kind, from: ratio.index, to: ratio.index + ratio[0].length, noun: "", verb: "passed", counts: { passed, total }, scope }];
  }
  return [];
}

/** `42 passed, 0 failed`, in either order. */
export function findCounts(text: string): Match[] {
  const reversed = /(?<![\w.])(\d{1,6}) (?:tests? )?fail(?:ed|ing|ures?)(?: and|,) ?(\d{1,6}) (?:tests? )?pass(?:ed|ing)\b/i.exec(text);
  if (reversed) {
    const counts = { failed: Number(reversed[1]), passed: Number(reversed[2]) };
    return [
      {
        kind: counts.failed > 0 ? "tests-fail" : "tests-pass",
        from: reversed.index,
        to: reversed.index + reversed[0].length,
        noun: "",
        verb: "passed",
        counts,
        scope: "unstated",
      },
    ];
  }
  const count =
    /(?<![\w.])(\d{1,6}) (?:tests? )?pass(?:ed|ing)\b(?: and|,)? ?(?:(\d{1,6}) (?:tests? )?(?:fail(?:ed|ing|ures?)?|errors?)\b)?/i.exec(
      text,
    );
  if (!count || Number(count[1]) === 0 || /^ (?:a|an|the|to|into|by|in)\b/i.test(text.slice(count.index + count[0].length))) return [];
  const failed = count[2] === undefined ? undefined : Number(count[2]);
  const counts = failed === undefined ? { passed: Number(count[1]) } : { passed: Number(count[1]), failed };
  return [
    {
      kind: (failed ?? 0) > 0 ? "tests-fail" : "tests-pass",
      from: count.index,
      to: count.index + count[0].length,
      noun: "",
      verb: "passed",
      counts,
      scope: "unstated",
    },
  ];
}

/** `I could not run the tests`: the very opposite of a claim, worth knowing. */
export function findNotRun(text: string): Match[] {
  const found =
    /\b(?:i|we)(?: was| am|['’]m| were| have|['’]ve)?(?: also| still| therefore)? ?(?:could(?: not|n['’]t)|cannot|can['’]t|can not|unable to|not able to|(?:did|have|has)(?: not|n['’]t)(?: been able to| yet| actually)?|not(?: been able to| yet)?) (?:actually |yet )?(?:run|ran|executed?|verif(?:y|ied)|tested|test|validated?) (?:(?:the|any|all|these|those|this|full|whole|existing|unit|my|of|`[^`]{1,60}`) ){0,4}(?:tests?|suite|specs?|it|them|fix|changes?)\b|\b(?:tests?|suite|fix|changes?) (?:could not|couldn['’]t|cannot|can['’]t|were not|was not|weren['’]t|wasn['’]t|have not|has not|haven['’]t|hasn['’]t)(?: be| been)? (?:run|executed|verified|tested|validated)\b|^\W*(?:not (?:yet )?(?:run|verified|tested)|untested|unverified)\b(?=[.!,;)]|$)/i.exec(
      text,
    );
  if (!found) return [];
  const kind: ClaimKind = /verif|validat/.test(found[0]) && !/test|suite/i.test(found[0]) ? "verified" : "tests-pass";
  return [{ kind, from: found.index, to: found.index + found[0].length, noun: "", verb: "not run" }];
}
