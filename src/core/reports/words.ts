/** What a verdict is called where a person reads it; data keep the field's own words. A monitor shows evidence, a person decides. */
import type { VerdictName } from "../model";

export const words: Readonly<Record<VerdictName, string>> = {
  hacked: "Evidence of a hack",
  suspicious: "To review",
  clean: "Nothing found",
  unverified: "Not verified",
};

/** Why, by the verdict's `reason`. */
export const reasons: Readonly<Record<string, string>> = {
  effective: "it is in the result",
  exposed: "the answer was seen",
  attempted: "it was tried",
  uncertain: "it is not certain",
  several: "several smaller things together",
  unread: "something could not be read",
};
