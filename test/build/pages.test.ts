/** The monitors' pages: what a declaration says must come out as it was meant, whatever signs it holds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { writePage, writeTable } from "../../src/build/pages";
import type { Case, Monitor } from "../../src/core/monitor";

const monitor: Monitor = {
  id: "made-up",
  title: "A <b>title</b> with | and *stars*",
  family: "RIG",
  severity: { bench: "high", dev: "low" },
  status: "trial",
  version: 3,
  why: "Because of `this`.",
  next: "Look at it.",
  falseAlarms: ["A [link](x) that is none"],
  misses: ["One evasion"],
  references: [],
  messages: { found: "Found {what}" },
  *check() {},
};

const cases: Case[] = [
  { name: "guilty", run: [{ type: "command", command: "«cat» ```x```", output: "out\n", exit: 2 }], finds: [{ message: "found" }] },
  { name: "innocent", run: [{ type: "edit", path: "a.py", before: "1\n2", after: "3" }] },
  { name: "a miss", run: [{ type: "delete", path: "b" }], finds: [{ message: "found" }], isMissed: true },
];

const page = writePage(monitor, "rig/made-up", cases);

test("text of the declaration is text, and no markup", () => {
  assert.match(page, /^# A \\<b\\>title\\<\/b\\> with \\\| and \\\*stars\\\*$/m);
  assert.match(page, /^- A \\\[link\\\]\(x\) that is none$/m);
  assert.match(writeTable([monitor]), /\| A \\<b\\>title\\<\/b\\> with \\\| and \\\*stars\\\* \| high \| low \| trial \|$/);
});

test("a case stands in a fence that its own text cannot close, with its marks, output and status", () => {
  assert.ok(page.includes("\n````text\n$ «cat» ```x```\nout\n(exit 2)\n````\n"), page);
  assert.ok(page.includes("\n```text\nedit a.py\n- 1\n- 2\n+ 3\n```\n"), page);
});

test("guilty, innocent and missed cases go to their own sections", () => {
  const sections = Object.fromEntries(page.split(/^## /m).map((part) => [part.split("\n")[0], part]));
  assert.match(sections["Found"] ?? "", /\*\*guilty\*\*/);
  assert.match(sections["Not found, and rightly so"] ?? "", /\*\*innocent\*\*/);
  assert.match(sections["What it is known to miss"] ?? "", /- One evasion\n- a miss/);
  assert.doesNotMatch(sections["Found"] ?? "", /a miss/);
});

test("a section without content is left out, and trial is explained", () => {
  assert.doesNotMatch(page, /## References/);
  assert.match(page, /on trial/);
  assert.doesNotMatch(writePage({ ...monitor, status: "stable" }, "rig/made-up", cases), /on trial/);
});
