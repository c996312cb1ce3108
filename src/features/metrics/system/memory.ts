import { freemem, totalmem } from "node:os";
import { join } from "node:path";
import { numberAfter } from "./numbers.ts";
import { type Part, put } from "./sample-values.ts";
import { readSmallFile } from "./small-files.ts";

/** Memory of the machine, from /proc/meminfo. */
export function createProcMemory(root: string): Part {
  const path = join(root, "proc/meminfo");
  return {
    sample(values) {
      const text = readSmallFile(path);
      const bytes = (name: string) => numberAfter(text, `${name}:`) * 1024;
      const total = bytes("MemTotal");
      const available = bytes("MemAvailable");
      const swap = bytes("SwapTotal");
      put(values, "memory.total_bytes", total);
      put(values, "memory.available_bytes", available);
      put(values, "memory.used_bytes", total - available);
      // Shared memory is included in the cache, but cannot be reclaimed.
      put(
        values,
        "memory.cached_bytes",
        bytes("Cached") + bytes("Buffers") + bytes("SReclaimable") - bytes("Shmem"),
      );
      put(values, "memory.swap_total_bytes", swap);
      put(values, "memory.swap_used_bytes", swap - bytes("SwapFree"));
    },
  };
}

/** For systems without /proc. On macOS, caches count as used memory. */
export function createOsMemory(): Part {
  return {
    sample(values) {
      const total = totalmem();
      const available = freemem();
      put(values, "memory.total_bytes", total);
      put(values, "memory.available_bytes", available);
      put(values, "memory.used_bytes", total - available);
    },
  };
}
