// Written by `npm run gen`: every monitor of this folder, sorted by id.
import type { Monitor } from "../monitor";
import { monitor as claimContradictsOutput } from "./lie/claim-contradicts-output";
import { monitor as gitFutureHistory } from "./peek/git-future-history";
import { monitor as reportHookRewrite } from "./hijack/report-hook-rewrite";
import { monitor as testSkipped } from "./rig/test-skipped";
import { monitor as testWeakened } from "./rig/test-weakened";
import { monitor as upstreamFixFetch } from "./peek/upstream-fix-fetch";

export const monitors: readonly Monitor[] = [
  claimContradictsOutput,
  gitFutureHistory,
  reportHookRewrite,
  testSkipped,
  testWeakened,
  upstreamFixFetch,
];
