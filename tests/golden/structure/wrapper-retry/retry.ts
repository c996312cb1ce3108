import { setTimeout as sleep } from "node:timers/promises";
import type { Handler } from "../../../../src/index.ts";
import { StoreBusy, VersionConflict } from "./stock.ts";

/** Tries again while the store is busy, by calling itself. */
export async function retry<T>(work: () => Promise<T>, attempts = 3): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (attempts <= 1 || !(error instanceof StoreBusy)) throw error;
    await sleep(50);
    return retry(work, attempts - 1);
  }
}

/** Runs a handler again when somebody else was faster. */
export const again =
  (attempts: number) =>
  (handler: Handler): Handler =>
  async (e) => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        return await handler(e);
      } catch (error) {
        if (!(error instanceof VersionConflict)) throw error;
        e.app.logger.debug("Somebody else was faster", { attempt });
      }
    }
    throw e.error(409, "The stock changes too fast at the moment.");
  };
