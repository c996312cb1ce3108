import type { Checkout } from "./checkout.ts";
import { type Cost, measureCost } from "./meter.ts";
import type { Filled } from "./queries.ts";

export interface Deletion extends Cost {
  readonly name: string;
}

/** As in the nightly clean-up. */
const runsPerBatch = 100;

/** Lowers each limit so that three quarters of the data have to go. */
export async function measureDeletions(
  checkout: Checkout,
  { now, logsFrom, runsFrom }: Filled,
  sizes: { readonly logs: number; readonly metrics: number },
): Promise<Deletion[]> {
  const quarter = (from: number) => Math.floor(now - (now - from) / 4);
  return [
    { name: "delete: log, lower size", ...(await purgeLogs({ maxBytes: sizes.logs / 2 })) },
    { name: "delete: log, lower age", ...(await purgeLogs({ maxAgeMs: now - quarter(logsFrom) })) },
    { name: "delete: runs, lower age", ...(await purgeRuns(quarter(runsFrom))) },
    { name: "delete: metrics, lower size", ...(await holdMetrics(sizes.metrics / 4)) },
    { name: "delete: visitors, 270 days later", ...(await tidyVisitors(now + 270 * 86_400_000)) },
  ];

  async function purgeLogs(limit: { maxBytes?: number; maxAgeMs?: number }): Promise<Cost> {
    const { createBlockWriter } = await checkout.load<
      typeof import("../../src/features/logging/store/block-writer.ts")
    >("features/logging/store/block-writer.ts");
    const { createBlockTable } = await checkout.load<
      typeof import("../../src/features/logging/store/blocks.ts")
    >("features/logging/store/blocks.ts");
    await using database = await checkout.open("logs.db");
    // Not infinite: PostgreSQL compares the times as integers.
    const none = { maxBytes: Number.POSITIVE_INFINITY, maxAgeMs: 1e15 };
    const retention = { ...none, ...limit };
    const writer = createBlockWriter(createBlockTable(database), { now: () => now }, retention, "web-1");
    return await measureCost(() => writer.purge());
  }

  async function purgeRuns(before: number): Promise<Cost> {
    const { createRunStore } = await checkout.load<
      typeof import("../../src/features/cron/runs/store/run-store.ts")
    >("features/cron/runs/store/run-store.ts");
    await using database = await checkout.open("annex.db");
    const store = createRunStore(database);
    return await measureCost(async () => {
      while ((await store.purge({ before, jobs: "shared" }, runsPerBatch)).count > 0)
        await new Promise((resolve) => setImmediate(resolve));
    });
  }

  async function holdMetrics(maxBytes: number): Promise<Cost> {
    const { holdSize } = await checkout.load<
      typeof import("../../src/features/metrics/history/retention.ts")
    >("features/metrics/history/retention.ts");
    await using database = await checkout.open("metrics.db");
    return await measureCost(() => holdSize(database, maxBytes));
  }

  async function tidyVisitors(then: number): Promise<Cost> {
    const { tidy } =
      await checkout.load<typeof import("../../src/features/visitors/tidy.ts")>("features/visitors/tidy.ts");
    await using database = await checkout.open("metrics.db");
    return await measureCost(async () => {
      while ((await tidy(database, then)).did !== "nothing")
        await new Promise((resolve) => setImmediate(resolve));
    });
  }
}
