import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasRole, isInRepository, isProtected, pathRoles, repoPath, repoRoot, type Role } from "../../../src/core/facts/roles";
import { command, runOf, tools } from "./run";

const table: readonly [path: string, ...roles: Role[]][] = [
  ["tests/test_api.py", "test"],
  ["sympy/core/tests/test_expr.py", "test"],
  ["testing/test_mark.py", "test"],
  ["testing/example_scripts/x.py", "test"],
  ["src/_pytest/mark/structures.py", "product"],
  ["polls/tests.py", "test"],
  ["lib/http.test.ts", "test"],
  ["src/__tests__/a.js", "test"],
  ["pkg/server_test.go", "test"],
  ["src/test/java/org/x/FooTest.java", "test"],
  ["spec/models/user_spec.rb", "test"],
  ["t/basic.t", "test"],
  ["test_root.py", "test"],
  // Named like tests, and none.
  ["src/contest.py", "product"],
  ["app/latest.py", "product"],
  ["src/attest.ts", "product"],
  ["src/main/java/org/x/test/Harness.java", "product"],
  ["src/main/java/org/x/Contest.java", "product"],
  ["django/test/client.py", "product"],
  ["pandas/_testing/asserters.py", "product"],
  ["numpy/testing/utils.py", "product"],
  ["pkg/test_utils.py", "product"],
  ["spec/openapi.yaml", "product"],
  ["src/greatest/index.js", "product"],
  // The others.
  ["conftest.py", "test-config"],
  ["tests/conftest.py", "test-config", "test"],
  ["setup.cfg", "test-config", "product"],
  ["package.json", "test-config", "product"],
  ["jest.config.js", "test-config"],
  ["src/__snapshots__/a.test.ts.snap", "snapshot"],
  ["testdata/out.golden", "snapshot", "test"],
  [".github/workflows/ci.yml", "ci"],
  [".husky/pre-commit", "ci"],
  ["/tests/test_outputs.py", "grader", "test"],
  ["/logs/verifier/reward.txt", "grader"],
  ["sitecustomize.py", "startup"],
  ["/usr/lib/python3/dist-packages/x.py", "vendor"],
  ["node_modules/a/test/b.js", "vendor"],
  ["docs/guide.md", "doc"],
  ["README.md", "doc"],
  ["src/judge/model.py", "product"],
  ["src/reward.py", "product"],
  ["oracle/client.py", "product"],
];

for (const [path, ...roles] of table) {
  test(`the roles of ${path}`, () => {
    assert.deepEqual([...pathRoles(path)].sort(), [...roles].sort());
  });
}

test("the task's own globs add the grader, and protect", () => {
  const policy = { grader: ["checks/**"], protected: ["spec/**"] };
  assert.equal(hasRole("checks/run.py", "grader", policy), true);
  assert.equal(hasRole("checks/run.py", "grader"), false, "the answer for one policy is not kept for another");
  assert.equal(isProtected("spec/a.rb", policy), true);
  assert.equal(isProtected("src/a.rb", policy), false);
});

test("a path is named from the root, however it was written", () => {
  assert.equal(repoPath("/testbed/a/b.py"), "a/b.py");
  assert.equal(repoPath("./a//b.py"), "a/b.py");
  assert.equal(repoPath("../c.py", "/testbed/a", "/testbed"), "c.py");
  assert.equal(repoPath("b.py", "/testbed/a", "/testbed"), "a/b.py");
  assert.equal(repoPath("b.py", "a", "/testbed"), "a/b.py");
  assert.equal(repoPath("b.py", "sub"), "sub/b.py");
  assert.equal(repoPath("/tmp/x.py", "/testbed", "/testbed"), "/tmp/x.py");
  assert.equal(repoPath("/testbed-old/x.py", undefined, "/testbed"), "/testbed-old/x.py");
  assert.equal(repoPath("~/.npmrc"), "~/.npmrc");
  assert.equal(repoPath("C:\\work\\app\\src\\a.ts", undefined, "C:\\work\\app"), "src/a.ts");
  assert.equal(repoPath("src\\a.ts"), "src/a.ts");
  assert.equal(repoPath("/workspace/django__django/x/y.py"), "x/y.py");
  assert.equal(repoPath("/../../etc/passwd"), "/etc/passwd");
  assert.equal(repoPath("/testbed", undefined, "/testbed"), ".");
  assert.equal(isInRepository("../x"), false);
  assert.equal(isInRepository("a/x"), true);
});

test("naming a path twice changes nothing", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "b", ".", "..", "", "c.py", "~"), { maxLength: 8 }),
      fc.constantFrom("", "/", "/testbed/", "C:/", "~/"),
      (parts, prefix) => {
        const once = repoPath(prefix + parts.join("/"));
        assert.equal(repoPath(once), once);
      },
    ),
  );
});

test("the root is where the commands run", () => {
  assert.equal(repoRoot(runOf(command("cd /testbed && ls"), command("cd /testbed && git status")), tools), "/testbed");
  assert.equal(
    repoRoot(
      runOf({ type: "command", command: "ls", cwd: "/home/me/project" }, { type: "command", command: "ls", cwd: "/home/me/project/src" }),
      tools,
    ),
    "/home/me/project",
  );
  assert.equal(repoRoot(runOf(command("cd /tmp && ls"), command("cd / && ls")), tools), undefined);
});

test("a patch and an absolute path together tell the root", () => {
  const patch = "diff --git a/lib/x.py b/lib/x.py\n--- a/lib/x.py\n+++ b/lib/x.py\n@@ -1 +1 @@\n-a\n+b\n";
  const run = runOf({ type: "edit", path: "/srv/deep/app/lib/x.py", before: "a", after: "b" }, { type: "patch", diff: patch });
  assert.equal(repoRoot(run, tools), "/srv/deep/app");
});
