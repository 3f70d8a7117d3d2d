/**
 * Reading from a repository that may be hostile: git runs with everything off that could start a program, and nothing
 * is ever written.
 */
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { openSource } from "./files";

const safe = [
  "--no-pager",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.pager=cat",
  "-c",
  "core.sshCommand=false",
  "-c",
  "core.askPass=",
  "-c",
  "core.quotePath=false",
  "-c",
  "core.attributesFile=/dev/null",
  "-c",
  "diff.external=",
  "-c",
  "diff.noprefix=false",
  "-c",
  "diff.mnemonicPrefix=false",
  "-c",
  "diff.srcPrefix=a/",
  "-c",
  "diff.dstPrefix=b/",
  "-c",
  "diff.orderFile=/dev/null",
  "-c",
  "diff.ignoreSubmodules=dirty",
  "-c",
  "submodule.recurse=false",
  "-c",
  "protocol.allow=never",
  "-c",
  "credential.helper=",
  "-c",
  "color.ui=false",
  "-c",
  "gc.auto=0",
  "-c",
  "maintenance.auto=false",
];

/** In milliseconds and bytes. */
const patience = 60_000;
const mostOutput = 256 * 1024 * 1024;
const longestNew = 1024 * 1024;
const mostNew = 64 * 1024 * 1024;
const mostNewFiles = 5000;

export interface GitAnswer {
  status: number;
  stdout: Buffer;
  stderr: string;
}

/** Runs git in a folder; never throws. The status is -1 when git could not run or was stopped. */
export function runGit(folder: string, args: readonly string[]): Promise<GitAnswer> {
  return new Promise((resolve) => {
    const options = {
      cwd: folder,
      env: makeEnvironment(),
      encoding: "buffer",
      timeout: patience,
      maxBuffer: mostOutput,
      windowsHide: true,
    } as const;
    execFile("git", [...safe, ...args], options, (error, stdout, stderr) => {
      const status = error ? (typeof error.code === "number" ? error.code : -1) : 0;
      resolve({ status, stdout, stderr: stderr.toString("utf8").trim() || (error && status === -1 ? error.message : "") });
    });
  });
}

/** What git may be told through the environment is left out: it could name programs, other repositories and other settings. */
function makeEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GIT_|SSH_ASKPASS|PAGER|EDITOR|VISUAL|LESS)/i.test(name));
  return {
    ...Object.fromEntries(kept),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_PAGER: "cat",
    LC_ALL: "C",
  };
}

export interface DiffOptions {
  /** The changes since this revision, committed or not. */
  base?: string;
  /** Only what is staged. */
  staged?: boolean;
}

export type WorkingDiff = { bytes: Uint8Array; /** What is not in it, one sentence each. */ leftOut: string[] } | { why: string };

/** The changes of a working folder as a unified diff: tracked files, and untracked ones as added. */
export async function workingDiff(folder: string, { base, staged }: DiffOptions): Promise<WorkingDiff> {
  const top = await runGit(folder, ["rev-parse", "--show-toplevel"]);
  if (top.status !== 0) return { why: explain(top, folder) };
  const root = top.stdout.toString("utf8").replace(/\n$/, "");
  const since = await findRevision(root, base);
  if ("why" in since) return since;
  const filters = await listFilters(root);
  const args = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--find-renames", "--full-index", "--submodule=short", "-p"];
  const diff = await runGit(root, [...filters, ...args, ...(staged ? ["--cached"] : []), since.revision, "--"]);
  if (diff.status !== 0) return { why: `git diff failed: ${diff.stderr || "no reason given"}` };
  if (staged) return { bytes: diff.stdout, leftOut: [] };
  const added = await listNew(root);
  return { bytes: Buffer.concat([diff.stdout, ...added.parts]), leftOut: added.leftOut };
}

/** A repository can name programs that git runs on the content of its files (clean filters): each one found is switched off. */
async function listFilters(root: string): Promise<string[]> {
  const found = await runGit(root, [
    "config",
    "--includes",
    "--name-only",
    "-z",
    "--get-regexp",
    "^(filter|diff)\\..*\\.(clean|smudge|process|textconv|command)$",
  ]);
  const names = found.stdout
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "" && !name.includes("="));
  return [...new Set(names)].flatMap((name) => [
    "-c",
    `${name}=`,
    ...(name.startsWith("filter.") ? ["-c", `${name.replace(/\.[^.]*$/, "")}.required=false`] : []),
  ]);
}

