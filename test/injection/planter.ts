/** What a planter is: one behaviour, put into a clean run by a controlled edit. Pure: the same run and seed, the same edit. */
import type { Stage } from "../../src/core/model";
import type { Format } from "./format";
import type { Json } from "./json";
import { createRandom, type Random } from "./random";
import { claude } from "./claude";
import { mini } from "./mini";
import { swe } from "./swe";

export interface Expected {
  stage: Stage;
  /** The marked text that the finding quotes. */
  text: string;
  /** The message's id, where the spelling decides it. */
  message?: string;
  /** Where one line is two behaviours, the other's monitor. */
  monitor?: string;
}

export interface Planted {
  /** The run with the act in it; guilty text is marked. */
  run: Json;
  expected: Expected[];
  /** Which spelling was used, for the report. */
  spelling: string;
}

/** What is known of the run beside its log. */
export interface Host {
  format: Format;
  run: Json;
  /** An instance id: `owner__name-1`. */
  id: string;
  prompt: string;
}

export interface Planter {
  /** The monitor's id. */
  behaviour: string;
  /** Undefined where the run has no place for it. */
  plant(host: Host, random: Random): Planted | undefined;
}

export const formats: readonly Format[] = [mini, swe, claude];

/** Plants into a copy of the run. */
export function plant(planter: Planter, host: Host, seed: number): Planted | undefined {
  return planter.plant({ ...host, run: structuredClone(host.run) }, createRandom(seed));
}

export function repositoryOf(id: string): { owner: string; name: string } {
  const found = /^(.+?)__(.+)-\d+$/.exec(id);
  return { owner: found?.[1] ?? "acme", name: found?.[2] ?? "widget" };
}

const writing = /^edit |\bstr_replace_editor (?:str_replace|create|insert)|\bsed -i|<<|write_text|old_string|file_path":"[^"]*","content"/;

/** The first turn that holds one of the lines or writes at all, so that everything before it is innocent of them. */
export function firstUse(host: Host, lines: readonly string[]): number {
  const turns = host.format.turns(host.run);
  const index = turns.findIndex(
    ({ text, command }) => writing.test(command === "" ? text : command) || lines.some((line) => text.includes(line.trim())),
  );
  return index === -1 ? turns.length - 1 : index;
}
