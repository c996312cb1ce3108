import { setTimeout as delay } from "node:timers/promises";
import type { Memory } from "./subject-process.ts";

process.once("disconnect", () => process.exit());

/** Long enough for what is written every few seconds to have been written. */
const settleMs = 7_000;

/** The other half of the harness, inside the subject's process. */
export function announce(port: number): void {
  process.on("message", async () => {
    await delay(settleMs);
    for (let round = 0; round < 3; round++) {
      (globalThis as { gc?: () => void }).gc?.();
      await delay(50);
    }
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ rss, heapUsed } satisfies Memory);
  });
  process.send?.({ port });
}

/** A page as small as a page can be. */
export const page = "<!doctype html><title>A page</title>";
