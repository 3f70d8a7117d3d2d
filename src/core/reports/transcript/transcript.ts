/**
 * The readable transcript of a judged run: one page at a time, with the way from every place of a page to the raw file and back.
 */
import type { Tools } from "../../code/syntax";
import type { Location } from "../../model";
import type { Result } from "../../verify";
import { createLocator } from "../../text/locate";
import type { Body } from "./bodies";
import { createChanging } from "./changing";
import { cutPages } from "./cut-pages";
import { writeHead } from "./head";
import { writeHeading, nameStep, toKind } from "./heading";
import { findOffset, findSpot, layOut, type Line } from "./layout";
import {
  type Page,
  pageOptions,
  type PageBody,
  type PageFinding,
  type PageOptions,
  type PageRange,
  type PartName,
  type Spot,
} from "./page";
import { findPassage, openBodies, type Passage } from "./places";
import { findByte, findStepAt } from "./raw";

export interface Transcript {
  readonly pages: number;
  /** @param page from 1; one that does not exist is the nearest */
  render(page: number): Page;
  /** On which page a step stands. */
  pageOf(step: number): number;
  /** A text of a step in full; undefined when the step has none of that name. */
  body(step: number, part: PartName): string | undefined;
  /** The raw file's place of a position in a page; of a line without text of the log, its step's. */
  toRaw(page: number, spot: Spot): Location | null;
  /** Where a place of the raw file is shown; of one that is shown nowhere, the step that it belongs to. */
  toPage(file: string, byte: number): { page: number; spot: Spot } | undefined;
}

interface Laid {
  part: PartName;
  value: string;
  body: Body;
  lines: Line[];
  startLine: number;
}

interface Drawn {
  page: Page;
  /** The lines of the head that name findings. */
  named: ReadonlyMap<number, number>;
  isComplete: boolean;
  laid: Map<number, Laid[]>;
}

