import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { prepareOnce } from "./run-folder.ts";

const root = join(import.meta.dirname, "../..");

/** The package as it is published, with its declarations. A run builds it once. Copy it before you change anything. */
export function stagePackage(): Promise<string> {
  return prepareOnce("package", async (folder) => {
    await promisify(execFile)(process.execPath, ["scripts/stage.ts", folder], { cwd: root });
  });
}
