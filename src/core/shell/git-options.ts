/**
 * The options of the git verbs that matter, as `git VERB --git-completion-helper-all` lists them. `=` marks an option that takes a
 * value as its next word; in `shorts`, `letter:name` with `=` (takes the next word or the rest) or `?` (takes the rest only).
 */
interface Spec {
  readonly longs: string;
  readonly shorts: string;
  readonly history?: true;
}
const SPECS: Record<string, Spec> = {
  log: {
    longs: "quiet source use-mailmap mailmap clear-decorations decorate-refs= decorate-refs-exclude= decorate",
    shorts:
      "p:patch u:patch n:max-count= S:S= G:G= L:L= g:walk-reflogs i:regexp-ignore-case E:extended-regexp F:fixed-strings P:perl-regexp q:quiet s:no-patch m:m c:cc-combined M:find-renames? C:find-copies? B:break-rewrites? O:O= U:unified= z:null R:R a:text w:ignore-all-space b:ignore-space-change t:t r:r l:l=",
    history: true,
  },
  show: {
    longs: "quiet source use-mailmap mailmap clear-decorations decorate-refs= decorate-refs-exclude= decorate",
    shorts:
      "p:patch u:patch n:max-count= S:S= G:G= L:L= g:walk-reflogs i:regexp-ignore-case E:extended-regexp F:fixed-strings P:perl-regexp q:quiet s:no-patch m:m c:cc-combined M:find-renames? C:find-copies? B:break-rewrites? O:O= U:unified= z:null R:R a:text w:ignore-all-space b:ignore-space-change t:t r:r l:l=",
    history: true,
  },
  diff: {
    longs:
      "patch unified function-context raw patch-with-raw patch-with-stat numstat shortstat dirstat cumulative dirstat-by-file check summary name-only name-status stat stat-width= stat-name-width= stat-graph-width= stat-count= compact-summary binary full-index color ws-error-highlight= abbrev src-prefix= dst-prefix= line-prefix= no-prefix inter-hunk-context= output-indicator-new= output-indicator-old= output-indicator-context= break-rewrites find-renames irreversible-delete find-copies find-copies-harder no-renames rename-empty follow minimal ignore-all-space ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines ignore-matching-lines= indent-heuristic patience histogram diff-algorithm= anchored= word-diff word-diff-regex= color-words color-moved color-moved-ws= relative text exit-code quiet ext-diff textconv ignore-submodules submodule ita-invisible-in-index ita-visible-in-index pickaxe-all pickaxe-regex rotate-to= skip-to= find-object= diff-filter= output=",
    shorts:
      "p:patch u:patch n:max-count= S:S= G:G= L:L= g:walk-reflogs i:regexp-ignore-case E:extended-regexp F:fixed-strings P:perl-regexp q:quiet s:no-patch m:m c:cc-combined M:find-renames? C:find-copies? B:break-rewrites? O:O= U:unified= z:null R:R a:text w:ignore-all-space b:ignore-space-change t:t r:r l:l=",
    history: true,
  },
  grep: {
    longs:
      "cached untracked exclude-standard recurse-submodules invert-match ignore-case word-regexp text textconv recursive max-depth= extended-regexp basic-regexp fixed-strings perl-regexp line-number column full-name files-with-matches name-only files-without-match null only-matching count color break heading context= before-context= after-context= threads= show-function function-context and or not quiet all-match open-files-in-pager ext-grep max-count= index",
    shorts:
      "e:e= f:f= i:ignore-case v:invert-match w:word-regexp n:line-number l:files-with-matches L:files-without-match c:count A:after-context= B:before-context= C:context= m:max-count= O:open-files-in-pager? E:extended-regexp F:fixed-strings G:basic-regexp P:perl-regexp h:h H:H a:text I:I q:quiet p:show-function W:function-context o:only-matching z:null r:recursive",
  },
  blame: {
    longs:
      "incremental root show-stats progress score-debug show-name show-number porcelain line-porcelain show-email ignore-rev= ignore-revs-file= color-lines color-by-age minimal contents= abbrev",
    shorts: "L:L= S:S= M:M? C:C? e:show-email w:w s:s l:l t:t f:show-name n:show-number p:porcelain c:c b:b",
    history: true,
  },
  commit: {
    longs:
      "quiet verbose file= author= date= message= reedit-message= reuse-message= fixup= squash= reset-author trailer= signoff template= edit cleanup= status gpg-sign all include interactive patch only dry-run short branch ahead-behind porcelain long null amend untracked-files pathspec-from-file= pathspec-file-nul allow-empty allow-empty-message verify post-rewrite",
    shorts:
      "m:message= F:file= C:reuse-message= c:reedit-message= t:template= S:gpg-sign? u:untracked-files? a:all n:no-verify p:patch v:verbose q:quiet s:signoff e:edit i:include o:only z:null",
  },
  push: {
    longs:
      "verbose quiet repo= all mirror delete tags dry-run porcelain force force-with-lease force-if-includes recurse-submodules= thin receive-pack= exec= set-upstream progress prune follow-tags signed atomic push-option= ipv4 ipv6 verify",
    shorts: "n:dry-run f:force u:set-upstream d:delete o:push-option= q:quiet v:verbose 4:ipv4 6:ipv6",
  },
  merge: {
    longs:
      "stat summary log squash commit edit cleanup= ff ff-only rerere-autoupdate verify-signatures strategy= strategy-option= message= file into-name= verbose quiet abort quit continue allow-unrelated-histories progress gpg-sign autostash overwrite-ignore signoff verify",
    shorts: "m:message= F:file= s:strategy= X:strategy-option= n:no-stat e:edit q:quiet v:verbose S:gpg-sign?",
  },
  rebase: {
    longs:
      "onto= keep-base quiet verbose signoff committer-date-is-author-date reset-author-date ignore-date ignore-whitespace whitespace= force-rebase continue skip abort quit edit-todo show-current-patch apply merge interactive preserve-merges rerere-autoupdate empty= keep-empty autosquash update-refs gpg-sign autostash exec= allow-empty-message rebase-merges fork-point strategy= strategy-option= root reschedule-failed-exec reapply-cherry-picks verify stat ff",
    shorts:
      "x:exec= s:strategy= X:strategy-option= C:C= i:interactive r:rebase-merges f:force-rebase n:no-stat m:merge k:keep-empty q:quiet v:verbose S:gpg-sign?",
  },
  "cherry-pick": {
    longs:
      "quit continue abort skip cleanup= edit signoff mainline= rerere-autoupdate strategy= strategy-option= gpg-sign ff allow-empty allow-empty-message keep-redundant-commits commit",
    shorts: "m:mainline= X:strategy-option= s:signoff n:no-commit e:edit x:x S:gpg-sign? r:r",
  },
  am: {
    longs:
      "verify interactive binary 3way quiet signoff utf8 keep keep-non-patch message-id keep-cr scissors quoted-cr= whitespace= ignore-space-change ignore-whitespace directory= exclude= include= patch-format= reject resolvemsg= continue resolved skip abort quit show-current-patch allow-empty committer-date-is-author-date ignore-date rerere-autoupdate gpg-sign empty= rebasing",
    shorts: "p:p= C:C= n:no-verify 3:3way s:signoff i:interactive k:keep r:resolved q:quiet u:utf8 c:scissors m:message-id S:gpg-sign?",
  },
  revert: {
    longs:
      "quit continue abort skip cleanup= edit signoff mainline= rerere-autoupdate strategy= strategy-option= gpg-sign reference commit",
    shorts: "m:mainline= X:strategy-option= s:signoff n:no-commit e:edit S:gpg-sign?",
  },
  checkout: {
    longs:
      "guess overlay quiet recurse-submodules progress merge conflict= detach track force orphan= overwrite-ignore ignore-other-worktrees ours theirs patch ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul",
    shorts: "b:b= B:B= f:force q:quiet d:detach t:track m:merge p:patch l:l 2:ours 3:theirs",
  },
  switch: {
    longs:
      "create= force-create= guess discard-changes quiet recurse-submodules progress merge conflict= detach track force orphan= overwrite-ignore ignore-other-worktrees",
    shorts: "c:create= C:force-create= f:force d:detach q:quiet t:track m:merge",
  },
  restore: {
    longs:
      "source= staged worktree ignore-unmerged overlay quiet recurse-submodules progress merge conflict= ours theirs patch ignore-skip-worktree-bits pathspec-from-file= pathspec-file-nul",
    shorts: "s:source= S:staged W:worktree p:patch q:quiet m:merge 2:ours 3:theirs",
  },
  reset: {
    longs: "quiet mixed soft hard merge keep recurse-submodules patch intent-to-add pathspec-from-file= pathspec-file-nul refresh",
    shorts: "q:quiet p:patch N:intent-to-add",
  },
  stash: {
    longs: "patch message= keep-index include-untracked all quiet staged pathspec-from-file= index only-untracked",
    shorts: "m:message= p:patch k:keep-index u:include-untracked a:all q:quiet S:staged",
  },
  clean: { longs: "quiet dry-run force interactive exclude=", shorts: "f:force d:d x:x X:X n:dry-run q:quiet i:interactive e:exclude=" },
  config: {
    longs:
      "global system local worktree file= blob= get get-all get-regexp get-urlmatch replace-all add unset unset-all rename-section remove-section list fixed-value edit get-color get-colorbool type= bool int bool-or-int bool-or-str path expiry-date null name-only includes show-origin show-scope default=",
    shorts: "f:file= l:list e:edit z:null",
  },
  fetch: {
    longs:
      "verbose quiet all set-upstream append atomic upload-pack= force multiple tags jobs= prefetch prune prune-tags recurse-submodules dry-run write-fetch-head keep update-head-ok progress depth= shallow-since= shallow-exclude= deepen= unshallow refetch submodule-prefix= recurse-submodules-default= update-shallow refmap= server-option= ipv4 ipv6 negotiation-tip= negotiate-only filter= auto-maintenance auto-gc show-forced-updates write-commit-graph stdin",
    shorts:
      "a:append f:force j:jobs= m:multiple n:no-tags p:prune P:prune-tags t:tags q:quiet v:verbose u:update-head-ok o:server-option= k:keep 4:ipv4 6:ipv6",
  },
  pull: {
    longs:
      "verbose quiet progress recurse-submodules rebase stat summary log signoff squash commit edit cleanup= ff ff-only verify verify-signatures autostash strategy= strategy-option= gpg-sign allow-unrelated-histories all append upload-pack= force tags prune jobs dry-run keep depth= shallow-since= shallow-exclude= deepen= unshallow update-shallow refmap= server-option= ipv4 ipv6 negotiation-tip= show-forced-updates set-upstream",
    shorts: "n:no-stat r:rebase? s:strategy= X:strategy-option= q:quiet v:verbose f:force t:tags j:jobs= k:keep a:append p:prune",
  },
  clone: {
    longs:
      "verbose quiet progress reject-shallow bare naked mirror local shared recurse-submodules recursive jobs= template= reference= reference-if-able= dissociate origin= branch= upload-pack= depth= shallow-since= shallow-exclude= single-branch shallow-submodules separate-git-dir= config= server-option= ipv4 ipv6 filter= also-filter-submodules remote-submodules sparse bundle-uri= checkout hardlinks tags",
    shorts: "b:branch= o:origin= u:upload-pack= c:config= j:jobs= l:local n:no-checkout s:shared q:quiet v:verbose",
  },
  remote: {
    longs: "verbose track= master= fetch tags mirror push all add delete prune dry-run",
    shorts: "v:verbose t:track= m:master= f:fetch",
  },
  branch: {
    longs:
      "verbose quiet track set-upstream set-upstream-to= unset-upstream color remotes contains with without abbrev all delete move copy list show-current create-reflog edit-description force merged column sort= points-at= ignore-case recurse-submodules format=",
    shorts:
      "a:all r:remotes d:delete D:force-delete m:move M:force-move c:copy C:force-copy u:set-upstream-to= v:verbose f:force t:track l:list q:quiet i:ignore-case",
  },
  tag: {
    longs:
      "list delete verify annotate message= file= edit sign cleanup= local-user= force create-reflog column contains with without merged sort= points-at format= color ignore-case",
    shorts: "m:message= F:file= u:local-user= n:n? a:annotate s:sign d:delete f:force l:list v:verify i:ignore-case e:edit",
  },
  reflog: {
    longs: "all expire= expire-unreachable= updateref rewrite stale-fix dry-run verbose single-worktree",
    shorts: "n:max-count= p:patch",
    history: true,
  },
  fsck: {
    longs: "verbose unreachable dangling tags root cache reflogs full connectivity-only strict lost-found progress name-objects",
    shorts: "v:verbose",
  },
  "cat-file": {
    longs:
      "allow-unknown-type use-mailmap mailmap batch batch-check batch-command batch-all-objects buffer follow-symlinks unordered textconv filters path=",
    shorts: "p:p t:t s:s e:e",
  },
  "rev-list": {
    longs:
      "patch unified function-context raw patch-with-raw patch-with-stat numstat shortstat dirstat cumulative dirstat-by-file check summary name-only name-status stat stat-width= stat-name-width= stat-graph-width= stat-count= compact-summary binary full-index color ws-error-highlight= abbrev src-prefix= dst-prefix= line-prefix= no-prefix inter-hunk-context= output-indicator-new= output-indicator-old= output-indicator-context= break-rewrites find-renames irreversible-delete find-copies find-copies-harder no-renames rename-empty follow minimal ignore-all-space ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines ignore-matching-lines= indent-heuristic patience histogram diff-algorithm= anchored= word-diff word-diff-regex= color-words color-moved color-moved-ws= relative text exit-code quiet ext-diff textconv ignore-submodules submodule ita-invisible-in-index ita-visible-in-index pickaxe-all pickaxe-regex rotate-to= skip-to= find-object= diff-filter= output=",
    shorts:
      "p:patch u:patch n:max-count= S:S= G:G= L:L= g:walk-reflogs i:regexp-ignore-case E:extended-regexp F:fixed-strings P:perl-regexp q:quiet s:no-patch m:m c:cc-combined M:find-renames? C:find-copies? B:break-rewrites? O:O= U:unified= z:null R:R a:text w:ignore-all-space b:ignore-space-change t:t r:r l:l=",
    history: true,
  },
  apply: {
    longs:
      "exclude= include= stat allow-binary-replacement binary numstat summary check index intent-to-add cached unsafe-paths apply 3way build-fake-ancestor= whitespace= ignore-space-change ignore-whitespace reverse unidiff-zero reject allow-overlap verbose quiet inaccurate-eof recount directory= allow-empty add",
    shorts: "p:p= C:C= R:reverse v:verbose 3:3way z:null q:quiet",
  },
  add: {
    longs:
      "dry-run verbose interactive patch edit force update renormalize intent-to-add all ignore-removal refresh ignore-errors ignore-missing sparse chmod= warn-embedded-repo pathspec-from-file= pathspec-file-nul",
    shorts: "A:all u:update p:patch f:force n:dry-run v:verbose i:interactive N:intent-to-add e:edit",
  },
  rm: {
    longs: "dry-run quiet cached force ignore-unmatch sparse pathspec-from-file= pathspec-file-nul",
    shorts: "f:force r:r n:dry-run q:quiet",
  },
  mv: { longs: "verbose dry-run force sparse", shorts: "f:force k:k n:dry-run v:verbose" },
  bundle: { longs: "quiet progress all-progress version= all branches tags", shorts: "", history: true },
  archive: { longs: "output= remote= exec=", shorts: "o:output= v:verbose l:list 0:0" },
  "format-patch": {
    longs:
      "numbered signoff stdout cover-letter numbered-files suffix= start-number= reroll-count= filename-max-length= rfc cover-from-description= subject-prefix= output-directory= keep-subject zero-commit ignore-if-in-upstream no-stat add-header= to= cc= from in-reply-to= attach inline thread signature= base= signature-file= quiet progress interdiff= range-diff= creation-factor= force-in-body-from binary",
    shorts: "o:output-directory= v:reroll-count= n:numbered N:no-numbered k:keep-subject s:signoff p:no-stat q:quiet",
    history: true,
  },
  "fast-export": {
    longs:
      "progress= signed-tags= tag-of-filtered-object= reencode= export-marks= import-marks= import-marks-if-exists= fake-missing-tagger full-tree use-done-feature refspec= anonymize anonymize-map= reference-excluded-parents show-original-ids mark-tags data",
    shorts:
      "p:patch u:patch n:max-count= S:S= G:G= L:L= g:walk-reflogs i:regexp-ignore-case E:extended-regexp F:fixed-strings P:perl-regexp q:quiet s:no-patch m:m c:cc-combined M:find-renames? C:find-copies? B:break-rewrites? O:O= U:unified= z:null R:R a:text w:ignore-all-space b:ignore-space-change t:t r:r l:l=",
    history: true,
  },
  worktree: {
    longs: "force detach checkout guess track quiet verbose porcelain lock reason= orphan expire=",
    shorts: "b:b= B:B= f:force d:detach q:quiet v:verbose",
  },
  "read-tree": {
    longs:
      "index-output= empty verbose trivial aggressive reset prefix= exclude-per-directory= dry-run debug-unpack recurse-submodules quiet sparse-checkout",
    shorts: "m:merge u:u i:i n:dry-run v:verbose q:quiet",
  },
  notes: {
    longs: "message= file= reuse-message= reedit-message= force allow-empty ref= stdin ignore-missing",
    shorts: "m:message= F:file= C:reuse-message= c:reedit-message= f:force",
  },
  whatchanged: {
    longs: "quiet source use-mailmap mailmap clear-decorations decorate-refs= decorate-refs-exclude= decorate",
    shorts:
      "p:patch u:patch n:max-count= S:S= G:G= L:L= g:walk-reflogs i:regexp-ignore-case E:extended-regexp F:fixed-strings P:perl-regexp q:quiet s:no-patch m:m c:cc-combined M:find-renames? C:find-copies? B:break-rewrites? O:O= U:unified= z:null R:R a:text w:ignore-all-space b:ignore-space-change t:t r:r l:l=",
    history: true,
  },
  shortlog: { longs: "committer numbered summary email group=", shorts: "s:summary n:numbered e:email c:committer w:w?", history: true },
  "for-each-ref": { longs: "shell perl python tcl count= format= color sort= points-at= merged contains ignore-case", shorts: "" },
  "show-branch": {
    longs: "all remotes color more list current sha1-name merge-base independent topo-order topics sparse date-order reflog name",
    shorts: "a:all r:remotes g:reflog?",
    history: true,
  },
  "ls-tree": { longs: "long name-only name-status object-only full-name full-tree format= abbrev", shorts: "r:r t:t d:d l:long z:null" },
  "ls-files": {
    longs:
      "cached deleted modified others ignored stage killed directory eol empty-directory unmerged resolve-undo exclude= exclude-from= exclude-per-directory= exclude-standard full-name recurse-submodules error-unmatch with-tree= abbrev debug deduplicate sparse format=",
    shorts: "c:cached d:deleted m:modified o:others i:ignored s:stage u:unmerged x:exclude= X:exclude-from= z:null t:t",
  },
  "ls-remote": {
    longs: "quiet upload-pack= exec= tags heads refs get-url sort= exit-code symref server-option=",
    shorts: "h:heads t:tags q:quiet",
  },
  describe: {
    longs: "contains debug all tags long first-parent abbrev exact-match candidates= match= exclude= always dirty broken",
    shorts: "",
  },
  "rev-parse": { longs: "git-completion-helper-all", shorts: "" },
  "update-ref": { longs: "stdin create-reflog deref", shorts: "d:d z:z m:m=" },
  "symbolic-ref": { longs: "quiet delete short recurse", shorts: "" },
  "checkout-index": {
    longs: "all ignore-skip-worktree-bits force quiet index stdin temp prefix= stage= create",
    shorts: "a:all f:force u:index q:quiet n:no-create z:null",
  },
  "hash-object": { longs: "stdin stdin-paths literally path= filters", shorts: "w:w t:t=" },
  "commit-tree": { longs: "gpg-sign", shorts: "p:p= m:m= F:F= S:gpg-sign?" },
  cherry: { longs: "abbrev verbose", shorts: "v:verbose", history: true },
  "range-diff": {
    longs:
      "creation-factor= notes left-only right-only patch unified function-context raw patch-with-raw patch-with-stat numstat shortstat dirstat cumulative dirstat-by-file check summary name-only name-status stat stat-width= stat-name-width= stat-graph-width= stat-count= compact-summary binary full-index color ws-error-highlight= abbrev src-prefix= dst-prefix= line-prefix= no-prefix inter-hunk-context= output-indicator-new= output-indicator-old= output-indicator-context= break-rewrites find-renames irreversible-delete find-copies find-copies-harder no-renames rename-empty follow minimal ignore-all-space ignore-space-change ignore-space-at-eol ignore-cr-at-eol ignore-blank-lines ignore-matching-lines= indent-heuristic patience histogram diff-algorithm= anchored= word-diff word-diff-regex= color-words color-moved color-moved-ws= relative text exit-code quiet ext-diff textconv ignore-submodules submodule ita-invisible-in-index ita-visible-in-index pickaxe-all pickaxe-regex rotate-to= skip-to= find-object= diff-filter= output= dual-color",
    shorts:
      "p:patch u:patch n:max-count= S:S= G:G= L:L= g:walk-reflogs i:regexp-ignore-case E:extended-regexp F:fixed-strings P:perl-regexp q:quiet s:no-patch m:m c:cc-combined M:find-renames? C:find-copies? B:break-rewrites? O:O= U:unified= z:null R:R a:text w:ignore-all-space b:ignore-space-change t:t r:r l:l=",
    history: true,
  },
  submodule: { longs: "quiet init recursive remote force depth= branch=", shorts: "" },
  bisect: { longs: "", shorts: "" },
  gc: { longs: "quiet prune cruft aggressive auto force keep-largest-pack", shorts: "q:quiet" },
};

