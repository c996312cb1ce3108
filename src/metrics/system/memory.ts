import { freemem, totalmem } from "node:os";
import { join } from "node:path";
import { type Part, put } from "./figures.ts";
import { numberAfter } from "./numbers.ts";
import { readSmallFile } from "./small-files.ts";

/** The memory of the machine, from /proc/meminfo. */
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
      // Shared memory is counted as cached, but it cannot be given back.
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

/** Where there is no /proc. On macOS only what holds nothing at all is free, so that caches are part of what is used. */
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
