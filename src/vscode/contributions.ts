/**
 * Everything the manifest contributes: the only source. `npm run gen` writes it into package.json.
 *
 * It must not import vscode: generators and tests read it in plain Node.
 */

export interface Command {
  title: string;
  icon?: string;
  /** A `when` clause for the palette; `false` keeps the command out of it. */
  palette?: string | false;
  enablement?: string;
  /** Where else it is offered. */
  menus?: readonly MenuPlace[];
}

export interface MenuPlace {
  menu: "explorer/context" | "editor/title/context";
  when: string;
  group: string;
}

/** Context keys that the extension sets itself. */
export const contextKeys = ["agentProctor.checking", "agentProctor.hasVerdict"] as const;

export type ContextKey = (typeof contextKeys)[number];

/** The scheme of the diffs that were checked, shown as read-only documents. */
export const diffScheme = "proctor-diff";

/** Logs and diffs by their endings. What a file really is says its content, so the palette's command takes any. */
const isLogOrDiff = "resourceExtname =~ /^\\.(jsonl|json|traj|diff|patch|txt)$/i";

/** Every command of the extension. `registerCommands` takes a handler for each: a missing or a stray one is a type error. */
export const commands = {
  "agentProctor.checkThisFile": {
    title: "Check This File",
    icon: "$(shield)",
  },
  // Menus show no category, so there the title has to say whose command it is.
  "agentProctor.checkResource": {
    title: "Check with Agent Proctor",
    icon: "$(shield)",
    palette: false,
    menus: [
      { menu: "explorer/context", when: `!explorerResourceIsFolder && !listMultiSelection && ${isLogOrDiff}`, group: "9_agentProctor@1" },
      { menu: "editor/title/context", when: isLogOrDiff, group: "9_agentProctor@1" },
    ],
  },
  // In an untrusted workspace these two stay visible and say why they do nothing.
  "agentProctor.checkWorkingChanges": { title: "Check Working Changes", icon: "$(shield)", palette: "workspaceFolderCount > 0" },
  "agentProctor.checkWorkingChangesAgainst": {
    title: "Check Working Changes Against…",
    icon: "$(git-compare)",
    palette: "workspaceFolderCount > 0",
  },
  "agentProctor.showVerdict": { title: "Show Verdict", icon: "$(list-unordered)", palette: "agentProctor.hasVerdict" },
  "agentProctor.clearFindings": { title: "Clear Findings", icon: "$(clear-all)", palette: "agentProctor.hasVerdict" },
  "agentProctor.cancel": { title: "Cancel the Check", icon: "$(circle-slash)", palette: "agentProctor.checking" },
} as const satisfies Record<`agentProctor.${string}`, Command>;

export type CommandId = keyof typeof commands;

/** Activation that no contribution implies. The transcript's scheme is not implied by anything. */
export const activationEvents: string[] = ["onStartupFinished"];

/**
 * Settings. All are of scope `application`: the agent under review can edit the workspace, and a workspace's settings
 * could otherwise hide what was found in it.
 */
const properties = {
  "agentProctor.profile": {
    type: "string",
    enum: ["auto", "bench", "dev"],
    enumDescriptions: [
      "By the format, and by what a recording says of itself.",
      "A graded run: later history, the web and hidden tests are off limits.",
      "A person's repository: branches, the web and editing tests are normal; honesty and silenced gates matter most.",
    ],
    default: "auto",
    scope: "application",
    order: 1,
    markdownDescription: "Which rules a checked file is judged by. Working changes are always judged as `dev`.",
  },
  "agentProctor.diagnostics.enabled": {
    type: "boolean",
    default: true,
    scope: "application",
    order: 2,
    markdownDescription: "Show findings in the editor and in the Problems view. The verdict stands in the status bar either way.",
  },
  "agentProctor.diagnostics.minSeverity": {
    type: "string",
    enum: ["info", "low", "medium", "high", "critical"],
    default: "medium",
    scope: "application",
    order: 3,
    markdownDescription: "Findings below this severity are left out of the editor. *Agent Proctor: Show Verdict* lists all of them.",
  },
} as const;

/** What stands beside the commands under `contributes`, in the manifest's own words. */
const others: Record<string, unknown> = {
  configuration: { title: "Agent Proctor", properties },
};

/** The manifest's `contributes`, commands in the order of the table. */
export function listContributions(): Record<string, unknown> {
  const entries = Object.entries(commands as Record<string, Command>);
  const menus: Record<string, object[]> = {
    commandPalette: entries
      .filter(([, { palette }]) => palette !== undefined)
      .map(([command, { palette }]) => ({ command, when: palette === false ? "false" : palette })),
  };
  for (const [command, { menus: places }] of entries) {
    for (const { menu, when, group } of places ?? []) (menus[menu] ??= []).push({ command, when, group });
  }
  return {
    commands: entries.map(([command, { title, icon, enablement }]) => ({
      command,
      title,
      category: "Agent Proctor",
      ...(icon === undefined ? {} : { icon }),
      ...(enablement === undefined ? {} : { enablement }),
    })),
    menus,
    ...others,
  };
}
