/** What the person said of acts, sentence by sentence: in the task and in the user's turns, never a tool or the agent. */
import type { Span, Text, Trajectory } from "../model";
import { type ActKind, actWords, passive } from "./authorisation-words";
import { lazily } from "./lazily";
import { clauseBreak, isAsked, isForbidden, isNegated, isOptional, type Sentence, sentencesOf } from "./sentences";

export interface Grant {
  act: ActKind;
  /** The sentence. */
  span: Span;
  /** The user's step, 0 for the task. */
  step: number;
  /** Paths, names, URLs, branches that it names; empty: it is general. */
  scope: readonly string[];
}

export type Ban = Grant;

/** Both in order. */
interface Said {
  grants: Grant[];
  bans: Ban[];
}

const said = lazily((trajectory: Trajectory): Said => {
  const all: Said = { grants: [], bans: [] };
  const { prompt } = trajectory.task;
  const read = (text: Text, step: number): void => {
    for (const sentence of sentencesOf(text)) readSentence(sentence, step, all);
  };
  if (prompt) read(prompt, 0);
  for (const { actor, action, number } of trajectory.steps) {
    if (actor !== "user" || action.kind !== "message" || action.summary) continue;
    // The first turn is the task told again, as a rule.
    if (action.text.value !== prompt?.value) read(action.text, number);
  }
  return all;
});

/** Nothing here parses or reads again. */
const noTools = { parse: () => undefined, whole: (text: Text) => text.value };

/** What the person granted, in order. */
export function grants(trajectory: Trajectory): readonly Grant[] {
  return said(trajectory, noTools).grants;
}

/** What the person forbade, in order. */
export function bans(trajectory: Trajectory): readonly Ban[] {
  return said(trajectory, noTools).bans;
}

const only =
  /\bonly (?:modify|change|edit|touch|work (?:in|on)|update)\b|\b(?:limit|restrict|confine) (?:your|the) (?:changes|edits|work) to\b/i;

function readSentence(sentence: Sentence, step: number, into: Said): void {
  const { value } = sentence;
  const span: Span = { text: sentence.text, start: sentence.start, end: sentence.end };
  const { urls, paths, scope } = namedIn(value);
  for (const one of urls) {
    const target = isForbidden(value, value.indexOf(one)) ? into.bans : into.grants;
    target.push({ act: "url", span, step, scope: [one.replace(/[.,:;!?]+$/, "")] });
  }
  for (const one of paths) if (!isNegated(value, value.indexOf(one))) into.grants.push({ act: "path", span, step, scope: [one] });
  if (sentence.isCode) return;
  const forbidden = passive.filter(({ pattern }) => pattern.test(value)).map(({ act }) => act);
  for (const act of forbidden) into.bans.push({ act, span, step, scope });
  const limit = value.search(only);
  if (limit !== -1 && isAsked(value, limit)) into.bans.push({ act: "anything-else", span, step, scope });
  for (const { act, pattern, ban } of actWords) {
    const match = pattern.exec(value);
    if (match && isOptional(value, match.index)) continue;
    if (match && !isNegated(value, match.index)) {
      // `updating the tests` tells of something that goes on.
      const isGerund = /ing\b/.test(value.slice(match.index).split(" ", 1)[0] ?? "");
      if (isAsked(value, match.index) && !isGerund && !forbidden.includes(act)) into.grants.push({ act, span, step, scope });
      continue;
    }
    const banned = match ?? ban?.exec(value);
    if (banned && !clauseBreak.test(banned[0]) && isForbidden(value, banned.index)) into.bans.push({ act, span, step, scope });
  }
  for (const act of listedBans(value))
    if (!into.bans.some((known) => known.act === act && known.span === span)) into.bans.push({ act, span, step, scope: [] });
}

/** `DO NOT MODIFY: tests, configuration files`: a list behind the verb. */
function listedBans(value: string): ActKind[] {
  const listed = /\b(?:do not|don['’]?t|never|must not) (?:modify|change|edit|touch|alter)\b:?(.{0,300})/i.exec(value)?.[1];
  if (listed === undefined || clauseBreak.test(listed)) return [];
  const kinds: readonly [ActKind, RegExp][] = [
    ["test-edit", /\btests?\b|\bspecs?\b/i],
    ["config-edit", /\bconfig(?:uration)?\b/i],
    ["ci-edit", /\bCI\b|\bworkflows?\b/],
  ];
  return kinds.filter(([, word]) => word.test(listed)).map(([act]) => act);
}

const url = /https?:\/\/[^\s<>"'`)\]}]{3,500}/g;
const path =
  /(?:~|\.{1,2})?\/?(?:[\w@.+-]+\/)+[\w@.+-]*[\w+-]|\b[\w-]+\.(?:py|[cm]?[jt]sx?|go|rs|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|sh|md|txt|rst|json|ya?ml|toml|cfg|ini|snap|sql|html|css|vue|lock)\b/g;
const names =
  /`([^`\n]{2,200})`|\btest_\w+|\b\w+Test\b|\bTest[A-Z]\w*|#\d{1,7}\b|\b[0-9a-f]{7,40}\b|\bbranch ['"]?([\w./-]+)|\b(?:origin|upstream|feature|release|hotfix)\/[\w./-]+/g;

/** The things that a sentence names; `scope` holds each of them once. */
function namedIn(value: string): { urls: readonly string[]; paths: readonly string[]; scope: readonly string[] } {
  const urls = value.match(url) ?? [];
  const bare = value.replace(url, " ");
  const paths = (bare.match(path) ?? []).filter((one) => one.length < 300 && !/^\d+\/\d+$/.test(one) && !/^(?:and|e\.g|i\.e)\//.test(one));
  const others: string[] = [];
  for (const match of bare.matchAll(names)) {
    const name = match[1] ?? match[2] ?? match[0];
    // Without a digit it is a word that happens to be hexadecimal.
    if (!/^[0-9a-f]{7,40}$/.test(name) || /\d/.test(name)) others.push(name.trim());
  }
  return { urls, paths, scope: [...new Set([...urls, ...paths, ...others])] };
}
