import type { TestContext } from "node:test";
import type { JobChange } from "../../../feature/index.ts";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import type { Database, Engine } from "../../../storage/index.ts";
import { openTestDatabase } from "../../../storage/testing/test-database.ts";
import { createLeaseStore } from "../cluster/lease-store.ts";
import { createSoleMembership, type FleetParts, type Membership } from "../cluster/membership.ts";
import type { JobOptions } from "../jobs/job.ts";
import { Manager } from "../jobs/manager.ts";
import type { Limits } from "../limits/limits.ts";
import type { RunQuery } from "../runs/history/run-query.ts";
import type { Run } from "../runs/run.ts";
import type { JobFunction } from "../runs/runnable-job.ts";
import { type CronTables, cronMigrations } from "../tables.ts";

export interface TestManagerOptions {
  readonly engine?: Engine;
  /** A database shared with another manager. */
  readonly database?: Database;
  /** The original of `database`, if that is a wrapper. */
  readonly among?: Database;
  readonly clock?: FakeClock;
  readonly timezone?: string;
  /** The name of the instance. */
  readonly instance?: string;
  readonly runsJobs?: boolean;
  readonly limits?: Limits;
  /** How far the clock of the database is ahead. */
  readonly clockOffset?: number;
}

/**
 * Instances of a test live until they are declared dead: their clocks stand still or jump, and the lease of an instance
 * is timed by the database.
 */
const testLeaseMs = 3_600_000;

function joinTestFleet({ database, id, name, runsJobs }: FleetParts): Membership {
  if (database.engine !== "postgres") return createSoleMembership({ id, name, runsJobs });
  const leases = createLeaseStore(database, { id, name, runsJobs, leaseMs: testLeaseMs });
  return {
    join: async () => void (await leases.renew()),
    isMember: true,
    instances: leases.read,
    forget: leases.forget,
    leave: leases.release,
    healthIssues: () => [],
  };
}

const managers = new WeakMap<Database, Manager[]>();

/** A database that is closed after the test, when all its managers have been stopped. */
async function openForManagers(t: TestContext, engine: Engine): Promise<Database> {
  const using: Manager[] = [];
  t.after(() => Promise.all(using.map((manager) => manager.stop(0))));
  const database = await openTestDatabase(t, engine, cronMigrations);
  managers.set(database, using);
  return database;
}

/** A manager with a fake clock, its log records and its changes. */
export async function createTestManager(t: TestContext, options: TestManagerOptions = {}) {
  const { engine = "sqlite", clock = new FakeClock("2026-03-02T10:00:30Z"), timezone = "UTC" } = options;
  const database = options.database ?? (await openForManagers(t, engine));
  const records: { level: string; message: string; data: object | undefined }[] = [];
  const record = (level: string) => (message: string, data?: object) =>
    records.push({ level, message, data });
  const logger = {
    debug: record("debug"),
    info: record("info"),
    warn: record("warn"),
    error: record("error"),
  };
  const changes: JobChange[] = [];
  const onChange = (change: JobChange) => changes.push(change);
  let id = "";
  let isFenced = false;
  const joinFleet = (parts: FleetParts): Membership => {
    id = parts.id;
    const { clockOffset } = options;
    if (clockOffset !== undefined) parts.clock.follow(clock.now() + clockOffset - clock.elapsed());
    const joined = joinTestFleet(parts);
    return {
      ...joined,
      get isMember() {
        return !isFenced;
      },
    };
  };
  const fence = (is: boolean) => {
    isFenced = is;
  };
  const shared = { clock, logger, timezone, onChange, joinFleet, instance: options.instance ?? "test" };
  const manager = new Manager({
    database: async () => database,
    ...shared,
    ...(options.runsJobs !== undefined && { runsJobs: options.runsJobs }),
    ...(options.limits && { limits: options.limits }),
  });
  /** Lets the lease of this instance expire. */
  const expire = () =>
    database
      .tables<CronTables>()
      .updateTable("annex_cron_instances")
      .set({ expires_at: 0 })
      .where("id", "=", id)
      .execute();
  managers.get(options.among ?? database)!.push(manager);
  const register = (id: string, schedule: string, run: JobFunction, jobOptions?: JobOptions) =>
    manager.registerJob(id, `Job ${id}`, "", schedule, run, jobOptions);
  const readRuns = async (query: RunQuery = {}): Promise<readonly Run[]> =>
    (await manager.logs({ perPage: 100, sort: "start_time", ...query })).items;
  return { manager, clock, database, records, changes, register, readRuns, expire, fence };
}

/** A job function that ends on request. */
export function createLatch() {
  const entered: PromiseWithResolvers<void>[] = [];
  return {
    get count() {
      return entered.length;
    },
    run: () => {
      const entry = Promise.withResolvers<void>();
      entered.push(entry);
      return entry.promise;
    },
    release: (index = entered.length - 1) => entered[index]!.resolve(),
    fail: (error: unknown, index = entered.length - 1) => entered[index]!.reject(error),
  };
}
