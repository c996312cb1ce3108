import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { freemem } from "node:os";
import { join } from "node:path";

const parent = "/dev/shm";
const neededBytes = 4 * 1024 ** 3;

/**
 * A temporary folder in memory for a whole run. Tests create hundreds of databases, and writing them to a disk costs
 * a third of the CPU time that an application needs to start. Undefined on a machine without room for it.
 */
export function createMemoryFolder(): string | undefined {
  if (!hasRoom()) return undefined;
  const folder = mkdtempSync(join(parent, "annex-run-"));
  // Some tests start programs as another user.
  chmodSync(folder, 0o1777);
  // Unlike on a disk, what is left behind would take memory until the machine restarts.
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return canExecute(folder) ? folder : undefined;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(parent);
    return Math.min(bavail * bsize, freemem()) > neededBytes;
  } catch {
    return false;
  }
}

/** Containers often forbid programs in this file system. */
function canExecute(folder: string): boolean {
  const program = join(folder, "program");
  try {
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program, { force: true });
  }
}
