import { createGoodRandom } from "../../../src/features/metrics/testing/traffic.ts";
import type { Checkout } from "../checkout.ts";

const jobs = 300;
const perBatch = 500;

/** Ended runs of 300 jobs, evenly over a period, through the store of runs. */
export async function fillRuns(
  checkout: Checkout,
  { runs, from, to }: { runs: number; from: number; to: number },
): Promise<void> {
  const { cronMigrations } =
    await checkout.load<typeof import("../../../src/features/cron/index.ts")>("features/cron/index.ts");
  const { createRunStore } = await checkout.load<
    typeof import("../../../src/features/cron/runs/store/run-store.ts")
  >("features/cron/runs/store/run-store.ts");
  const { createId, createTraceId } =
    await checkout.load<typeof import("../../../src/lib/ids.ts")>("lib/ids.ts");
  const database = await checkout.open("annex.db");
  await database.migrate([cronMigrations]);
  const store = createRunStore(database);
  const random = createGoodRandom(11);
  const step = (to - from) / runs;
  for (let first = 0; first < runs; first += perBatch) {
    const batch = Array.from({ length: Math.min(perBatch, runs - first) }, (_, offset) => {
      const index = first + offset;
      // Fifty jobs run every minute, the others once an hour.
      const job = index % 16 === 0 ? 50 + (Math.floor(index / 16) % (jobs - 50)) : index % 50;
      const jobId = `job-${String(job).padStart(3, "0")}`;
      return { index, id: createId(), jobId, job, at: Math.floor(from + index * step) };
    });
    await store.begin(
      batch.map(({ index, id, jobId, job, at }) => ({
        ...{ id, job_id: jobId, job_name: `Job ${job}`, trigger: "schedule", actor: null },
        ...{ trace_id: createTraceId(), scheduled_at: at, attempt: 1, started_at: at + 5 },
        ...{ instance: "i1", instance_name: "web-1", tick: `${jobId} ${at} ${index}`, exclusive: null },
        job_group: null,
      })),
    );
    await store.end(
      batch.map(({ index, id, jobId, at }) => {
        const durationMs = 20 + Math.floor(random() * 977);
        const output = JSON.stringify([
          { level: "start", message: "Collecting" },
          { level: "info", message: `Found ${index} rows for customer 4711` },
          { level: "success", message: "Sent 12 rows to the accounting system" },
        ]);
        const times = { startedAt: at + 5, endedAt: at + 5 + durationMs, durationMs };
        return {
          id,
          jobId,
          status: index % 50 === 0 ? "failed" : "success",
          ...times,
          progress: null,
          output,
        };
      }),
    );
  }
  await database.close();
}
