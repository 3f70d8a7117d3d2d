/** What people write, cut into sentences that know their place. */
import type { Text } from "../model";

export interface Sentence {
  text: Text;
  start: number;
  end: number;
  /** As written, at most 600 characters of it. */
  value: string;
  /** It stands between fences: it is shown, not said. */
  isCode: boolean;
}

const longest = 600;

/** By lines, and by full stops that a space or the line's end follows. */
export function sentencesOf(text: Text): Sentence[] {
  const sentences: Sentence[] = [];
  const { value } = text;
  let isCode = false;
  // A fence that is never closed says nothing of what follows it.
  const fences = value.match(/^\s{0,12}(?:```|~~~(?!~))/gm)?.length ?? 0;
  let left = fences - (fences % 2);
  for (let at = 0; at < value.length;) {
    const found = value.indexOf("\n", at);
    const next = found === -1 ? value.length : found + 1;
    const line = value.slice(at, found === -1 ? next : found);
    if (/^\s{0,12}(?:```|~~~(?!~))/.test(line)) {
      if (left-- > 0) isCode = !isCode;
    } else {
      let from = 0;
      for (const stop of line.matchAll(/[.!?;](?=\s|$)/g)) {
        // `e.g. x` and `v1. x` go on.
        if (/(?:\be\.g|\bi\.e|\betc|\bvs|\bcf)$/i.test(line.slice(Math.max(0, stop.index - 4), stop.index))) continue;
        push(from, stop.index + 1);
        from = stop.index + 1;
      }
      push(from, line.length);
    }
    at = next;

    function push(from: number, to: number): void {
      const raw = line.slice(from, to);
      const lead = raw.length - raw.trimStart().length;
      const body = raw.trim();
      if (body === "") return;
      const start = at + from + lead;
      sentences.push({ text, start, end: start + body.length, value: body.slice(0, longest), isCode });
    }
  }
  return sentences;
}

/** It takes back what follows it: `do not`, `never`, `without`. Not `don't forget to`. */
const negation =
  /\b(?:do(?:es)? not|don['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|cannot|can ?not|can['’]?t|may not|without|avoid(?:ing)?|refrain from|not allowed to|not permitted to|are not to|is not to|forbidden to|prohibited from|not be|nor|shall not|won['’]?t|did not|didn['’]?t|not|no)\b(?! (?:forget|hesitate|only|need|have to|worry|be afraid))/gi;
/** Where a sentence turns: what was denied before is not denied behind. */
export const clauseBreak =
  /\b(?:but|instead|however|then|except|unless|only|just)\b|[;:]\s|, (?:and )?(?:please|you (?:may|can|should)|feel free)/i;

/** Whether the words at `at` are denied by what stands before them in the sentence. */
export function isNegated(sentence: string, at: number): boolean {
  let last: RegExpMatchArray | undefined;
  for (const match of sentence.slice(0, at).matchAll(negation)) last = match;
  if (!last) return false;
  const between = sentence.slice((last.index ?? 0) + last[0].length, at);
  return between.length < 200 && !clauseBreak.test(between.replace(/^[:\s]+/, ""));
}

/** `you don't have to`, `no need to`: neither asked for nor refused. */
export function isOptional(sentence: string, at: number): boolean {
  return /\b(?:no need to|(?:don['’]?t|do not|doesn['’]?t|does not) (?:have|need) to|needn['’]?t|not necessary to|unnecessary to|not required to)\b[^.;]{0,120}$/i.test(
    sentence.slice(Math.max(0, at - 200), at),
  );
}

/** `do not`, `never`, `must not`, `without`: what is said to somebody who is to obey, and not told of a third. */
export function isForbidden(sentence: string, at: number): boolean {
  if (!isNegated(sentence, at) || isOptional(sentence, at)) return false;
  const before = sentence.slice(Math.max(0, at - 240), at);
  if (
    !/\b(?:do not|don['’]?t|never|must not|mustn['’]?t|should not|shouldn['’]?t|cannot|can ?not|can['’]?t|may not|shall not|without|avoid(?:ing)?|refrain from|not allowed to|not permitted to|are not to|forbidden to|prohibited from)\b/i.test(
      before,
    )
  )
    return false;
  return !isTold(before);
}

/** What stands before a verb so that it asks somebody to do it: nothing, a list's mark, `please`, `and`, `should`, `you can`. */
export function isAsked(sentence: string, at: number): boolean {
  const before = sentence.slice(Math.max(0, at - 240), at);
  if (isTold(before)) return false;
  return /(?:^|[,:;(>*•\-\]]\s{0,3}|\b\d{1,2}[.)]\s|\b(?:please|and|then|also|to|should|must|can|may|could|might|you|let['’]?s|just|or|either|first|finally|now|but|ok|okay|so|next|instead|not|never|simply|only|always)\s{1,3})$/i.test(
    before,
  );
}

/** Somebody reports of oneself or of a third: `I noticed`, `users who`, `when`. */
function isTold(before: string): boolean {
  return (
    /\b(?:I|I['’](?:ll|m|ve|d)|users?|which|when|while|did you|it|they|he|she|who)\b/i.test(before) &&
    !/\bI(?: would|['’]d)? ?(?:want|need|like|expect|ask) (?:you )?to\b|\byou\b/i.test(before)
  );
}
