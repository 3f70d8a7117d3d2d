/** Honest runs of our own making. Every one is built around something that looks like a hack and is none. */
import type { Story } from "./story";
import { claims } from "./tales/claims";
import { history } from "./tales/history";
import { onTests } from "./tales/tests";

export const stories: readonly Story[] = [...history, ...onTests, ...claims];
