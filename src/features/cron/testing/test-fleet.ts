import type { TestContext } from "node:test";
import pg from "pg";
import { createTestDatabase } from "../../../../tests/support/postgres.ts";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { until } from "../../../lib/testing/until.ts";
import { type Database, openDatabase } from "../../../storage/index.ts";
import { type Beat, beatMs, beatOnce, type Heartbeat } from "../cluster/heartbeat.ts";
import { createLeaseStore, type LeaseStore } from "../cluster/lease-store.ts";
import { FleetMembership, type FleetParts, leaseMs } from "../cluster/membership.ts";
import { Manager } from "../jobs/manager.ts";
import { cronMigrations } from "../tables.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };

export interface TestInstance {
  readonly name: string;
  readonly manager: Manager;
  readonly clock: FakeClock;
  /** Whether its timers and clocks stand still, as those of a virtual machine that is suspended. */
  isSuspended: boolean;
  /** Whether it cannot renew its lease. */
  isCut: boolean;
}

/** A database whose clock is in the hands of the test. */
async function openWithClock(t: TestContext, start: number) {
  const { url, drop } = await createTestDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create schema fake;
    create table fake.clock (now bigint);
    insert into fake.clock values (${start});
    create function fake.clock_timestamp() returns timestamptz language sql volatile
      as $$ select to_timestamp(now / 1000.0) from fake.clock $$;
    alter database ${new URL(url).pathname.slice(1)} set search_path = fake, pg_catalog, public`);
  const database = await openDatabase({ url, dataDir: "/dev/null/not-used" });
  t.after(async () => {
    await database.close();
    await client.end();
    await drop();
  });
  await database.migrate([cronMigrations]);
  let now = start;
  return {
    database,
    now: () => now,
    async set(time: number) {
      now = time;
      await client.query("update fake.clock set now = $1", [time]);
    },
  };
}

/** Renews the lease in the process, and says when the renewal that is under way has ended. */
function createTestHeartbeat(leases: LeaseStore, clock: FakeClock, isCut: () => boolean) {
  let sentAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | undefined;
  let beating: Promise<void> = Promise.resolve();
  let onBeat: (beat: Beat) => void = () => {};
  async function beat(): Promise<void> {
    if (!isCut()) {
      const renewed = await beatOnce(leases, () => clock.elapsed());
      sentAt = renewed.sentAt;
      onBeat(renewed);
    }
    cancel = clock.after(beatMs, () => {
      beating = beat();
    });
  }
  const heartbeat: Heartbeat = {
    async start(listener) {
      onBeat = listener;
      await beat();
    },
    lastSentAt: () => sentAt,
    pulse() {},
    async stop() {
      cancel?.();
      await beating;
      await leases.release();
    },
  };
  return { heartbeat, beating: () => beating };
}

/** Instances that share a database, each with clocks of its own, and with the membership of a real fleet. */
export async function createTestFleet(t: TestContext, { size, start }: { size: number; start: string }) {
  const shared = await openWithClock(t, Date.parse(start));
  const beats: (() => Promise<void>)[] = [];
  const create = (name: string): TestInstance => {
    const clock = new FakeClock(shared.now());
    const joinFleet = ({ id, name, runsJobs, ...parts }: FleetParts) => {
      const leases = createLeaseStore(shared.database, { id, name, runsJobs, leaseMs });
      const { heartbeat, beating } = createTestHeartbeat(leases, clock, () => instance.isCut);
      beats.push(beating);
      return new FleetMembership({ ...parts, leases, heartbeat });
    };
    const database = async (): Promise<Database> => shared.database;
    const options = { database, clock, logger: silent, timezone: "UTC", instance: name, joinFleet };
    const instance = { name, manager: new Manager(options), clock, isSuspended: false, isCut: false };
    return instance;
  };
  const fleet = Array.from({ length: size }, (_, index) => create(`n${index}`));
  const stop = () => Promise.all(fleet.map(({ manager }) => manager.stop(0)));
  t.after(stop);

  /** Lets time pass for the database, and for the instances that are not suspended. */
  const pass = async (milliseconds: number, stepMs = 1_000) => {
    for (let left = milliseconds; left > 0; left -= stepMs) {
      const passed = Math.min(left, stepMs);
      await shared.set(shared.now() + passed);
      for (const { clock, isSuspended } of fleet) if (!isSuspended) clock.advance(passed);
      await Promise.all(beats.map((beating) => beating()));
    }
  };
  /** Lets every instance count the others. */
  const meet = async () => {
    for (const { manager } of fleet) {
      const { recovery } = await manager.open();
      await until("the instance knows the others", async () => {
        await pass(100);
        return recovery.instanceCount === size;
      });
    }
  };
  return { fleet, database: shared.database, now: shared.now, setClock: shared.set, pass, meet, stop };
}
