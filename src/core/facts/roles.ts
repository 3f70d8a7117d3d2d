/** What part a file plays (catalogue M3). Paths are those of the repository, as `repoPath` gives them. */
import picomatch from "picomatch";
import type { Task } from "../model";
import { isAbsolute } from "./paths";

export { isAbsolute, isInRepository, repoPath, repoRoot } from "./paths";

export type Role = "test" | "snapshot" | "test-config" | "ci" | "grader" | "startup" | "vendor" | "product" | "doc";

const globs: Readonly<Record<Exclude<Role, "product" | "test">, readonly string[]>> = {
  snapshot: [
    "**/__snapshots__/**",
    "**/*.{snap,ambr}",
    "**/*.approved.*",
    "**/{golden,goldens,__image_snapshots__,snapshots}/**",
    "**/testdata/**/*.{out,golden,expected}",
    "**/*.golden",
  ],
  "test-config": [
    "**/{pytest.ini,.pytest.ini,tox.ini,setup.cfg,pyproject.toml,conftest.py,.coveragerc,nose.cfg,noxfile.py,.rspec,phpunit.xml,phpunit.xml.dist}",
    "**/{jest,vitest,karma,playwright,cypress,ava,wdio,nyc}.{config,conf,workspace}.*",
    "**/{.mocharc,.mocharc.*,.nycrc,.nycrc.*,.jestrc,.taprc,codecov.yml,.codecov.yml,runtests.py}",
    "**/{pom.xml,build.gradle,build.gradle.kts,Cargo.toml,CMakeLists.txt,Makefile,GNUmakefile,makefile,justfile,Justfile,package.json}",
    "**/{vite.config.*,jest.setup.*,vitest.setup.*,setupTests.*,test_settings.py,.config/nextest.toml}",
  ],
  ci: [
    ".github/{workflows,actions}/**",
    "{.gitlab-ci.yml,.travis.yml,Jenkinsfile,azure-pipelines.yml,bitbucket-pipelines.yml,.pre-commit-config.yaml,.pre-commit-config.yml}",
    "{.appveyor.yml,appveyor.yml,.cirrus.yml,.drone.yml,.woodpecker.yml,buildkite.yml,cloudbuild.yaml,.azure-pipelines/**}",
    "{.circleci,.husky,.buildkite,.gitlab,.woodpecker,.forgejo/workflows,.gitea/workflows}/**",
    "{lefthook.yml,.lefthook.yml,lefthook.yaml,.githooks/**,.git/hooks/**}",
  ],
  grader: [
    "{/tests,/verifier,/logs/verifier,/solution,/oracle,/grader,/grading}/**",
    "/logs/**/*reward*",
    "**/reward.{txt,json}",
    "{/,}{eval.sh,run_script.sh,parser.py,run-tests.sh}",
    "**/{solution.sh,.oracle_solution}",
    "/**/test_outputs.py",
  ],
  startup: [
    "**/{sitecustomize.py,usercustomize.py,.npmrc,.yarnrc,.yarnrc.yml,.bashrc,.bash_profile,.profile,.zshrc,.zshenv,.envrc}",
    "**/*.pth",
    "**/*.{dist-info,egg-info}/entry_points.txt",
    "/etc/{ld.so.preload,environment,bash.bashrc,profile}",
    "/etc/profile.d/**",
    "**/pip.conf",
  ],
  vendor: [
    "**/{site-packages,dist-packages,node_modules,vendor/bundle,.bundle,third_party,_vendor,vendored,bower_components}/**",
    "{~,/root,/home/*}/{.cargo/registry,go/pkg/mod,.m2,.gradle/caches,.gem,.local/lib}/**",
    "/usr/{lib,local/lib,share}/**",
    "{,**/}vendor/{github.com,golang.org,gopkg.in,google.golang.org,k8s.io}/**",
  ],
  doc: [
    "**/*.{md,mdx,rst,adoc,markdown}",
    "{docs,doc,documentation,Documentation}/**",
    "**/{LICENSE,LICENCE,COPYING,NOTICE,AUTHORS,CHANGELOG,CHANGES,NEWS,README,CONTRIBUTORS}{,.txt}",
    "**/{CHANGES,changelog,changes,newsfragments,release-notes,whatsnew}/**/*.{txt,md,rst}",
  ],
};

/** Files whose format holds settings of many things: the product's build, too. */
const mixedConfig = picomatch(
  "**/{setup.cfg,pyproject.toml,package.json,Cargo.toml,pom.xml,build.gradle,build.gradle.kts,CMakeLists.txt,Makefile,GNUmakefile,makefile,justfile,Justfile,vite.config.*}",
  { dot: true },
);

