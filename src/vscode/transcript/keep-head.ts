/** A page that grew, told so that nothing moves that stands above what is new. */
import type { Page, PageRange } from "../../core/reports/transcript/page";

/**
 * The new page under the old head: what the head said before stays line by line, with the new value where there is one, and its
 * number of lines with it. What is new in the head itself shows when the page is opened again.
 */
export function keepHead(before: Page, now: Page): Page {
  const [old, young] = [before.text.split("\n"), now.text.split("\n")];
  const fresh = young.slice(0, now.head);
  const keyOf = (line: string): string => line.slice(0, 11);
  const head = old.slice(0, before.head).map((line, index) => {
    const same = fresh.filter((other) => keyOf(other) === keyOf(line));
    const isOnly = same.length === 1 && old.slice(0, before.head).filter((other) => keyOf(other) === keyOf(line)).length === 1;
    return index > 0 && line !== "" && isOnly ? (same[0] ?? line) : line;
  });
  const text = [...head, ...young.slice(now.head)].join("\n");
  return { ...shift(now, before.head - now.head), text, head: before.head };
}

/** All that stands below the head, `by` lines lower. What stands in the head goes to its first line when the heads differ. */
function shift(page: Page, by: number): Page {
  if (by === 0) return page;
  const at = (line: number): number => (line < page.head ? 0 : line + by);
  const range = ({ start, end }: PageRange): PageRange => ({
    start: { ...start, line: at(start.line) },
    end: { ...end, line: at(end.line) },
  });
  return {
    ...page,
    steps: page.steps.map((step) => ({
      ...step,
      startLine: at(step.startLine),
      endLine: at(step.endLine),
      bodies: step.bodies.map((body) => ({ ...body, startLine: at(body.startLine), endLine: at(body.endLine) })),
    })),
    findings: page.findings.map((finding) => ({
      ...finding,
      range: range(finding.range),
      related: finding.related.map((one) => (one.page === page.page ? { ...one, range: range(one.range) } : one)),
    })),
    elisions: page.elisions.map((elision) => ({ ...elision, line: at(elision.line) })),
  };
}
