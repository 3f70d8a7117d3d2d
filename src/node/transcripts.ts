/**
 * Readable transcripts, served page by page from runs that stay in memory while they are read. Nothing is held open: the files
 * are opened for each look at them, and a file that changed is read again.
 */
import fs from "node:fs";
import path from "node:path";
import { adapters } from "../core/adapters";
import type { Tools } from "../core/code/syntax";
import { chooseAdapter, createHead, headSize } from "../core/head";
import type { Location, Source } from "../core/model";
import { monitors } from "../core/monitors";
import { toRunReport, type RunReport } from "../core/reports/run";
import { pageOptions } from "../core/reports/transcript/page";
import { openTranscript, type Transcript } from "../core/reports/transcript/transcript";
import { verify } from "../core/verify";
import { mainFile } from "./fail-plan";
import { openSource } from "./files";
import type { Choices, Plan } from "./plan";
import { planFile } from "./plan-file";
import { listFormats } from "./scan";
import type { Ask, Reply } from "./transcript-schema";
import { openRun } from "./verify-run";

/** Files with their runs; a run of a large log takes hundreds of megabytes. */
const mostHeld = 3;
const mostRuns = 1000;

interface Held {
  transcript: Transcript;
  report: RunReport;
  plan: Plan;
  runs: string[];
  next: Record<string, string>;
}

export interface Transcripts {
  /** Never throws: what fails is refused with its reason. */
  answer(ask: Ask): Reply;
}

export function createTranscripts(tools: Tools): Transcripts {
  const held = new Map<string, Held>();

  function open(ask: Ask): Held | string {
    const key = [ask.file, ask.run, ask.profile, stampOf(ask.file)].join("\0");
    const known = held.get(key);
    if (known) {
      held.delete(key);
      held.set(key, known);
      return known;
    }
    // An earlier state of the same file is of no use any more.
    for (const old of held.keys()) if (old.startsWith(`${ask.file}\0${ask.run}\0${ask.profile}\0`)) held.delete(old);
    const found = planFile(ask.file);
    if ("refused" in found) return found.refused;
    const plan = found.plans[ask.run];
    if (!plan) return `it holds ${found.plans.length} runs, and no run ${ask.run + 1}`;
    const opened = { ...judge(plan, ask, tools), plan, runs: found.plans.slice(0, mostRuns).map((one, i) => one.id ?? `run ${i + 1}`) };
    held.set(key, opened);
    for (const old of held.keys()) if (held.size > mostHeld) held.delete(old);
    return opened;
  }

  function answer(ask: Ask): Reply {
    try {
      if (ask.is === "page" && ask.isQuick) return readQuickly(ask.file, ask, tools);
      const found = ask.is === "place" ? findRun(ask) : open(ask);
      if (typeof found === "string") return { refused: found };
      const { transcript, report, plan, runs, next } = found;
      if (ask.is === "page") return { page: transcript.render(ask.page), report, runs, next };
      if (ask.is === "body") {
        const body = transcript.body(ask.step, ask.part);
        return body === undefined ? { refused: "the step has no such text any more" } : { body };
      }
      if (ask.is === "raw") return toRaw(transcript.toRaw(ask.page, ask.spot), plan);
      return toPlace(ask, found);
    } catch (error) {
      return { refused: error instanceof Error ? error.message : String(error) };
    }
  }

  /** The run of a file in which a line stands. */
  function findRun(ask: Ask & { is: "place" }): Held | string {
    const found = planFile(ask.file);
    if ("refused" in found) return found.refused;
    const run = found.plans.findLastIndex(({ sources }) => (sources[0]?.range?.line ?? 1) <= ask.line);
    ask.run = ask.raw === ask.file ? Math.max(0, run) : ask.run;
    return open(ask);
  }

  function toPlace(ask: Ask & { is: "place" }, { transcript, plan }: Held): Reply {
    const real = fs.realpathSync(ask.raw);
    const source = plan.sources.find(({ file }) => fs.realpathSync(file) === real);
    const name = source?.name ?? (plan.diff && fs.realpathSync(plan.diff.file) === real ? plan.diff.name : undefined);
    const found = name === undefined ? undefined : transcript.toPage(name, byteOf(real, ask.line, ask.column));
    return found ? { place: { run: ask.run, ...found } } : { refused: "nothing of this place is shown in the transcript" };
  }

  return { answer };
}