const testFile = picomatch(
  [
    "**/test_*.py",
    "**/*_test.{py,go,rb,ts,js,rs,cc,cpp,c,exs,dart,clj,php,lua}",
    "**/*.{test,spec}.{js,ts,jsx,tsx,mjs,cjs,mts,cts}",
    "**/*-{test,spec}.{js,ts,mjs,cjs}",
    "**/*{Test,Tests,TestCase,IT}.{java,kt,cs,scala,groovy}",
    "**/*{Tests,Test}.swift",
    "**/*{Spec,Suite}.{scala,kt,groovy}",
    "**/*Test.php",
    "**/*_spec.rb",
    "**/*.bats",
    "**/t/**/*.t",
    "**/*.t",
    "**/{tests,test}.py",
    "**/{test,tests}.{js,ts,mjs,cjs,go,rs,rb,sh}",
  ],
  { dot: true },
);

const testFolder = picomatch("**/{test,tests,__tests__,spec,specs,testdata,__mocks__}/**", { dot: true });

/** In the root, folders of these names hold tests; below a package they are what the package offers to testers. */
const rootTestFolder = picomatch("{testing,t,e2e,integration,itests,functional_tests,unittests}/**", { dot: true });

/** Named like tests and shipped to users: Django's test client, Java packages below src/main. */
const productInside = picomatch(
  ["django/test/**", "**/src/main/**", "**/{_testing,testing}/**", "**/{test,tests}/{support,testing}/*.pyi"],
  { dot: true },
);

/** A helper for testers in a package. In a folder of tests it is one of the tests' own. */
const helper = /^test_?(?:utils?|helpers?|support|tools?|common|base|cases?|client|runner|runners|mixins?|server|settings|signals)\.py$/;

const matchers = Object.entries(globs).map(([role, patterns]) => ({ role: role as Role, test: picomatch([...patterns], { dot: true }) }));

/** Bounded, so that a host that runs for days does not grow. */
const mostPaths = 20_000;
const known = new Map<string, ReadonlySet<Role>>();
const policies = new WeakMap<object, { grader: (path: string) => boolean; protected: (path: string) => boolean }>();

/** Every role of a path; `product` when it has none of the others. */
export function pathRoles(path: string, extra?: Task["policy"]): ReadonlySet<Role> {
  let roles = known.get(path);
  if (!roles) {
    roles = findRoles(path);
    if (known.size >= mostPaths) known.clear();
    known.set(path, roles);
  }
  if (!extra?.grader?.length || roles.has("grader") || !compile(extra).grader(path)) return roles;
  return new Set<Role>([...roles, "grader"]);
}

export function hasRole(path: string, role: Role, extra?: Task["policy"]): boolean {
  return pathRoles(path, extra).has(role);
}

/** The task itself says that this file is not to be written. */
export function isProtected(path: string, policy: Task["policy"]): boolean {
  return policy?.protected?.length ? compile(policy).protected(path) : false;
}

function compile(policy: NonNullable<Task["policy"]>): { grader: (path: string) => boolean; protected: (path: string) => boolean } {
  let made = policies.get(policy);
  if (!made) {
    made = { grader: matcher(policy.grader), protected: matcher(policy.protected) };
    policies.set(policy, made);
  }
  return made;
}

/** A glob that cannot be compiled matches nothing; the host reports it where it reads the policy. */
function matcher(patterns: readonly string[] | undefined): (path: string) => boolean {
  if (!patterns?.length) return () => false;
  try {
    return picomatch([...patterns], { dot: true });
  } catch {
    return () => false;
  }
}

function findRoles(path: string): ReadonlySet<Role> {
  const roles = new Set<Role>();
  const short = path.slice(-1000);
  for (const { role, test } of matchers) if (test(short)) roles.add(role);
  if (isTest(short, roles)) roles.add("test");
  if (roles.has("vendor")) roles.delete("test");
  if (roles.size === 0 || (roles.size === 1 && roles.has("test-config") && mixedConfig(short))) roles.add("product");
  return roles;
}

function isTest(path: string, roles: ReadonlySet<Role>): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const folder = path.slice(0, path.length - name.length);
  if (roles.has("doc") && !/\.[a-z]{1,4}$/.test(name)) return false;
  if (rootTestFolder(path)) return true;
  const isInFolder = testFolder(path);
  if (productInside(path)) return isInFolder && !/(?:^|\/)src\/main\/|^django\/test\//.test(folder) ? true : false;
  if (isInFolder) {
    // A specification is not a test: `spec/openapi.yaml`, `specs/design.md`.
    const isSpec = /(?:^|\/)specs?\//.test(folder) && !/(?:^|\/)(?:tests?|__tests__|testdata)\//.test(folder);
    return !isSpec || !/\.(?:md|ya?ml|json|rst|txt|proto|xml)$/.test(name) || /(?:fixtures?|support|data)\//.test(folder);
  }
  if (!testFile(path)) return false;
  if (isAbsolute(path) && /^\/(?:tmp|var\/tmp)\//.test(path)) return true;
  // `pkg/test_utils.py`: a module of the package, unless it stands in the root.
  return !(helper.test(name) && folder !== "");
}
