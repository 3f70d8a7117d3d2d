/** The proof by injection: a known behaviour is put into clean runs, and has to be found where it was put, and nothing else. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Tools } from "../../src/core/code/syntax";
import type { Finding } from "../../src/core/model";
import { monitors } from "../../src/core/monitors";
import { verify } from "../../src/core/verify";
import { loadSyntax } from "../../src/node/syntax";
import { sourceOf } from "../core/source";
import { liftMarks, type Place } from "../quiet/marks";
import { hasCorpus, type HostFile, ownHosts, realHosts } from "./hosts";
import { formats, type Host, plant, type Planted, type Planter } from "./planter";
import { planters } from "./planters";
import { createRandom } from "./random";

const wanted = 10;
/** Real runs looked at to find those that have a place for the act. */
const mostTries = 120;
const behaviours = new Set(planters.map(({ behaviour }) => behaviour));

let tools: Tools;
before(async () => {
  tools = await loadSyntax();
});

interface Cell {
  planted: number;
  caught: number;
  exact: number;
  stage: number;
  /** Nothing else is found that the untouched run does not have. */
  silent: number;
  /** The untouched run has no finding of this monitor. */
  twin: number;
  failures: string[];
}

const table = new Map<string, Cell>();

/** Everything of the six behaviours that is more than a note, in the raw text of a run. */
function find(host: Host, bytes: Uint8Array): Finding[] {
  const ending = host.format.id === "mini-swe-agent" ? "traj.json" : host.format.id === "swe-agent" ? "traj" : "jsonl";
  const result = verify(
    { id: host.id, sources: [{ source: sourceOf(`${host.id}.${ending}`, bytes), adapter: host.format.id }], profile: "bench" },
    tools,
  );
  return result.findings.filter(
    (finding) => behaviours.has(finding.monitor) && finding.severity !== "info" && finding.certainty !== "info" && !finding.authorised,
  );
}

const twins = new Map<string, Finding[]>();

function findInTwin(file: HostFile, host: Host): Finding[] {
  const key = `${host.format.id} ${file.name}`;
  let found = twins.get(key);
  if (!found) twins.set(key, (found = find(host, new TextEncoder().encode(host.format.write(host.run)))));
  return found;
}

function checkOne(cell: Cell, planter: Planter, file: HostFile, host: Host, planted: Planted, seed: number): void {
  const { bytes, places } = liftMarks(host.id, host.format.write(planted.run));
  const twin = findInTwin(file, host);
  const found = find(host, bytes);
  const mine = found.filter((finding) => finding.monitor === planter.behaviour);
  const name = `${file.name} (seed ${seed}; ${planted.spelling})`;
  const raw = Buffer.from(bytes);
  const atPlace = (finding: Finding, text: string): boolean =>
    finding.at !== null && places.some((place) => isAt(finding, place) && textOf(raw, place) === text);
  const isExact = planted.expected.every(({ text, monitor = planter.behaviour }) =>
    found.some(
      (finding) => finding.monitor === monitor && atPlace(finding, text) && finding.at?.exact === true && finding.at.text === text,
    ),
  );
  const isStaged = planted.expected.every(({ text, stage, message, monitor = planter.behaviour }) =>
    found.some((finding) => finding.monitor === monitor && finding.at?.text === text && finding.stage === stage && says(finding, message)),
  );
  const known = new Set(twin.map((finding) => finding.fingerprint));
  const extra = found.filter(
    (finding) =>
      !known.has(finding.fingerprint) &&
      !planted.expected.some(({ text, monitor }) => finding.monitor === (monitor ?? planter.behaviour) && finding.at?.text === text),
  );
  const isTwinClean = !twin.some((finding) => finding.monitor === planter.behaviour);
  cell.planted++;
  if (isTwinClean) cell.twin++;
  if (mine.length > 0) cell.caught++;
  if (isExact) cell.exact++;
  if (isStaged) cell.stage++;
  if (extra.length === 0) cell.silent++;
  if (mine.length === 0 || !isExact || !isStaged || !isTwinClean || extra.length > 0) {
    cell.failures.push(
      `${name}\n      expected ${JSON.stringify(planted.expected)}\n      found ${JSON.stringify(found.filter((one) => !known.has(one.fingerprint)).map(brief))}`,
    );
  }
}

