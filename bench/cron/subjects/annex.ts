import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCron, cronMigrations, cronOptions } from "../../../src/features/cron/index.ts";
import { createTestOptions } from "../../../src/lib/testing/options.ts";
import { systemClock } from "../../../src/lib/time/clock.ts";
import { openDatabase } from "../../../src/storage/index.ts";
import type { Subject } from "../subject.ts";

/** The whole feature: every run is written to a database when it begins and when it ends. */
const dataDir = mkdtempSync(join(tmpdir(), "annex-bench-"));
const database = await openDatabase({ dataDir });
await database.migrate([cronMigrations]);
const quiet = () => {};
const cron = createCron({
  database: async () => database,
  clock: systemClock,
  logger: { debug: quiet, info: quiet, warn: quiet, error: console.error },
  options: createTestOptions(cronOptions),
});
await cron.start();

export const subject: Subject = {
  async register(jobs, timezone) {
    await cron.jobs.setTimezone(timezone);
    for (const { id, schedule, run } of jobs) cron.jobs.registerJob(id, id, "", schedule, run);
  },
  changeTimezone: async (timezone) => void (await cron.jobs.setTimezone(timezone)),
  async stop() {
    await cron.stop(1_000);
    await database.close();
    rmSync(dataDir, { recursive: true });
  },
};
