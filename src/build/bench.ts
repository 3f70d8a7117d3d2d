/**
 * `npm run bench`: how long a scan takes beside what it cannot do without, all in one run: (a) reading the bytes,
 * (b) reading and JSON.parse, (c) the scan with one thread. `-- --large` takes one log of 1 GB instead. Nothing asserts
 * on these figures: a machine that is busy with other things would fail for no reason.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { findFiles } from "../node/files";
import { judgePlans, planScan } from "../node/scan";
import { at } from "./paths";

const megabyte = 1e6;
/** In bytes. */
const wanted = 200 * megabyte;
const large = 1000 * megabyte;

/** The same numbers on every machine (xorshift, 32 bits). */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const words =
  "def return self value import test assert none if for in range len list dict error path open read write class name index".split(" ");

/** Lines like those of a repository: what the monitors see most. */
function makeCode(random: (below: number) => number, lines: number): string {
  const made: string[] = [];
  for (let i = 0; i < lines; i++) {
    const count = 3 + random(9);
    made.push(" ".repeat(4 * random(4)) + Array.from({ length: count }, () => words[random(words.length)]).join(" "));
  }
  return made.join("\n");
}

function makeStep(random: (below: number) => number, index: number): unknown {
  const file = `src/${words[random(words.length)]}/${words[random(words.length)]}.py`;
  const lines = 5 + random(60);
  const kind = random(6);
  if (kind === 0) return { type: "edit", path: file, before: makeCode(random, 4), after: makeCode(random, 6) };
  if (kind === 1) return { type: "message", actor: "agent", text: `Next I look at ${file}. ${makeCode(random, 3)}` };
  if (kind === 2)
    return {
      type: "command",
      command: `grep -rn "${words[random(words.length)]}" src | head -20`,
      output: makeCode(random, lines),
      exit: 0,
    };
  if (kind === 3)
    return {
      type: "command",
      command: `python -m pytest tests/test_${index}.py -q 2>&1 | tail -5`,
      output: `${makeCode(random, 8)}\n3 passed in 0.12s`,
      exit: 0,
    };
  if (kind === 4)
    return {
      type: "command",
      command: `cat > /tmp/check_${index}.py <<'EOF'\n${makeCode(random, 10)}\nEOF\npython /tmp/check_${index}.py`,
      output: "ok",
      exit: 0,
    };
  return { type: "command", command: `sed -n '${random(200)},${200 + random(200)}p' ${file}`, output: makeCode(random, lines), exit: 0 };
}

/** Recordings of `bytes` in all, `each` bytes a file. */
function generate(folder: string, bytes: number, each: number): void {
  const random = createRandom(20_260_101);
  for (let made = 0, number = 0; made < bytes; number++) {
    const handle = fs.openSync(path.join(folder, `run-${String(number).padStart(5, "0")}.jsonl`), "w");
    let size = 0;
    const write = (line: unknown): void => void (size += fs.writeSync(handle, `${JSON.stringify(line)}\n`));
    write({ type: "session", version: 1, profile: "bench", task: { prompt: "Make the tests of the module pass." } });
    for (let index = 0; size < Math.min(each, bytes - made); index++) write(makeStep(random, index));
    fs.closeSync(handle);
    made += size;
  }
}

function listLogs(folders: readonly string[]): { file: string; size: number }[] {
  const files = folders
    .flatMap((folder) => [...findFiles(folder)])
    .filter(({ skipped, name }) => skipped === undefined && /\.(jsonl?|traj)$/.test(name));
  return files.map(({ file }) => ({ file, size: fs.statSync(file).size }));
}

function readAll(files: readonly { file: string }[]): number {
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  let total = 0;
  for (const { file } of files) {
    const handle = fs.openSync(file, "r");
    for (let count = 1; count > 0; total += count) count = fs.readSync(handle, buffer, 0, buffer.length, null);
    fs.closeSync(handle);
  }
  return total;
}

