import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { KyselyPlugin } from "kysely";
import { accessKinds } from "../../auth/index.ts";
import { FakeClock, settle } from "../../lib/testing/fake-clock.ts";
import type { Database, Engine } from "../../storage/index.ts";
import { assertBounded, recordPlans } from "../../storage/testing/query-plans.ts";
import { engines, openTestDatabase } from "../../storage/testing/test-database.ts";
import { withPlugin } from "../../storage/testing/with-plugin.ts";
import type { Access } from "./access.ts";
import { mostUnwritten, rowsPerAddress, rowsPerHour } from "./events/merger.ts";
import { mostRowsOfKind } from "./store.ts";
import { type AccessTables, accessMigrations } from "./tables.ts";
import {
  always,
  countStored,
  createTestAccess,
  day,
  failure,
  hour,
  minute,
  start,
} from "./testing/test-access.ts";

/** Bytes in use once everything unused has been collected. */
async function usedMemory(): Promise<number> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await settle();
  collect();
  return process.memoryUsage().heapUsed;
}

async function open(t: TestContext, engine: Engine) {
  const database = await openTestDatabase(t, engine, accessMigrations);
  return { database, ...createTestAccess(async () => database) };
}

for (const engine of engines) {
  describe(`the access log on ${engine}`, () => {
    it("stores who did what, from where and with what", async (t) => {
      const { access, queries, clock } = await open(t, engine);
      access.record(failure());
      clock.advance(5);
      access.record({ kind: "superuser-added", account: "eve@example.com", actor: "ada@example.com" });
      await access.close();
      const { rows } = await queries.list(always, { limit: 10 });
      const common = { instance: "web-1", count: 1, isOverflow: false };
      const nothing = { actor: null, address: null, agent: null, traceId: null, detail: null };
      assert.deepEqual(
        rows.map(({ id: _, ...row }) => row),
        [
          {
            ...common,
            ...nothing,
            kind: "superuser-added",
            firstAt: start + 5,
            lastAt: start + 5,
            account: "eve@example.com",
            actor: "ada@example.com",
          },
          {
            ...common,
            ...nothing,
            kind: "sign-in-failed",
            firstAt: start,
            lastAt: start,
            account: "ada@example.com",
            address: "192.0.2.1",
            agent: "curl/8.0",
            traceId: "AAAAAAAAAAAAAAAAAA",
          },
        ],
      );
    });

    it("stores every kind", async (t) => {
      const { access, queries } = await open(t, engine);
      for (const kind of accessKinds) access.record(failure({ kind }));
      await access.close();
      const { rows } = await queries.list(always, { limit: 100 });
      assert.deepEqual(rows.map(({ kind }) => kind).sort(), accessKinds.toSorted());
    });

    it("merges identical failures of five minutes into a row, across several writes", async (t) => {
      const { access, queries, clock, database } = await open(t, engine);
      for (let count = 0; count < 10; count++) {
        access.record(failure({ traceId: `${count}`.repeat(18) }));
        await clock.elapse(30_000, 10_000);
      }
      access.record(failure());
      await access.close();
      assert.deepEqual(await countStored(database), { rows: 2, events: 11 });
      const { rows } = await queries.list(always, { limit: 10 });
      const first = { count: 10, firstAt: start, lastAt: start + 270_000, traceId: "0".repeat(18) };
      const { count, firstAt, lastAt, traceId } = rows[1]!;
      assert.deepEqual({ count, firstAt, lastAt, traceId }, first);
    });

    it("merges failures whatever their user agent, which a client can choose", async (t) => {
      const { access, database } = await open(t, engine);
      for (let count = 0; count < 100; count++) access.record(failure({ agent: `agent-${count}` }));
      await access.close();
      assert.deepEqual(await countStored(database), { rows: 1, events: 100 });
    });

    it("keeps apart what differs by kind, account, address or actor, and sign-ins by user agent", async (t) => {
      const { access, database } = await open(t, engine);
      for (let count = 0; count < 2; count++) {
        access.record(failure());
        access.record(failure({ kind: "lock-out" }));
        access.record(failure({ account: "eve@example.com" }));
        access.record(failure({ account: undefined }));
        access.record(failure({ address: "192.0.2.2" }));
        access.record(failure({ actor: "bob@example.com" }));
        access.record(failure({ kind: "sign-in" }));
        access.record(failure({ kind: "sign-in", agent: "Firefox" }));
      }
      await access.close();
      assert.deepEqual(await countStored(database), { rows: 8, events: 16 });
    });

    it("lists the first few details of what it merged", async (t) => {
      const { access, queries } = await open(t, engine);
      for (const path of ["a", "b", "a", "c", "d", "e", "f", "g"])
        access.record(failure({ kind: "access-refused", detail: `GET /${path}` }));
      await access.close();
      const { rows } = await queries.list(always, { limit: 10 });
      assert.equal(rows[0]!.detail, "GET /a, GET /b, GET /c, GET /d, GET /e and others");
    });

    it("filters by window, kind, account, address, instance and text", async (t) => {
      const { access, queries, clock } = await open(t, engine);
      access.record(failure({ account: "one@example.com" }));
      clock.advance(1_000);
      access.record(failure({ kind: "lock-out", account: "Two@example.com", address: "198.51.100.7" }));
      clock.advance(1_000);
      access.record(failure({ kind: "sign-in", account: "100%_\\three@example.com", detail: "by password" }));
      await access.close();
      const accounts = async (filter: object) =>
        (await queries.list({ ...always, ...filter }, { limit: 10 })).rows.map(
          ({ account }) => account!.split("@")[0],
        );
      assert.deepEqual(await accounts({}), ["100%_\\three", "Two", "one"]);
      assert.deepEqual(await accounts({ from: start + 1_000, to: start + 2_000 }), ["Two"]);
      assert.deepEqual(await accounts({ kinds: ["sign-in", "lock-out"] }), ["100%_\\three", "Two"]);
      assert.deepEqual(await accounts({ account: "one@example.com" }), ["one"]);
      assert.deepEqual(await accounts({ address: "198.51.100.7" }), ["Two"]);
      assert.deepEqual(await accounts({ instance: "web-2" }), []);
      assert.deepEqual(await accounts({ text: "tWO@" }), ["Two"]);
      assert.deepEqual(await accounts({ text: "PASSWORD" }), ["100%_\\three"]);
      assert.deepEqual(await accounts({ text: "%_\\" }), ["100%_\\three"]);
      assert.deepEqual(await accounts({ text: "_wo" }), []);
    });

    it("gives page after page, each row once, even where times are equal", async (t) => {
      const { access, queries } = await open(t, engine);
      for (let count = 0; count < 25; count++) access.record(failure({ account: `user-${count}` }));
      await access.close();
      const seen: string[] = [];
      let page = await queries.list(always, { limit: 10 });
      for (; ; page = await queries.list(always, { limit: 10, after: page.cursor })) {
        seen.push(...page.rows.map(({ account }) => account!));
        if (!page.cursor) break;
      }
      assert.equal(seen.length, 25);
      assert.equal(new Set(seen).size, 25);
    });

    it("sums up by kind and time, and ranks addresses and accounts by failures", async (t) => {
      const { access, queries, clock } = await open(t, engine);
      const from = start - hour;
      for (let count = 0; count < 3; count++) access.record(failure());
      access.record(failure({ kind: "lock-out", address: "192.0.2.9", account: "eve@example.com" }));
      clock.advance(10 * minute);
      for (let count = 0; count < 9; count++)
        access.record(failure({ kind: "sign-in", address: "192.0.2.9", account: "bob@example.com" }));
      await access.close();
      const summary = await queries.summarize(
        { from, to: from + 2 * hour, kinds: ["sign-in-failed", "sign-in"] },
        12,
      );
      const { addresses, accounts, series, ...rest } = summary;
      assert.deepEqual(rest, { from, to: from + 2 * hour, stepMs: 10 * minute, overflow: 0 });
      assert.deepEqual(series, {
        "sign-in-failed": [0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0],
        "lock-out": [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0],
        "sign-in": [0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0],
      });
      assert.deepEqual(addresses, [
        { name: "192.0.2.1", count: 3, failures: 3, lastAt: start },
        { name: "192.0.2.9", count: 9, failures: 0, lastAt: start + 10 * minute },
      ]);
      assert.deepEqual(
        accounts.map(({ name, count }) => [name, count]),
        [
          ["ada@example.com", 3],
          ["bob@example.com", 9],
        ],
      );
    });

    it("deletes rows that are older than they are to be stored, and no others", async (t) => {
      const { options, access, queries, clock, cleanUp } = await open(t, engine);
      access.record(failure({ account: "old@example.com" }));
      await clock.elapse(2_000);
      clock.advance(1);
      access.record(failure({ account: "young@example.com" }));
      await clock.elapse(2_000);
      clock.jump(90 * day - 4_001 + 1);
      assert.equal(await cleanUp(), "Deleted 1 row");
      const { rows } = await queries.list(always, { limit: 10 });
      assert.deepEqual(
        rows.map(({ account }) => account),
        ["young@example.com"],
      );
      // Not a whole number of milliseconds.
      options.change("retentionDays", 30.0000001);
      assert.equal(await cleanUp(), "Deleted 1 row");
      assert.equal(await cleanUp(), "Deleted 0 rows");
    });

    it("deletes in steps, shows them, and says if the number of rows deletes them early", async (t) => {
      const database = await openTestDatabase(t, engine, accessMigrations);
      let access: Access | undefined;
      const shown: unknown[] = [];
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          const { removing } = access!.limitState();
          if (removing) shown.push(removing);
          return result;
        },
      };
      const observed = withPlugin(database, plugin);
      const parts = createTestAccess(async () => observed, { retentionDays: 30 });
      access = parts.access;
      await insertFailures(database, 500, start - 31 * day);
      assert.equal(await parts.cleanUp(), "Deleted 500 rows");
      const [first, second] = shown;
      assert.deepEqual(first, { done: 200, total: 500, unit: "access events" });
      assert.deepEqual(second, { done: 400, total: 500, unit: "access events" });
      assert.deepEqual(access.limitState(), { store: "access", removing: undefined, early: undefined });
      await insertFailures(database, 1, start - 3 * day);
      await insertFailures(database, mostRowsOfKind, start - 2 * day);
      assert.equal(await parts.cleanUp(), "Deleted 1 row");
      assert.deepEqual(access.limitState().early, ["2 of 30 days of access events fit"]);
    });

    it("holds a flood: 100,000 failed sign-ins with invented names", async (t) => {
      const { access, queries, lines, database } = await open(t, engine);
      for (let count = 0; count < 100_000; count++)
        access.record(failure({ account: `guess-${count}@example.com`, address: `10.0.${count % 200}.1` }));
      access.record(failure({ kind: "sign-in" }));
      await access.close();
      assert.deepEqual(await countStored(database), { rows: rowsPerHour + 2, events: 100_001 });
      assert.equal(access.counts["sign-in-failed"], 100_000);
      const { overflow, series } = await queries.summarize({ from: start, to: start + hour }, 1);
      assert.equal(overflow, 100_000 - rowsPerHour);
      assert.deepEqual(series["sign-in-failed"], [100_000]);
      assert.equal(series["sign-in"]![0], 1, "a flood of failures does not keep out a sign-in");
      assert.ok(lines.length < rowsPerHour + 10, `${lines.length} lines`);
    });

    it("counts the rows of each hour", async (t) => {
      const { access, queries, clock } = await open(t, engine);
      for (let count = 0; count <= rowsPerAddress; count++)
        access.record(failure({ account: `guess-${count}@example.com` }));
      clock.advance(hour - 1);
      access.record(failure({ account: "early@example.com" }));
      clock.advance(1);
      access.record(failure({ account: "late@example.com" }));
      await access.close();
      const { rows } = await queries.list(always, { limit: 100 });
      const accounts = rows.map(({ account }) => account);
      assert.ok(accounts.includes("late@example.com"));
      assert.ok(!accounts.includes("early@example.com"));
    });

    it("is shared by several instances, each row with its instance's name", async (t) => {
      const database = await openTestDatabase(t, engine, accessMigrations);
      const clock = new FakeClock(start);
      const [one, two] = ["web-1", "web-2"].map((instance) =>
        createTestAccess(async () => database, { clock, instance }),
      );
      for (const { access } of [one!, two!, one!]) access.record(failure());
      await Promise.all([one!.access.close(), two!.access.close()]);
      const { rows } = await one!.queries.list(always, { limit: 10 });
      const counts = Object.fromEntries(rows.map(({ instance, count }) => [instance, count]));
      assert.deepEqual(counts, { "web-1": 2, "web-2": 1 });
    });
  });
}

