/** Runs for a person: one line a run, its findings beneath, a summary at the end. What a log holds is never printed raw. */
import type { Finding, Location, Severity, VerdictName } from "../model";
import type { Rate, Summary } from "./summary";
import type { RunReport } from "./run";
import { words } from "./words";

export interface Look {
  hasColor: boolean;
  /** In columns. */
  width: number;
  /** Put before a file's name so that a terminal can open it; empty or ending in `/`. */
  prefix: string;
  /** What a person should do next, by monitor. */
  next: ReadonlyMap<string, string>;
}

const colors: Record<VerdictName, number> = { hacked: 31, suspicious: 33, clean: 32, unverified: 35 };
const severityColors: Record<Severity, number> = { critical: 31, high: 31, medium: 33, low: 36, info: 2 };

/** Escapes and other control characters made visible, so that a log cannot write to the terminal of whoever reads about it. */
export function show(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, (c) => {
    if (c === "\t") return "  ";
    const code = c.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : `\\u{${code.toString(16)}}`;
  });
}

function paint(look: Look, code: number, text: string): string {
  return look.hasColor ? `\x1b[${code}m${text}\x1b[0m` : text;
}

/** Cut to the width; the text must hold no colours. */
function fit(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1))}…`;
}

/** Whether a run is shown line by line, or only counted with others of its kind. */
export function isNotable(run: RunReport): boolean {
  return run.verdict !== "clean" || run.findings.some((finding) => finding.severity !== "info" && finding.certainty !== "info");
}

/** The lines of one run, ending in a line end. */
export function writeRun(run: RunReport, look: Look): string {
  const facts = [
    run.attempt === null ? run.id : `${run.id} (${run.attempt})`,
    run.format,
    run.outcome === "unknown" ? "outcome unknown" : run.outcome,
    `${run.steps} ${run.steps === 1 ? "step" : "steps"}`,
    `profile ${run.profile} (${run.profileReason})`,
  ];
  const hints = run.findings.filter((finding) => finding.status === "trial" && finding.certainty !== "info").length;
  if (hints > 0) facts.push(hints === 1 ? "1 hint on trial" : `${hints} hints on trial`);
  const word = words[run.verdict];
  const rest = fit(show(facts.join("  ")), Math.max(20, look.width - 20));
  const lines = [`${paint(look, colors[run.verdict], word.padEnd(18))}  ${rest}`];
  for (const finding of run.findings) lines.push(...writeFinding(finding, run, look));
  for (const problem of run.problems.slice(0, 5)) {
    lines.push(`  ${paint(look, 2, "problem")} ${fit(show(problem.message), look.width - 10)}`);
    if (problem.at) lines.push(`    ${place(problem.at, look)}`);
  }
  if (run.problems.length > 5) lines.push(`  … and ${run.problems.length - 5} more problems`);
  if (run.verdict === "unverified") lines.push(...explainUnverified(run));
  if (lines.length > 1) lines.push("");
  return `${lines.join("\n")}\n`;
}

/** What no problem says: acts that could not be read, and findings that an output would have decided. */
function explainUnverified(run: RunReport): string[] {
  const { opaque } = run.observed;
  if (opaque > 0) return [`  ${opaque} executed ${opaque === 1 ? "payload" : "payloads"} could not be read`];
  if (run.problems.length > 0) return [];
  return ["  an output that would decide a finding is missing"];
}

function writeFinding(finding: Finding, run: RunReport, look: Look): string[] {
  const isDeciding = run.decidedBy.includes(finding.fingerprint);
  const notes = [
    `severity ${finding.severity}`,
    `certainty ${finding.certainty}`,
    `stage ${finding.stage}`,
    finding.status === "trial" ? "hint only, on trial" : "",
    finding.authorised ? "allowed by the task" : "",
    finding.disclosed ? "the agent said so" : "",
  ].filter((note) => note !== "");
  const mark = paint(look, severityColors[finding.severity], isDeciding ? "●" : "○");
  const lines = [`  ${mark} ${fit(show(finding.message), look.width - 4)}`];
  const where = finding.step > 0 ? `, step ${finding.step}` : "";
  lines.push(`    ${paint(look, 2, `${finding.monitor}: ${notes.join(", ")}${where}`)}`);
  if (finding.at) {
    lines.push(`    ${place(finding.at, look)}${finding.at.exact ? "" : " (about here)"}`);
    const quoted = finding.at.text.split(/\r?\n/);
    for (const line of quoted.slice(0, 3)) lines.push(`    ${paint(look, 2, "│")} ${fit(show(line), look.width - 6)}`);
    if (quoted.length > 3) lines.push(`    ${paint(look, 2, "│")} … ${quoted.length - 3} more lines`);
  }
  if (finding.target) {
    const { path, start, end, side } = finding.target;
    lines.push(`    in ${show(path)}:${start}${end > start ? `-${end}` : ""}${side === "old" ? " (before the change)" : ""}`);
  }
  lines.push(...wrap(`Why: ${finding.why}`, look.width, "    "));
  for (const { message, at } of finding.related.slice(0, 5)) {
    lines.push(...wrap(`${message}${at ? `: ${place(at, look)}` : ""}`, look.width, "    → "));
  }
  const next = look.next.get(finding.monitor);
  if (next !== undefined) lines.push(...wrap(`Next: ${next}`, look.width, "    "));
  lines.push(`    ${paint(look, 2, `fingerprint ${finding.fingerprint}`)}`);
  return lines;
}

/** `file:line:column`, as terminals and editors make a link of it. */
function place(at: Location, look: Look): string {
  return `${show(look.prefix + at.file)}:${at.start.line}:${at.start.column}`;
}

/** Broken between words; an indent of the first line is repeated as spaces. */
export function wrap(text: string, width: number, indent: string): string[] {
  const room = Math.max(20, width - indent.length);
  const lines: string[] = [];
  let line = "";
  for (const word of show(text).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((each, index) => (index === 0 ? indent : " ".repeat(indent.length)) + each);
}

/** @param hidden clean runs that were counted and not shown */
export function writeSummary(summary: Summary, look: Look, hidden = 0): string {
  const lines: string[] = [];
  if (hidden > 0)
    lines.push(
      `${hidden} ${hidden === 1 ? "run" : "runs"} with nothing found ${hidden === 1 ? "is" : "are"} not listed (--verbose lists all).`,
      "",
    );
  if (summary.runs > 0) {
    const total = `${summary.runs} ${summary.runs === 1 ? "run" : "runs"}`;
    const parts = (["hacked", "suspicious", "unverified", "clean"] as const)
      .filter((name) => summary.verdicts[name] > 0)
      .map((name) => paint(look, colors[name], `${words[name]}: ${summary.verdicts[name]}`));
    lines.push(`${total}.  ${parts.join("   ")}`);
    const known = summary.hackedResolved.n;
    if (summary.runs > 1 || known > 0) lines.push(`Tripped a stable monitor: ${share(summary.tripped)}.`);
    if (known > 0) {
      lines.push(
        `Outcome known for ${known}: resolved without a finding ${share(summary.cleanResolved)}, resolved and tripped ${share(summary.hackedResolved)}.`,
      );
    }
    const formats = Object.entries(summary.formats).map(([name, count]) => `${name} ${count}`);
    lines.push(`Formats: ${formats.join(", ")}.`);
  }
  if (summary.skippedCount > 0) {
    lines.push(`Passed over: ${summary.skippedCount} ${summary.skippedCount === 1 ? "file" : "files"}.`);
    const groups = new Map<string, string[]>();
    for (const { file, why } of summary.skipped) {
      const group = groups.get(why);
      if (group) group.push(file);
      else groups.set(why, [file]);
    }
    for (const [why, files] of groups) {
      const shown = files.slice(0, 3).join(", ");
      lines.push(`  ${fit(show(`${files.length} × ${why}: ${shown}${files.length > 3 ? ", …" : ""}`), look.width - 2)}`);
    }
  }
  return lines.length > 0 ? `${lines.join("\n")}\n` : "";
}

function share({ k, n }: Rate): string {
  return `${k} of ${n}`;
}
