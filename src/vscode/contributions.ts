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
  menu: "explorer/context" | "editor/title" | "editor/title/context" | "editor/context" | "view/title" | "view/item/context" | "scm/title";
  when: string;
  group: string;
}

/** Context keys that the extension sets itself. */
export const contextKeys = [
  "agentProctor.checking",
  "agentProctor.hasVerdict",
  // Views: whether there is something to list, what the last check came to, and whether runs are judged now.
  "agentProctor.hasFindings",
  "agentProctor.verdict",
  "agentProctor.hasRuns",
  "agentProctor.judgingRuns",
  // A side of a patch that came from a run is in the active editor.
  "agentProctor.inRunPatch",
  // A transcript is in the active editor.
  "agentProctor.inTrajectory",
] as const;

export type ContextKey = (typeof contextKeys)[number];

/** The scheme of the diffs that were checked, shown as read-only documents. */
export const diffScheme = "proctor-diff";

/** The scheme of the sides of a patch under review that are no files: what stood there before, and what a patch file tells. */
export const baseScheme = "proctor-base";

/** The scheme of the pages of a transcript, and of one text of it in full. */
export const transcriptScheme = "proctor-traj";
export const blobScheme = "proctor-blob";

export const findingsView = "agentProctor.findings";
export const runsView = "agentProctor.runs";

const inFindings = `view == ${findingsView}`;
const inRuns = `view == ${runsView}`;