function judge(plan: Plan, { profile }: Pick<Choices, "profile">, tools: Tools): Pick<Held, "transcript" | "report" | "next"> {
  const result = verify(openRun(plan, { profile }, openLasting), tools, { adapters });
  const seen = new Set(result.findings.map(({ monitor }) => monitor));
  const next = Object.fromEntries(monitors.filter(({ id }) => seen.has(id)).map((monitor) => [monitor.id, monitor.next]));
  return { transcript: openTranscript(result, tools), report: toRunReport(result, mainFile(plan)), next };
}

/** The first page of a log whose records are lines, read only as far as it goes. */
function readQuickly(file: string, { profile }: Pick<Choices, "profile">, tools: Tools): Reply {
  const source = openSource(fs.realpathSync(file), path.basename(file));
  try {
    const head = source.read(0, headSize);
    const adapter = chooseAdapter(adapters, source.name, createHead(head, source.size <= headSize))?.adapter;
    if (!adapter) return { refused: `no known format. Looked for: ${listFormats()}` };
    if (adapter.records === "json" || adapter.records === "text") return { refused: "one document cannot be read in part" };
    const run = { sources: [{ source, adapter: adapter.id, stopAfter: pageOptions.pageSteps }], profile };
    const result = verify(run, tools, { adapters, monitors: [] });
    return { page: openTranscript(result, tools, true).render(1) };
  } finally {
    source.close();
  }
}

/** A source that is opened for each read: a transcript may be looked at for hours. */
function openLasting(file: string, name: string): Source {
  const first = openSource(file, name);
  const { size } = first;
  first.close();
  return {
    name,
    size,
    read(start, end) {
      let source: ReturnType<typeof openSource> | undefined;
      try {
        source = openSource(file, name);
        return source.read(start, Math.min(end, size));
      } catch {
        return new Uint8Array(0);
      } finally {
        source?.close();
      }
    },
  };
}

/** Changes when the file or one of its sub-agents' logs does. */
function stampOf(file: string): string {
  const stamp = (name: string): string => {
    const found = fs.statSync(name, { throwIfNoEntry: false });
    return found ? `${found.size} ${found.mtimeMs}` : "gone";
  };
  const helpers = path.join(file.replace(/\.jsonl$/i, ""), "subagents");
  if (!/\.jsonl$/i.test(file) || !fs.existsSync(helpers)) return stamp(file);
  return [stamp(file), ...fs.readdirSync(helpers).map((name) => `${name} ${stamp(path.join(helpers, name))}`)].join(" ");
}

function toRaw(at: Location | null, plan: Plan): Reply {
  const { prediction, diff } = plan;
  const file = [...plan.sources, ...(prediction ? [prediction] : []), ...(diff ? [diff] : [])].find(({ name }) => name === at?.file)?.file;
  if (!at || file === undefined) return { refused: "this place stands in no file" };
  return { raw: { file, start: at.start, end: at.end, exact: at.exact } };
}

/** The byte of a line and a column, both from 1; the last one when the file is shorter. */
function byteOf(file: string, line: number, column: number): number {
  const source = openSource(file, file);
  try {
    let left = line - 1;
    let at = 0;
    const size = 1024 * 1024;
    while (left > 0 && at < source.size) {
      const chunk = Buffer.from(source.read(at, at + size));
      let from = 0;
      for (let newline = chunk.indexOf(10); newline !== -1 && left > 0; newline = chunk.indexOf(10, from)) {
        from = newline + 1;
        left--;
      }
      at += left > 0 ? chunk.length : from;
      if (chunk.length === 0) break;
    }
    // A character has at most three bytes a unit.
    const text = Buffer.from(source.read(at, at + 3 * column)).toString("utf8");
    return at + Buffer.byteLength(text.slice(0, column - 1));
  } finally {
    source.close();
  }
}
