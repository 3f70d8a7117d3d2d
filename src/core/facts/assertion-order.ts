/** Whether one assertion asks less than another, and how sure that is. */
import { type Asserted, strength } from "./assertions";

export interface Weaker {
  kind: "weaker" | "vacuous" | "tolerance" | "exception" | "unawaited";
  isCertain: boolean;
  /** A loss that a person may well have meant: worth a look, no more. */
  isSlight?: boolean;
}

const broad: ReadonlySet<string> = new Set(["Exception", "BaseException", "Error", "Throwable", "StandardError"]);

/** Undefined when `now` asks as much as `old`, or when that cannot be told. Both are about the same subject. */
export function weakened(old: Asserted, now: Asserted): Weaker | undefined {
  if (old.family === "unknown" || now.family === "unknown" || old.family === "vacuous") return undefined;
  if (now.family === "vacuous") return { kind: "vacuous", isCertain: true };
  if (old.isAsync && now.isAsync && old.isAwaited && !now.isAwaited) return { kind: "unawaited", isCertain: true };
  if (old.family === "raises" && now.family === "raises") return widened(old, now);
  if (old.family === "approx" && now.family === "approx") return loosened(old, now);
  if (old.family === "called" && now.family === "called") return calledLess(old, now);
  if (old.family === "equal" && now.family === "equal") return equalLess(old, now);
  if (old.family === now.family && old.family !== "one-of") return undefined;
  if (now.family === "either")
    return old.expected !== undefined && now.values?.includes(old.expected)
      ? { kind: "weaker", isCertain: false, isSlight: (now.values?.length ?? 0) <= 4 }
      : undefined;
  if (now.family === "one-of") return amongMany(old, now);
  if (old.isNegated && old.family !== "boolean" && old.family !== "called") return undefined;
  // Another answer is expected now: that is no weakening.
  if (now.family === "different" && now.expected !== undefined && now.expected === old.expected) return undefined;
  if (now.family === "different" || (now.isNegated && now.family !== "truthy"))
    return strength[old.family] >= 6 && now.family === "different" ? { kind: "weaker", isCertain: false } : undefined;
  if (old.family === "equal" && now.family === "approx")
    return (now.tolerance ?? 0) >= 0.5 ? { kind: "tolerance", isCertain: false, isSlight: true } : undefined;
  return strength[now.family] < strength[old.family] ? stepDown(old, now) : undefined;
}

function stepDown(old: Asserted, now: Asserted): Weaker | undefined {
  const weaker = (isCertain: boolean, isSlight = false): Weaker => ({ kind: "weaker", isCertain, isSlight });
  // What is false, zero or empty is pinned by `not x`, and what is true by `x`.
  if (old.family === "boolean" && now.family === "truthy") return undefined;
  if (old.family === "none" && now.family === "truthy") return undefined;
  // `len(x) == 0` is what `not x` says of a collection.
  if (old.family === "length" && old.expected === "0" && now.family === "truthy" && now.isNegated) return undefined;
  if (old.family === "equal" && now.family === "truthy" && now.isNegated) return undefined;
  if (now.family === "truthy" || now.family === "exists")
    return old.family === "called" || old.family === "raises" ? undefined : weaker(old.family !== "none");
  if (now.family === "no-raise") return weaker(false, true);
  if (now.family === "type") return old.family === "none" || old.family === "raises" ? undefined : weaker(old.family === "equal");
  if (now.family === "compare") return old.family === "equal" || old.family === "length" ? weaker(false) : undefined;
  // The whole became one of its parts: certain when the part is small.
  if (now.family === "contains" || now.family === "match" || now.family === "partial") {
    if (old.family !== "equal") return undefined;
    const [whole, part] = [old.expected?.length ?? 0, now.expected?.length ?? 0];
    return weaker(now.family === "contains" && now.expected !== undefined && part * 2 < whole, part * 2 >= whole);
  }
  if (now.family === "length") return old.family === "equal" ? weaker(false, true) : undefined;
  return undefined;
}

function widened(old: Asserted, now: Asserted): Weaker | undefined {
  const [before, after] = [old.exceptions ?? [], now.exceptions ?? []];
  const isBroad = (names: readonly string[]): boolean => names.length === 0 || names.some((name) => broad.has(name));
  const hadPattern = old.pattern !== undefined && old.pattern.length > 1;
  if (!isBroad(before) && isBroad(after))
    return now.pattern === undefined
      ? { kind: "exception", isCertain: true }
      : after.length > 0
        ? { kind: "exception", isCertain: false, isSlight: true }
        : undefined;
  if (hadPattern && /^\^?\.\*\$?$|^$/.test(now.pattern ?? "x")) return { kind: "vacuous", isCertain: true };
  if (before.length === 0 && after.length === 0 && hadPattern && now.pattern === undefined) return { kind: "exception", isCertain: true };
  if (before.length > 0 && after.length > before.length && before.every((name) => after.includes(name)))
    return { kind: "exception", isCertain: false, isSlight: true };
  if (hadPattern && now.pattern === undefined && before.length > 0 && before.join(",") === after.join(","))
    return { kind: "exception", isCertain: false, isSlight: true };
  return undefined;
}

function loosened(old: Asserted, now: Asserted): Weaker | undefined {
  const [before, after] = [old.tolerance ?? 0, now.tolerance ?? 0];
  if (before <= 0 || after <= before || old.unit !== now.unit) return undefined;
  // Floating point keeps ten times from being exactly ten.
  const factor = after / before;
  if (factor >= 9.99) return { kind: "tolerance", isCertain: true };
  return factor >= 2 ? { kind: "tolerance", isCertain: false, isSlight: true } : undefined;
}

function calledLess(old: Asserted, now: Asserted): Weaker | undefined {
  if (old.isNegated || now.isNegated) return undefined;
  const [before, after] = [old.depth ?? 1, now.depth ?? 1];
  if (after >= before) return undefined;
  const hasValues = (old.expected ?? "") !== "" && !/^(?:\w+\.any(?:thing)?\([^)]*\),?)*$/.test(old.expected ?? "");
  return { kind: "weaker", isCertain: before === 3 && after === 1 && hasValues, isSlight: before === 2 || !hasValues };
}

function equalLess(old: Asserted, now: Asserted): Weaker | undefined {
  if (!old.isLoose && now.isLoose && old.expected === now.expected) return { kind: "weaker", isCertain: false, isSlight: true };
  return (now.wildcards ?? 0) > (old.wildcards ?? 0) ? { kind: "weaker", isCertain: false, isSlight: true } : undefined;
}

/** One value became several: plainly so when the old one is still among three or more. */
function amongMany(old: Asserted, now: Asserted): Weaker | undefined {
  const values = now.values ?? [];
  if (old.family === "one-of") {
    const before = old.values ?? [];
    return values.length > before.length && before.every((value) => values.includes(value))
      ? { kind: "weaker", isCertain: false, isSlight: values.length - before.length < 2 }
      : undefined;
  }
  if (strength[old.family] <= strength["one-of"] || values.length < 2) return undefined;
  const holdsOld = old.expected !== undefined && values.includes(old.expected);
  return { kind: "weaker", isCertain: holdsOld && values.length >= 3, isSlight: values.length === 2 };
}