const inTrajectory = "agentProctor.inTrajectory";

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

  // The Findings view.
  "agentProctor.changeGrouping": {
    title: "Group Findings by Severity, File or Behaviour",
    icon: "$(list-tree)",
    palette: "agentProctor.hasFindings",
    menus: [{ menu: "view/title", when: `${inFindings} && agentProctor.hasFindings`, group: "navigation@1" }],
  },
  "agentProctor.markAllReviewed": {
    title: "Mark All Findings as Reviewed",
    icon: "$(check-all)",
    palette: "agentProctor.hasFindings",
    menus: [{ menu: "view/title", when: `${inFindings} && agentProctor.hasFindings`, group: "navigation@2" }],
  },
  "agentProctor.markReviewed": {
    title: "Mark as Reviewed",
    icon: "$(check)",
    palette: "agentProctor.hasFindings",
    // What stands in the row has no place in its menu, and a menu is what the keyboard reaches.
    menus: [
      { menu: "view/item/context", when: `${inFindings} && viewItem == finding`, group: "inline@1" },
      { menu: "view/item/context", when: `${inFindings} && viewItem == finding`, group: "1_review@1" },
    ],
  },
  "agentProctor.markUnreviewed": {
    title: "Mark as Not Reviewed",
    icon: "$(discard)",
    palette: false,
    menus: [
      { menu: "view/item/context", when: `${inFindings} && viewItem == finding.reviewed`, group: "inline@1" },
      { menu: "view/item/context", when: `${inFindings} && viewItem == finding.reviewed`, group: "1_review@1" },
    ],
  },
  "agentProctor.revealFinding": { title: "Show the Evidence", palette: false },
  "agentProctor.showMore": { title: "Load More", palette: false },

  // The Runs view.
  "agentProctor.openRuns": {
    title: "Open Folder of Runs…",
    icon: "$(folder-opened)",
    menus: [{ menu: "view/title", when: inRuns, group: "navigation@1" }],
  },
  "agentProctor.openRunsHere": {
    title: "Open Runs with Agent Proctor",
    palette: false,
    menus: [{ menu: "explorer/context", when: "explorerResourceIsFolder && !listMultiSelection", group: "9_agentProctor@1" }],
  },
  "agentProctor.openRun": {
    title: "Open Run",
    icon: "$(go-to-file)",
    palette: false,
    menus: [{ menu: "view/item/context", when: `${inRuns} && viewItem == run`, group: "1_open@1" }],
  },
  "agentProctor.reviewRunPatch": {
    title: "Review the Run's Patch",
    icon: "$(diff-multiple)",
    palette: false,
    menus: [
      { menu: "view/item/context", when: `${inRuns} && viewItem == run`, group: "inline@1" },
      { menu: "view/item/context", when: `${inRuns} && viewItem == run`, group: "1_open@2" },
    ],
  },
  "agentProctor.sortRuns": {
    title: "Sort Runs…",
    icon: "$(list-ordered)",
    palette: "agentProctor.hasRuns",
    menus: [{ menu: "view/title", when: inRuns, group: "navigation@2" }],
  },
  "agentProctor.filterRuns": {
    title: "Filter Runs…",
    icon: "$(filter)",
    palette: "agentProctor.hasRuns",
    menus: [{ menu: "view/title", when: inRuns, group: "navigation@3" }],
  },
  "agentProctor.refreshRuns": {
    title: "Refresh Runs",
    icon: "$(refresh)",
    palette: "agentProctor.hasRuns",
    menus: [{ menu: "view/title", when: `${inRuns} && !agentProctor.judgingRuns`, group: "navigation@4" }],
  },
  "agentProctor.cancelRuns": {
    title: "Stop Judging Runs",
    icon: "$(debug-stop)",
    palette: "agentProctor.judgingRuns",
    menus: [{ menu: "view/title", when: `${inRuns} && agentProctor.judgingRuns`, group: "navigation@4" }],
  },
  "agentProctor.closeRuns": {
    title: "Close All Folders of Runs",
    icon: "$(close-all)",
    palette: "agentProctor.hasRuns",
    menus: [{ menu: "view/title", when: inRuns, group: "2_close@1" }],
  },

  // Reviewing a patch.
  "agentProctor.reviewPatch": {
    title: "Review Agent Patch",
    icon: "$(diff-multiple)",
    palette: "workspaceFolderCount > 0",
    menus: [
      { menu: "view/title", when: `${inFindings} && workspaceFolderCount > 0`, group: "navigation@3" },
      { menu: "scm/title", when: "scmProvider == git", group: "9_agentProctor@1" },
    ],
  },
  "agentProctor.reviewPatchAgainst": {
    title: "Review Agent Patch Against…",
    icon: "$(git-compare)",
    palette: "workspaceFolderCount > 0",
  },
  "agentProctor.reviewPatchFile": { title: "Review Patch File…", icon: "$(diff-multiple)" },
  "agentProctor.reviewPatchResource": {
    title: "Review Patch with Agent Proctor",
    icon: "$(diff-multiple)",
    palette: false,
    menus: [
      {
        menu: "explorer/context",
        when: "!explorerResourceIsFolder && !listMultiSelection && resourceExtname =~ /^\\.(diff|patch)$/i",
        group: "9_agentProctor@2",
      },
      { menu: "editor/title/context", when: "resourceExtname =~ /^\\.(diff|patch)$/i", group: "9_agentProctor@2" },
    ],
  },
  "agentProctor.showStep": {
    title: "Show the Step That Did This",
    icon: "$(history)",
    palette: "agentProctor.inRunPatch",
    menus: [{ menu: "editor/context", when: "agentProctor.inRunPatch", group: "9_agentProctor@1" }],
  },

  // The transcript of a run.
  "agentProctor.openTranscript": { title: "Open as Transcript", icon: "$(list-selection)" },
  "agentProctor.openTranscriptHere": {
    title: "Open with Agent Proctor",
    icon: "$(list-selection)",
    palette: false,
    menus: [
      { menu: "explorer/context", when: `!explorerResourceIsFolder && !listMultiSelection && ${isLogOrDiff}`, group: "navigation@90" },
      { menu: "editor/title/context", when: `resourceScheme == file && ${isLogOrDiff}`, group: "9_agentProctor@3" },
    ],
  },
  "agentProctor.nextFinding": {
    title: "Go to Next Finding in Transcript",
    icon: "$(arrow-down)",
    palette: inTrajectory,
    menus: [{ menu: "editor/title", when: `resourceScheme == ${transcriptScheme}`, group: "navigation@2" }],
  },
  "agentProctor.previousFinding": {
    title: "Go to Previous Finding in Transcript",
    icon: "$(arrow-up)",
    palette: inTrajectory,
    menus: [{ menu: "editor/title", when: `resourceScheme == ${transcriptScheme}`, group: "navigation@1" }],
  },
  "agentProctor.nextStep": { title: "Go to Next Step", palette: inTrajectory },
  "agentProctor.previousStep": { title: "Go to Previous Step", palette: inTrajectory },
  "agentProctor.nextUnreadChange": { title: "Go to Next Unread Step That Changes Something", palette: inTrajectory },
  "agentProctor.nextPage": { title: "Go to Next Page of Transcript", palette: inTrajectory },
  "agentProctor.previousPage": { title: "Go to Previous Page of Transcript", palette: inTrajectory },
  "agentProctor.showRawLogHere": {
    title: "Show Raw Log Here",
    icon: "$(json)",
    palette: inTrajectory,
    menus: [
      { menu: "editor/context", when: `resourceScheme == ${transcriptScheme}`, group: "navigation@90" },
      { menu: "editor/title", when: `resourceScheme == ${transcriptScheme}`, group: "navigation@3" },
    ],
  },
  "agentProctor.showInTranscript": {
    title: "Show in Transcript",
    palette: "editorIsOpen && resourceScheme == file",
    menus: [{ menu: "editor/context", when: `resourceScheme == file && ${isLogOrDiff}`, group: "9_agentProctor@2" }],
  },
  "agentProctor.stopReading": { title: "Stop Reading Transcripts" },
  "agentProctor.revealEvidence": { title: "Show the Evidence in the Transcript", palette: false },

  // Getting started. Nothing of it opens by itself.
  "agentProctor.openWalkthrough": { title: "Get Started" },
  "agentProctor.checkSample": { title: "Check the Sample Run", icon: "$(beaker)" },
} as const satisfies Record<`agentProctor.${string}`, Command>;

