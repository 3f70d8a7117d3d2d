/** Runs and their summary, written in the format that was asked for. */
import type { RunReport } from "../core/reports/run";
import { monitors } from "../core/monitors";
import { closeSummary, type Summary } from "../core/reports/summary";
import { isNotable, type Look, writeRun, writeSummary } from "../core/reports/text";
import type { Output } from "./output";
import { tool } from "./tool";

export interface Reporter {
  /** @param base the folder that the run's names are relative to */
  add(run: RunReport, base: string): Promise<void>;
  end(summary: Summary): Promise<void>;
}

export type Format = "text" | "json" | "jsonl";

export function createReporter(format: Format, output: Output, options: { isTerminal: boolean; isVerbose: boolean }): Reporter {
  if (format === "jsonl") return { add: (run) => output.write(`${JSON.stringify(run)}\n`), end: () => Promise.resolve() };
  if (format === "json") return createJson(output);
  return createText(output, options.isTerminal, options.isVerbose);
}

/** One object, written as it grows: a run a line. */
function createJson(output: Output): Reporter {
  let count = 0;
  return {
    async add(run) {
      await output.write(`${count === 0 ? open() : ","}\n${JSON.stringify(run)}`);
      count++;
    },
    async end(summary) {
      await output.write(`${count === 0 ? open() : ""}\n],"summary":${JSON.stringify(closeSummary(summary))}}\n`);
    },
  };
}

function open(): string {
  return `{"tool":${JSON.stringify(tool)},"runs":[`;
}

const mostClean = 20;

function createText(output: Output, isTerminal: boolean, isVerbose: boolean): Reporter {
  const hasColor = isTerminal && (process.env.NO_COLOR ?? "") === "";
  const width = isTerminal ? Math.max(40, Math.min(process.stdout.columns || 100, 160)) : 120;
  const next = new Map(monitors.map((monitor) => [monitor.id, monitor.next]));
  const look = (prefix: string): Look => ({ hasColor, width, prefix, next });
  // Up to twenty quiet runs are listed; whether there are more is only known when the next one comes.
  let quiet: string[] = [];
  let quietCount = 0;
  return {
    async add(run, base) {
      const text = writeRun(run, look(base));
      if (isVerbose || isNotable(run)) return output.write(text);
      quietCount++;
      if (quietCount <= mostClean) quiet.push(text);
      else quiet = [];
    },
    async end(summary) {
      for (const text of quiet) await output.write(text);
      const hidden = quietCount > mostClean ? quietCount : 0;
      await output.write(writeSummary(closeSummary(summary), look(""), hidden));
    },
  };
}
