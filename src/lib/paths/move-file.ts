import { renameSync, rmSync } from "node:fs";

/** What Windows reports while another program, such as a virus scanner or an editor, has one of the files open. */
const passing = new Set(["EPERM", "EACCES", "EBUSY"]);
/** Together less than a second. */
const pausesMs = [5, 10, 20, 40, 80, 160, 320];

interface System {
  readonly platform: NodeJS.Platform;
  rename(from: string, to: string): void;
  pause(ms: number): void;
}

/** Looked up when it is called, because a test replaces the functions of `node:fs`. */
const thisSystem: System = {
  platform: process.platform,
  rename: (from, to) => renameSync(from, to),
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

/**
 * Renames a file or a folder, and replaces a file at the new path. Windows refuses this while one of the files is open,
 * so it is tried again for a moment. On other systems, the same codes are permanent.
 */
export function moveFile(from: string, to: string, { platform, rename, pause }: System = thisSystem): void {
  for (const pauseMs of platform === "win32" ? pausesMs : []) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!passing.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      pause(pauseMs);
    }
  }
  rename(from, to);
}

/** Removes a folder or file with everything in it, if it exists. Tries again on Windows, as `moveFile`. */
export function removeAll(path: string): void {
  const maxRetries = process.platform === "win32" ? pausesMs.length : 0;
  rmSync(path, { recursive: true, force: true, maxRetries, retryDelay: 20 });
}
