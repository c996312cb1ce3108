import { moduleBeside } from "../../lib/worker/threads.ts";
import type { BackgroundService } from "../../storage/index.ts";
import type { HistoryContract } from "./history/calls.ts";
import { toSystemResponse } from "./responses.ts";
import type { StallWatch } from "./stalls/watch-contract.ts";
import type { SystemDescription } from "./system/sampler.ts";

export interface HistoryServiceOptions {
  readonly instance: string;
  readonly description: SystemDescription;
  readonly maxBytes: number;
  readonly stallWatch?: StallWatch | undefined;
  readonly epoch?: string;
}

/** Configuration of the history service for the background thread. */
export function historyService(options: HistoryServiceOptions): BackgroundService<HistoryContract> {
  const { instance, description, maxBytes, stallWatch, epoch } = options;
  const data = { instance, maxBytes, epoch, description: toSystemResponse(description), stallWatch };
  return { module: moduleBeside(import.meta.url, "background"), data };
}
