/** JavaScript and TypeScript: expect of jest, vitest, jasmine and chai; should (which calls what chai only names); node:assert, chai's assert, tap and ava; sinon. */
import type { Assertion, AssertionFamily } from "./assertions";
import { argumentsOf, type Code, contentOf, cut, isLiteral, isString, normal, trimCode } from "./assertion-code";
import { equal, numberOf, pattern, readCondition, sidesOf } from "./assertion-expression";
import { callAt } from "./assertion-rows";

const script = { isPython: false };
const none: Assertion = { family: "unknown", subjects: [] };

interface Link {
  name: string;
  args?: Code[];
}

export function readJavaScript(statement: Code): Assertion[] {
  const prefix = /^(?:(?:await|return|void|yield)\s+)*/.exec(statement.mask)?.[0].length ?? 0;
  const code = cut(statement, prefix);
  const should = /^((?:[\w$.[\]]|\([^()]{0,80}\)){1,200}?)\.should\b/.exec(code.mask);
  if (should)
    return [judge(trimCode({ text: code.text.slice(0, should[1]?.length), mask: should[1] ?? "" }), linksOf(code, should[0].length))];
  const expect = /^(?:(?:chai\.)?expect|should(?=\s*\())(?:\.soft|\.poll)?\s*(?:<[^>()]{0,80}>)?\s*\(/.exec(code.mask);
  if (expect) {
    const call = callAt(code, expect[0].length - 1);
    if (!call) return [none];
    return [judge(argumentsOf(call.inside)[0] ?? { text: "", mask: "" }, linksOf(code, call.end))];
  }
  const assert = /^(?:chai\.)?(assert|t|should|sinon\.assert)((?:\.\w+)*)\s*(\(|$)/.exec(code.mask);
  if (!assert) return [none];
  if (assert[3] === "") return assert[2] ? [{ family: "vacuous", subjects: [code.text] }] : [none];
  const call = callAt(code, assert[0].length - 1);
  if (!call) return [none];
  const found =
    assert[1] === "sinon.assert"
      ? [spied(assert[2] ?? "", argumentsOf(call.inside))]
      : readAssert((assert[2] ?? "").split(".").at(-1) ?? "", argumentsOf(call.inside), assert[1] !== "t");
  return isCaught(cut(code, call.end)) ? found.map((one) => ({ family: "vacuous" as const, subjects: one.subjects })) : found;
}

function linksOf(code: Code, from: number): Link[] {
  const links: Link[] = [];
  let at = from;
  while (at < code.mask.length && links.length < 20) {
    const match = /^\s*\??\.\s*([\w$]+)\s*(?:<[^>()]{0,80}>)?\s*(\(?)/.exec(code.mask.slice(at, at + 400));
    if (!match) break;
    if (match[2] === "") {
      links.push({ name: match[1] ?? "" });
      at += match[0].length;
      continue;
    }
    const call = callAt(code, at + match[0].length - 1);
    if (!call) break;
    links.push({ name: match[1] ?? "", args: argumentsOf(call.inside) });
    at = call.end;
  }
  return links;
}

/** `.catch(() => {})` behind it: whatever fails is lost. */
function isCaught(rest: Code): boolean {
  return linksOf(rest, 0).some((link) => isEmptyCatch(link));
}

function isEmptyCatch(link: Link): boolean {
  return (
    link.name === "catch" &&
    /^(?:(?:async\s*)?(?:\(\w*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|void 0|true)|function\s*\(\w*\)\s*\{\s*\}|\w*noop\w*)$/.test(
      link.args?.[0]?.text ?? "x",
    )
  );
}

const fillers = new Set([
  "to",
  "be",
  "been",
  "is",
  "that",
  "which",
  "and",
  "has",
  "have",
  "with",
  "at",
  "of",
  "same",
  "but",
  "does",
  "still",
  "also",
  "deep",
  "own",
  "nested",
  "ordered",
  "strict",
  "a",
  "an",
]);
const properties = new Set([
  "ok",
  "true",
  "false",
  "null",
  "undefined",
  "empty",
  "exist",
  "exists",
  "called",
  "calledOnce",
  "calledTwice",
  "NaN",
  "rejected",
  "fulfilled",
  "arguments",
  "finite",
  "sealed",
  "frozen",
  "notCalled",
  "extensible",
]);

function judge(subject: Code, links: readonly Link[]): Assertion {
  const subjects = [normal(subject)];
  if (links.some(isEmptyCatch)) return { family: "vacuous", subjects };
  const isNegated = links.some((link) => link.name === "not");
  const isAsync =
    links.some((link) => link.args === undefined && /^(?:resolves|rejects|eventually)$/.test(link.name)) ||
    /^(?:toPass)$/.test(links.at(-1)?.name ?? "");
  const last = [...links].reverse().find((link) => link.args !== undefined && !/^(?:then|catch|finally)$/.test(link.name)) ?? links.at(-1);
  if (!last) return { family: "unknown", subjects };
  const called = last.args !== undefined;
  if (!called && !properties.has(last.name) && !fillers.has(last.name))
    return /^to[A-Z]|^(?:equal|eql|include|contain|match|throw)/.test(last.name)
      ? { family: "vacuous", subjects }
      : { family: "unknown", subjects };
  const made = match(subject, last, isNegated, links);
  return { ...made, ...(isAsync ? { isAsync } : {}) };
}

function match(subject: Code, { name, args = [] }: Link, isNegated: boolean, links: readonly Link[]): Assertion {
  const subjects = [normal(subject)];
  const [first, second] = args;
  const is = (family: AssertionFamily, more: Partial<Assertion> = {}): Assertion => ({ family, subjects, isNegated, ...more });
  if (/^(?:toBe|toEqual|toStrictEqual|equals?|eqls?|eq|deepEqual)$/.test(name) && first)
    return isLiteral(subject) && isLiteral(first) && normal(subject) === normal(first) && !isNegated
      ? is("vacuous")
      : equal(subject, first, { isNegated });
  if (/^(?:toBeNull|toBeUndefined|null|undefined)$/.test(name))
    return isNegated ? is("exists", { isNegated: false }) : is("none", { isNegated: false });
  if (/^(?:true|false|toBeTrue|toBeFalse)$/.test(name))
    return /^(?:true|false)$/i.test(subject.text) && !isNegated
      ? is("vacuous")
      : boolean(subject, String(/true/i.test(name) !== isNegated));
  if (/^(?:toBeTruthy|toBeFalsy|ok)$/.test(name))
    return isTrueValue(subject) && name !== "toBeFalsy" && !isNegated
      ? is("vacuous")
      : is("truthy", { isNegated: isNegated !== (name === "toBeFalsy") });
  if (/^(?:toBeDefined|exists?)$/.test(name)) return is("exists");
  if (/^(?:toHaveLength|lengthOf|length|toHaveSize)$/.test(name)) return is("length", { expected: first ? normal(first) : "" });
  if (/^(?:toContain|toContainEqual|includes?|contains?|toInclude|string|members)$/.test(name))
    return name === "members" && !links.some((link) => link.name === "include")
      ? is("equal", { expected: first ? normal(first) : "" })
      : first && isString(first) && contentOf(first) === "" && !isNegated
        ? is("vacuous")
        : is("contains", { expected: first ? normal(first) : "" });
  if (/^(?:toMatchObject|containSubset)$/.test(name))
    return first && normal(first) === "{}" && !isNegated ? is("vacuous") : is("partial", { expected: first ? normal(first) : "" });
  if (/^(?:toHaveProperty|property|keys|key)$/.test(name))
    return is(second ? "partial" : "contains", { expected: args.map(normal).join(",") });
  if (/^(?:toMatch|match|matches)$/.test(name) && first) return pattern(first, subject, isNegated);
  if (/^(?:toBeCloseTo|closeTo|approximately)$/.test(name) && first)
    return is("approx", {
      expected: normal(first),
      tolerance: name === "toBeCloseTo" ? 10 ** -(numberOf(second) ?? 2) / 2 : (numberOf(second) ?? 0),
    });
  if (/^(?:toBe(?:Greater|Less)Than\w*|above|below|least|most|gt|gte|lt|lte|greaterThan|lessThan|within)$/.test(name))
    return /^(?:toBeGreaterThanOrEqual|least|gte)$/.test(name) &&
      first?.text === "0" &&
      /\.(?:length|size)$/.test(subjects[0] ?? "") &&
      !isNegated
      ? is("vacuous")
      : is("compare", {
          subjects: [...subjects, ...(/^(.+)\.(?:length|size)$/.exec(subjects[0] ?? "")?.slice(1) ?? [])],
          expected: name + args.map(normal).join(","),
        });
  if (/^(?:toBeInstanceOf|instanceof|instanceOf|an?|toBeTypeOf)$/.test(name)) return is("type", { expected: first ? normal(first) : "" });
  if (/^(?:toThrow|toThrowError|throws?|Throw|rejectedWith|rejected)$/.test(name))
    return isNegated ? is("no-raise") : thrown(subjects, args);
  if (
    /^(?:toHaveBeenCalled|toBeCalled|toHaveBeenLastCalled|toHaveBeenNthCalled|called|notCalled|lastCalled|nthCalled|toHaveReturned)/.test(
      name,
    )
  )
    return is("called", {
      depth: /With|Args/.test(name) ? 3 : /Times|Once|Twice|Count/.test(name) ? 2 : isNegated || name === "notCalled" ? 2 : 1,
      expected: args.map(normal).join(","),
    });
  return is("unknown");
}

function boolean(subject: Code, expected: string): Assertion {
  const value = normal(subject);
  const spy = /^(.+)\.called(Once|Twice)?$/.exec(value);
  return spy
    ? { family: "called", subjects: [spy[1] ?? ""], depth: spy[2] ? 2 : 1, isNegated: expected === "false" }
    : { family: "boolean", subjects: [value], expected };
}

function isTrueValue(code: Code): boolean {
  return /^(?:true|[1-9]\d*)$/.test(code.text) || (isString(code) && contentOf(code) !== "");
}

function thrown(subjects: readonly string[], args: readonly Code[]): Assertion {
  const names = args.filter((arg) => !isString(arg)).map((arg) => normal(arg));
  const said = args.find((arg) => isString(arg));
  return { family: "raises", subjects, exceptions: names, ...(said ? { pattern: contentOf(said) } : {}) };
}

function spied(name: string, args: readonly Code[]): Assertion {
  return {
    family: "called",
    subjects: args[0] ? [normal(args[0])] : [],
    expected: args.slice(1).map(normal).join(","),
    depth: /With/.test(name) ? 3 : /Once|Twice|Count|not/i.test(name) ? 2 : 1,
    isNegated: /not/i.test(name),
  };
}

/** @param isLoose `equal` compares with `==`: node's and chai's do, tap's does not */
function readAssert(name: string, args: readonly Code[], isLoose: boolean): Assertion[] {
  const [a, b, c] = args;
  if (!a) return [none];
  if (/^(?:|ok|isOk|true|truthy|isTrue|assert)$/.test(name)) return readCondition(a, script);
  if (/^(?:notOk|isNotOk|false|falsy|isFalse)$/.test(name)) return readCondition(a, script, true);
  if (/^(?:exists?|isDefined|isNotNull)$/.test(name)) return [{ family: "exists", subjects: [normal(a)] }];
  if (/^(?:isNull|isUndefined|notExists?|ifError)$/.test(name)) return [{ family: "none", subjects: [normal(a)] }];
  if (/^(?:throws|rejects|throwsAsync|doesNotThrow|doesNotReject)$/.test(name)) {
    const isAsync = /rejects|Async/i.test(name);
    return [
      {
        ...(/^does/.test(name) ? { family: "no-raise" as const, subjects: [normal(a)] } : thrown([normal(a)], args.slice(1, 2))),
        ...(isAsync ? { isAsync } : {}),
      },
    ];
  }
  if (!b) return [none];
  if (/^(?:equal|equals)$/.test(name)) return [equal(a, b, { isLoose })];
  if (/^(?:is|strictEqual|deepEqual|deepStrictEqual|same|strictSame|deepLooseEqual|deepEquals|sameMembers|sameDeepMembers)$/.test(name))
    return [equal(a, b)];
  if (/^(?:not|notEqual|notStrictEqual|notDeepEqual|notDeepStrictEqual|notSame|isNot)$/.test(name))
    return [equal(a, b, { isNegated: true })];
  if (/^(?:match|matches|regex|notMatch)$/.test(name)) return [pattern(b, a, name === "notMatch")];
  if (/^(?:includes?|contains?|deepInclude|property|notInclude)$/.test(name))
    return [{ family: "contains", subjects: [normal(a)], expected: normal(b), isNegated: /^not/.test(name) }];
  if (name === "lengthOf") return [{ family: "length", subjects: [normal(a)], expected: normal(b) }];
  if (/^(?:closeTo|approximately)$/.test(name))
    return [{ family: "approx", subjects: sidesOf(a, b), expected: normal(b), tolerance: numberOf(c) ?? 0 }];
  if (/^(?:isAbove|isBelow|isAtLeast|isAtMost)$/.test(name))
    return [{ family: "compare", subjects: [normal(a)], expected: name + normal(b) }];
  if (/^(?:instanceOf|typeOf)$/.test(name)) return [{ family: "type", subjects: [normal(a)], expected: normal(b) }];
  return [none];
}