/** @param isPartial only the first steps were read, and nothing was judged */
export function openTranscript(result: Result, tools: Tools, isPartial = false, options: PageOptions = pageOptions): Transcript {
  const { trajectory, findings } = result;
  const locator = createLocator();
  const doesChange = createChanging(trajectory, { ...tools, whole: locator.whole });
  const starts = cutPages(trajectory, options);
  const passages = findings.map(({ at, step }) => (at ? findPassage(trajectory, locator, at, step) : undefined));
  const quoted = new Map<string, Passage[]>();
  for (const passage of passages) if (passage) addTo(quoted, `${passage.step} ${passage.part}`, passage);
  const pageOf = (step: number): number => {
    if (step < 1) return starts.length;
    let page = 1;
    while ((starts[page] ?? Infinity) <= step) page++;
    return page;
  };
  // What concerns the whole run stands in the head of the first page.
  const pagesOfFindings = findings.map(({ step }, i) => (passages[i] || step > 0 ? pageOf(passages[i]?.step ?? step) : 1));
  const flagged = [...new Set(pagesOfFindings)].sort((a, b) => a - b);
  let changing: number | undefined;
  const drawn = new Map<number, Drawn>();

  function draw(asked: number): Drawn {
    const number = Math.min(Math.max(1, Math.trunc(asked) || 1), starts.length);
    const known = drawn.get(number);
    if (known) return known;
    const first = starts[number - 1] ?? 1;
    const last = (starts[number] ?? trajectory.steps.length + 1) - 1;
    changing ??= trajectory.steps.filter(doesChange).length;
    const head = writeHead(result, { page: number, pages: starts.length, first, last, changing, isPartial });
    const lines = [...head.lines];
    if (starts.length > 1)
      lines.push(`Pages      ${number > 1 ? "previous page | " : ""}${number < starts.length ? "next page" : "last page"}`);
    lines.push("");
    const own: Drawn = {
      page: { page: number, pages: starts.length, text: "", head: lines.length, steps: [], findings: [], flagged, elisions: [] },
      named: head.findings,
      isComplete: false,
      laid: new Map(),
    };
    const counts = new Map<number, number>();
    findings.forEach(({ step }, i) => {
      const at = passages[i]?.step ?? step;
      counts.set(at, (counts.get(at) ?? 0) + 1);
    });
    for (let step = first; step <= last; step++) drawStep(own, lines, step, counts.get(step) ?? 0);
    if (number === starts.length && trajectory.patch) drawStep(own, lines, 0, counts.get(0) ?? 0);
    own.page.text = `${lines.join("\n")}\n`;
    drawn.set(number, own);
    // Text is large, offsets are small: only the last few pages are kept.
    if (drawn.size > 4) for (const key of drawn.keys()) if (key !== number && drawn.size > 4) drawn.delete(key);
    return own;
  }

  function drawStep({ page, laid }: Drawn, lines: string[], number: number, count: number): void {
    const step = trajectory.steps[number - 1];
    const bodies = openBodies(trajectory, number, locator);
    const startLine = lines.length;
    const before = trajectory.steps[number - 2]?.time;
    const took = step?.time !== undefined && before !== undefined ? step.time - before : undefined;
    const mutates = step !== undefined && doesChange(step);
    const heading = step
      ? writeHeading(step, bodies, { mutates, findings: count, ...(took === undefined ? {} : { took }) })
      : { text: `=== patch${count > 0 ? ` | ${count === 1 ? "1 finding" : `${count} findings`}` : ""}`, names: [] };
    lines.push(heading.text);
    const placed: Laid[] = [];
    for (const body of bodies) {
      const { part, text } = body;
      const name = heading.names.find((candidate) => candidate.body === body);
      if (name) {
        const line = { start: 0, end: text.value.length, column: name.column, shown: "" };
        placed.push({ part, value: text.value, body, lines: [line], startLine });
        continue;
      }
      const own = layOut(body, quoted.get(`${number} ${part}`) ?? [], options);
      placed.push({ part, value: text.value, body, lines: own, startLine: lines.length });
      for (const line of own) {
        if (line.left !== undefined)
          page.elisions.push({ line: lines.length, step: number, part, chars: line.left, total: text.value.length });
        lines.push(line.shown);
      }
    }
    laid.set(number, placed);
    page.steps.push({
      number,
      startLine,
      endLine: lines.length - 1,
      name: heading.text.slice(4),
      about: nameStep(trajectory, number),
      kind: step ? toKind(step) : "patch",
      actor: step?.actor ?? "agent",
      mutates,
      path: placed.find(({ part }) => part === "path")?.value ?? null,
      bodies: placed.map((one): PageBody => ({
        part: one.part,
        startLine: one.startLine,
        endLine: one.startLine + Math.max(0, one.lines.length - 1),
      })),
    });
    lines.push("");
  }

  function toRange(passage: Passage): PageRange | undefined {
    const laid = draw(pageOf(passage.step))
      .laid.get(passage.step)
      ?.find(({ part }) => part === passage.part);
    if (!laid) return undefined;
    const [start, end] = [
      findSpot(laid.lines, laid.value, passage.start),
      findSpot(laid.lines, laid.value, passage.end, passage.end > passage.start),
    ];
    return { start: { ...start, line: start.line + laid.startLine }, end: { ...end, line: end.line + laid.startLine } };
  }

  function listFindings({ page, named }: Drawn): PageFinding[] {
    const { page: number } = page;
    const text = page.text.split("\n");
    const wholeLine = (line: number): PageRange => ({ start: { line, column: 0 }, end: { line, column: text[line]?.length ?? 0 } });
    return findings.flatMap((finding, index): PageFinding[] => {
      const passage = passages[index];
      const step = passage?.step ?? finding.step;
      if (pagesOfFindings[index] !== number) return [];
      const exact = passage && toRange(passage);
      const line = page.steps.find((candidate) => candidate.number === step && step > 0)?.startLine ?? named.get(index) ?? 0;
      const related = finding.related.flatMap(({ message, at }) => {
        const other = at ? findPassage(trajectory, locator, at, step) : undefined;
        const range = other && toRange(other);
        return other && range ? [{ message, page: pageOf(other.step), range }] : [];
      });
      return [{ index, fingerprint: finding.fingerprint, range: exact ?? wholeLine(line), exact: exact !== undefined, related }];
    });
  }

  return {
    pages: starts.length,
    render(asked) {
      const own = draw(asked);
      // Findings lead to other pages, so they are placed when the page itself is laid out.
      if (!own.isComplete) own.page.findings = listFindings(own);
      own.isComplete = true;
      return own.page;
    },
    pageOf,
    body: (step, part) => openBodies(trajectory, step, locator).find((body) => body.part === part)?.text.value,
    toRaw(asked, { line, column }) {
      const { page, laid } = draw(asked);
      const step = page.steps.find(({ startLine, endLine }) => startLine <= line && line <= endLine + 1) ?? page.steps[0];
      const placed = step ? (laid.get(step.number) ?? []) : [];
      // Several names may stand in one heading; a heading without any is its step's first text.
      const at =
        placed
          .filter(({ startLine, lines }) => startLine <= line && line < startLine + lines.length)
          .findLast(({ lines, startLine }) => (lines[line - startLine]?.column ?? 0) <= column) ?? placed[0];
      if (!at) return null;
      const row = at.lines[line - at.startLine];
      const start = row && row.left === undefined ? findOffset(row, at.value, column) : (row?.start ?? 0);
      return locator.locate({ text: at.body.text, start, end: start });
    },
    toPage(file, byte) {
      const step = findStepAt(trajectory, locator, file, byte);
      if (step === undefined) return undefined;
      const page = pageOf(step);
      const { startLine } = draw(page).page.steps.find(({ number }) => number === step) ?? { startLine: 0 };
      const passage = findByte(trajectory, locator, step, file, byte);
      const range = passage && toRange(passage);
      return { page, spot: range?.start ?? { line: startLine, column: 0 } };
    },
  };
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
