/**
 * Rows by instance id: predictions and task files. Of each row only its place is kept, never its content, so that the
 * index stays small; a worker reads the row again when its run comes up.
 */
import type { JsonPath, RecordRef, Source } from "../core/model";
import { readDocument, readLines } from "../core/text/records";
import { openSource } from "./files";

/** Where a row stands: an object at `path` of the record from `start` to `end`. Plain data. */
export interface Entry {
  file: string;
  name: string;
  start: number;
  end: number;
  line: number;
  path: JsonPath;
}

type Row = { [key: string]: unknown };

export function asRow(value: unknown): Row | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Row) : undefined;
}

/** A row's instance id: SWE-bench's, or Multi-SWE-bench's three fields put together. */
export function idOf(row: Row): string | undefined {
  for (const key of ["instance_id", "instanceId", "task_id", "id"]) if (typeof row[key] === "string" && row[key] !== "") return row[key];
  const { org, repo, number } = row;
  return typeof org === "string" && typeof repo === "string" && (typeof number === "string" || typeof number === "number")
    ? `${org}__${repo}-${number}`
    : undefined;
}

/**
 * The rows of a file in their order: a JSON line each, the members of a list, or those of an object keyed by id.
 * @param problems one sentence for each row that could not be read
 */
export function listEntries(
  source: Source,
  file: string,
  records: "json" | "json-lines",
  problems: string[],
): [id: string, entry: Entry][] {
  const found: [string, Entry][] = [];
  const add = (ref: RecordRef, value: unknown, path: JsonPath, key?: string): void => {
    const row = asRow(value);
    const id = row && (idOf(row) ?? key);
    if (id === undefined) problems.push(`line ${ref.line}: a row without an instance id`);
    else found.push([id, { file, name: source.name, start: ref.start, end: ref.end, line: ref.line, path }]);
  };
  if (records === "json-lines") {
    for (const { ref, text } of readLines(source)) {
      const value = text === undefined ? undefined : parse(text);
      if (value === undefined) problems.push(`line ${ref.line}: ${text === undefined ? "longer than 64 MB" : "not valid JSON"}`);
      else add(ref, value, []);
    }
    return found;
  }
  const { ref, text } = readDocument(source);
  const document = text === undefined ? undefined : parse(text);
  if (document === undefined) problems.push(text === undefined ? "larger than 256 MB" : "not valid JSON");
  else if (Array.isArray(document)) document.forEach((row, index) => add(ref, row, [index]));
  else {
    const table = asRow(document) ?? {};
    // One row alone, or a table of rows.
    if (idOf(table) !== undefined) add(ref, table, []);
    else for (const key of Object.keys(table)) if (asRow(table[key])) add(ref, table[key], [key], key);
  }
  return found;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A row that was read again, and the record that its texts point into. */
export interface OpenRow {
  row: Row;
  record: RecordRef;
  path: JsonPath;
}

/** One document stays parsed: in `preds.json` all rows share one record, and they come one after the other. */
let cached: { key: string; document: unknown; record: RecordRef } | undefined;
const mostCached = 32 * 1024 * 1024;

/**
 * @param sources opens a file for the run, and closes it with the run
 */
export function readEntry(entry: Entry, sources: (file: string, name: string) => Source): OpenRow | undefined {
  const key = `${entry.file} ${entry.start} ${entry.end}`;
  let document = cached?.key === key ? cached.document : undefined;
  const source = sources(entry.file, entry.name);
  const record: RecordRef = { source, start: entry.start, end: entry.end, line: entry.line };
  if (cached?.key !== key) {
    document = parse(new TextDecoder().decode(source.read(entry.start, entry.end)));
    if (entry.end - entry.start <= mostCached && entry.path.length > 0) cached = { key, document, record };
  }
  let value = document;
  for (const step of entry.path) value = typeof value === "object" && value !== null ? (value as Row)[step] : undefined;
  const row = asRow(value);
  return row && { row, record, path: entry.path };
}

/** Opens, lists, closes. */
export function indexFile(file: string, name: string, records: "json" | "json-lines", problems: string[]): [string, Entry][] {
  const source = openSource(file, name);
  try {
    return listEntries(source, file, records, problems);
  } finally {
    source.close();
  }
}
