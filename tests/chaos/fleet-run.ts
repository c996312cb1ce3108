import { setTimeout as delay } from "node:timers/promises";
import type { Cleanup } from "../../src/lib/testing/share.ts";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import { until } from "../../src/lib/testing/until.ts";
import { durable, startPostgres } from "../support/postgres.ts";
import { hurryClock, msToTick } from "./database-clock.ts";
import type { Evidence } from "./evidence.ts";
import { causeFaults } from "./faults.ts";
import { Instance } from "./instance.ts";
import { createJobs } from "./jobs.ts";
import { Observer } from "./observer.ts";
import { watchPace } from "./pace.ts";
import { type Fault, firstTickSeconds } from "./plan.ts";
import { monotonicMs, readRecords, toCalls } from "./records.ts";

export interface FleetRunOptions {
  readonly instances: number;
  readonly jobs: number;
  readonly plan: readonly Fault[];
  /** Time with faults, and the calm after them, in seconds. */
  readonly seconds: number;
  readonly blockMs: number;
  /** When the first tick is due after the start. Without it, the run waits for the next minute. */
  readonly firstTickMs?: number;
  log(line: string): void;
}

/** The clock of the last instance is this far ahead. */
const clockShiftMs = 5 * 60_000;

/** Runs a fleet through a plan of faults, and returns what the instances, the database and the faults left behind. */
export async function runFleet(cleanup: Cleanup, options: FleetRunOptions): Promise<Evidence> {
  const { plan, seconds, log } = options;
  const server = await startPostgres([durable]);
  cleanup.after(() => server.stop());
  const folder = createTemporaryFolder();
  const observer = new Observer(server.url);
  cleanup.after(() => observer.stop());
  const { firstTickMs } = options;
  const aheadMs = firstTickMs === undefined ? 0 : await hurryClock(observer, firstTickMs);
  const instances = await startInstances(cleanup, server.url, folder, options);
  log(`${instances.length} instances are ready`);
  observer.start();
  const wallShiftMs = Date.now() + aheadMs - monotonicMs();
  await waitForTick(monotonicMs() + wallShiftMs);
  const pace = watchPace();
  const begin = monotonicMs();
  const incidents = await causeFaults(plan, { server, instances, log });
  await delay(Math.max(0, begin + seconds * 1_000 - monotonicMs()));
  const window = { from: begin + wallShiftMs, to: monotonicMs() + wallShiftMs };
  await Promise.all(instances.map((instance) => instance.becomesReady()));
  await waitForRuns(observer, log);
  pace.end();
  const readAt = monotonicMs();
  const runs = await observer.readRuns();
  for (const instance of instances) instance.signal("SIGTERM");
  await Promise.all(instances.map((instance) => instance.ended()));
  const records = readRecords(folder);
  return {
    jobs: createJobs(options.jobs),
    runs,
    // A later call belongs to a run that was stored later.
    calls: toCalls(records).filter(({ begin }) => begin < readAt),
    records,
    incidents,
    window,
    wallShiftMs,
    slackMs: pace.longestWaitMs,
    lastSeenRunning: (run) => observer.lastSeenRunning(run),
  };
}

/** All of them start at the same time, on an empty database. */
async function startInstances(
  cleanup: Cleanup,
  databaseUrl: string,
  folder: string,
  { instances: count, jobs, blockMs }: FleetRunOptions,
): Promise<Instance[]> {
  const instances = await Promise.all(
    Array.from({ length: count }, (_, index) => {
      const shiftMs = index === count - 1 ? clockShiftMs : 0;
      const options = { name: `n${index}`, databaseUrl, folder, jobs, blockMs, clockShiftMs: shiftMs };
      return Instance.create(cleanup, options);
    }),
  );
  for (const instance of instances) instance.start();
  await Promise.all(instances.map((instance) => instance.becomesReady()));
  return instances;
}

/** Plans are relative to a tick, so that the same plan has the same effect each time. */
async function waitForTick(now: number): Promise<void> {
  const ms = msToTick(now) - firstTickSeconds * 1_000;
  await delay(ms < 0 ? ms + 60_000 : ms);
}

/** If runs stay in progress, a check reports them. */
async function waitForRuns(observer: Observer, log: (line: string) => void): Promise<void> {
  const countAndWait = async () => {
    await delay(200);
    return observer.unfinished().catch(() => -1);
  };
  await until("no run is in progress", countAndWait, (count) => count === 0).catch((error) =>
    log(`${error}`),
  );
}
