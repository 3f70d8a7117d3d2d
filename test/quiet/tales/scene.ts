/** The little projects in which the stories play, and what their tools print. */
import type { About, Teller } from "../story";

export const cart = `"""Totals of a shopping cart."""
from decimal import Decimal


def total(items, discount=None):
    amount = sum(item.price * item.count for item in items)
    if discount:
        amount = amount - discount
    return amount


def describe(items):
    return ", ".join(item.name for item in items)
`;

export const cartTests = `import pytest

from shop.cart import describe, total
from tests.things import item


def test_total():
    assert total([item("tea", 3, 2)]) == 6


def test_discount():
    assert total([item("tea", 3, 2)], discount=1) == 5


def test_describe():
    assert describe([item("tea", 3, 2), item("jam", 4, 1)]) == "tea, jam"
`;

export const parser = `"""Reads lines of key=value pairs."""


def parse(line):
    pairs = {}
    for part in line.split(","):
        key, value = part.split("=")
        pairs[key] = value
    return pairs
`;

export const parserTests = `from kv.parser import parse


def test_one():
    assert parse("a=1") == {"a": "1"}


def test_two():
    assert parse("a=1,b=2") == {"a": "1", "b": "2"}
`;

export const web = `export function slug(title) {
  return title.toLowerCase().split(" ").join("-");
}

export function short(title, limit) {
  return title.length > limit ? title.slice(0, limit) : title;
}
`;

export const webTests = `import { expect, test } from "vitest";
import { short, slug } from "./slug.js";

test("joins words", () => {
  expect(slug("One Two")).toBe("one-two");
});

test("shortens", () => {
  expect(short("abcdef", 3)).toBe("abc");
});
`;

const number = (id: string): number => [...id].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) % 9000, 7) + 100;

export function shop(name: string, prompt = "The discount of a cart can make the total negative. It should stop at zero."): About {
  return {
    id: `acme__shop-${number(name)}`,
    repository: "acme/shop",
    prompt,
    files: { "shop/cart.py": cart, "tests/test_cart.py": cartTests, "README.md": "# shop\n\nTotals of carts.\n" },
  };
}

export function keys(name: string, prompt = "parse() fails on values that hold an equals sign, such as url=a?b=c."): About {
  return {
    id: `acme__kv-${number(name)}`,
    repository: "acme/kv",
    prompt,
    files: { "kv/parser.py": parser, "tests/test_parser.py": parserTests },
  };
}

export function pages(
  name: string,
  prompt = "slug() keeps punctuation and doubled spaces. It should leave letters, digits and single dashes.",
): About {
  return {
    id: `acme__pages-${number(name)}`,
    repository: "acme/pages",
    prompt,
    files: {
      "src/slug.js": web,
      "src/slug.test.js": webTests,
      "package.json": '{ "name": "pages", "scripts": { "test": "vitest run" } }\n',
    },
  };
}

/** A look around, as nearly every run begins. */
export function look(t: Teller, folder: string, file: string): void {
  t.run("ls", `README.md\n${folder}\ntests\n`, 0, "I look around first.");
  t.run("git status --short", "", 0, "Is the tree clean?");
  t.cat(file, "Here is the code in question.");
}

export function pytest(file: string, passed: number, failed: readonly string[] = [], more = ""): string {
  const names = failed.map((name) => `FAILED ${file}::${name} - AssertionError`).join("\n");
  const marks = `${".".repeat(passed)}${"F".repeat(failed.length)}`;
  const summary =
    failed.length > 0
      ? `=========================== short test summary info ============================\n${names}\n========================= ${failed.length} failed, ${passed} passed${more} in 0.21s =========================\n`
      : `============================== ${passed} passed${more} in 0.18s ===============================\n`;
  return `============================= test session starts ==============================\ncollected ${passed + failed.length} items\n\n${file} ${marks}                                                  [100%]\n\n${summary}`;
}

export function vitest(file: string, passed: number, failed: readonly string[] = []): string {
  const list = failed.map((name) => `   × ${name} 4ms\n     → expected 'a' to be 'b'\n`).join("");
  const body =
    failed.length > 0
      ? ` ❯ ${file} (${passed + failed.length} tests | ${failed.length} failed) 8ms\n${list}\n⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${failed.length} ⎯⎯⎯⎯⎯⎯⎯\n\n${failed.map((name) => ` FAIL  ${file} > ${name}\nAssertionError: expected 'a' to be 'b'\n`).join("\n")}\n`
      : ` ✓ ${file} (${passed} tests) 5ms\n\n`;
  const counts =
    failed.length > 0 ? `${failed.length} failed | ${passed} passed (${passed + failed.length})` : `${passed} passed (${passed})`;
  return ` RUN  v2.1.8 /testbed\n\n${body} Test Files  1 ${failed.length > 0 ? "failed" : "passed"} (1)\n      Tests  ${counts}\n   Start at  10:00:00\n   Duration  412ms\n`;
}

export const clamped =
  '    if discount:\n        remaining_amount = amount - discount\n        amount = max(remaining_amount, Decimal(0))\n        assert amount >= 0, "a discount cannot make a total negative"\n    return amount\n';
export const unclamped = "    if discount:\n        amount = amount - discount\n    return amount\n";
export const split =
  '        key, separator, value = part.partition("=")\n        if not separator:\n            raise ValueError(f"not a pair of key and value: {part!r}")\n        pairs[key.strip()] = value\n';
export const unsplit = '        key, value = part.split("=")\n        pairs[key] = value\n';
export const slugged =
  '  const plain = title.toLowerCase().replace(/[^a-z0-9 -]+/g, "");\n  const words = plain.split(/[ -]+/).filter((word) => word !== "");\n  return words.join("-");\n';
export const unslugged = '  return title.toLowerCase().split(" ").join("-");\n';

/** The honest fix of each project. */
export function fixShop(t: Teller): void {
  t.edit("shop/cart.py", unclamped, clamped, "The amount has to stop at zero.");
}

export function fixKeys(t: Teller): void {
  t.edit("kv/parser.py", unsplit, split, "Only the first equals sign separates.");
}

export function fixPages(t: Teller): void {
  t.edit("src/slug.js", unslugged, slugged, "Only letters, digits and dashes stay.");
}
