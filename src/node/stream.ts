/**
 * Runs from a stream of lines: each is handed on as soon as it is complete. Of the stream no more is kept than the run
 * that is being read; a long one is kept in a temporary file.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Adapter } from "../core/adapter";
import type { Problem, Source, Text } from "../core/model";
import type { Run } from "../core/read";
import { chooseAdapter, createHead, headSize } from "../core/head";
import { longestRecord } from "../core/text/records";
import { fromRecord, made, spanOf } from "../core/text/text";
import { decodeUtf8 } from "../core/text/utf8";
import { asRow, idOf } from "./entries";
import { idOfRecord } from "./ranges";

/** In bytes: beyond it the run goes to the disk. */
const mostInMemory = 16 * 1024 * 1024;
/** Lines that are looked at together when the first one does not tell the format. */
const mostLines = 20;

/** The bytes of the run that is being read. Positions are those of the whole stream. */
interface Spool {
  add(bytes: Uint8Array): void;
  readonly size: number;
  source(name: string): Source;
  close(): void;
}

function createSpool(offset: number): Spool {
  let parts: Uint8Array[] = [];
  let size = 0;
  let inMemory = 0;
  let disk: { folder: string; handle: number; size: number } | undefined;
  const spill = (): void => {
    if (!disk) {
      const folder = fs.mkdtempSync(path.join(os.tmpdir(), "proctor-"));
      disk = { folder, handle: fs.openSync(path.join(folder, "run"), "wx+", 0o600), size: 0 };
    }
    for (const part of parts) {
      for (let done = 0; done < part.length;) done += fs.writeSync(disk.handle, part, done, part.length - done, disk.size + done);
      disk.size += part.length;
    }
    parts = [];
    inMemory = 0;
  };
  return {
    add(bytes) {
      parts.push(bytes);
      size += bytes.length;
      inMemory += bytes.length;
      if (inMemory > mostInMemory) spill();
    },
    get size() {
      return size;
    },
    source(name) {
      if (disk) spill();
      else parts = [Buffer.concat(parts)];
      const whole = parts[0] ?? new Uint8Array(0);
      return {
        name,
        size: offset + size,
        read(start, end) {
          const [from, to] = [Math.max(0, start - offset), Math.max(0, Math.min(end - offset, size))];
          if (!disk) return whole.subarray(from, to);
          const bytes = Buffer.allocUnsafe(Math.max(0, to - from));
          let done = 0;
          for (let count = 1; count > 0 && done < bytes.length; done += count) {
            count = fs.readSync(disk.handle, bytes, done, bytes.length - done, from + done);
          }
          return bytes.subarray(0, done);
        },
      };
    },
    close() {
      if (!disk) return;
      fs.closeSync(disk.handle);
      fs.rmSync(disk.folder, { recursive: true, force: true });
    },
  };
}

/** A run of the stream, with what must be released once it is judged. */
export interface StreamRun {
  /** On which it starts. */
  line: number;
  run: Omit<Run, "profile">;
  close(): void;
}

interface Open {
  spool: Spool;
  start: number;
  line: number;
  /** Undefined while it is not clear what it is. */
  adapter?: Adapter;
  lines: number;
  id?: string;
}

