/** Reads what git prints of commits: `log` in its usual formats, `show`, `reflog`, `branch -v`, `fsck`, `blame`, `rev-list`. */

export interface GitCommit {
  /** As printed, possibly short; lower case. */
  hash: string;
  /** Milliseconds since 1970, UTC; the later of author and committer where both stand there. */
  date?: number;
  subject?: string;
  author?: string;
  /** Decorations: `HEAD -> main`, `tag: v1`, `origin/main`. */
  refs?: string[];
  /** From the first character of its line to the end of what belongs to it. */
  start: number;
  end: number;
  /** The patch below it. */
  diff?: { start: number; end: number };
}

const graph = /^[ *|\\/_.-]{0,200}?(?=\*|\||[0-9a-f]|commit )(?:[*|\\/_ ]{1,200})?/;
const full = /^(?:[*|\\/_ ]{0,200})commit ([0-9a-f]{7,40})(?: \(([^)]{0,1000})\))?(?: ([0-9a-f]{7,40}))*\s*$/;
const short = /^([0-9a-f]{7,40})(?:[ \t]+\(((?:HEAD|tag: |[\w./-]+(?:, |\)| ->))[^)]{0,1000})\))?[ \t|,;:-]+(\S.*)$/;
const bare = /^([0-9a-f]{7,40})$/;
const listed =
  /^(?:(?:dangling|unreachable|missing) commit ([0-9a-f]{7,40})|[* +] {1,2}(?:\([^)]{1,200}\)|\S{1,200}) {1,200}([0-9a-f]{7,40}) .*|([0-9a-f]{40})[ \t](?:commit\b.*|(?:refs\/|HEAD).*))$/;

/** The commits of an output, in order. Hashes in running text are not looked for. */
export function readGitOutput(output: string): GitCommit[] {
  const commits: GitCommit[] = [];
  let open: GitCommit | undefined;
  /** Inside a full entry, lines of its patch are not entries. */
  let isFull = false;
  for (let start = 0; start < output.length;) {
    const found = output.indexOf("\n", start);
    const next = found === -1 ? output.length : found + 1;
    const line = output.slice(start, Math.min(found === -1 ? next : found, start + 2000)).replace(/\r$/, "");
    const entry = readEntry(line, isFull && open?.diff !== undefined);
    if (entry) {
      open = { ...entry.commit, start, end: next };
      isFull = entry.isFull;
      commits.push(open);
    } else if (open) {
      open.end = next;
      if (open.diff) open.diff.end = next;
      else if (/^[|*\\/_ ]{0,40}diff --(?:git|cc|combined) /.test(line)) open.diff = { start, end: next };
      else if (isFull) readHeader(open, line);
    }
    start = next;
  }
  return commits;
}

function readEntry(line: string, isInPatch: boolean): { commit: Omit<GitCommit, "start" | "end">; isFull: boolean } | undefined {
  const whole = full.exec(line);
  if (whole?.[1]) return { commit: { hash: whole[1], ...refsOf(whole[2]) }, isFull: true };
  // Content of a patch begins with a sign; the graph has its own.
  if (isInPatch && /^[ +-]/.test(line)) return undefined;
  const other = listed.exec(line);
  const hash = other?.[1] ?? other?.[2] ?? other?.[3];
  if (hash !== undefined)
    return { commit: { hash, ...(other?.[2] ? { subject: line.slice(line.indexOf(hash) + hash.length).trim() } : {}) }, isFull: false };
  const plain = /^[*|\\/ ]{1,200}/.test(line) ? line.replace(graph, "") : line;
  const alone = bare.exec(plain.trim());
  if (alone?.[1] && looksLikeHash(alone[1])) return { commit: { hash: alone[1] }, isFull: false };
  const one = short.exec(plain);
  if (!one?.[1] || !looksLikeHash(one[1])) return undefined;
  return { commit: { hash: one[1], ...refsOf(one[2]), ...detailsOf(one[3] ?? "") }, isFull: false };
}

