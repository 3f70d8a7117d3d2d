/** What evaluation reports say: which instances were resolved. Shapes as the SWE-bench harness and its relatives write them. */
import type { Source } from "../core/model";
import { readDocument } from "../core/text/records";
import { asRow, idOf } from "./entries";

/** A report, read. */
export interface Report {
  name: string;
  /** By instance id. */
  resolved: Map<string, boolean>;
  /** It lists the resolved ones of a whole submission, so that whoever is not in it was not resolved. */
  isClosed: boolean;
  /** Instances that were not evaluated to an end. */
  open: ReadonlySet<string>;
}

/** Ids as SWE-bench writes them, `owner__repository-number`. Folders of experiments hold `__` as well, but more than once. */
const idStart = /^[A-Za-z0-9](?:_?[A-Za-z0-9.-]){0,80}__(?:_?[A-Za-z0-9.-]){1,80}/;

/** The instance id that a path holds: at the start of the file's name, else as the name of a folder, the nearest first. */
export function findId(name: string): string | undefined {
  const [file = "", ...folders] = name.split("/").reverse();
  const own = readId(file);
  if (own !== undefined) return own;
  return folders.find((folder) => readId(folder) === folder);
}

function readId(name: string): string | undefined {
  const start = idStart.exec(name.slice(0, 260))?.[0];
  if (start === undefined || name.startsWith("__", start.length)) return undefined;
  // The number is the last thing of the id that may be followed by an ending, never by a letter.
  const id = /^(.*?__.*-\d{1,9})(?![\dA-Za-z])/.exec(start)?.[1];
  return id;
}

/** @returns the report, or one sentence that says why it cannot be read */
export function readReport(source: Source): Report | string {
  const { text } = readDocument(source);
  if (text === undefined) return "too large: more than 256 MB";
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return `not valid JSON: ${error instanceof Error ? error.message.slice(0, 120) : "unknown error"}`;
  }
  const report: Report = { name: source.name, resolved: new Map(), isClosed: false, open: new Set() };
  const table = asRow(document);
  const rows = Array.isArray(document) ? document : Array.isArray(table?.instances) ? table.instances : undefined;
  if (rows) {
    for (const item of rows as unknown[]) {
      const row = asRow(item);
      const id = row && idOf(row);
      if (row && id !== undefined && typeof row.resolved === "boolean") report.resolved.set(id, row.resolved);
    }
  } else if (table && (Array.isArray(table.resolved_ids) || Array.isArray(table.resolved))) {
    readLists(table, report);
  } else if (table && typeof table.resolved === "boolean") {
    const id = idOf(table) ?? findId(source.name) ?? idByPlace(source.name);
    if (id !== undefined) report.resolved.set(id, table.resolved);
  } else {
    for (const [id, value] of Object.entries(table ?? {})) {
      const resolved = asRow(value)?.resolved;
      if (typeof resolved === "boolean") report.resolved.set(id, resolved);
    }
  }
  return report.resolved.size > 0 || report.isClosed ? report : "a report without an instance";
}

/** `logs/<id>/report.json`, where the id is not one of SWE-bench's kind. */
function idByPlace(name: string): string | undefined {
  const parts = name.split("/");
  return parts.length >= 2 ? parts.at(-2) : undefined;
}

/** Lists of ids: whoever is resolved stands in one of them, and the others say what was looked at. */
function readLists(table: { [key: string]: unknown }, report: Report): void {
  const open = new Set<string>();
  for (const [key, value] of Object.entries(table)) {
    if (!Array.isArray(value)) continue;
    for (const id of value) {
      if (typeof id !== "string") continue;
      if (key === "resolved" || key === "resolved_ids") report.resolved.set(id, true);
      else if (/incomplete|pending/.test(key)) open.add(id);
      else if (!report.resolved.has(id)) report.resolved.set(id, false);
    }
  }
  for (const id of open) if (report.resolved.get(id) === false) report.resolved.delete(id);
  report.open = open;
  report.isClosed = true;
}
