// Written by `npm run gen`: every adapter of this folder, sorted by id.
import type { Adapter } from "../adapter";
import { adapter as claudeCode } from "./claude-code";
import { adapter as claudeCodeExport } from "./claude-code-export";
import { adapter as miniSweAgent } from "./mini-swe-agent";
import { adapter as recording } from "./recording";
import { adapter as sweAgent } from "./swe-agent";
import { adapter as unifiedDiff } from "./unified-diff";

export const adapters: readonly Adapter[] = [claudeCode, claudeCodeExport, miniSweAgent, recording, sweAgent, unifiedDiff];
