import type { Worker, WorkerOptions } from "node:worker_threads";
import { startThread } from "../../lib/threads.ts";

/** Source may be nested deeply, and a default stack is small. */
const stackSizeMb = 32;
/** Trees of source die young. With more room for them, collecting garbage takes an eighth of the CPU time less. */
const maxYoungGenerationSizeMb = 128;

/** Starts a thread that does not keep the process running. */
export function startDeepThread(entry: URL, options: WorkerOptions): Worker {
  const worker = startThread(entry, {
    ...options,
    resourceLimits: { stackSizeMb, maxYoungGenerationSizeMb },
  });
  worker.unref();
  return worker;
}
