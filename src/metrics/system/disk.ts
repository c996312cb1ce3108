import { type StatsFs, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Part, put } from "./figures.ts";
import { seldom } from "./seldom.ts";

/** The file system that holds the data folder, counted as `df` counts it: what is kept for root is not available. */
export function createDisk(dataDir: string): Part {
  const read = seldom(() => readFileSystem(resolve(dataDir)));
  return {
    sample(figures, now) {
      const disk = read(now);
      if (!disk) return;
      const block = blockSize(disk);
      put(figures, "disk.total_bytes", disk.blocks * block);
      put(figures, "disk.used_bytes", (disk.blocks - disk.bfree) * block);
      put(figures, "disk.available_bytes", disk.bavail * block);
    },
  };
}

/** A folder that does not exist yet will be made where its nearest parent is. */
function readFileSystem(folder: string): StatsFs | undefined {
  try {
    return statfsSync(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? undefined : readFileSystem(parent);
  }
}

/** Blocks are counted in fragments, which some file systems make smaller than blocks. Older versions of Node do not tell. */
function blockSize(disk: StatsFs & { readonly frsize?: number }): number {
  return disk.frsize || disk.bsize;
}
