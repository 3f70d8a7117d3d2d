/** The files of the PATHs that a person named, each told for what it is. */
import type { Adapter } from "../core/adapter";
import path from "node:path";
import { classify, type Kind } from "./classify";
import { type Entry, listEntries } from "./entries";
import { describe, findFiles, openSource, type OpenSource } from "./files";
import { readReport, findId, type Report } from "./outcomes";
import { listRuns } from "./ranges";

/** A log or a part of one, with where it stands. */
export interface Log {
  root: number;
  file: string;
  name: string;
  /** Absolute, of the folder that it lies in. */
  folder: string;
  adapter: string;
  range?: { start: number; end: number; line: number };
  id?: string;
  /** A bare diff: a log of its own only when no trajectory takes it as its patch. */
  isDiff: boolean;
}

export interface Row {
  root: number;
  folder: string;
  id: string;
  entry: Entry;
}

export interface Placed {
  root: number;
  folder: string;
  report: Report;
}

export interface Gathered {
  logs: Log[];
  rows: Row[];
  reports: Placed[];
  skipped: { root: number; file: string; why: string }[];
  /** By root: the absolute folder that names are relative to. */
  bases: string[];
  /** By root: why the PATH itself cannot be read. */
  failures: Map<number, string>;
}

export interface GatherOptions {
  adapters: readonly Adapter[];
  /** Files that are passed over in silence, absolute: the one that is being written. */
  except?: readonly string[];
  /** Called for each file, for a host that shows progress. */
  onFile?: (name: string) => void;
}

/** Formats whose files are final patches. */
const diffFormats = new Set(["unified-diff"]);

export function gather(paths: readonly string[], options: GatherOptions): Gathered {
  const all: Gathered = { logs: [], rows: [], reports: [], skipped: [], bases: [], failures: new Map() };
  paths.forEach((named, root) => {
    all.bases.push(path.resolve(named));
    try {
      for (const { file, name, skipped } of findFiles(named)) {
        if (options.except?.includes(file)) continue;
        options.onFile?.(name);
        const isNamed = name === path.basename(named) && path.dirname(file) !== path.resolve(named);
        if (isNamed) all.bases[root] = path.dirname(path.resolve(named));
        const why = skipped ?? addFile(all, { root, file, name, isNamed }, options.adapters);
        if (why !== undefined) all.skipped.push({ root, file: name, why });
      }
    } catch (error) {
      all.failures.set(root, describe(error));
    }
  });
  return all;
}

interface Place {
  root: number;
  file: string;
  name: string;
  isNamed: boolean;
}

/** @returns why the file is passed over, or nothing when it is used */
function addFile(all: Gathered, place: Place, adapters: readonly Adapter[]): string | undefined {
  let source: OpenSource;
  try {
    source = openSource(place.file, place.name);
  } catch (error) {
    return `cannot be read: ${describe(error)}`;
  }
  try {
    const why = addSource(all, place, source, classify(source, adapters, place.isNamed));
    return source.failure === undefined ? why : `cannot be read: ${source.failure}`;
  } finally {
    source.close();
  }
}

function addSource(all: Gathered, { root, file, name }: Place, source: OpenSource, kind: Kind): string | undefined {
  const folder = path.dirname(file);
  if (kind.is === "nothing") return kind.why;
  if (kind.is === "report") {
    const report = readReport(source);
    if (typeof report === "string") return report;
    all.reports.push({ root, folder, report });
    return undefined;
  }
  if (kind.is === "predictions") {
    const problems: string[] = [];
    const entries = listEntries(source, file, kind.records, problems);
    for (const [id, entry] of entries) all.rows.push({ root, folder, id, entry });
    const [first] = problems;
    if (first !== undefined)
      all.skipped.push({ root, file: name, why: `${problems.length} of its rows cannot be read; the first: ${first}` });
    return entries.length === 0 && first === undefined ? "predictions without a row" : undefined;
  }
  const { adapter } = kind;
  const byName = findId(name);
  const isDiff = diffFormats.has(adapter.id);
  const common = { root, file, name, folder, adapter: adapter.id, isDiff };
  const parts = listRuns(source, adapter);
  for (const part of parts) {
    const id = part.id ?? (parts.length === 1 ? byName : undefined);
    all.logs.push({ ...common, ...(id === undefined ? {} : { id }), ...(parts.length > 1 ? { range: part.range } : {}) });
  }
  return undefined;
}
