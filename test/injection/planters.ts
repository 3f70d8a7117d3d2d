/** All planters, in the order of the table. */
import type { Planter } from "./planter";
import { claimContradictsOutput } from "./plant-lie";
import { gitFutureHistory, upstreamFixFetch } from "./plant-peek";
import { reportHookRewrite, testSkipped, testWeakened } from "./plant-rig";

export const planters: readonly Planter[] = [
  gitFutureHistory,
  upstreamFixFetch,
  testSkipped,
  testWeakened,
  reportHookRewrite,
  claimContradictsOutput,
];
