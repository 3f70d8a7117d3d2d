/** Cuts a message into the sentences that the writer states: no code, no quotations, no open boxes, no plans by heading. */

export interface Sentence {
  /** Without Markdown's marks of emphasis and lists; `map` leads back. */
  readonly text: string;
  /** Offsets in the message. */
  readonly start: number;
  readonly end: number;
  /** It ends with a question mark. */
  readonly asks: boolean;
  /** Stands behind a cross: what it says is denied. */
  readonly crossed: boolean;
}

const LONGEST = 1_200;
const PLAN_HEADING =
  /\b(?:acceptance|success|exit|done) criteria\b|\bdefinition of done\b|\bnext steps?\b|\bto-?dos?\b|\bplan(?:ned)?\b|\brequirements?\b|\bgoals?\b|\bexpect(?:ed|ations)\b|\bchecklist\b|\brecommend|\bwhat (?:you|remains|i(?:'ll| will))\b|\bremaining\b|\bworkflow\b|\binstructions?\b|\brules?\b|\bi (?:will|need to|should|must)\b|\bwe (?:will|need to|should|must)\b/i;

/** The sentences of a message in order. Linear in its length. */
export function splitSentences(message: string): Sentence[] {
  const sentences: Sentence[] = [];
  let fence = "";
  let planned = false;
  let start = 0;
  while (start <= message.length) {
    const newline = message.indexOf("\n", start);
    const end = newline < 0 ? message.length : newline;
    const line = message.slice(start, end).replace(/\r$/, "");
    const mark = /^ {0,12}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== "") {
      if (mark?.startsWith(fence)) fence = "";
    } else if (mark !== undefined) {
      fence = mark;
    } else if (/^\s*(?:>|│|⎿|\|? ?-{3,})/.test(line) || /^(?: {4}|\t)(?![ \t]*(?:[-*+•✓✔✅☑]|\d+[.)])\s)/.test(line)) {
      // Quotations, drawn boxes and indented code are not the writer's own words.
    } else {
      planned = readLine(line, start, planned, sentences);
    }
    start = end + 1;
  }
  return sentences;
}

/** Returns whether the lines of the list that follows are plans or conditions. */
function readLine(line: string, offset: number, planned: boolean, out: Sentence[]): boolean {
  if (line.trim() === "") return planned;
  const bullet = /^\s*(?:(?:[-*+•●⏺]|\d{1,3}[.)]|#{1,6})\s+)?(\[[ xX]\]\s*|[☐☒☑✅✓✔❌✗✘⬜☐]\uFE0F?\s*)?/.exec(line);
  const isHeading = /^\s*#/.test(line) || /[:：]\**\s*$/.test(line) || /^\s*\*\*[^*]{1,80}\*\*\s*$/.test(line);
  const isItem = /^\s*(?:[-*+•]|\d{1,3}[.)]|\[|[☐☒☑✅✓✔❌✗])/.test(line);
  const next = isHeading ? PLAN_HEADING.test(line) : isItem && planned;
  const box = (bullet?.[1] ?? "").trim();
  if (box === "[ ]" || box.startsWith("☐") || box.startsWith("⬜")) return next;
  if (next) return next;
  if (line.includes("::") && /\b(?:PASSED|FAILED|ERROR|SKIPPED)\b/.test(line)) return next;
  if (/^\s*={3,}/.test(line)) return next;
  const crossed = /^[❌✗✘]/.test(box);
  let from = bullet?.[0].length ?? 0;
  // A label that many agents write before their thoughts.
  const label = /^(?:THOUGHT|Thought|Summary|Result|Status|Note|Update)\**:\**\s+/.exec(line.slice(from));
  if (label) from += label[0].length;
  let at = from;
  while (at < line.length) {
    const end = endOfSentence(line, at);
    push(line, at, end, offset, crossed, out);
    at = end;
  }
  return next;
}

/** Sentences end at `.`, `!` or `?` before a space; abbreviations and file names do not end one. */
function endOfSentence(line: string, from: number): number {
  let isCode = false;
  for (let i = from; i < line.length; i++) {
    const letter = line[i];
    if (letter === "`") isCode = !isCode && line.indexOf("`", i + 1) > 0;
    if (isCode || (letter !== "." && letter !== "!" && letter !== "?")) continue;
    let end = i + 1;
    while (end < line.length && /[.!?)*"'”_✅✓🎉]/u.test(line[end] ?? "")) end++;
    if (end < line.length && !/\s/.test(line[end] ?? "")) continue;
    if (letter === "." && /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|no)$/i.test(line.slice(Math.max(0, i - 8), i))) continue;
    return end;
  }
  return line.length;
}

function push(line: string, from: number, to: number, offset: number, crossed: boolean, out: Sentence[]): void {
  let start = from;
  let end = Math.min(to, from + LONGEST);
  while (start < end && /[\s*_]/.test(line[start] ?? "")) start++;
  while (end > start && /[\s*_]/.test(line[end - 1] ?? "")) end--;
  if (end - start < 4) return;
  // Blanks in place of what is removed keep every offset.
  const text = line
    .slice(start, end)
    .replace(/\*\*|__(?=\s|$)|(?<=\s|^)__/g, (mark) => " ".repeat(mark.length))
    .replace(/"[^"]{12,400}"|“[^”]{12,400}”/g, (quote) => `"${"\u00b7".repeat(quote.length - 2)}"`);
  out.push({ text, start: offset + start, end: offset + end, asks: /\?["')\s]*$/.test(text), crossed });
}
