import type { RunnerName } from "./types";

/** The options of one runner, as far as they say what is run. */
export interface Grammar {
  readonly runner: RunnerName | "unknown";
  /** Options that take the next word. */
  readonly valued: ReadonlySet<string>;
  /** Options that choose tests by name or mark. */
  readonly filters: ReadonlySet<string>;
  /** Options that leave tests out without naming one: the last failed, the changed ones, a shard. */
  readonly narrowing: ReadonlySet<string>;
  readonly stops: ReadonlySet<string>;
  readonly collects: ReadonlySet<string>;
  readonly updates: ReadonlySet<string>;
  /** A target that means everything. */
  readonly everything?: (target: string) => boolean;
}

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" ").filter((word) => word !== ""));

export const PYTEST: Grammar = {
  runner: "pytest",
  valued: wordSet(
    "-k -m -c -p -o -n -r -W -t --maxfail --tb --rootdir --cov --cov-report --cov-config --durations --junitxml --junit-xml --ignore --ignore-glob --deselect --confcutdir --basetemp --import-mode --log-cli-level --log-level --log-file --capture --color --timeout --dist --numprocesses --reruns --override-ini --show-capture --verbosity --ds --snapshot-dir --inline-snapshot --config-file",
  ),
  filters: wordSet("-k -m --deselect --ignore --ignore-glob"),
  narrowing: wordSet("--lf --last-failed --ff-only --sw --stepwise --testmon --picked --nf-only"),
  stops: wordSet("-x --exitfirst --maxfail --sw --stepwise"),
  collects: wordSet("--collect-only --co --setup-plan --setup-only --fixtures --markers --version --help -h --fixtures-per-test"),
  updates: wordSet("--snapshot-update --inline-snapshot --force-regen --regen-all --mpl-generate-path --update-goldens --update-snapshots"),
  everything: (target) => target === "." || target === "./",
};

export const UNITTEST: Grammar = {
  runner: "unittest",
  valued: wordSet("-k -s -p -t --start-directory --pattern --top-level-directory --durations"),
  filters: wordSet("-k -p --pattern"),
  narrowing: wordSet(""),
  stops: wordSet("-f --failfast"),
  collects: wordSet("-h --help"),
  updates: wordSet(""),
  everything: (target) => target === "discover",
};

export const DJANGO: Grammar = {
  runner: "django",
  valued: wordSet(
    "-k -v -t -p --verbosity --settings --pythonpath --testrunner --top-level-directory --pattern --parallel --tag --exclude-tag --shuffle --start-at --start-after --bisect --pair --selenium --durations",
  ),
  filters: wordSet("-k --tag --exclude-tag --start-at --start-after --bisect --pair --pattern -p"),
  narrowing: wordSet(""),
  stops: wordSet("--failfast"),
  collects: wordSet("--help -h --version"),
  updates: wordSet(""),
};

export const SYMPY: Grammar = {
  runner: "sympy",
  valued: wordSet("-k --enhance-asserts --seed --split --tb --timeout --rerun --types"),
  filters: wordSet("-k"),
  narrowing: wordSet("--split --slow-only"),
  stops: wordSet("--exit-first -x"),
  collects: wordSet("--help -h"),
  updates: wordSet(""),
};

export const JEST: Grammar = {
  runner: "jest",
  valued: wordSet(
    "-t -c --testNamePattern --config --testPathPattern --testPathPatterns --testPathIgnorePatterns --maxWorkers -w --projects --selectProjects --reporters --env --rootDir --shard --coverageReporters --coverageDirectory --changedSince --outputFile --testTimeout --bail",
  ),
  filters: wordSet("-t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns"),
  narrowing: wordSet(
    "-o --onlyChanged --onlyFailures -f --changedSince --lastCommit --findRelatedTests --shard --selectProjects --projects",
  ),
  stops: wordSet("-b --bail"),
  collects: wordSet("--listTests --showConfig --version -v --help -h"),
  updates: wordSet("-u --updateSnapshot --update-snapshot"),
};

