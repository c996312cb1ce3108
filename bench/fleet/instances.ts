/**
 * A process with several instances of one checkout. Each has its own connections, and a thread for its heartbeat. The
 * benchmark sends "cpu" to read what they used, and disconnects to end them.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Scenario, scheduleOf } from "./scenario.ts";

export interface InstancesOptions {
  /** Folder of the checkout. */
  readonly checkout: string;
  readonly url: string;
  /** Number of the first instance in this process. */
  readonly first: number;
  readonly count: number;
  readonly scenario: Scenario;
}

export type FromInstances = { readonly started: true } | { readonly cpuMs: number };

const { checkout, url, first, count, scenario } = JSON.parse(process.argv[2]!) as InstancesOptions;
const load = <M>(path: string): Promise<M> => import(pathToFileURL(join(checkout, "src", path)).href);
const send = (message: FromInstances) => process.send?.(message);
const dataDir = mkdtempSync(join(tmpdir(), "annex-bench-"));
process.on("disconnect", () => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(0);
});

const jobs = Array.from({ length: scenario.jobs }, (_, index) => ({
  id: `job${index}`,
  schedule: scheduleOf(scenario.due, index),
}));
const start = scenario.kind === "managers" ? await prepareManagers() : await prepareApplications();
for (let index = first; index < first + count; index++) await start(`i${index}`);
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  send({ cpuMs: (user + system) / 1_000 });
});
send({ started: true });

async function prepareManagers(): Promise<(instance: string) => Promise<void>> {
  const { createCron, cronMigrations, cronOptions } =
    await load<typeof import("../../src/features/cron/index.ts")>("features/cron/index.ts");
  const { createJoinFleet } = await load<typeof import("../../src/features/cron/cluster/join-fleet.ts")>(
    "features/cron/cluster/join-fleet.ts",
  );
  const { createTestOptions } =
    await load<typeof import("../../src/lib/testing/options.ts")>("lib/testing/options.ts");
  const { systemClock: clock } =
    await load<typeof import("../../src/lib/time/clock.ts")>("lib/time/clock.ts");
  const { openDatabase } = await load<typeof import("../../src/storage/index.ts")>("storage/index.ts");
  const quiet = () => {};
  return async (instance) => {
    const shared = { dataDir, url, poolSize: 3 };
    const database = await openDatabase(shared);
    await database.migrate([cronMigrations]);
    const cron = createCron({
      ...{ instance, clock, database: async () => database },
      joinFleet: createJoinFleet({ clock, shared }),
      logger: { debug: quiet, info: quiet, warn: console.error, error: console.error },
      options: createTestOptions(cronOptions),
    });
    for (const { id, schedule } of jobs) cron.jobs.registerJob(id, id, "", schedule, () => {});
    await cron.start();
  };
}

async function prepareApplications(): Promise<(instance: string) => Promise<void>> {
  const { createApp } = await load<typeof import("../../src/index.ts")>("index.ts");
  return async (instance) => {
    const folder = join(dataDir, instance);
    const log = { destination: join(dataDir, `${instance}.log`) };
    const app = createApp({ port: 0, dataDir: folder, database: url, instance, signals: false, log });
    for (const { id, schedule } of jobs) app.jobs.registerJob(id, id, "", schedule, () => {});
    await app.start();
  };
}
