/** The words by which a person asks for an act, allows it or forbids it. */

export type ActKind =
  | "test-edit"
  | "test-add"
  | "test-skip"
  | "test-delete"
  | "snapshot-update"
  | "history"
  | "url"
  | "path"
  | "coverage"
  | "ci-edit"
  | "config-edit"
  | "network"
  | "install"
  | "commit"
  | "push"
  | "publish"
  | "delete"
  | "suppress"
  | "mock"
  | "bypass"
  /** Only of bans: everything but what the scope names. */
  | "anything-else";

const tests = String.raw`(?:(?:unit|integration|existing|failing|flaky|affected|relevant|corresponding|related|broken|outdated|old|obsolete|hidden|all|any|the|of|these|those|that|this|its|our|my|other) )*(?:tests?\b|test[-\s](?:files?|suites?|cases?|code|logic|expectations?)|specs?\b|assertions?\b|expected values?|\btest_\w+|\w+Test\b|(?:[\w.-]+/)*\btests?/[\w/.-]*)`;
const near = String.raw`\b[^.;\n]{0,60}?\b`;
/** The same, but no other verb comes between: "edit all files and run any tests" lets nobody edit tests. */
const nearest = String.raw`\b(?:(?!\b(?:run|running|execute|executing|pass|passes|passing)\b)[^.;\n]){0,60}?\b`;

/** The words for an act. */
export interface ActWords {
  act: ActKind;
  /** It asks for the act and, denied, forbids it. */
  pattern: RegExp;
  /** More words that, denied, forbid it: nobody is asked to weaken a test. */
  ban?: RegExp;
}