export const VITEST: Grammar = {
  runner: "vitest",
  valued: wordSet(
    "-t -c -r --testNamePattern --config --root --dir --project --reporter --shard --exclude --bail --retry --maxWorkers --pool --environment --outputFile --mode",
  ),
  filters: wordSet("-t --testNamePattern --exclude"),
  narrowing: wordSet("--changed --related --shard --project --dir"),
  stops: wordSet("--bail"),
  collects: wordSet("list --version -v --help -h"),
  updates: wordSet("-u --update"),
  everything: (target) => target === "run" || target === "watch" || target === "dev",
};

export const MOCHA: Grammar = {
  runner: "mocha",
  valued: wordSet(
    "-g -f -r -R -t -C --grep --fgrep --require --reporter --timeout --config --spec --file --ignore --extension --ui -u --retries --jobs -j --package --import",
  ),
  filters: wordSet("-g -f --grep --fgrep --ignore"),
  narrowing: wordSet(""),
  stops: wordSet("-b --bail"),
  collects: wordSet("--dry-run --list-files --version --help -h"),
  updates: wordSet("--update"),
};

export const NODE_TEST: Grammar = {
  runner: "node-test",
  valued: wordSet(
    "--test-name-pattern --test-skip-pattern --test-reporter --test-reporter-destination --test-concurrency --test-timeout --test-shard --import --require -r --loader --experimental-loader --env-file -C --conditions",
  ),
  filters: wordSet("--test-name-pattern --test-skip-pattern"),
  narrowing: wordSet("--test-only --test-shard"),
  stops: wordSet(""),
  collects: wordSet("--version --help -h"),
  updates: wordSet("--test-update-snapshots"),
};

export const GO: Grammar = {
  runner: "go-test",
  valued: wordSet(
    "-run -skip -bench -count -timeout -tags -parallel -p -cpu -coverprofile -covermode -coverpkg -o -exec -fuzz -fuzztime -benchtime -ldflags -gcflags -mod -vet -list -C -shuffle",
  ),
  filters: wordSet("-run -skip"),
  narrowing: wordSet("-short"),
  stops: wordSet("-failfast"),
  collects: wordSet("-list -c -n"),
  updates: wordSet("-update"),
  everything: (target) => target === "./..." || target === "..." || target === "all",
};

export const CARGO: Grammar = {
  runner: "cargo-test",
  valued: wordSet(
    "-p --package --test --bench --bin --example --features -F --target --target-dir --manifest-path --profile -j --jobs --exclude --color -E --filter-expr --message-format --skip --test-threads --partition --retries -P --config -Z",
  ),
  filters: wordSet("--skip -E --filter-expr --exclude"),
  narrowing: wordSet("-p --package --lib --bins --bin --test --doc --example --ignored --partition --exact --examples"),
  stops: wordSet("--fail-fast"),
  collects: wordSet("--no-run --list --help -h --version"),
  updates: wordSet(""),
};

/** A task runner's own target: which runner is behind it the words do not tell. */
export const TASK: Grammar = {
  runner: "unknown",
  valued: wordSet(""),
  filters: wordSet(""),
  narrowing: wordSet(""),
  stops: wordSet(""),
  collects: wordSet(""),
  updates: wordSet(""),
};

/** `npm test -- …`: the options may be any runner's. */
export const JAVASCRIPT: Grammar = {
  runner: "unknown",
  valued: new Set([...JEST.valued, ...MOCHA.valued]),
  filters: wordSet("-t -g --grep --testNamePattern --testPathPattern --testPathPatterns"),
  narrowing: JEST.narrowing,
  stops: wordSet("-b --bail"),
  collects: wordSet("--listTests"),
  updates: wordSet("-u --updateSnapshot --update"),
  everything: (target) => target === "run",
};