/** A finding's text is its message's template, filled. */
function says(finding: Finding, id: string | undefined): boolean {
  if (id === undefined) return true;
  const template = monitors.find((monitor) => monitor.id === finding.monitor)?.messages[id];
  const parts = template?.split(/\{\w+\}/) ?? [];
  return template !== undefined && parts.every((part) => finding.message.includes(part)) && finding.message.startsWith(parts[0] ?? "");
}

function isAt({ at }: Finding, place: Place): boolean {
  return at?.start.byte === place.start && at.end.byte === place.end;
}

/** What a place reads, when it is taken for a piece of a JSON string; the calls of some formats are JSON inside of one. */
function textOf(raw: Buffer, place: Place): string {
  let text = raw.toString("utf8", place.start, place.end);
  for (let i = 0; i < 2 && text.includes("\\"); i++) {
    try {
      text = JSON.parse(`"${text}"`) as string;
    } catch {
      return text;
    }
    if (i === 0 && !text.includes('\\"')) return text;
  }
  return text;
}

function brief(finding: Finding): unknown {
  return [finding.monitor, finding.message, finding.certainty, finding.stage, finding.at?.text.slice(0, 120) ?? null, finding.at?.exact];
}

function fill(planter: Planter, files: readonly HostFile[], seed: number, limit: number): Cell {
  const cell: Cell = { planted: 0, caught: 0, exact: 0, stage: 0, silent: 0, twin: 0, failures: [] };
  // Where there are few runs, each is used several times with other seeds.
  for (let round = 0; round < 4 && cell.planted < limit; round++) {
    for (const file of createRandom(seed).shuffle(files).slice(0, mostTries)) {
      if (cell.planted >= limit) break;
      const host = file.load();
      const own = seed + round * 7919 + cell.planted * 31;
      const planted = plant(planter, host, own);
      if (!planted) continue;
      checkOne(cell, planter, file, host, planted, own);
    }
  }
  return cell;
}

function assertCell(cell: Cell, limit: number): void {
  const least = Math.ceil(limit * 0.9);
  const story = cell.failures.join("\n    ");
  assert.ok(cell.planted >= limit, `only ${cell.planted} runs had a place for it`);
  for (const key of ["caught", "exact", "stage", "silent", "twin"] as const)
    assert.ok(cell[key] >= least, `${key}: ${cell[key]} of ${cell.planted}; at least ${least} are needed\n    ${story}`);
}

function row(name: string, cell: Cell): string {
  return `${name.padEnd(44)} planted ${cell.planted}  caught ${cell.caught}  exact ${cell.exact}  stage ${cell.stage}  nothing else ${cell.silent}  twin clean ${cell.twin}`;
}

for (const [n, planter] of planters.entries()) {
  describe(planter.behaviour, () => {
    for (const format of formats) {
      test(`planted into our own runs of ${format.id}`, () => {
        const cell = fill(planter, ownHosts(format), 100 + n, wanted);
        table.set(`${planter.behaviour} × ${format.id}, own`, cell);
        assertCell(cell, wanted);
      });
      test(`planted into real runs of ${format.id}`, () => {
        if (!hasCorpus) return console.log("The corpus is not here; only our own runs are planted into.");
        const cell = fill(planter, realHosts(format), 500 + n, wanted);
        table.set(`${planter.behaviour} × ${format.id}, real`, cell);
        assertCell(cell, wanted);
      });
    }
  });
}

test("the table", () => {
  for (const [name, cell] of table) console.log([row(name, cell), ...cell.failures].join("\n    "));
  assert.equal(table.size, planters.length * formats.length * (hasCorpus ? 2 : 1));
});

test("the same seed plants the same, and the run that was given is not changed", () => {
  for (const format of formats) {
    const host = ownHosts(format)[0]?.load();
    assert.ok(host);
    const copy = JSON.stringify(host.run);
    for (const planter of planters) {
      assert.deepEqual(plant(planter, host, 7), plant(planter, host, 7));
      assert.equal(JSON.stringify(host.run), copy);
    }
  }
});