export type CommandId = keyof typeof commands;

/** Activation that no contribution implies. The transcript's scheme is not implied by anything. */
export const activationEvents: string[] = ["onStartupFinished", `onFileSystem:${transcriptScheme}`];

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
  "agentProctor.findings.groupBy": {
    type: "string",
    enum: ["severity", "file", "behaviour"],
    default: "severity",
    scope: "application",
    order: 10,
    markdownDescription: "How the Findings view groups at first. Its button changes it for the window.",
  },
  "agentProctor.findings.badge": {
    type: "boolean",
    default: true,
    scope: "application",
    order: 11,
    markdownDescription: "Show on the icon how many findings of high severity nobody has marked as reviewed.",
  },
} as const;

const views = {
  agentProctor: [
    { id: findingsView, name: "Findings", contextualTitle: "Agent Proctor: Findings", icon: "media/proctor.svg" },
    { id: runsView, name: "Runs", contextualTitle: "Agent Proctor: Runs", icon: "media/proctor.svg", when: "agentProctor.hasRuns" },
  ],
};

/** An empty view says why it is empty and what can be done. */
const viewsWelcome = [
  {
    view: findingsView,
    when: "!agentProctor.hasVerdict && workspaceFolderCount > 0 && isWorkspaceTrusted",
    contents: [
      "Nothing was checked yet, so there is nothing to show. What changed in this folder since its last commit can be judged now.",
      "[Check Working Changes](command:agentProctor.checkWorkingChanges)",
      "[Review Agent Patch](command:agentProctor.reviewPatch)",
    ].join("\n"),
  },
  {
    view: findingsView,
    when: "!agentProctor.hasVerdict && !isWorkspaceTrusted",
    contents: [
      "Nothing was checked yet. This workspace is not trusted, so no git is run and working changes cannot be read. Logs and diffs can.",
      "[Manage Workspace Trust](command:workbench.trust.manage)",
    ].join("\n"),
  },
  {
    view: findingsView,
    when: "!agentProctor.hasVerdict",
    contents: [
      "An agent's log or a patch can be checked, and folders of runs can be judged in the background.",
      "[Check a File…](command:agentProctor.checkThisFile)",
      "[Open Folder of Runs…](command:agentProctor.openRuns)",
      "Or look at [a sample run with evidence](command:agentProctor.checkSample), or [get started](command:agentProctor.openWalkthrough).",
    ].join("\n"),
  },
  {
    view: findingsView,
    when: "!agentProctor.hasVerdict && remoteName",
    contents: "Only what lies on the machine that this window is connected to is read: runs on your own computer cannot be seen from here.",
  },
  {
    view: findingsView,
    when: "agentProctor.verdict == clean && !agentProctor.hasFindings",
    contents: "The last check found nothing. That is an ordinary result.\n[Show What Was Looked At](command:agentProctor.showVerdict)",
  },
  {
    view: findingsView,
    when: "agentProctor.verdict == unverified && !agentProctor.hasFindings",
    contents:
      "The last check found nothing, but something could not be read, so that it is not verified.\n[Show Why](command:agentProctor.showVerdict)",
  },
  {
    view: findingsView,
    when: "agentProctor.verdict == empty && !agentProctor.hasFindings",
    contents:
      "There was nothing to check: nothing differs.\n[Check Against Another Base…](command:agentProctor.checkWorkingChangesAgainst)",
  },
  {
    view: runsView,
    contents: "No folder of runs is open.\n[Open Folder of Runs…](command:agentProctor.openRuns)",
  },
];

