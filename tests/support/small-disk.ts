import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** A folder on a file system of its own in memory. Undefined without the right to mount one. */
export function mountSmallDisk(t: TestContext, size: string): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "annex-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    rmdirSync(folder);
    return undefined;
  }
  t.after(() => {
    execFileSync("umount", ["--lazy", folder]);
    rmdirSync(folder);
  });
  return folder;
}

/** Fills the disk of this folder to the last block. Returns the path of the file that does so. */
export function fillDisk(folder: string): string {
  const path = join(folder, "fill");
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    return path;
  } finally {
    closeSync(file);
  }
}
