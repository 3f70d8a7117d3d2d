/** Who speaks. The version is the manifest's, which lies above `dist/` as it lies above `src/`. */
import fs from "node:fs";
import path from "node:path";

function readVersion(): string {
  for (const folder of ["..", "../.."]) {
    try {
      const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, folder, "package.json"), "utf8")) as {
        name?: string;
        version?: string;
      };
      if (manifest.name === "agent-proctor" && manifest.version !== undefined) return manifest.version;
    } catch {
      // Not there: the next place is tried.
    }
  }
  return "0.0.0";
}

export const tool = { name: "agent-proctor", version: readVersion() };
