/** What the suite tells the driver, one line of the console each. */

export const marker = "proctor-report ";

export type Report = { kind: "start"; count: number } | { kind: "test"; name: string; ms: number; error?: string };
