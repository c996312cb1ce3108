import { type StatsFs, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Part, put } from "./sample-values.ts";
import { throttled } from "./throttled.ts";

/** The file system of the data folder, measured like `df`: space reserved for root is not available. */
export function createDisk(dataDir: string): Part {
  const read = throttled(() => readFileSystem(resolve(dataDir)));
  return {
    sample(values, now) {
      const disk = read(now);
      if (!disk) return;
      const block = blockSize(disk);
      put(values, "disk.total_bytes", disk.blocks * block);
      put(values, "disk.used_bytes", (disk.blocks - disk.bfree) * block);
      put(values, "disk.available_bytes", disk.bavail * block);
    },
  };
}

/** A folder that does not exist yet will be created in its nearest existing parent. */
function readFileSystem(folder: string): StatsFs | undefined {
  try {
    return statfsSync(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? undefined : readFileSystem(parent);
  }
}

/**
 * Blocks are counted in fragments, which can be smaller than blocks. Older versions of Node do not report the fragment
 * size.
 */
function blockSize(disk: StatsFs & { readonly frsize?: number }): number {
  return disk.frsize || disk.bsize;
}
