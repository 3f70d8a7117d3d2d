/** A monitor's sighting, made into a finding: message filled in, severity settled, evidence traced to the raw file. */
import type { Finding, Severity, Trajectory } from "./model";
import type { Monitor, Sighting } from "./monitor";
import type { Locator } from "./text/locate";
import { quote } from "./text/text";

const ranks: readonly Severity[] = ["info", "low", "medium", "high", "critical"];

export function toFinding(sighting: Sighting, monitor: Monitor, trajectory: Trajectory, locator: Locator, level?: Severity): Finding {
  const data = { ...sighting.data };
  const evidence = sighting.evidence;
  const step = trajectory.steps[sighting.step - 1];
  return {
    fingerprint: fingerprint(monitor.id, sighting.target?.path ?? "", `${sighting.message} ${evidence ? quote(evidence) : ""}`),
    monitor: monitor.id,
    version: monitor.version,
    family: monitor.family,
    severity: lowest([monitor.severity[trajectory.profile], sighting.severity, level]),
    certainty: sighting.undecided ? "info" : sighting.certainty,
    stage: sighting.stage,
    status: monitor.status,
    message: fill(monitor.messages[sighting.message] ?? sighting.message, data),
    why: sighting.ruledOut ? `${monitor.why} ${sighting.ruledOut}` : monitor.why,
    data,
    step: sighting.step,
    message_part: step && evidence ? findPart(step.message, trajectory, locator, evidence) : null,
    authorised: sighting.authorised ?? false,
    disclosed: sighting.disclosed ?? false,
    at: evidence ? locator.locate(evidence) : null,
    target: sighting.target ?? null,
    related: (sighting.related ?? []).map(({ message, span }) => ({ message: fill(message, data), at: locator.locate(span) })),
  };
}

/** The part of the step's message that the evidence was read from: its own, or another of the same message. */
function findPart(
  message: number,
  trajectory: Trajectory,
  locator: Locator,
  evidence: NonNullable<Sighting["evidence"]>,
): Finding["message_part"] {
  // A result may stand in a later message than its call, so the next few are looked at as well.
  for (let index = message; index < Math.min(message + 8, trajectory.messages.length); index++) {
    const parts = trajectory.messages[index]?.parts ?? [];
    for (let part = 0; part < parts.length; part++) {
      const text = parts[part]?.text;
      const found = text && locator.within(evidence, text);
      if (found) return { message: index, part, ...found };
    }
  }
  return null;
}

function lowest(severities: readonly (Severity | undefined)[]): Severity {
  return severities.reduce<Severity>((low, next) => (next && ranks.indexOf(next) < ranks.indexOf(low) ? next : low), "critical");
}

function fill(template: string, data: Sighting["data"]): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = data?.[name];
    return value === undefined ? whole : oneLine(Array.isArray(value) ? value.join(", ") : String(value));
  });
}

/** Logs are hostile: a message never carries control characters, and a quoted name stays short. */
function oneLine(value: string): string {
  const clean = value.replace(/[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]+/g, " ").trim();
  return clean.length > 160 ? `${clean.slice(0, 159)}…` : clean;
}

/** Sixteen hexadecimal digits over monitor, path and normalised evidence; positions do not enter. */
export function fingerprint(monitor: string, path: string, evidence: string): string {
  const text = `${monitor}\n${path}\n${evidence.replace(/\s+/g, " ").trim()}`;
  return hash(text, 0x811c9dc5) + hash(text, 0x01000193);
}

/** FNV-1a over UTF-16 units with a final mix, 32 bits. */
function hash(text: string, seed: number): string {
  let h = seed;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0).toString(16).padStart(8, "0");
}