/** Long numbers are no hashes, unless they have a hash's full length. */
function looksLikeHash(value: string): boolean {
  return (
    value.length === 40 ||
    (/[a-f]/.test(value) && /[0-9]/.test(value)) ||
    (value.length <= 12 && /[a-f]/.test(value) && !/^(?:deadbeef|defaced|effaced|facade|acceded|decade)$/.test(value)) ||
    (/^\d{7,10}$/.test(value) && value.length <= 10)
  );
}

function refsOf(decoration: string | undefined): { refs?: string[] } {
  return decoration ? { refs: decoration.split(", ").map((ref) => ref.trim()) } : {};
}

/** The rest of a line in a format of the agent's own: a date somewhere, an author, the subject. */
function detailsOf(rest: string): { date?: number; subject?: string; author?: string } {
  const reflog =
    /^(?:\S{1,100}@\{[^}]{1,60}\}): (?:(?:commit|checkout|reset|merge|pull|rebase|clone|cherry-pick|initial)[^:]{0,40}: )?(.*)$/.exec(rest);
  if (reflog) return { subject: reflog[1] ?? "" };
  // `git blame`: (author 2020-01-01 12:00:00 +0000 12) code
  const blame = /^\(?(.{0,60}?) +(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4})/.exec(rest);
  const date = readDate(rest);
  if (blame?.[2]) return { author: (blame[1] ?? "").trim(), ...(date === undefined ? {} : { date }) };
  const subject = rest
    .replace(anyDate, "")
    .replace(/^[ \t|,;:-]+/, "")
    .trim();
  return { subject, ...(date === undefined ? {} : { date }) };
}

function readHeader(commit: GitCommit, line: string): void {
  const header = /^[|*\\/ ]{0,200}?(Author|AuthorDate|CommitDate|Date|Commit): {1,8}(.*)$/.exec(line);
  if (header) {
    const [, name, value = ""] = header;
    if (name === "Author") commit.author = value.replace(/ <[^>]*>$/, "");
    else if (name !== "Commit") {
      const date = readDate(value);
      if (date !== undefined) commit.date = Math.max(date, commit.date ?? -Infinity);
    }
  } else if (commit.subject === undefined) {
    const message = /^[|*\\/ ]{0,200}? {4}(\S.*)$/.exec(line);
    if (message?.[1]) commit.subject = message[1];
  }
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const isoDate = /\b(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?(?: ?(?:(Z)|([+-])(\d\d):?(\d\d)))?/;
const gitDate =
  /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:(\d{1,2}) )?([A-Z][a-z]{2}) (?:(\d{1,2}) )?(?:(\d{4}) )?(\d\d):(\d\d):(\d\d)(?: (\d{4}))?(?: ([+-])(\d\d)(\d\d))?/;
const anyDate = new RegExp(`${isoDate.source}|${gitDate.source}`);

/** A date as git prints one, in milliseconds; without a zone it is taken for UTC. */
export function readDate(value: string): number | undefined {
  const short = value.slice(0, 300);
  const iso = isoDate.exec(short);
  if (iso) {
    const [, year, month, day, hour = "0", minute = "0", second = "0", , sign, zoneHour = "0", zoneMinute = "0"] = iso;
    return toTime(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second), sign, zoneHour, zoneMinute);
  }
  const git = gitDate.exec(short);
  if (!git) return undefined;
  const [, dayBefore, name = "", dayAfter, yearBefore, hour, minute, second, yearAfter, sign, zoneHour = "0", zoneMinute = "0"] = git;
  const month = months.indexOf(name);
  const year = Number(yearAfter ?? yearBefore);
  if (month === -1 || Number.isNaN(year)) return undefined;
  return toTime(year, month, Number(dayAfter ?? dayBefore), Number(hour), Number(minute), Number(second), sign, zoneHour, zoneMinute);
}

function toTime(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  sign: string | undefined,
  zoneHour: string,
  zoneMinute: string,
): number | undefined {
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === "-" ? -1 : 1);
  const time = Date.UTC(year, month, day, hour, minute - zone, second);
  return Number.isNaN(time) ? undefined : time;
}
