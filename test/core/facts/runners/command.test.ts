import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readTestCommand } from "../../../../src/core/facts/runners";
import type { TestCommand } from "../../../../src/core/facts/runners";

const plain = { scope: "all", targets: [], stopsEarly: false, collectOnly: false, updatesSnapshots: false } as const;

/** The words of a command, separated by blanks; `_` stands for a blank inside a word. */
const CASES: readonly (readonly [string, Partial<TestCommand> & { runner: TestCommand["runner"] }])[] = [
  ["pytest", { runner: "pytest" }],
  ["py.test -q", { runner: "pytest" }],
  ["pytest .", { runner: "pytest" }],
  ["/opt/venv/bin/pytest -n 4 --tb=short -p no:cacheprovider", { runner: "pytest" }],
  ["python -m pytest tests/test_a.py::test_b", { runner: "pytest", scope: "narrowed", targets: ["tests/test_a.py::test_b"] }],
  ["python3.11 -W ignore -m pytest -k total_and_not_slow", { runner: "pytest", scope: "narrowed", filter: "-k total and not slow" }],
  ["pytest -x", { runner: "pytest", stopsEarly: true }],
  ["pytest -vx tests", { runner: "pytest", scope: "narrowed", targets: ["tests"], stopsEarly: true }],
  ["pytest --maxfail=1", { runner: "pytest", stopsEarly: true }],
  ["pytest --lf", { runner: "pytest", scope: "narrowed" }],
  ["pytest --co -q", { runner: "pytest", collectOnly: true }],
  ["pytest --snapshot-update", { runner: "pytest", updatesSnapshots: true }],
  ["pytest --deselect tests/test_a.py::test_b", { runner: "pytest", scope: "narrowed", filter: "--deselect tests/test_a.py::test_b" }],
  ["uv run pytest tests/a", { runner: "pytest", scope: "narrowed", targets: ["tests/a"] }],
  ["poetry run python -m pytest", { runner: "pytest" }],
  ["coverage run --source shop -m pytest", { runner: "pytest" }],
  ["python -m unittest", { runner: "unittest" }],
  ["python -m unittest discover -s tests", { runner: "unittest" }],
  ["python -m unittest -f tests.test_a", { runner: "unittest", scope: "narrowed", targets: ["tests.test_a"], stopsEarly: true }],
  ["python manage.py test", { runner: "django" }],
  ["./manage.py test shop --failfast --parallel 4", { runner: "django", scope: "narrowed", targets: ["shop"], stopsEarly: true }],
  ["python tests/runtests.py queries --settings test_sqlite", { runner: "django", scope: "narrowed", targets: ["queries"] }],
  ["./runtests.py", { runner: "django" }],
  ["bin/test sympy/core", { runner: "sympy", scope: "narrowed", targets: ["sympy/core"] }],
  ["python bin/test", { runner: "sympy" }],
  ["tox -e py311", { runner: "unknown" }],
  ["tox -e py311 -- tests/test_a.py", { runner: "unknown", scope: "narrowed", targets: ["tests/test_a.py"] }],
  ["npm test", { runner: "unknown" }],
  ["npm run test -- -t adds", { runner: "unknown", scope: "narrowed", filter: "-t adds" }],
  ["npm run test:unit", { runner: "unknown", scope: "narrowed", targets: ["test:unit"] }],
  ["pnpm --filter shop test", { runner: "unknown" }],
  ["npx jest -u", { runner: "jest", updatesSnapshots: true }],
  ["yarn jest src/a.test.js --bail", { runner: "jest", scope: "narrowed", targets: ["src/a.test.js"], stopsEarly: true }],
  ["node node_modules/.bin/jest --testNamePattern=adds", { runner: "jest", scope: "narrowed", filter: "--testNamePattern adds" }],
  ["npx vitest run", { runner: "vitest" }],
  ["npx vitest run src/a.test.ts -t adds", { runner: "vitest", scope: "narrowed", targets: ["src/a.test.ts"], filter: "-t adds" }],
  ["npx mocha --grep adds", { runner: "mocha", scope: "narrowed", filter: "--grep adds" }],
  ["node --test", { runner: "node-test" }],
  ["node --import tsx --test test/a.test.ts", { runner: "node-test", scope: "narrowed", targets: ["test/a.test.ts"] }],
  ["node --test --test-name-pattern=adds", { runner: "node-test", scope: "narrowed", filter: "--test-name-pattern adds" }],
  ["go test ./...", { runner: "go-test" }],
  ["go test -run TestTotal -count=1 ./shop", { runner: "go-test", scope: "narrowed", targets: ["./shop"], filter: "-run TestTotal" }],
  ["go test", { runner: "go-test" }],
  ["cargo test", { runner: "cargo-test" }],
  ["cargo +nightly test --lib total", { runner: "cargo-test", scope: "narrowed", targets: ["total"] }],
  ["cargo test --no-run", { runner: "cargo-test", collectOnly: true }],
  ["cargo nextest run -p shop", { runner: "cargo-test", scope: "narrowed", stopsEarly: true }],
  ["make test", { runner: "unknown" }],
  ["make -j4 check", { runner: "unknown" }],
  ["make test-unit", { runner: "unknown", scope: "narrowed", targets: ["test-unit"] }],
  ["pytest \0", { runner: "pytest", scope: "narrowed", targets: ["\0"] }],
];

for (const [line, expected] of CASES) {
  test(line.replace(/\0/g, "?"), () => {
    const words = line.split(" ").map((word) => (/^total_|_not_/.test(word) ? word.replace(/_/g, " ") : word));
    assert.deepEqual(readTestCommand(words), { ...plain, ...expected });
  });
}

const OTHERS = [
  "ls tests",
  "cat tests/test_a.py",
  "grep -rn pytest .",
  "pip install pytest",
  "python reproduce.py",
  "python -c import_pytest",
  "python manage.py migrate",
  "git test",
  "test -f a.py",
  "npm install jest",
  "npm run build",
  "npm ci",
  "node server.js --test",
  "node dist/cli.js",
  "go build ./...",
  "cargo build",
  "make",
  "make build",
  "ls bin/test",
  "tox --version",
  "tox -e lint",
  "echo pytest",
  "",
];

for (const line of OTHERS) {
  test(`no tests: ${line}`, () => {
    assert.equal(readTestCommand(line.split(" ")), undefined);
  });
}

test("any words are read without a throw", () => {
  const word = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      "pytest",
      "python",
      "-m",
      "npx",
      "npm",
      "run",
      "test",
      "--",
      "-k",
      "uv",
      "coverage",
      "node",
      "--test",
      "go",
      "cargo",
      "exec",
      "make",
      "\0",
      "jest",
    ),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (argv) => {
      const command = readTestCommand(argv);
      if (command && (command.targets.length > 0 || command.filter !== undefined)) assert.equal(command.scope, "narrowed");
    }),
    { numRuns: 2_000 },
  );
});
