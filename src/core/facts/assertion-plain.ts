/** Go (testify), Rust and Java (JUnit): the plain names only. */
import type { Assertion } from "./assertions";
import type { CaseLanguage } from "./cases";
import { argumentsOf, type Code, normal } from "./assertion-code";
import { contains, equal, numberOf, readCondition, sidesOf } from "./assertion-expression";
import { callAt } from "./assertion-rows";

const none: Assertion = { family: "unknown", subjects: [] };
const script = { isPython: false };

export function readPlain(code: Code, language: CaseLanguage): Assertion[] {
  const match = /^((?:\w+\.)?)(\w+)!?\s*([([{])/.exec(code.mask);
  const call = match ? callAt(code, match[0].length - 1) : undefined;
  if (!match || !call) return [none];
  const all = argumentsOf(call.inside);
  const args = language === "go" && /^(?:t|tt|b|s\.T\(\))$/.test(all[0]?.text ?? "") ? all.slice(1) : all;
  const name = (match[2] ?? "")
    .toLowerCase()
    .replace(/_/g, "")
    .replace(/^(?:debug)?assert(?=.)/, "")
    .replace(/f$/, "");
  const [a, b, c] = args;
  if (!a) return [none];
  if (/^(?:assert|true|that)$/.test(name)) return name === "that" ? [none] : readCondition(a, script);
  if (name === "false") return readCondition(a, script, true);
  if (/^(?:nil|null)$/.test(name)) return [{ family: "none", subjects: [normal(a)] }];
  if (/^(?:notnil|notnull|notempty)$/.test(name)) return [{ family: "exists", subjects: [normal(a)] }];
  if (/^throws/.test(name))
    return [
      {
        family: "raises",
        subjects: b ? [normal(b)] : [],
        exceptions: [
          normal(a)
            .replace(/(?:\.class|::class)$/, "")
            .replace(/^.*\./, ""),
        ],
      },
    ];
  if (!b) return [none];
  if (/^(?:eq|equals?|same|arrayequals|iterableequals|exactly|equalvalues|jsoneq)$/.test(name)) {
    const delta = language === "java" ? numberOf(c) : undefined;
    return [delta === undefined ? equal(b, a) : { family: "approx", subjects: sidesOf(a, b), expected: normal(a), tolerance: delta }];
  }
  if (/^(?:ne|notequals?|notsame)$/.test(name)) return [equal(b, a, { isNegated: true })];
  if (/^(?:indelta|inepsilon)$/.test(name))
    return [{ family: "approx", subjects: sidesOf(a, b), expected: normal(a), tolerance: numberOf(c) ?? 0 }];
  if (name === "contains") return [contains(b, a, false)];
  if (/^(?:greater|less|greaterorequal|lessorequal)$/.test(name))
    return [{ family: "compare", subjects: sidesOf(a, b), expected: name + normal(b) }];
  return [none];
}
