import { freemem, totalmem } from "node:os";
import { join } from "node:path";
import { type Part, put } from "./figures.ts";
import { numberAfter } from "./numbers.ts";
import { readSmallFile } from "./small-files.ts";

/** Memory of the machine, from /proc/meminfo. */
export function createProcMemory(root: string): Part {
  const path = join(root, "proc/meminfo");
  return {
    sample(figures) {
      const text = readSmallFile(path);
      const bytes = (name: string) => numberAfter(text, `${name}:`) * 1024;
      const total = bytes("MemTotal");
      const available = bytes("MemAvailable");
      const swap = bytes("SwapTotal");
      put(figures, "memory.total_bytes", total);
      put(figures, "memory.available_bytes", available);
      put(figures, "memory.used_bytes", total - available);
      // Shared memory is included in the cache, but cannot be reclaimed.
      put(
        figures,
        "memory.cached_bytes",
        bytes("Cached") + bytes("Buffers") + bytes("SReclaimable") - bytes("Shmem"),
      );
      put(figures, "memory.swap_total_bytes", swap);
      put(figures, "memory.swap_used_bytes", swap - bytes("SwapFree"));
    },
  };
}

/** For systems without /proc. On macOS, caches count as used memory. */
export function createOsMemory(): Part {
  return {
    sample(figures) {
      const total = totalmem();
      const available = freemem();
      put(figures, "memory.total_bytes", total);
      put(figures, "memory.available_bytes", available);
      put(figures, "memory.used_bytes", total - available);
    },
  };
}
