/** Python: `assert`, unittest and its relatives, numpy.testing, pytest, mock, Django. */
import type { Assertion } from "./assertions";
import { argumentsOf, type Code, contentOf, cut, elementsOf, isString, keyword, normal, positional, splitTop } from "./assertion-code";
import { contains, equal, numberOf, pattern, readCondition, sidesOf, within } from "./assertion-expression";
import { callAt } from "./assertion-rows";

const python = { isPython: true };
const none: Assertion = { family: "unknown", subjects: [] };

export function readPython(code: Code): Assertion[] {
  const plain = /^assert\b/.exec(code.mask);
  if (plain && !/^assert\s*\(/.test(code.mask)) return readCondition(splitTop(cut(code, 6), ",")[0] ?? code, python);
  if (plain) {
    const parts = splitTop(cut(code, 6), ",");
    return readCondition(parts[0] ?? code, python);
  }
  const call =
    /^(?:await\s+)?(?:(?:async )?with\b.*?)?((?:[\w.[\]"'¤]|\(\)|\([^()]{0,60}\)\.)*?)\b((?:assert|raises|warns|fail(?:Unless|If)|check|verify|expect|_check)\w*)\s*(\(|$)/.exec(
      code.mask,
    );
  if (!call) return [none];
  const name = call[2] ?? "";
  const receiver = (call[1] ?? "").replace(/\.$/, "");
  if (call[3] === "")
    return /^assert_(?:called|has|any|not|await)/.test(name) && receiver !== ""
      ? [{ family: "vacuous", subjects: [code.text.slice(0, receiver.length)] }]
      : [none];
  const inside = callAt(code, call[0].length - 1)?.inside;
  if (!inside) return [none];
  return readCall(name, receiver, argumentsOf(inside));
}

function readCall(name: string, receiver: string, args: readonly Code[]): Assertion[] {
  const [a, b, c] = positional(args);
  const plain = name.replace(/_/g, "").toLowerCase();
  if (/^(?:raises|warns|assertraises|assertwarns|failunlessraises)/.test(plain)) return [raises(plain, args)];
  if (/^assert(?:has)?(?:not)?(?:any)?(?:called|calls|anycall|awaited)/.test(plain) || /^assertanycall/.test(plain))
    return [called(plain, receiver, args)];
  if (/^(?:asserttrue|assert|failunless)$/.test(plain) && a) return readCondition(a, python);
  if (/^(?:assertfalse|failif)$/.test(plain) && a) return readCondition(a, python, true);
  if (plain === "assertisnone" && a) return [{ family: "none", subjects: [normal(a)] }];
  if (plain === "assertisnotnone" && a) return [{ family: "exists", subjects: [normal(a)] }];
  if (!a || !b) return [none];
  if (/^assert(?:greater|less|arrayless)/.test(plain))
    return plain === "assertgreaterequal" && /^len\(/.test(normal(a)) && b.text === "0"
      ? [{ family: "vacuous", subjects: [normal(a)] }]
      : [{ family: "compare", subjects: sidesOf(a, b), expected: plain + normal(b) }];
  if (/^assert(?:is)?instance$|^assertisinstance$/.test(plain)) return [{ family: "type", subjects: [normal(a)], expected: normal(b) }];
  if (plain === "assertin" || plain === "assertnotin") return [contains(a, b, plain === "assertnotin")];
  if (/^assert(?:not)?contains$/.test(plain))
    return [{ family: "contains", subjects: [normal(a)], expected: normal(b), isNegated: plain === "assertnotcontains" }];
  if (/^assertregex/.test(plain) || plain === "assertnotregex") return [pattern(b, a, plain === "assertnotregex")];
  if (/^assert(?:isnot|notequals?|arraynotequal|notalmostequals?)$/.test(plain)) return [equal(a, b, { isNegated: true })];
  if (/^assert(?:array)?almostequals?$|^assertapproxequal$/.test(plain)) return [almost(plain, receiver, a, b, c, args)];
  if (/^assertallclose/.test(plain))
    return [
      {
        family: "approx",
        subjects: sidesOf(a, b),
        expected: normal(b),
        ...within(b, keyword(args, "rtol") ?? c, keyword(args, "atol"), 1e-7),
      },
    ];
  if (/^assert(?:is|equals?|itemsequal|\w{1,20}equals?)$/.test(plain)) return [equal(a, b)];
  return [none];
}

function almost(plain: string, receiver: string, a: Code, b: Code, c: Code | undefined, args: readonly Code[]): Assertion {
  const delta = numberOf(keyword(args, "delta"));
  const isNumpy = plain !== "assertalmostequal" || receiver !== "self";
  const places =
    numberOf(keyword(args, "places") ?? keyword(args, "decimal") ?? keyword(args, "significant") ?? c) ??
    (isNumpy && plain.startsWith("assertarray") ? 6 : 7);
  return { family: "approx", subjects: sidesOf(a, b), expected: normal(b), tolerance: delta ?? 10 ** -places };
}

function raises(plain: string, args: readonly Code[]): Assertion {
  const [type, second, third] = positional(args);
  const names = type
    ? (elementsOf(type) ?? [type]).filter((one) => one.text !== "None").map((one) => normal(one).replace(/^.*\./, ""))
    : [];
  const said =
    keyword(args, "match") ??
    keyword(args, "expected_message") ??
    keyword(args, "expected_regex") ??
    (/regex|message/.test(plain) ? second : undefined);
  // The rest of the arguments call what should fail: that is the subject.
  const subject = /regex|message/.test(plain) ? third : second;
  return {
    family: "raises",
    subjects: [subject ? normal(subject) : names.join(",")],
    exceptions: names,
    ...(said ? { pattern: isString(said) ? contentOf(said) : normal(said) } : {}),
  };
}

function called(plain: string, receiver: string, args: readonly Code[]): Assertion {
  const depth = /with$|hascalls|anycall/.test(plain) ? 3 : /once|not/.test(plain) ? 2 : 1;
  return {
    family: "called",
    subjects: [receiver.replace(/\s/g, "")],
    expected: args.map(normal).join(","),
    depth,
    isNegated: /not/.test(plain),
  };
}