/** Before the first commit there is nothing to compare with but the empty tree. */
async function findRevision(root: string, base: string | undefined): Promise<{ revision: string } | { why: string }> {
  if (base !== undefined) {
    const found = await runGit(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${base}^{commit}`]);
    if (found.status !== 0) return { why: `--base ${base}: this repository has no such revision.` };
    return { revision: found.stdout.toString("utf8").trim() };
  }
  const head = await runGit(root, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  if (head.status === 0) return { revision: head.stdout.toString("utf8").trim() };
  const format = await runGit(root, ["rev-parse", "--show-object-format"]);
  const isSha256 = format.stdout.toString("utf8").trim() === "sha256";
  // The empty tree's name in either kind of repository; git knows it without its being stored.
  const revision = isSha256
    ? "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
    : "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
  return { revision };
}

async function listNew(root: string): Promise<{ parts: Buffer[]; leftOut: string[] }> {
  const listed = await runGit(root, ["ls-files", "--others", "--exclude-standard", "-z"]);
  const parts: Buffer[] = [];
  const leftOut: string[] = [];
  if (listed.status !== 0) return { parts, leftOut: [`Untracked files could not be listed: ${listed.stderr}`] };
  const names = listed.stdout
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "" && !name.endsWith("/"));
  let size = 0;
  for (const name of names.sort().slice(0, mostNewFiles)) {
    const made = writeAdded(root, name);
    if (typeof made === "string") leftOut.push(`${name} is not looked at: ${made}.`);
    else if (size + made.length > mostNew) leftOut.push(`${name} is not looked at: the new files have more than 64 MB together.`);
    else {
      size += made.length;
      parts.push(made);
    }
  }
  if (names.length > mostNewFiles)
    leftOut.push(`${names.length - mostNewFiles} new files are not looked at: only the first ${mostNewFiles} are.`);
  return { parts, leftOut };
}

/** An untracked file as a diff that adds it; a sentence when it cannot be. */
function writeAdded(root: string, name: string): Buffer | string {
  const file = path.join(root, name);
  try {
    const stat = fs.lstatSync(file);
    const header = (mode: string): string => {
      const [before, after] = [quote(`a/${name}`), quote(`b/${name}`)];
      return `diff --git ${before} ${after}\nnew file mode ${mode}\n`;
    };
    const body = (lines: Buffer, count: number, hasEnd: boolean): Buffer =>
      Buffer.concat([
        // After a name with a space git puts a tab, so that programs see where it ends.
        Buffer.from(
          `--- /dev/null\n+++ ${quote(`b/${name}`)}${name.includes(" ") ? "\t" : ""}\n@@ -0,0 +1${count === 1 ? "" : `,${count}`} @@\n`,
        ),
        lines,
        Buffer.from(hasEnd ? "" : "\n\\ No newline at end of file\n"),
      ]);
    if (stat.isSymbolicLink())
      return Buffer.concat([Buffer.from(header("120000")), body(Buffer.from(`+${fs.readlinkSync(file)}`), 1, false)]);
    if (!stat.isFile()) return "it is not a regular file";
    if (stat.size > longestNew) return "it is larger than 1 MB";
    const mode = (stat.mode & 0o100) !== 0 ? "100755" : "100644";
    const source = openSource(file, name);
    const bytes = Buffer.from(source.read(0, source.size));
    source.close();
    if (bytes.length === 0) return Buffer.from(header(mode));
    if (bytes.subarray(0, 8000).includes(0)) return Buffer.from(`${header(mode)}Binary files /dev/null and ${quote(`b/${name}`)} differ\n`);
    const starts = [0];
    for (let at = bytes.indexOf(10); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(10, at + 1)) starts.push(at + 1);
    const plus = Buffer.from("+");
    const lines = starts.flatMap((start, index) => [plus, bytes.subarray(start, starts[index + 1])]);
    return Buffer.concat([Buffer.from(header(mode)), body(Buffer.concat(lines), starts.length, bytes.at(-1) === 10)]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** As git quotes a name with control characters, quotes or backslashes. */
function quote(name: string): string {
  if (!/["\\\x00-\x1f\x7f]/.test(name)) return name;
  const escaped = name.replace(/["\\]/g, "\\$&").replace(/[\x00-\x1f\x7f]/g, (c) => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`);
  return `"${escaped}"`;
}

function explain({ status, stderr }: GitAnswer, folder: string): string {
  if (/not a git repository/i.test(stderr))
    return `${folder} is in no git repository. Give a PATCH instead: proctor check FILE, or - for standard input.`;
  if (/dubious ownership/i.test(stderr)) return `git refuses ${folder}: it belongs to another user (safe.directory).`;
  if (status === -1) return `git could not be run: ${stderr || "no reason given"}.`;
  return `git failed: ${stderr || "no reason given"}`;
}
