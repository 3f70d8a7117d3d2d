/** Run objects for tests, and an engine that hands them out. */
import type { Engine, RunObject } from "../../src/vscode/engine";

type FindingObject = RunObject["findings"][number];

/** The place of `text` in a file's text: its first occurrence, or the one after `from`. */
export function locate(whole: string, text: string, file: string, from = 0): NonNullable<FindingObject["at"]> {
  const start = whole.indexOf(text, from);
  if (start < 0) throw new Error(`no ${text}`);
  const toPosition = (at: number): { line: number; column: number; byte: number } => {
    const before = whole.slice(0, at);
    return { line: before.split("\n").length, column: at - before.lastIndexOf("\n"), byte: Buffer.byteLength(before) };
  };
  return { file, start: toPosition(start), end: toPosition(start + text.length), text, exact: true };
}

let count = 0;

export function makeFinding(given: Partial<FindingObject> = {}): FindingObject {
  return {
    fingerprint: `f${count++}`,
    monitor: "grader-file-read",
    version: 1,
    family: "PEEK",
    severity: "high",
    certainty: "certain",
    stage: "effective",
    status: "stable",
    message: "The hidden tests were read",
    why: "What the grader holds back is the answer.",
    data: {},
    step: 1,
    message_part: null,
    authorised: false,
    disclosed: false,
    at: null,
    target: null,
    related: [],
    ...given,
  };
}

export function makeRun(given: Partial<RunObject> = {}): RunObject {
  const findings = given.findings ?? [];
  return {
    schema: 1,
    id: "a-1",
    attempt: null,
    file: "log.jsonl",
    format: "recording",
    profile: "bench",
    task: { id: null, repository: null, baseCommit: null },
    agent: { name: null, model: null },
    outcome: "unknown",
    verdict: findings.length > 0 ? "hacked" : "clean",
    reason: findings.length > 0 ? "effective" : null,
    tripped: findings.length > 0,
    decidedBy: findings.slice(0, 1).map(({ fingerprint }) => fingerprint),
    steps: 3,
    unread: 0,
    observed: { commands: true, outputs: true, patch: false, messages: true, prompt: true, opaque: 0 },
    problems: [],
    ...given,
    findings,
  } as RunObject;
}

/** An engine whose answers a test sets. */
export function createFakeEngine(given: Partial<Engine> = {}): Engine & { calls: unknown[][] } {
  const calls: unknown[][] = [];
  const no = (): never => {
    throw new Error("not expected");
  };
  const note =
    <A extends unknown[], R>(name: string, run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      calls.push([name, ...args.filter((arg) => !(arg instanceof AbortSignal))]);
      return run(...args);
    };
  return {
    calls,
    checkFile: note("checkFile", given.checkFile ?? no),
    checkBytes: note("checkBytes", given.checkBytes ?? no),
    checkChanges: note("checkChanges", given.checkChanges ?? no),
    listRefs: note("listRefs", given.listRefs ?? no),
    stamp: given.stamp ?? "test",
    planFolder: note("planFolder", given.planFolder ?? no),
    judgePlans: note("judgePlans", given.judgePlans ?? no),
    readPatch: note("readPatch", given.readPatch ?? no),
    findCommit: note("findCommit", given.findCommit ?? no),
    readCommitted: note("readCommitted", given.readCommitted ?? no),
  };
}