describe("the access log", () => {
  it("does not let one address use up the rows of all others", async (t) => {
    const { access, queries, lines, database } = await open(t, "sqlite");
    const flood = { kind: "lock-out", address: "203.0.113.66" } as const;
    for (let count = 0; count < 2_000; count++)
      access.record(failure({ ...flood, account: `user-${count}` }));
    access.record(failure({ kind: "lock-out", account: "ada@example.com", address: "198.51.100.7" }));
    await access.close();
    assert.deepEqual(await countStored(database), { rows: rowsPerAddress + 2, events: 2_001 });
    const [other] = (await queries.list({ ...always, address: "198.51.100.7" }, { limit: 2 })).rows;
    assert.equal(other?.account, "ada@example.com");
    const { addresses, overflow } = await queries.summarize({ from: start, to: start + hour }, 1);
    assert.equal(overflow, 2_000 - rowsPerAddress);
    assert.equal(addresses[0]?.name, "203.0.113.66");
    assert.equal(addresses[0]?.failures, 2_000);
    assert.ok(lines.length < rowsPerAddress + 10, `${lines.length} lines`);
  });

  it("counts an IPv6 /64 as one address", async (t) => {
    const { access, queries, database } = await open(t, "sqlite");
    for (let count = 0; count < 2_000; count++)
      access.record(failure({ kind: "lock-out", address: `2001:db8::${count.toString(16)}` }));
    access.record(failure({ kind: "lock-out", address: "2001:db8:0:1::1" }));
    await access.close();
    assert.deepEqual(await countStored(database), { rows: rowsPerAddress + 2, events: 2_001 });
    const { addresses } = await queries.summarize({ from: start, to: start + hour }, 1);
    assert.equal(addresses[0]?.name, "2001:db8:0:0::/64");
    assert.equal(addresses[0]?.failures, 2_000 - rowsPerAddress);
  });

  it("has room again after an hour", async (t) => {
    const { access, clock, database } = await open(t, "sqlite");
    const flood = (prefix: string) => {
      for (let count = 0; count < rowsPerHour + 5; count++)
        access.record(failure({ account: `${prefix}-${count}`, address: `10.0.${count % 200}.1` }));
    };
    flood("one");
    await clock.elapse(hour, minute);
    flood("two");
    await access.close();
    const expected = { rows: 2 * (rowsPerHour + 1), events: 2 * (rowsPerHour + 5) };
    assert.deepEqual(await countStored(database), expected);
  });

  it("loses nothing while the database is away, says so once, and does not grow without bound", async (t) => {
    const database = await openTestDatabase(t, "sqlite", accessMigrations);
    let isAway = true;
    const { access, clock, lines } = createTestAccess(async () => {
      if (isAway) throw new Error("connection refused");
      return database;
    });
    const problems = () => lines.filter(({ data }) => !("kind" in data)).map(({ message }) => message);
    for (let round = 0; round < 12; round++) {
      for (let count = 0; count < 1_000; count++)
        access.record(failure({ account: `user-${round}-${count}` }));
      await clock.elapse(hour, minute);
    }
    assert.deepEqual(problems(), ["Failed to store access events; retrying"]);
    isAway = false;
    await clock.elapse(10_000);
    await access.close();
    assert.deepEqual(problems().slice(1), ["Access event storage recovered"]);
    const { rows, events } = await countStored(database);
    assert.equal(events, 12_000);
    assert.ok(rows <= mostUnwritten + 12, `${rows} rows`);
  });

  it("neither waits for a database that does not respond nor throws", async () => {
    const { access, clock } = createTestAccess(() => new Promise(() => {}));
    for (let count = 0; count < 10_000; count++) access.record(failure({ account: `user-${count}` }));
    await clock.elapse(10_000);
    const closed = access.close();
    clock.advance(2_000);
    await closed;
    access.record(failure());
    assert.equal(access.counts["sign-in-failed"], 10_000);
  });

  it("does not keep the bodies alive from which long names come", async () => {
    const { access } = createTestAccess(() => new Promise(() => {}));
    const before = await usedMemory();
    for (let count = 0; count < 300; count++)
      access.record(failure({ account: `${count}`.padEnd(500_000, "x") }));
    assert.ok((await usedMemory()) - before < 30_000_000);
  });

  it("logs failures as warnings and the rest as information, with the trace ID", async (t) => {
    const { access, lines } = await open(t, "sqlite");
    access.record(failure());
    access.record({ kind: "sign-in", account: "ada@example.com" });
    await access.close();
    assert.deepEqual(lines, [
      {
        level: "warn",
        message: "Sign-in failed",
        data: {
          event: "access",
          kind: "sign-in-failed",
          account: "ada@example.com",
          address: "192.0.2.1",
          user_agent: "curl/8.0",
        },
        traceId: "AAAAAAAAAAAAAAAAAA",
      },
      {
        level: "info",
        message: "Signed in",
        data: { event: "access", kind: "sign-in", account: "ada@example.com" },
        traceId: undefined,
      },
    ]);
  });

  it("logs repeated events twice: the first, and how many there were", async (t) => {
    const { access, clock, lines } = await open(t, "sqlite");
    for (let count = 0; count < 1_000; count++) access.record(failure());
    await clock.elapse(6 * minute, 10_000);
    assert.deepEqual(
      lines.map(({ message }) => message),
      ["Sign-in failed", "Sign-in failed repeatedly"],
    );
    assert.deepEqual((lines[1]!.data as { count: number }).count, 1_000);
    await access.close();
  });

  it("counts every kind from the start", () => {
    const { access } = createTestAccess(() => Promise.reject(new Error("not needed")));
    assert.deepEqual(Object.keys(access.counts), [...accessKinds]);
    assert.deepEqual(new Set(Object.values(access.counts)), new Set([0]));
  });
});

it("deletions from the access log find rows in an index", async (t) => {
  const database = await openTestDatabase(t, "sqlite", accessMigrations);
  await insertFailures(database, 500, start - 91 * day);
  const plans = recordPlans(database);
  const { cleanUp } = createTestAccess(async () => plans.recorded);
  assert.equal(await cleanUp(), "Deleted 500 rows");
  await assertBounded(plans);
});

/** Stores failed sign-ins of the same time. */
async function insertFailures(database: Database, count: number, at: number): Promise<void> {
  const common = { kind: "sign-in-failed", instance: "web-1", count: 1, is_overflow: 0 };
  const rows = Array.from({ length: count }, (_, index) => {
    return { ...common, id: `${at}-${index}`, first_at: at, last_at: at };
  });
  for (let from = 0; from < count; from += 2_000)
    await database
      .tables<AccessTables>()
      .insertInto("annex_access")
      .values(rows.slice(from, from + 2_000))
      .execute();
}
