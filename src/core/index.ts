/** The npm entry `agent-proctor/core`: the same function that every host calls, for use inside a training loop. */
export { verify, type Observed, type Result, type Rules } from "./verify";
export { type Run, type RunSource } from "./read";
export { toRunReport, type RunReport } from "./reports/run";
export { monitors } from "./monitors";
export { adapters } from "./adapters";
export { fromRecord } from "./text/text";
export type { Tools } from "./code/syntax";
export type * from "./model";
