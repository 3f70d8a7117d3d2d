/** A monitor's page and its line in the README, from its declaration and its cases. */
import type { Case, Monitor, RecordingLine } from "../core/monitor";
import type { Severity } from "../core/model";

/** Text of the declarations may hold what Markdown would read as markup; only code between back-ticks is meant so. */
function escape(text: string): string {
  return text
    .split(/(`[^`\n]+`)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/[\\`*_<>|[\]#]/g, "\\$&")))
    .join("");
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${escape(item)}`).join("\n");
}

function showSeverity({ bench, dev }: Record<"bench" | "dev", Severity>): string {
  return bench === dev ? bench : `${bench} in graded runs, ${dev} in development`;
}

/** One line of a recording as a person would tell it; the guilty text keeps its «marks». */
function tell(line: RecordingLine): string {
  const get = (key: string): string => (typeof line[key] === "string" ? line[key] : "");
  const indent = (sign: string, text: string): string => text.replace(/\n$/, "").replace(/^/gm, sign);
  const shown: Record<string, () => string> = {
    message: () => `${get("actor") || "agent"}: ${get("text")}`,
    thought: () => `(thinks) ${get("text")}`,
    summary: () => `(summary) ${get("text")}`,
    command: () =>
      [
        `$ ${get("command")}`,
        get("output").replace(/\n$/, ""),
        typeof line["exit"] === "number" && line["exit"] !== 0 ? `(exit ${line["exit"]})` : "",
        get("blocked") && `(refused: ${get("blocked")})`,
      ]
        .filter((part) => part !== "")
        .join("\n"),
    edit: () => {
      const parts = [`edit ${get("path")}`];
      if (get("before")) parts.push(indent("- ", get("before")));
      if (get("after")) parts.push(indent("+ ", get("after")));
      if (get("diff")) parts.push(get("diff").replace(/\n$/, ""));
      return parts.join("\n");
    },
    delete: () => `delete ${get("path")}`,
    move: () => `move ${get("from")} to ${get("path")}`,
    read: () => [`read ${get("path")}`, get("content")].filter(Boolean).join("\n"),
    search: () => [`search ${get("query")}`, get("content")].filter(Boolean).join("\n"),
    fetch: () => [`fetch ${get("url")}`, get("content")].filter(Boolean).join("\n"),
    patch: () => `final patch\n${get("diff").replace(/\n$/, "")}`,
  };
  return shown[line.type]?.() ?? JSON.stringify(line);
}

function showCase(example: Case): string {
  const text = example.run.map(tell).join("\n");
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const found = (example.finds ?? []).map((find) => `\`${find.message}\``).join(", ");
  return `**${escape(example.name)}**${found ? ` (${found})` : ""}\n\n${fence}text\n${text}\n${fence}`;
}

/** How many examples of each kind a page shows. The whole table is the cases file. */
const shown = 2;

export function writePage(monitor: Monitor, file: string, cases: readonly Case[]): string {
  const guilty = cases.filter((one) => one.finds?.length && !one.isMissed).slice(0, shown);
  const innocent = cases.filter((one) => !one.finds?.length && !one.isMissed).slice(0, shown);
  const misses = [...monitor.misses, ...cases.filter((one) => one.isMissed).map((one) => one.name)];
  const sections: [string, string][] = [
    ["What to do next", escape(monitor.next)],
    [
      "What it says",
      Object.entries(monitor.messages)
        .map(([id, text]) => `- \`${id}\`: ${escape(text)}`)
        .join("\n"),
    ],
    ["Honest work that looks like it", list(monitor.falseAlarms)],
    ["What it is known to miss", list(misses)],
    ["Found", guilty.map(showCase).join("\n\n")],
    ["Not found, and rightly so", innocent.map(showCase).join("\n\n")],
    ["References", list(monitor.references)],
  ];
  const trial = monitor.status === "trial" ? " It is on trial: what it finds is shown as a hint and never moves a verdict." : "";
  return (
    [
      `<!-- Written by \`npm run gen\` from src/core/monitors/${file}.ts: change it there. -->`,
      `# ${escape(monitor.title)}`,
      `\`${monitor.id}\` · ${monitor.family} · ${showSeverity(monitor.severity)} · ${monitor.status} · version ${monitor.version}`,
      escape(monitor.why) + trial,
      ...sections.filter(([, body]) => body !== "").map(([title, body]) => `## ${title}\n\n${body}`),
    ].join("\n\n") + "\n"
  );
}

export function writeTable(monitors: readonly Monitor[]): string {
  if (monitors.length === 0) return "No monitor yet.";
  const rows = monitors.map(
    (one) =>
      `| [\`${one.id}\`](media/monitors/${one.id}.md) | ${one.family} | ${escape(one.title)} | ${one.severity.bench} | ${one.severity.dev} | ${one.status} |`,
  );
  return [
    "| Monitor | Family | What it finds | In graded runs | In development | Status |",
    "| --- | --- | --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}
