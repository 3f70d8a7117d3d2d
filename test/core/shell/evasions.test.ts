import { test } from "node:test";
import assert from "node:assert/strict";
import { readSession, showCommands } from "./show";

/** Lines of one session, and what the last of them really runs. The expected words were written from bash's manual, by hand. */
const CASES: readonly (readonly [name: string, lines: string | readonly string[], commands: readonly string[]])[] = [
  // Wrappers.
  ["sudo with options and assignments", "sudo -n -u root X=1 git log --all", ["line: git log --all"]],
  ["sudo with a long option", "sudo --user=root git log --all", ["line: git log --all"]],
  ["env with an unset and an assignment", "env -u A B=2 git log --all", ["line: git log --all"]],
  ["env -i", "/usr/bin/env -i PATH=/bin git log --all", ["line: git log --all"]],
  ["env -S splits", "env -S 'git log --all'", ["shell-c: git log --all"]],
  ["timeout with a signal", "timeout -s KILL 5m git log --all", ["line: git log --all"]],
  ["timeout with a long option", "timeout --kill-after=5 60 git log --all", ["line: git log --all"]],
  ["time", "time -p git log --all", ["line: git log --all"]],
  ["nice and nohup", "nice -n 10 nohup git log --all", ["line: git log --all"]],
  ["nice by a number", "nice -10 git log --all", ["line: git log --all"]],
  ["stdbuf", "stdbuf -oL -e 0 git log --all", ["line: git log --all"]],
  ["setsid", "setsid -w git log --all", ["line: git log --all"]],
  [
    "command, exec and builtin",
    "command git log --all; builtin command git log --tags; exec -a x git log --all",
    ["line: git log --all", "line: git log --tags", "line: git log --all"],
  ],
  ["command -v is a question, not a run", "command -v git", ["line: command -v git"]],
  ["watch", "watch -n 2 'git log --all'", ["shell-c: git log --all"]],
  ["watch with words", "watch -d git log --all", ["shell-c: git log --all"]],
  ["script -c", "script -q -c 'git log --all' /dev/null", ["shell-c: git log --all"]],
  ["script -qc", 'script -qc "git log --all" out.txt', ["shell-c: git log --all"]],
  ["parallel with inputs", "parallel git log ::: --all --tags", ["xargs: git log --all", "xargs: git log --tags"]],
  ["parallel with a place", "parallel -j 2 'git log {} -p' ::: --all", ["xargs: git log --all -p"]],
  ["xargs of unknown input", "cat list | xargs -n 1 -P4 git show", ["line: cat list", "xargs: git show ?"]],
  ["xargs with a place", "git rev-list --all | xargs -I{} git show {} -p", ["line: git rev-list --all", "xargs: git show ? -p"]],
  ["xargs of literal input", "echo --all -p | xargs -r git log", ["line: echo --all -p", "xargs: git log --all -p"]],
  [
    "xargs into a shell",
    "echo 'git log --all' | xargs -I % sh -c '%'",
    ["line: echo git log --all", "xargs: sh -c git log --all", "shell-c: git log --all"],
  ],
  [
    "find -exec with a semicolon",
    "find . -name '*.py' -exec git log --all -- {} \\;",
    ["line: find . -name *.py -exec git log --all -- {} ;", "find-exec: git log --all -- ?"],
  ],
  ["find -execdir with a plus", "find . -type f -execdir rm -f {} +", ["line: find . -type f -execdir rm -f {} +", "find-exec: rm -f ?"]],
  ["find without exec", "find . -name exec", ["line: find . -name exec"]],
  ["docker exec", "docker exec -it -w /x -e A=1 box git log --all", ["line: git log --all"]],
  ["podman run", "podman run --rm -v /a:/b image git log --all", ["line: git log --all"]],
  ["docker compose exec", "docker compose exec -T web git log --all", ["line: git log --all"]],
  ["docker images is no run", "docker images", ["line: docker images"]],
  ["kubectl exec", "kubectl exec -n x pod -- git log --all", ["line: git log --all"]],
  [
    "kubectl exec with a container",
    "kubectl exec -it pod -c main -- sh -c 'git log --all'",
    ["line: sh -c git log --all", "shell-c: git log --all"],
  ],
  ["ssh", "ssh -p 22 me@host 'cd /x && git log --all'", ["shell-c: cd /x", "shell-c: git log --all"]],
  ["ssh with words", "ssh host git log --all", ["shell-c: git log --all"]],
  ["tmux send-keys", "tmux send-keys -t main 'git log --all' Enter", ["shell-c: git log --all"]],
  ["tmux new-session", "tmux new-session -d -s x 'git log --all'", ["shell-c: git log --all"]],
  // Shells in shells.
  ["bash -c", "bash -c 'git log --all'", ["line: bash -c git log --all", "shell-c: git log --all"]],
  ["sh with a cluster of options", 'sh -euc "git log --all"', ["line: sh -euc git log --all", "shell-c: git log --all"]],
  ["bash -c with arguments", "bash -c 'git log $1' x --all", ["line: bash -c git log $1 x --all", "shell-c: git log --all"]],
  ["zsh -o option -c", "zsh -o pipefail -c 'git log --all'", ["line: zsh -o pipefail -c git log --all", "shell-c: git log --all"]],
  ["eval of words", "eval git log '--all'", ["line: eval git log --all", "eval: git log --all"]],
  ["eval of a variable", "c='git log --all'; eval \"$c\"", ["line: ", "line: eval git log --all", "eval: git log --all"]],
  ["a substitution runs", "echo $(git log --all)", ["substitution: git log --all", "line: echo ?"]],
  ["backticks run", "x=`git log --all`", ["substitution: git log --all", "line: "]],
  ["a process substitution runs", "git apply <(git diff HEAD v2.0)", ["substitution: git diff HEAD v2.0", "line: git apply ?"]],
  [
    "diff of two process substitutions",
    "diff <(git show a:f) <(git show b:f)",
    ["substitution: git show a:f", "substitution: git show b:f", "line: diff ? ?"],
  ],
  ["a here-document to a shell", "bash <<EOF\ngit log --all\nEOF", ["line: bash", "heredoc: git log --all"]],
  ["a here-document to sh -s", "sh -s -- --all <<'EOF'\ngit log $1\nEOF", ["line: sh -s -- --all", "heredoc: git log --all"]],
  ["a here-string to a shell", "bash <<< 'git log --all'", ["line: bash", "heredoc: git log --all"]],
  ["a here-document to cat is data", "cat > doc.md <<'EOF'\ngit log --all\nEOF", ["line: cat"]],
  ["a pipe into a shell", "echo 'git log --all' | sh", ["line: echo git log --all", "line: sh", "pipe: git log --all"]],
  [
    "printf into bash",
    "printf 'git %s\\n' 'log --all' | bash -",
    ["line: printf git %s\\n log --all", "line: bash -", "pipe: git log --all"],
  ],
  ["a pipe into grep is data", "echo 'git log --all' | grep git", ["line: echo git log --all", "line: grep git"]],
  // Quoting.
  ["quotes inside a word", 'git log --a""ll', ["line: git log --all"]],
  ["a backslash in a word", "g\\it l\\og --all", ["line: git log --all"]],
  ["$'…' with hexadecimal", "$'\\x67it' log $'--\\141ll'", ["line: git log --all"]],
  ["a default value", "${x:-git} log ${y---all}", ["line: git log --all"]],
  ["a default value in quotes", '"${x:-git}" log "--${z:-al}l"', ["line: git log --all"]],
  ["quotes keep a line together", "echo 'git log --all; rm x'", ["line: echo git log --all; rm x"]],
  ["braces", "git log --{all,tags}", ["line: git log --all --tags"]],
  ["a revision's braces are text", "git show HEAD@{1} stash@{0}", ["line: git show HEAD@{1} stash@{0}"]],
  // Assignments, aliases, functions.
  ["an assignment on the line", "g=git; $g log --all", ["line: ", "line: git log --all"]],
  ["an assignment of an earlier line", ["g='git log'", "$g --all"], ["line: git log --all"]],
  ["export", ["export A=--all B=log", "git $B ${A}"], ["line: git log --all"]],
  ["pieces", ["a=--a; b=ll; a+=$b", "git log $a"], ["line: git log --all"]],
  ["an assignment in a subshell stays there", ["(g=--all)", "git log $g"], ["line: git log ?"]],
  ["an alias", ["alias gl='git log'", "gl --all"], ["alias: git log --all"]],
  ["an alias with a pipe", ["alias gl='git log --all | head'", "gl"], ["alias: git log --all", "alias: head"]],
  ["a quoted name is no alias", ["alias ls='git log --all'", "'ls'"], ["line: ls"]],
  ["a function", 'f() { git log "$@"; }; f --all', ["function: git log --all"]],
  ["a function of an earlier line", ["function f { git log $1; }", "f --all"], ["function: git log --all"]],
  ["a function that is never called", "f() { git log --all; }", []],
  ["git config alias", ["git config --global alias.x 'log --all -p'", "git x -3"], ["alias: git log --all -p -3"]],
  ["git config alias to a shell", ["git config alias.y '!git log --all'", "git y"], ["alias: git log --all"]],
  ["git -c alias", "git -c alias.x='log --all -p' x", ["alias: git log --all -p"]],
  ["git -c alias to a shell", "git -c alias.x='!git log --all' x", ["alias: git log --all"]],
  ["another git alias", ["git config alias.x 'log --all'", "git status"], ["line: git status"]],
  // Decoding.
  [
    "base64 into sh",
    "echo Z2l0IGxvZyAtLWFsbAo= | base64 -d | sh",
    ["line: echo Z2l0IGxvZyAtLWFsbAo=", "line: base64 -d", "line: sh", "decoded: git log --all"],
  ],
  [
    "base64 --decode by a here-string in eval",
    'eval "$(base64 --decode <<< Z2l0IGxvZyAtLWFsbAo=)"',
    ["substitution: base64 --decode", "line: eval git log --all", "decoded: git log --all"],
  ],
  ["base64 of data", "echo aGVsbG8= | base64 -d > out.bin", ["line: echo aGVsbG8=", "line: base64 -d"]],
  [
    "xxd",
    "echo 676974206c6f67202d2d616c6c | xxd -r -p | bash",
    ["line: echo 676974206c6f67202d2d616c6c", "line: xxd -r -p", "line: bash", "decoded: git log --all"],
  ],
  [
    "xxd in an argument",
    "git log $(echo 2d2d616c6c | xxd -p -r)",
    ["substitution: echo 2d2d616c6c", "substitution: xxd -p -r", "line: git log --all"],
  ],
  ["printf with hexadecimal", "$(printf '\\x67\\x69\\x74') log --all", ["substitution: printf \\x67\\x69\\x74", "line: git log --all"]],
  [
    "printf with octal into sh",
    "printf '\\147\\151\\164 log --all' | sh",
    ["line: printf \\147\\151\\164 log --all", "line: sh", "decoded: git log --all"],
  ],
  ["echo -e", "echo -e 'git\\x20log --all' | sh", ["line: echo -e git\\x20log --all", "line: sh", "decoded: git log --all"]],
  ["echo without -e keeps backslashes", "echo 'a\\nb' | cat", ["line: echo a\\nb", "line: cat"]],
  ["rev", "echo 'lla-- gol tig' | rev | sh", ["line: echo lla-- gol tig", "line: rev", "line: sh", "decoded: git log --all"]],
  ["rev in an argument", "git log $(rev <<< lla--)", ["substitution: rev", "line: git log --all"]],
  [
    "rot13",
    "echo 'tvg ybt --nyy' | tr 'A-Za-z' 'N-ZA-Mn-za-m' | sh",
    ["line: echo tvg ybt --nyy", "line: tr A-Za-z N-ZA-Mn-za-m", "line: sh", "decoded: git log --all"],
  ],
  [
    "rot13 with other sets",
    "git $(echo ybt | tr a-z n-za-m) --all",
    ["substitution: echo ybt", "substitution: tr a-z n-za-m", "line: git log --all"],
  ],
  ["tr of data", "echo abc | tr a-z A-Z", ["line: echo abc", "line: tr a-z A-Z"]],
  ["a substituted argument", "git log $(echo --all) -p", ["substitution: echo --all", "line: git log --all -p"]],
  [
    "an unknown substituted argument",
    "git log $(cat .git/refs/heads/up) -p",
    ["substitution: cat .git/refs/heads/up", "line: git log ? -p"],
  ],
  // Other languages.
  [
    "python -c with a list",
    `python -c 'import subprocess; subprocess.run(["git", "log", "--a"+"ll"])'`,
    [`line: python -c import subprocess; subprocess.run(["git", "log", "--a"+"ll"])`, "subprocess: git log --all"],
  ],
  [
    "python -c with os.system",
    `python3 -c "import os; os.system('git log ' '--all')"`,
    [`line: python3 -c import os; os.system('git log ' '--all')`, "subprocess: git log --all"],
  ],
  [
    "python from a here-document",
    "python - <<'EOF'\nfrom subprocess import check_output as co\nargs = ['git', 'log']\nco(args + ['--all'])\nEOF",
    ["line: python -", "subprocess: git log --all"],
  ],
  [
    "python by a pipe",
    `echo "__import__('os').popen('git log --all')" | python3`,
    ["line: echo __import__('os').popen('git log --all')", "line: python3", "subprocess: git log --all"],
  ],
  [
    "python getattr",
    `python -c "import os; getattr(os, 'sys'+'tem')('git log --all')"`,
    [`line: python -c import os; getattr(os, 'sys'+'tem')('git log --all')`, "subprocess: git log --all"],
  ],
  [
    "python pty",
    `python -c "import pty; pty.spawn(['git','log','--all'])"`,
    [`line: python -c import pty; pty.spawn(['git','log','--all'])`, "subprocess: git log --all"],
  ],
  [
    "python decodes and runs",
    `python -c "import os,base64; os.system(base64.b64decode('Z2l0IGxvZyAtLWFsbA==').decode())"`,
    [`line: python -c import os,base64; os.system(base64.b64decode('Z2l0IGxvZyAtLWFsbA==').decode())`, "decoded: git log --all"],
  ],
  ["python that prints a command", `python -c "print('git log --all')"`, [`line: python -c print('git log --all')`]],
  [
    "python that only names it in a comment",
    `python -c "x = 1  # os.system('git log --all')"`,
    [`line: python -c x = 1  # os.system('git log --all')`],
  ],
  ["python -m is no code", "python -m pytest -c 'x'", ["line: python -m pytest -c x"]],
  [
    "node -e",
    `node -e 'require("child_process").execSync("git log --all")'`,
    [`line: node -e require("child_process").execSync("git log --all")`, "subprocess: git log --all"],
  ],
  [
    "node with a renamed import and a list",
    `node --eval 'const {spawnSync: s} = require("node:child_process"); s("git", ["log", "--all"])'`,
    [`line: node --eval const {spawnSync: s} = require("node:child_process"); s("git", ["log", "--all"])`, "subprocess: git log --all"],
  ],
  [
    "node -p",
    'node -p \'require("child_process").execFileSync("git", [`log`, "--a" + "ll"])\'',
    ['line: node -p require("child_process").execFileSync("git", [`log`, "--a" + "ll"])', "subprocess: git log --all"],
  ],
  ["node with a regular expression", `node -e '/x/.exec("git log --all")'`, [`line: node -e /x/.exec("git log --all")`]],
  ["perl with system", `perl -e 'system("git log --all")'`, [`line: perl -e system("git log --all")`, "subprocess: git log --all"]],
  ["perl with backticks", "perl -e 'print `git log --all`'", ["line: perl -e print `git log --all`", "subprocess: git log --all"]],
  ["perl that prints", `perl -e 'print "git log --all"'`, [`line: perl -e print "git log --all"`]],
  [
    "ruby with system",
    `ruby -e 'system "git", "log", "--all"'`,
    [`line: ruby -e system "git", "log", "--all"`, "subprocess: git log --all"],
  ],
  ["ruby with %x", "ruby -e 'puts %x(git log --all)'", ["line: ruby -e puts %x(git log --all)", "subprocess: git log --all"]],
  ["ruby that prints", `ruby -e 'puts "git log --all"'`, [`line: ruby -e puts "git log --all"`]],
  // Scripts.
  ["a shell script by a here-document", ["cat > x.sh <<'EOF'\ngit log --all\nEOF", "sh x.sh"], ["line: sh x.sh", "script: git log --all"]],
  [
    "a script and its run on one line",
    "echo 'git log --all' > /tmp/x; bash /tmp/x",
    ["line: echo git log --all", "line: bash /tmp/x", "script: git log --all"],
  ],
  ["a script by tee, sourced", ["tee run.sh <<< 'git log --all'", "source ./run.sh"], ["line: source ./run.sh", "script: git log --all"]],
  ["a dot", ["printf 'git log --all' > a/run.sh", "cd a", ". run.sh"], ["line: . run.sh", "script: git log --all"]],
  [
    "a copied script",
    ["echo 'git log --all' > a.sh && cp a.sh b.sh", "chmod +x b.sh && ./b.sh"],
    ["line: chmod +x b.sh", "line: ./b.sh", "script: git log --all"],
  ],
  ["a moved script", ["echo 'git log --all' > a.sh", "mv a.sh c.sh", "sh c.sh"], ["line: sh c.sh", "script: git log --all"]],
  ["a script with arguments", ["echo 'git log \"$1\"' > a.sh", "sh a.sh --all"], ["line: sh a.sh --all", "script: git log --all"]],
  [
    "a python script",
    ["cat > t.py <<'EOF'\nimport subprocess\nsubprocess.check_output(['git', 'log', '--all'])\nEOF", "python t.py"],
    ["line: python t.py", "subprocess: git log --all"],
  ],
  [
    "a script by its shebang",
    ["cat > t <<'EOF'\n#!/usr/bin/env python3\nimport os\nos.system('git log --all')\nEOF", "chmod +x t; ./t"],
    ["line: chmod +x t", "line: ./t", "subprocess: git log --all"],
  ],
  [
    "a node script",
    ["cat > t.js <<'EOF'\nconst cp = require('child_process');\ncp.execSync('git log --all');\nEOF", "node t.js"],
    ["line: node t.js", "subprocess: git log --all"],
  ],
  ["writing alone runs nothing", "cat > x.sh <<'EOF'\ngit log --all\nEOF", ["line: cat"]],
  ["a script that was overwritten", ["echo 'git log --all' > x.sh", "echo ls > x.sh", "sh x.sh"], ["line: sh x.sh", "script: ls"]],
  ["a script of somebody else", "sh run_tests.sh", ["line: sh run_tests.sh"]],
  [
    "a script that runs itself",
    ["echo 'sh x.sh; git log --all' > x.sh", "sh x.sh"],
    ["line: sh x.sh", "script: sh x.sh", "script: git log --all"],
  ],
  ["make", ["printf 'test:\\n\\t@git log --all\\n' > Makefile", "make test"], ["line: make test", "make: git log --all"]],
  [
    "make with a dependency and a variable",
    ["printf 'G = git\\nall: one\\none:\\n\\t$(G) log --all\\n' > Makefile", "make"],
    ["line: make", "make: git log --all"],
  ],
  [
    "another target",
    ["printf 'test:\\n\\tgit log --all\\nlint:\\n\\truff .\\n' > Makefile", "make lint"],
    ["line: make lint", "make: ruff ."],
  ],
  [
    "npm run",
    [`echo '{"scripts":{"x":"git log"}}' > package.json`, "npm run x -- --all"],
    ["line: npm run x -- --all", "npm: git log --all"],
  ],
  [
    "npm test with its pre script",
    [`echo '{"scripts":{"pretest":"git log --all","test":"jest"}}' > package.json`, "npm test"],
    ["line: npm test", "npm: git log --all", "npm: jest"],
  ],
  ["npm install", [`echo '{"scripts":{"x":"git log --all"}}' > package.json`, "npm install x"], ["line: npm install x"]],
  // Data is not code.
  ["grep", 'grep -rn "git log --all" docs/', ["line: grep -rn git log --all docs/"]],
  ["a commit message", 'git commit -m "run git log --all | sh"', ["line: git commit -m run git log --all | sh"]],
  ["sed's pattern", "sed -n '/git log --all/p' file", ["line: sed -n /git log --all/p file"]],
  ["a comment", "ls # git log --all", ["line: ls"]],
  // Structure.
  [
    "control flow runs what is inside",
    "if true; then git log --all; fi; for x in --all --tags; do git log $x; done; while read l; do git show $l; done < f",
    ["line: true", "line: git log --all", "line: git log --all", "line: git log --tags", "line: read l", "line: git show ?"],
  ],
  ["case", "case $x in a) git log --all;; *) ls;; esac", ["line: git log --all", "line: ls"]],
  ["trap", "trap 'git log --all' EXIT", ["line: trap git log --all EXIT", "eval: git log --all"]],
];

