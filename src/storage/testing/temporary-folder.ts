import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

const parent = mkdtempSync(join(tmpdir(), "annex-storage-"));
after(() => rmSync(parent, { recursive: true }));

/** An empty folder, which goes when all tests of the file have ended and closed what they had open in it. */
export function createTemporaryFolder(): string {
  return mkdtempSync(join(parent, "data-"));
}
