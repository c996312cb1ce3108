import { join } from "node:path";
import { getHeapSpaceStatistics, getHeapStatistics } from "node:v8";
import { nextNumber } from "./numbers.ts";
import { increase, type Part, put, type SampleValues } from "./sample-values.ts";
import { readSmallFile } from "./small-files.ts";
import { throttled } from "./throttled.ts";

/** V8 has about a dozen; more than this are ignored. */
const maximumHeapSpaces = 32;

/** Resource usage of this process. */
export function createProcess(): Part {
  // The list of handles grows with the number of connections: 0.1 ms for 2,000 to 3,000.
  const countHandles = throttled(() => process.getActiveResourcesInfo().length);
  const cpuRatio = createCpuRatio();
  return {
    sample(values, now) {
      put(values, "process.cpu_ratio", cpuRatio(now));
      put(values, "process.uptime_seconds", process.uptime());
      put(values, "process.handles", countHandles(now));
      putMemory(values);
      putHeapSpaces(values);
    },
  };
}

/** Relative to one core: two busy threads result in 2. */
function createCpuRatio(): (now: number) => number {
  let before: { readonly at: number; readonly used: number } | undefined;
  return (now) => {
    const { user, system } = process.cpuUsage();
    const used = (user + system) / 1000;
    const ratio = increase(before?.used, used) / increase(before?.at, now);
    before = { at: now, used };
    return ratio;
  };
}

function putMemory(values: SampleValues): void {
  const { rss, heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
  put(values, "process.rss_bytes", rss);
  put(values, "process.heap_used_bytes", heapUsed);
  put(values, "process.heap_total_bytes", heapTotal);
  put(values, "process.heap_limit_bytes", getHeapStatistics().heap_size_limit);
  put(values, "process.external_bytes", external);
  put(values, "process.array_buffers_bytes", arrayBuffers);
}

function putHeapSpaces(values: SampleValues): void {
  for (const space of getHeapSpaceStatistics().slice(0, maximumHeapSpaces))
    put(values, `process.heap_space.${space.space_name}.used_bytes`, space.space_used_size);
}

/** Number of threads, available from /proc only. */
export function createThreads(root: string): Part {
  const path = join(root, "proc/self/stat");
  return {
    sample(values) {
      put(values, "process.threads", threadsIn(readSmallFile(path)));
    },
  };
}

/** The 20th field. The second field is the program name in parentheses, which can contain spaces and parentheses. */
function threadsIn(stat: string): number {
  const fields = stat
    .slice(stat.lastIndexOf(")") + 1)
    .trimStart()
    .split(" ", 18);
  return nextNumber({ text: fields[17] ?? "", at: 0 });
}