/** @param name as findings show the stream */
export async function* readRuns(chunks: AsyncIterable<Uint8Array>, adapters: readonly Adapter[], name: string): AsyncGenerator<StreamRun> {
  let open: Open | undefined;
  const seen = new Map<string, number>();

  function finish(done: Open): StreamRun {
    const source = done.spool.source(name);
    const range = { start: done.start, end: done.start + done.spool.size, line: done.line };
    const adapter = done.adapter ?? detect(done.spool, adapters, name, true);
    const part = { source, range, ...(adapter ? { adapter: adapter.id } : {}) };
    const record = { source, ...range };
    const problems: Problem[] = adapter
      ? []
      : [{ message: `Line ${done.line} begins no run that we know, and is passed over.`, at: spanOf(fromRecord("", record)), hides: true }];
    return { line: done.line, run: { ...label(done.id), sources: [part], problems }, close: done.spool.close };
  }

  /** One id may come several times: then the runs are its attempts. */
  function label(id: string | undefined): { id?: string; attempt?: string; task?: { id: string } } {
    if (id === undefined) return {};
    const count = (seen.get(id) ?? 0) + 1;
    // Ids of millions of runs are not worth their memory.
    if (seen.size < 100_000) seen.set(id, count);
    return { id, task: { id }, ...(count > 1 ? { attempt: String(count) } : {}) };
  }

  function* take(bytes: Uint8Array, start: number, line: number, text: string | undefined): Generator<StreamRun> {
    if (open?.adapter) {
      const { adapter } = open;
      const value = text !== undefined && adapter.begins && text.includes(adapter.begins.hint) ? parse(text) : undefined;
      if (value === undefined || !adapter.begins?.test(value)) {
        open.spool.add(bytes);
        return;
      }
      yield finish(open);
      open = undefined;
    }
    if (text?.trim() === "" && !open) return;
    const value = text === undefined ? undefined : parse(text);
    const found = value === undefined ? undefined : sniffLine(bytes, adapters, name);
    const row = found ? undefined : asRow(value);
    if (found || (row && (row.model_patch !== undefined || row.fix_patch !== undefined))) {
      // What came before it and was not understood is a run of its own.
      if (open) yield finish(open);
      open = undefined;
      const spool = createSpool(start);
      spool.add(bytes);
      const begun: Open = { spool, start, line, lines: 1, id: idOfRecord(value), ...(found ? { adapter: found } : {}) };
      if (!found) yield toPatchRun(begun, row ?? {});
      else if (isWholeRun(found, value)) yield finish(begun);
      else open = begun;
      return;
    }
    open ??= { spool: createSpool(start), start, line, lines: 0 };
    open.spool.add(bytes);
    open.lines++;
    if (open.lines < mostLines && open.spool.size < headSize) return;
    const adapter = detect(open.spool, adapters, name, false);
    if (adapter) open.adapter = adapter;
    else {
      yield finish(open);
      open = undefined;
    }
  }

  function toPatchRun(begun: Open, row: { [key: string]: unknown }): StreamRun {
    const { spool, start, line } = begun;
    const source = spool.source(name);
    const record = { source, start, end: start + spool.size, line };
    const key = typeof row.model_patch === "string" ? "model_patch" : "fix_patch";
    const value = row[key];
    const patch: Text = typeof value === "string" ? fromRecord(value, record, [key]) : made("");
    return { line, run: { ...label(idOf(row)), sources: [], patch }, close: spool.close };
  }

  for await (const { bytes, start, line, text } of readStreamLines(chunks)) yield* take(bytes, start, line, text);
  if (open) yield finish(open);
}

/** A record that holds its whole run needs no next line to be complete. */
function isWholeRun(adapter: Adapter, value: unknown): boolean {
  if (adapter.records === "json") return true;
  const row = asRow(value);
  const holdsRun = row !== undefined && ["history", "messages", "trajectory", "steps"].some((key) => Array.isArray(row[key]));
  return holdsRun && adapter.begins?.test(value) === true;
}

function sniffLine(bytes: Uint8Array, adapters: readonly Adapter[], name: string): Adapter | undefined {
  const chosen = chooseAdapter(adapters, name, createHead(bytes.subarray(0, headSize), bytes.length <= headSize));
  return chosen?.certainty === "sure" && chosen.adapter.records.startsWith("json") ? chosen.adapter : undefined;
}

function detect(spool: Spool, adapters: readonly Adapter[], name: string, isWhole: boolean): Adapter | undefined {
  const source = spool.source(name);
  const start = source.size - spool.size;
  const bytes = source.read(start, start + headSize);
  return chooseAdapter(adapters, name, createHead(bytes, isWhole && spool.size <= headSize))?.adapter;
}

interface StreamLine {
  /** With its line end. */
  bytes: Uint8Array;
  start: number;
  line: number;
  /** Undefined when it is too long to be looked at. */
  text: string | undefined;
}

/** A line over 64 MB comes in pieces, each without text: nobody holds it as a whole. */
async function* readStreamLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamLine> {
  let rest: Uint8Array[] = [];
  let size = 0;
  let start = 0;
  let line = 1;
  let isLong = false;
  const close = (last: Uint8Array): StreamLine => {
    const bytes = rest.length === 0 ? last : Buffer.concat([...rest, last]);
    const done = { bytes, start, line, text: isLong ? undefined : decodeUtf8(bytes).replace(/\r?\n$/, "") };
    start += bytes.length;
    line++;
    rest = [];
    size = 0;
    isLong = false;
    return done;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      yield close(chunk.subarray(from, end + 1));
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > longestRecord) {
      const bytes = Buffer.concat(rest);
      yield { bytes, start, line, text: undefined };
      start += bytes.length;
      rest = [];
      size = 0;
      isLong = true;
    }
  }
  if (size > 0) yield close(new Uint8Array(0));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
