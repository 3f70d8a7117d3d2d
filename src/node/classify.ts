/** What a file is, told from its first 64 KiB: a log, predictions, an evaluation report, or nothing that we know. */
import type { Adapter, Head } from "../core/adapter";
import type { Source } from "../core/model";
import { chooseAdapter, createHead, headSize } from "../core/head";

export type Kind =
  | { is: "log"; adapter: Adapter }
  /** Patches by instance id, as JSON lines or as one document. */
  | { is: "predictions"; records: "json" | "json-lines" }
  | { is: "report" }
  | { is: "nothing"; why: string };

/**
 * @param isNamed the person named this very file, so that a format that only may be it is tried as well
 */
export function classify(source: Source, adapters: readonly Adapter[], isNamed: boolean): Kind {
  if (source.size === 0) return { is: "nothing", why: "empty" };
  const bytes = source.read(0, headSize);
  const head = createHead(bytes, source.size <= headSize);
  const predictions = sniffPredictions(head);
  if (predictions) return { is: "predictions", records: predictions };
  if (isReport(head)) return { is: "report" };
  const chosen = chooseAdapter(adapters, source.name, head);
  // Any text may be prose: in a folder only a sure answer makes a run of it.
  const isEnough = chosen?.certainty === "sure" || isNamed || chosen?.adapter.records.startsWith("json");
  if (chosen && isEnough) return { is: "log", adapter: chosen.adapter };
  if (isArchive(bytes)) return { is: "nothing", why: "an archive, which cannot be read yet" };
  if (bytes.includes(0)) return { is: "nothing", why: "binary" };
  if (isBrokenReport(source.name, head))
    return { is: "nothing", why: "not valid JSON, though its name is that of predictions or of a report" };
  return { is: "nothing", why: "no known format" };
}

/** The first bytes of zip (Inspect's `.eval` is one), gzip and zstd. */
function isArchive(bytes: Uint8Array): boolean {
  const marks = [
    [0x50, 0x4b, 3, 4],
    [0x1f, 0x8b],
    [0x28, 0xb5, 0x2f, 0xfd],
  ];
  return marks.some((mark) => mark.every((byte, index) => bytes[index] === byte));
}

/** Keys that only whole trajectories have. */
const logKeys = ["trajectory", "history", "messages", "steps", "trajectory_format"];
const patchKeys = ["model_patch", "fix_patch"];

function sniffPredictions(head: Head): "json" | "json-lines" | undefined {
  const { keys } = head;
  if (logKeys.some((key) => keys.has(key) || keys.has(`[].${key}`))) return undefined;
  const [first] = head.records;
  if (isPrediction(first)) return "json-lines";
  // A first line longer than the head: one JSON line when it closes on the same line, which only the whole file tells.
  const at = head.text.search(/\S/);
  if (head.text[at] === "{" && patchKeys.some((key) => keys.has(key))) return head.text.trimStart().includes("\n") ? "json" : "json-lines";
  if (patchKeys.some((key) => keys.has(`[].${key}`))) return "json";
  return head.text[at] === "{" && [...keys].some((key) => patchKeys.some((name) => key.endsWith(`.${name}`))) ? "json" : undefined;
}

function isPrediction(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value) && patchKeys.some((key) => Object.hasOwn(value, key));
}

/** What the harness writes beside `resolved`. */
const companions = [
  "patch_exists",
  "patch_is_None",
  "patch_successfully_applied",
  "patch_applied",
  "tests_status",
  "no_generation",
  "applied",
];

/** Lists of ids that stand before the one that counts, which may lie beyond the head. */
const lists = [
  "resolved_ids",
  "completed_ids",
  "submitted_ids",
  "resolved_instances",
  "no_generation",
  "generated",
  "with_logs",
  "no_logs",
  "applied",
];

function isReport(head: Head): boolean {
  const { keys } = head;
  if (head.records.length > 1 && head.document === undefined) return false;
  if (keys.has("resolved_ids") || (!head.isWhole && lists.some((key) => keys.has(key)))) return true;
  if (keys.has("instances.[].instance_id") && keys.has("instances.[].resolved")) return true;
  if (keys.has("[].instance_id") && keys.has("[].resolved")) return true;
  if (keys.has("resolved") && companions.some((key) => keys.has(key))) return true;
  const { document } = head;
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    return [...keys].some((key) => key.endsWith(".resolved") && companions.some((name) => keys.has(key.replace(/resolved$/, name))));
  }
  if (Array.isArray((document as { resolved?: unknown }).resolved)) return true;
  const values = Object.values(document);
  if (typeof (document as { resolved?: unknown }).resolved === "boolean" && values.length <= 3) return true;
  return values.length > 0 && values.every((value) => typeof (value as { resolved?: unknown } | null)?.resolved === "boolean");
}

/** So that a person learns why the outcomes are missing. */
function isBrokenReport(name: string, head: Head): boolean {
  const isMeant = /(^|\/)(results?|report|preds|all_preds|results_summary)\.jsonl?$/.test(name);
  return isMeant && /^[[{]/.test(head.text.trimStart()) && head.isWhole && head.document === undefined;
}
