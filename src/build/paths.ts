import path from "node:path";

/** The repository's root, absolute. */
export const root = path.resolve(__dirname, "../..");

/** An absolute path inside the repository. */
export function at(...parts: string[]): string {
  return path.join(root, ...parts);
}
