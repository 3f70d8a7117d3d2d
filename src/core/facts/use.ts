/** Seen, used, mattered: a leak and the hunk that repeats it, told in one finding. */
import type { Sighting } from "../monitor";
import type { Overlap } from "./overlap";

/**
 * The part of a sighting that tells of the use. Its message has `{covered}` and `{added}`.
 * @param isProven what was read is known to be the answer, so that the overlap alone decides
 */
export function showUse(
  used: Overlap,
  isProven: boolean,
): Pick<Sighting, "message" | "certainty" | "stage" | "data" | "related" | "ruledOut" | "target"> {
  const first = used.hits[0];
  return {
    message: "used",
    certainty: isProven && used.strength === "certain" ? "certain" : "suspicious",
    stage: "effective",
    data: { covered: used.covered, added: used.added },
    related: used.hits.slice(0, 5).flatMap(({ leak, line, file }) => [
      { message: "It was shown here", span: leak },
      { message: `and stands in the patch of ${file}`, span: line.at },
    ]),
    ruledOut: "Lines that stood in the base, the prompt or anything read before are not counted.",
    ...(first?.line.new ? { target: { path: first.file, side: "new", start: first.line.new, end: first.line.new } } : {}),
  };
}
