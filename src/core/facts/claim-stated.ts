import type { Match } from "./claim-patterns";

/** What makes a clause a plan, a wish, an instruction or a condition, and what hangs on it by `and` as well. */
const PLAN =
  /\b(?:will|going to|let me|let's|lets|need(?:s|ed)?(?: to)?|must|want(?:s|ed)?|(?:make|making|be|being) (?:\w+ )?sure|ensur(?:e|es|ing)|verify|verifying|check(?:s|ing)?|confirm|see|try(?:ing)?|please|until|once|if|unless|whether|so that|in order|aim|goal|require[sd]?|should|keep(?:ing)?|wait(?:ing)?|before|hope|why|how|can|validate|test that|get(?:ting)?)\b|(?:^|\s)['’]?i['’]ll\b|\bi['’]d\b/i;
const IMPERATIVE =
  /^(?:(?:first|then|next|now|finally|also|and|so|please|just|always|only|never),? +)*(?:run|rerun|re-run|make|ensure|verify|check|confirm|update|add|fix|commit|refactor|implement|write|create|use|see|keep|do|submit|push|merge|wait|try|repeat|modify|change|let|remove|execute|validate|get|demonstrate|show|test(?! (?:results?|status|summary|suite|output|runs?)\b)|watch)\b/i;
/** Words between the beginning of a clause and a claim that report it. */
const INTRODUCED =
  /^(?:(?:great|good|nice|perfect|excellent|awesome|ok|okay|yes|done|success|and|but|so|now|then|also|again|finally|thus|therefore|hence|luckily|fortunately|interestingly|still|currently|overall|here|at this point|as expected|indeed|additionally|moreover|furthermore|plus|wow|ah|because|since|as|given that|now that|the fact that|note that|it turns out(?: that)?|the good news is(?: that)?|good news|result|results|status|tests?|verification|with (?:this|the|my|these) (?:change|fix|patch|changes)|after (?:this|the|my|these) (?:change|fix|patch|changes))[,:!. ]*)*(?:(?:(?:i|we)(?: can|['’]ve| have)?(?: also| now| just| already| successfully| manually| double-checked and)* )?(?:verified|confirmed|ensured|checked|validated|made sure|saw|found|observed|noticed)(?: that)?|(?:i|we)(?: can)?(?: also| now)? (?:see|know|believe|think|expect|assume|suspect|confirm|was able to confirm)(?: that)?|(?:this|that|it|which|the (?:output|results?|run|logs?|test run|test output|test results?|last run)|output|results?)(?: now| also| clearly| seems to)? (?:confirms?|confirmed|shows?|showed|means?|indicates?|indicated|proves?|proved|demonstrates?|verifies|verified|says?|reports?|reported|tells us|suggests?)(?: that)?|(?:it )?(?:looks like|seems(?: like| that)?|appears(?: that)?)|(?:i['’]m|i am) (?:confident|sure|happy to report|pleased to report)(?: that)?|confirming(?: that)?|showing(?: that)?|indicating(?: that)?|meaning(?: that)?|finished with)?\s*$/i;
const BOUNDARY = /[,;:(|]|—|–| - |->|→|\b(?:and|but|so|though|although|because|since|yet|however|whereas|that is|now that|as)\b/gi;

/** The words stand where they are asserted: not under a condition, a wish, a plan or an order. */
export function isStated(text: string, match: Match): boolean {
  if (/^\W*(?:if|unless|assuming|provided|suppose|once|until|whether|imagine|in case)\b/i.test(text)) return false;
  if (
    /^\W*(?:your task|the task|the goal|the aim|the user|the instructions?|the pr|the issue|(?:acceptance|success) criteria|criteria|definition of done|expected|i expect(?:ed)? (?:it|this)|todo)\b/i.test(
      text,
    )
  )
    return false;
  if (match.verb === "not run") return true;
  const left = text.slice(0, match.from);
  let cut = 0;
  let connector = "";
  for (const found of left.matchAll(BOUNDARY)) {
    cut = found.index + found[0].length;
    connector = found[0].trim().toLowerCase();
  }
  const clause = left.slice(cut).trim();
  if (/^(?:if|once|until|unless|whether|when|after|before|where|while|till)\b/i.test(clause)) return false;
  const lead = clause.replace(/[*_"“”✅✓✔🎉]/gu, "").replace(/\b(?:the|my|our|this|these|there (?:are|were|is)|with)\s*$/i, "");
  if (!INTRODUCED.test(lead.trim())) return false;
  const right = text.slice(match.to);
  if (
    /^(?:(?! (?:except|but|which)\b)[^,;]){0,40}\b(?:before|prior to|without) (?:my|the|this|any|applying|these|making|it)\b/i.test(right)
  )
    return false;
  const before = left.slice(0, cut).slice(0, -connector.length || undefined);
  if (
    connector === "and" ||
    connector === "," ||
    connector === ":" ||
    connector === "as" ||
    connector === "(" ||
    connector === "or" ||
    connector === "→" ||
    connector === "->"
  ) {
    // What is joined to a plan is part of it, unless the plan itself tells what was done.
    const part = before.slice(Math.max(0, ...[...before.matchAll(/;|\bbut\b|\bso\b|[.!]\s/gi)].map((found) => found.index)));
    const isReport =
      /^\W*(?:and |then |so )?(?:i|we)(?:['’]ve| have)?(?: also| now| just| already)* (?:ran|run|re-ran|reran|executed|verified|checked|tested|confirmed|added|updated|fixed|made|implemented|wrote|created|refactored|modified|changed|removed|applied)\b|^\W*(?:ran|re-ran|executed|verified|confirmed|added|updated|fixed|implemented|ensured|tested|checked)\b/i.test(
        part,
      );
    if (!isReport && (PLAN.test(part) || IMPERATIVE.test(part.trim())))
      return connector === "," && /^\W*(?:when|after|with|as)\b/i.test(part) && !/\b(?:must|will|need)\b/i.test(part);
    if (
      isReport &&
      connector !== "," &&
      /\b(?:to|will|until|so that|if)\b.*$/i.test(part) &&
      /\b(?:make sure|ensure|verify|check|see|confirm|until|if)\b/i.test(part) &&
      connector === "as"
    )
      return false;
  }
  return true;
}