/** Line formats line by line, since a large one fits into no string. */
function parseAll(files: readonly { file: string }[]): number {
  let records = 0;
  const parse = (text: string): void => {
    if (text.trim() === "") return;
    JSON.parse(text);
    records++;
  };
  for (const { file } of files) {
    if (!file.endsWith(".jsonl")) {
      parse(fs.readFileSync(file, "utf8"));
      continue;
    }
    const handle = fs.openSync(file, "r");
    const buffer = Buffer.allocUnsafe(1024 * 1024);
    let rest: Buffer[] = [];
    for (
      let count = fs.readSync(handle, buffer, 0, buffer.length, null);
      count > 0;
      count = fs.readSync(handle, buffer, 0, buffer.length, null)
    ) {
      const chunk = buffer.subarray(0, count);
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        parse(rest.length > 0 ? Buffer.concat([...rest, chunk.subarray(from, end)]).toString() : chunk.toString("utf8", from, end));
        rest = [];
        from = end + 1;
      }
      rest.push(Buffer.from(chunk.subarray(from)));
    }
    parse(Buffer.concat(rest).toString());
    fs.closeSync(handle);
  }
  return records;
}

async function scanAll(folders: readonly string[]): Promise<{ runs: number; planned: number }> {
  const started = performance.now();
  const { runs } = planScan(folders);
  const planned = (performance.now() - started) / 1000;
  let count = 0;
  for await (const { run } of judgePlans(runs, { profile: "auto" }, 1)) count += JSON.stringify(run).length > 0 ? 1 : 0;
  return { runs: count, planned };
}

/** In megabytes. Linux and macOS give kilobytes. */
function peakMemory(): number {
  return process.resourceUsage().maxRSS / 1024;
}

async function main(flags: Set<string>): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "proctor-bench-"));
  try {
    const corpus = path.resolve(at(), process.env.PROCTOR_CORPUS ?? "../shared/corpus", "swe-bench-verified/trajs");
    const isLarge = flags.has("--large");
    const hasReal = !isLarge && fs.existsSync(corpus);
    const real = hasReal ? listLogs([corpus]).reduce((sum, { size }) => sum + size, 0) : 0;
    if (!hasReal && !isLarge) console.log(`${corpus} is not there: generated runs only.`);
    generate(folder, isLarge ? large : Math.max(wanted / 2, wanted - real), isLarge ? large : 400_000);
    const folders = hasReal ? [folder, corpus] : [folder];
    const files = listLogs(folders);
    const size = files.reduce((sum, file) => sum + file.size, 0) / megabyte;
    console.log(
      `${size.toFixed(0)} MB in ${files.length} files (${(real / megabyte).toFixed(0)} MB real), Node ${process.versions.node}, ${os.cpus()[0]?.model ?? "unknown processor"}`,
    );
    const measure = async <T>(name: string, work: () => T | Promise<T>, tell: (result: T) => string): Promise<number> => {
      const started = performance.now();
      const result = await work();
      const seconds = (performance.now() - started) / 1000;
      const speed = `${(size / seconds).toFixed(0)} MB/s`;
      console.log(
        `${name.padEnd(26)} ${seconds.toFixed(2).padStart(7)} s  ${speed.padStart(10)}  peak ${peakMemory().toFixed(0)} MB  ${tell(result)}`,
      );
      return seconds;
    };
    // Once unmeasured, so that all three find the files in the same cache.
    readAll(files);
    await measure(
      "(a) reading",
      () => readAll(files),
      () => "",
    );
    const parsing = await measure(
      "(b) reading and JSON.parse",
      () => parseAll(files),
      (records) => `${records} records`,
    );
    const scanning = await measure(
      "(c) scan, one thread",
      () => scanAll(folders),
      ({ runs, planned }) => `${runs} runs, ${planned.toFixed(2)} s of it finding and joining`,
    );
    console.log(`c/b = ${(scanning / parsing).toFixed(2)}`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

void main(new Set(process.argv.slice(2)));