/** Options of revision walking and diffs: git matches these exactly, never by a prefix. `=`: the value may be the next word. */
const HISTORY =
  "all branches tags remotes glob= exclude= exclude-hidden= reflog walk-reflogs alternate-refs single-worktree max-count= skip= since= after= until= before= since-as-filter= author= committer= grep= grep-reflog= all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp first-parent merges no-merges follow full-history simplify-by-decoration ancestry-path topo-order date-order author-date-order reverse oneline graph format pretty abbrev-commit no-abbrev-commit date stat numstat shortstat name-only name-status patch no-patch raw patch-with-stat pickaxe-all pickaxe-regex diff-filter= find-renames find-copies find-copies-harder cherry cherry-pick cherry-mark left-right left-only right-only not stdin objects no-object-names unpacked filter= count no-walk do-walk boundary output= cached staged no-index merge-base check exit-code quiet word-diff color no-color no-pager notes no-notes show-signature decorate no-decorate source mailmap ext-diff no-ext-diff textconv no-textconv indexed-objects missing= disk-usage root children parents";

export interface VerbTable {
  /** Names that may be shortened. */
  readonly longs: readonly string[];
  /** Names that may not. */
  readonly exact: ReadonlySet<string>;
  /** Long names whose value is the next word. */
  readonly values: ReadonlySet<string>;
  readonly shorts: Readonly<Record<string, string>>;
  readonly shortValues: string;
  readonly shortAttached: string;
}

function makeTable(spec: Spec): VerbTable {
  const names = spec.longs.split(" ").filter((name) => name !== "");
  const exact = spec.history === true ? HISTORY.split(" ") : [];
  const bare = names.map((name) => name.replace("=", ""));
  const negated = bare.map((name) => (name.startsWith("no-") ? name.slice(3) : `no-${name}`));
  const shorts: Record<string, string> = {};
  let shortValues = "";
  let shortAttached = "";
  for (const short of spec.shorts.split(" ").filter((s) => s !== "")) {
    const letter = short[0] ?? "";
    shorts[letter] = short.slice(2).replace(/[=?]$/, "");
    if (short.endsWith("=")) shortValues += letter;
    if (short.endsWith("?")) shortAttached += letter;
  }
  return {
    longs: [...new Set([...bare, ...negated])],
    exact: new Set(exact.map((name) => name.replace("=", ""))),
    values: new Set([...names, ...exact].filter((name) => name.endsWith("=")).map((name) => name.slice(0, -1))),
    shorts,
    shortValues,
    shortAttached,
  };
}

export const GIT_VERBS: Readonly<Record<string, VerbTable>> = Object.fromEntries(
  Object.entries(SPECS).map(([verb, spec]) => [verb, makeTable(spec)]),
);