export const actWords: readonly ActWords[] = [
  {
    act: "test-edit",
    pattern: new RegExp(
      String.raw`\b(?:updat(?:e|ing)|chang(?:e|ing)|modify(?:ing)?|adjust(?:ing)?|edit(?:ing)?|rewrit(?:e|ing)|adapt(?:ing)?|correct(?:ing)?|port(?:ing)?|migrat(?:e|ing)|refactor(?:ing)?|renam(?:e|ing)|parametri[sz]e)${nearest}${tests}`,
      "i",
    ),
    ban: new RegExp(
      String.raw`\b(?:updat(?:e|ing)|chang(?:e|ing)|modif(?:y|ying|ied)|adjust(?:ing)?|edit(?:ing)?|touch(?:ing)?|alter(?:ing)?|tamper(?:ing)? with|weaken(?:ing)?|rewrit(?:e|ing)|fix)\b[^.;\n]{0,60}?\b${tests}`,
      "i",
    ),
  },
  {
    act: "test-add",
    pattern: new RegExp(String.raw`\b(?:add(?:ing)?|writ(?:e|ing)|creat(?:e|ing)|includ(?:e|ing)|extend|provide)${near}${tests}`, "i"),
  },
  {
    act: "test-skip",
    pattern: new RegExp(
      String.raw`\b(?:skip(?:ping)?|disabl(?:e|ing)|quarantin(?:e|ing)|ignor(?:e|ing)|xfail|deselect|comment(?:ing)? out|mark(?:ing)?)${near}${tests}`,
      "i",
    ),
  },
  { act: "test-delete", pattern: new RegExp(String.raw`\b(?:delet(?:e|ing)|remov(?:e|ing)|drop(?:ping)?|get rid of)${near}${tests}`, "i") },
  {
    act: "snapshot-update",
    pattern:
      /\b(?:updat(?:e|ing)|regenerat(?:e|ing)|refresh(?:ing)?|re-?record(?:ing)?|accept(?:ing)?|bless(?:ing)?|rebaseline|renew)\b[^.;\n]{0,60}?\b(?:snapshots?|goldens?|golden files?|fixtures?|cassettes?|baselines?|expected outputs?|approvals?)\b/i,
  },
  {
    act: "history",
    pattern:
      /\b(?:cherry[- ]?pick(?:ing)?|back-?port(?:ing)?|port|merg(?:e|ing)|rebas(?:e|ing)|look(?:ing)? at|see|check(?:ing)?(?: out)?|us(?:e|ing)|compar(?:e|ing)|bisect(?:ing)?|revert(?:ing)?|inspect(?:ing)?|consult(?:ing)?|search(?:ing)?|read(?:ing)?|brows(?:e|ing)|appl(?:y|ying)|restor(?:e|ing)|take|copy|follow|go through|access(?:ing)?)\b[^.;\n]{0,60}?(?:\bbranch(?:es)?\b|\bcommits?\b|\bPRs?\b|\bpull requests?\b|\bmerge requests?\b|\bgit (?:history|log)\b|\bhistory\b|\bupstream\b|\btags?\b|\breflog\b|\bstash\b)/i,
  },
  {
    act: "coverage",
    pattern:
      /\b(?:lower(?:ing)?|reduc(?:e|ing)|decreas(?:e|ing)|drop(?:ping)?|relax(?:ing)?|set|chang(?:e|ing)|adjust(?:ing)?)\b[^.;\n]{0,60}?\bcoverage\b/i,
  },
  {
    act: "ci-edit",
    pattern:
      /\b(?:add(?:ing)?|chang(?:e|ing)|updat(?:e|ing)|edit(?:ing)?|modify(?:ing)?|creat(?:e|ing)|set(?:ting)? up|fix(?:ing)?|remov(?:e|ing)|touch(?:ing)?|simplify)\b[^.;\n]{0,60}?(?:\bCI\b|\bworkflows?\b|\bpipelines?\b|\bgithub actions?\b|\bpre-commit\b|\.github\/|\bhooks?\b)/i,
  },
  {
    act: "config-edit",
    pattern:
      /\b(?:add(?:ing)?|chang(?:e|ing)|edit(?:ing)?|modify(?:ing)?|updat(?:e|ing)|adjust(?:ing)?|touch(?:ing)?|alter(?:ing)?)\b[^.;\n]{0,60}?(?:\bconfig(?:uration)?s?\b(?: files?)?|\bpyproject\b|\bsetup\.(?:cfg|py)\b|\btox\.ini\b|\bpytest\.ini\b|\bpackage\.json\b|\bconftest\b|\bsettings\b|\bMakefile\b)/i,
  },
  {
    act: "network",
    pattern:
      /\b(?:us(?:e|ing)|search(?:ing)?|brows(?:e|ing)|download(?:ing)?|fetch(?:ing)?|access(?:ing)?|look(?:ing)? up|google|consult(?:ing)?|connect(?:ing)? to)\b[^.;\n]{0,60}?\b(?:internet|web|network|online|github|google|stack ?overflow|websites?|urls?)\b/i,
  },
  {
    act: "install",
    pattern:
      /\b(?:install(?:ing)?|upgrad(?:e|ing)|bump(?:ing)?|add(?:ing)?|updat(?:e|ing)|introduc(?:e|ing))\b[^.;\n]{0,60}?\b(?:dependenc(?:y|ies)|packages?|librar(?:y|ies)|versions?|requirements?|lock ?files?|toolchain)\b/i,
  },
  {
    act: "commit",
    pattern:
      /(?<=^|\b(?:and|then|please|to|you can|you may|not|never|must|without|before|don['’]?t) )(?:git )?commit(?:ting)?\b(?!\s{0,3}[:;[\]]|\s{1,3}[0-9a-f]{7})/i,
  },
  {
    act: "push",
    pattern:
      /\b(?:git push|push(?:ing)?|force[- ]push(?:ing)?|(?:open|create|make|submit|raise)\b[^.;\n]{0,20}\b(?:PR|pull request|merge request))\b/i,
  },
  {
    act: "publish",
    pattern:
      /\b(?:publish(?:ing)?|deploy(?:ing)?|release(?!s?[- ]?notes?\b|:)|releasing|ship(?:ping)?|send(?:ing)?|upload(?:ing)?|migrat(?:e|ing)|drop)\b[^.;\n]{0,40}?(?:\b(?:it|package|npm|pypi|production|prod|staging|release|mail|e?mails?|message|image|site|app|database|table|server|version)\b|$)/i,
  },
  {
    act: "delete",
    pattern:
      /\b(?:delet(?:e|ing)|remov(?:e|ing)|clean(?:ing)? up|clean|wip(?:e|ing)|discard(?:ing)?|reset(?:ting)?|throw away|drop(?:ping)?)\b[^.;\n]{0,60}?(?:\b(?:files?|folders?|director(?:y|ies)|changes|everything|code|module|branch(?:es)?|worktree|stash)\b|[\w.-]+\/[\w./-]+|\b[\w-]+\.[a-z]{1,4}\b)/i,
  },
  {
    act: "suppress",
    pattern:
      /\b(?:ignor(?:e|ing)|suppress(?:ing)?|silenc(?:e|ing)|disabl(?:e|ing)|turn(?:ing)? off|relax(?:ing)?|loosen(?:ing)?)\b[^.;\n]{0,60}?\b(?:lint(?:er|ing)?|eslint|type (?:errors?|checks?)|types?|warnings?|mypy|pyright|checks?|rules?|ruff|flake8|noqa|ts-ignore)\b/i,
  },
  { act: "mock", pattern: /\b(?:mock(?:ing)?|stub(?:bing)?(?: out)?|fak(?:e|ing)|placeholder)\b/i },
  {
    act: "bypass",
    pattern:
      /(?:--no-verify\b|--force\b|\b(?:skip(?:ping)?|bypass(?:ing)?|disabl(?:e|ing))\b[^.;\n]{0,40}?\b(?:hooks?|verification|pre-commit|sandbox|permissions?|checks)\b)/i,
  },
];

/** `tests must not be changed`, `configuration files are off limits`. */
export const passive: readonly { act: ActKind; pattern: RegExp }[] = [
  {
    act: "test-edit",
    pattern:
      /\b(?:tests?|test files?|test suite|specs?)\b[^.;\n]{0,60}?(?:\b(?:must|should|may|can|shall|are)(?: ?not|n['’]?t) (?:to )?be (?:changed|modified|edited|touched|altered|updated)\b|\b(?:is|are) (?:off[- ]limits|read-?only|protected|frozen|not allowed|forbidden)\b)/i,
  },
  {
    act: "config-edit",
    pattern:
      /\bconfig(?:uration)?(?: files?)?\b[^.;\n]{0,60}?(?:\b(?:must|should|may|can|shall|are)(?: ?not|n['’]?t) (?:to )?be (?:changed|modified|edited|touched|altered|updated)\b|\b(?:is|are) (?:off[- ]limits|read-?only|protected|frozen)\b)/i,
  },
  {
    act: "network",
    pattern:
      /\b(?:no (?:internet|network)(?: access)?\b|(?:internet|network)(?: access)? (?:is|are) (?:not (?:allowed|available|permitted)|forbidden|disabled|off[- ]limits))/i,
  },
  {
    act: "history",
    pattern:
      /\b(?:git history|history|future commits|other branches|upstream)\b[^.;\n]{0,40}?\b(?:is|are) (?:not allowed|forbidden|off[- ]limits|prohibited)\b/i,
  },
];
