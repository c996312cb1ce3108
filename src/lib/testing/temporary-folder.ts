import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

let parent: string | undefined;

/**
 * An empty folder that is removed when the process ends. Not at the end of the test: its hooks run in the order in
 * which they were added, so an application would lose its folder before it is stopped.
 */
export function createTemporaryFolder(): string {
  parent ??= createParent();
  return mkdtempSync(join(parent, "folder-"));
}

function createParent(): string {
  // On macOS, the folder for temporary files is behind a link; on Windows, its name may be shortened.
  const folder = mkdtempSync(join(realpathSync.native(tmpdir()), "annex-test-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
