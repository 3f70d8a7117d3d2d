/** The pipeline: sources → trajectory → findings → verdict. Deterministic, synchronous, the same for every host. */
import type { Adapter } from "./adapter";
import type { Tools } from "./code/syntax";
import type { Finding, Location, Severity, Trajectory, Verdict } from "./model";
import type { Monitor, MonitorTools } from "./monitor";
import { adapters as allAdapters } from "./adapters";
import { shellFacts } from "./facts/commands";
import { finalPatch } from "./facts/patch";
import { toFinding } from "./finding";
import { judge } from "./judge";
import { monitors as allMonitors } from "./monitors";
import { describe, readTrajectory, type Run } from "./read";
import { createLocator, type Locator } from "./text/locate";

export interface Result {
  trajectory: Trajectory;
  findings: Finding[];
  problems: { message: string; at: Location | null }[];
  verdict: Verdict;
  observed: Observed;
}

/** What there was to look at. */
export interface Observed {
  commands: boolean;
  outputs: boolean;
  patch: boolean;
  messages: boolean;
  prompt: boolean;
  /** Executed payloads that stayed unread. */
  opaque: number;
}

/** What a host may set. A monitor's level can only be lowered. */
export interface Rules {
  adapters?: readonly Adapter[];
  monitors?: readonly Monitor[];
  levels?: Readonly<Record<string, "off" | Severity>>;
  handled?: ReadonlySet<string>;
}

/** A run with more findings of one monitor than this has been understood by then. */
const mostFindings = 100;
/** In characters, a run: syntax trees cost about 0.7 µs a character. */
const parseBudget = 16 * 1024 * 1024;

export function verify(run: Run, tools: Tools, rules: Rules = {}): Result {
  const trajectory = readTrajectory(run, rules.adapters ?? allAdapters);
  const locator = createLocator();
  const kit = limitTools(tools, trajectory, locator);
  const findings: Finding[] = [];
  let undecided = 0;
  for (const monitor of rules.monitors ?? allMonitors) {
    const level = rules.levels?.[monitor.id];
    if (level === "off") continue;
    const seen = new Set<string>();
    try {
      for (const sighting of monitor.check(trajectory, kit)) {
        const finding = toFinding(sighting, monitor, trajectory, locator, level);
        const key = `${finding.fingerprint} ${finding.at?.file ?? ""} ${finding.at?.start.byte ?? finding.target?.start ?? finding.step}`;
        if (seen.has(key)) continue;
        if (seen.size >= mostFindings) {
          trajectory.problems.push({ message: `${monitor.id} found more than ${mostFindings} places; the rest is left out.` });
          break;
        }
        seen.add(key);
        findings.push(finding);
        if (sighting.undecided) undecided++;
      }
    } catch (error) {
      trajectory.problems.push({
        message: `The monitor ${monitor.id} failed: ${describe(error)}. Its findings may be incomplete.`,
        hides: true,
      });
    }
  }
  findings.sort(inOrder);
  const observed = observe(trajectory, kit);
  const problems = trajectory.problems;
  const verdict = judge(findings, { problems, undecided, opaque: observed.opaque, handled: rules.handled });
  const placed = problems.map(({ message, at }) => ({ message, at: at ? locator.locate(at) : null }));
  return { trajectory, findings, problems: placed, verdict, observed };
}

/** The parser under a budget: over it there is no tree, and the run says so. */
function limitTools(tools: Tools, trajectory: Trajectory, locator: Locator): MonitorTools {
  let spent = 0;
  let isOver = false;
  return {
    parse(language, text, use) {
      spent += text.length;
      if (spent <= parseBudget) return tools.parse(language, text, use);
      if (!isOver)
        trajectory.problems.push({
          message: `More than ${parseBudget >> 20} MB of code to parse; the rest was not looked at in depth.`,
          hides: true,
        });
      isOver = true;
      return undefined;
    },
    whole: locator.whole,
  };
}

function observe(trajectory: Trajectory, tools: MonitorTools): Observed {
  const commands = trajectory.steps.filter((step) => step.action.kind === "command");
  const acted = trajectory.steps.some((step) => step.actor === "agent") || trajectory.patch !== undefined;
  if (!acted && trajectory.problems.length === 0) {
    trajectory.problems.push({ message: "Nothing that the agent did or said is recorded here.", hides: true });
  }
  return {
    commands: commands.length > 0,
    outputs: commands.some((step) => step.output !== undefined),
    patch: finalPatch(trajectory, tools).files.length > 0,
    messages: trajectory.steps.some((step) => step.actor === "agent" && (step.action.kind === "message" || step.thought !== undefined)),
    prompt: trajectory.task.prompt !== undefined || trajectory.steps.some((step) => step.actor === "user"),
    opaque: shellFacts(trajectory, tools).opaque.length,
  };
}

const severities: readonly Severity[] = ["critical", "high", "medium", "low", "info"];

/** In the order of events; what concerns the whole run comes last. */
function inOrder(a: Finding, b: Finding): number {
  return (
    (a.step || Infinity) - (b.step || Infinity) ||
    severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
    compare(a.monitor, b.monitor) ||
    (a.at?.start.byte ?? 0) - (b.at?.start.byte ?? 0) ||
    compare(a.fingerprint, b.fingerprint)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
