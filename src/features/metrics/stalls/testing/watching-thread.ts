import { workerData } from "node:worker_threads";
import { watchStalls } from "../stall-watcher.ts";
import type { StallWatch } from "../watch-contract.ts";

// Unlike in the background thread, nothing else wakes this thread.
watchStalls(workerData as StallWatch);
setInterval(() => {}, 60_000);
