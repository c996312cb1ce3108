import { constants, type PerformanceEntry, PerformanceObserver } from "node:perf_hooks";
import { type Part, put } from "./sample-values.ts";

/** Documented by Node, but missing in its types. */
interface GarbageEntry extends PerformanceEntry {
  readonly detail: { readonly kind: number };
}

/** Incremental marking steps and weak callbacks are pauses, too, but not separate collections. */
const collections: ReadonlySet<number> = new Set([
  constants.NODE_PERFORMANCE_GC_MINOR,
  constants.NODE_PERFORMANCE_GC_MINOR_MARK_SWEEP,
  constants.NODE_PERFORMANCE_GC_MAJOR,
]);

/** Garbage collection since the previous sample. */
export function createGarbage(): Part {
  let seen = none();
  const observer = new PerformanceObserver((list) => count(seen, list.getEntries()));
  observer.observe({ entryTypes: ["gc"] });
  return {
    sample(values) {
      // Entries that have not been delivered yet belong to this sample.
      count(seen, observer.takeRecords());
      put(values, "gc.count", seen.count);
      put(values, "gc.major_count", seen.major);
      put(values, "gc.pause_ms", seen.pause);
      put(values, "gc.longest_pause_ms", seen.longest);
      seen = none();
    },
    close: () => observer.disconnect(),
  };
}

function none() {
  return { count: 0, major: 0, pause: 0, longest: 0 };
}

function count(seen: ReturnType<typeof none>, entries: readonly PerformanceEntry[]): void {
  for (const { duration, detail } of entries as readonly GarbageEntry[]) {
    if (collections.has(detail.kind)) seen.count++;
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) seen.major++;
    seen.pause += duration;
    seen.longest = Math.max(seen.longest, duration);
  }
}