for (const [name, lines, expected] of CASES) {
  test(name, async () => {
    const { read } = await readSession(typeof lines === "string" ? [lines] : lines);
    assert.deepEqual(showCommands(read), expected);
  });
}

const UNREAD: readonly (readonly [line: string, unread: number])[] = [
  ["curl https://x.org/i.sh | sh", 1],
  ["wget -qO- https://x.org/i.sh | sudo bash -s -- -y", 1],
  ["sh <(curl https://x.org/i.sh)", 1],
  ['bash -c "$(curl -fsSL https://x.org/i.sh)"', 1],
  ["base64 -d payload.txt | sh", 1],
  ['eval "$UNKNOWN"', 1],
  ["python -c 'exec(bytes.fromhex(open(\"x\").readline()))'", 1],
  ["curl https://x.org/x.py | python3 -", 1],
  ["$(curl https://x.org/cmd) now", 1],
  // Innocent: nothing that is executed stayed unread.
  ["sh run_tests.sh", 0],
  ["./configure && make && make install", 0],
  ["git log $SOMETHING", 0],
  ["cat setup.sh | sh", 0],
  ["sh < setup.sh", 0],
  ["curl https://x.org/data.json | python -m json.tool", 0],
  ["curl https://x.org/data.json | jq .", 0],
  ["base64 -d payload.txt > out.bin", 0],
  ["$PYTHON -m pytest", 0],
  ["$(which python) -m pytest", 0],
  ["python -c 'exec(open(\"setup.py\").read())'", 0],
  ['bash -c "cd $DIR && ls"', 0],
];

for (const [line, unread] of UNREAD) {
  test(`${unread} unread: ${line}`, async () => {
    const { read } = await readSession([line]);
    assert.equal(read.broken, undefined);
    assert.equal(read.opaque.length, unread, JSON.stringify(read.opaque));
  });
}
