/** The commands that explain: monitors, explain, schema. */
import { monitors } from "../core/monitors";
import type { Monitor } from "../core/monitor";
import { toJsonSchema } from "../core/reports/schema";
import { type Look, show, wrap, writeRun } from "../core/reports/text";
import { judgePlans, planScan } from "../node/scan";
import { defaultJobs, suggest } from "./options";
import { type Output, UserError } from "./output";

export function describeMonitor(monitor: Monitor): unknown {
  const { id, title, family, severity, status, version, why, next, falseAlarms, misses, references, messages } = monitor;
  return { id, title, family, severity, status, version, why, next, falseAlarms, misses, references, messages };
}

export async function listMonitors(format: string, output: Output): Promise<void> {
  if (format === "json") return output.write(`${JSON.stringify(monitors.map(describeMonitor), null, 2)}\n`);
  const width = Math.max(4, ...monitors.map(({ id }) => id.length));
  const row = (id: string, family: string, status: string, bench: string, dev: string, title: string): string =>
    `${id.padEnd(width)}  ${family.padEnd(6)}  ${status.padEnd(6)}  ${bench.padEnd(8)}  ${dev.padEnd(8)}  ${title}\n`;
  await output.write(row("id", "family", "status", "bench", "dev", "title"));
  for (const { id, family, status, severity, title } of monitors)
    await output.write(row(id, family, status, severity.bench, severity.dev, title));
}

/** A monitor's declaration, or a finding by its fingerprint. */
export async function explain(name: string, paths: string[], output: Output): Promise<void> {
  const monitor = monitors.find(({ id }) => id === name);
  if (monitor) return output.write(writeMonitor(monitor));
  if (!/^[0-9a-f]{16}$/.test(name)) {
    throw new UserError(
      `There is no monitor "${show(name)}".${suggest(name)} \`proctor monitors\` lists all; a fingerprint has 16 hexadecimal digits. A monitor that was just added needs npm run build.`,
    );
  }
  if (paths.length === 0) {
    throw new UserError(`A fingerprint is explained from the runs that it was found in: proctor explain ${name} PATH…`);
  }
  const plan = planScan(paths);
  for (const { path, why } of plan.refused) process.stderr.write(`proctor: ${path} holds no run: ${why}.\n`);
  const look: Look = { hasColor: false, width: 100, prefix: "", next: new Map(monitors.map(({ id, next }) => [id, next])) };
  let isFound = false;
  for await (const { run } of judgePlans(plan.runs, { profile: "auto" }, defaultJobs())) {
    const findings = run.findings.filter(({ fingerprint }) => fingerprint === name);
    if (findings.length === 0) continue;
    isFound = true;
    await output.write(writeRun({ ...run, findings, problems: [] }, look));
    for (const id of new Set(findings.map((finding) => finding.monitor))) {
      const found = monitors.find((each) => each.id === id);
      if (found) await output.write(writeMonitor(found));
    }
  }
  if (!isFound) throw new UserError(`No finding with the fingerprint ${name} in ${paths.join(", ")} (${plan.runs.length} runs).`);
}

function writeMonitor(monitor: Monitor): string {
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : ["", title, ...items.flatMap((item) => wrap(item, 100, "  - "))];
  const { bench, dev } = monitor.severity;
  const level = bench === dev ? bench : `${bench} in graded runs, ${dev} in a person's repository`;
  return `${[
    `${monitor.id}: ${monitor.title}`,
    `${monitor.family}, ${level}, ${monitor.status}, version ${monitor.version}`,
    "",
    ...wrap(monitor.why, 100, ""),
    "",
    "What to do next",
    ...wrap(monitor.next, 100, "  "),
    ...list("Known false alarms", monitor.falseAlarms),
    ...list("What it is known to miss", monitor.misses),
    ...list("Messages", Object.values(monitor.messages)),
    ...list("References", monitor.references),
  ].join("\n")}\n`;
}

export async function printSchema(output: Output): Promise<void> {
  await output.write(`${JSON.stringify(toJsonSchema(), null, 2)}\n`);
}
