/** What a test run comes to. */
export interface Totals {
  passed: number;
  failed: number;
}
