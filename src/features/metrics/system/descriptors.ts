import { readdirSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { numberAfter } from "./numbers.ts";
import { type Part, put } from "./sample-values.ts";
import { readSmallFile } from "./small-files.ts";
import { throttled } from "./throttled.ts";

/** PROC_SUPER_MAGIC of <linux/magic.h>. */
const procFileSystem = 0x9fa0;

/** Number of open files and sockets of the process, and its limit. */
export function createDescriptors(root: string): Part {
  const folder = join(root, "proc/self/fd");
  const limits = join(root, "proc/self/limits");
  const count = throttled(() => countDescriptors(folder));
  const limit = throttled(() => numberAfter(readSmallFile(limits), "Max open files"));
  return {
    sample(values, now) {
      put(values, "process.open_descriptors", count(now));
      put(values, "process.descriptor_limit", limit(now));
    },
  };
}

/**
 * Since Linux 6.2, the size of the folder is the number of descriptors. In older versions, it is zero, and listing a
 * thousand descriptors takes a millisecond.
 */
function countDescriptors(folder: string): number {
  try {
    const size = statfsSync(folder).type === procFileSystem ? statSync(folder).size : 0;
    // The listing itself uses one descriptor.
    return size > 0 ? size : readdirSync(folder).length - 1;
  } catch {
    return NaN;
  }
}