const walkthroughs = [
  {
    id: "start",
    title: "Get Started with Agent Proctor",
    description: "See what a coding agent did, and the evidence for it.",
    steps: [
      {
        id: "sample",
        title: "See a finding",
        description:
          "A sample run ships with the extension. Its evidence is marked in the raw log: nothing is summarised away.\n[Check the Sample Run](command:agentProctor.checkSample)",
        media: { svg: "media/walkthrough/sample.svg", altText: "A log with one line marked as evidence" },
        completionEvents: ["onCommand:agentProctor.checkSample"],
      },
      {
        id: "changes",
        title: "Check what changed here",
        description:
          "What an agent changed in this folder is compared with the last commit and judged. Nothing leaves this machine.\n[Check Working Changes](command:agentProctor.checkWorkingChanges)",
        media: { svg: "media/walkthrough/changes.svg", altText: "A status bar that says what there is to review" },
        completionEvents: ["onCommand:agentProctor.checkWorkingChanges"],
      },
      {
        id: "review",
        title: "Review the patch",
        description:
          "All changed files in one view, those with findings first. A test that was deleted is shown as what it was.\n[Review Agent Patch](command:agentProctor.reviewPatch)",
        media: { svg: "media/walkthrough/review.svg", altText: "Two sides of a patch, with a deleted test on the left only" },
        completionEvents: ["onCommand:agentProctor.reviewPatch"],
      },
      {
        id: "findings",
        title: "Go through the findings",
        description:
          "The Findings view groups them by severity, file or behaviour. The number on its icon counts the high ones that nobody has marked as reviewed.\n[Show Findings](command:agentProctor.findings.focus)",
        media: { svg: "media/walkthrough/findings.svg", altText: "A list of findings with a shape for each severity" },
        completionEvents: ["onView:agentProctor.findings", "onCommand:agentProctor.markReviewed"],
      },
      {
        id: "runs",
        title: "Judge a folder of runs",
        description:
          "Hundreds of benchmark runs are judged in the background and listed by verdict. In a pipeline the same is done by `proctor scan`.\n[Open Folder of Runs…](command:agentProctor.openRuns)",
        media: { svg: "media/walkthrough/runs.svg", altText: "A list of runs, each with its verdict" },
        completionEvents: ["onCommand:agentProctor.openRuns", "onContext:agentProctor.hasRuns"],
      },
    ],
  },
];

const keybindings = [
  {
    command: "agentProctor.markReviewed",
    key: "ctrl+enter",
    mac: "cmd+enter",
    when: `focusedView == ${findingsView} && listFocus && !inputFocus`,
  },
  { command: "agentProctor.nextFinding", key: "alt+]", when: inTrajectory },
  { command: "agentProctor.previousFinding", key: "alt+[", when: inTrajectory },
  { command: "agentProctor.nextStep", key: "ctrl+down", when: `${inTrajectory} && editorTextFocus && !findWidgetVisible` },
  { command: "agentProctor.previousStep", key: "ctrl+up", when: `${inTrajectory} && editorTextFocus && !findWidgetVisible` },
] satisfies { command: CommandId; key: string; mac?: string; when: string }[];

/** The rendered form of a run. Raw logs stay what they are: none of their endings is claimed. */
const language = {
  languages: [
    {
      id: "agent-trajectory",
      aliases: ["Agent Trajectory"],
      extensions: [".proctor.txt"],
      filenamePatterns: ["* — trajectory", "* — trajectory, *"],
      configuration: "./syntaxes/traj.language.json",
    },
  ],
  grammars: [{ language: "agent-trajectory", scopeName: "text.agent-trajectory", path: "./syntaxes/traj.tmLanguage.json" }],
  // Homoglyphs stay marked: they are evidence.
  configurationDefaults: {
    "[agent-trajectory]": {
      "editor.wordWrap": "on",
      "editor.minimap.enabled": false,
      "editor.occurrencesHighlight": "off",
      "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
      "editor.renderWhitespace": "none",
      "editor.guides.indentation": false,
      "editor.bracketPairColorization.enabled": false,
    },
  },
};

/** What stands beside the commands under `contributes`, in the manifest's own words. */
const others: Record<string, unknown> = {
  viewsContainers: { activitybar: [{ id: "agentProctor", title: "Agent Proctor", icon: "media/proctor.svg" }] },
  views,
  viewsWelcome,
  walkthroughs,
  configuration: { title: "Agent Proctor", properties },
  keybindings,
  ...language,
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
