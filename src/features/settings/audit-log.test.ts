import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { KyselyPlugin } from "kysely";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import type { Database, Engine } from "../../storage/index.ts";
import { assertBounded, recordPlans } from "../../storage/testing/query-plans.ts";
import { engines, openTestDatabase } from "../../storage/testing/test-database.ts";
import { type ChangeQuery, createAuditLog } from "./audit-log.ts";
import { AuditLogLimits } from "./audit-log-limits.ts";
import { type SettingsTables, settingsMigrations } from "./tables.ts";

const start = Date.parse("2026-03-01T12:00:00Z");
const day = 86_400_000;

function createParts(database: () => Promise<Database>) {
  const clock = new FakeClock(start);
  const warnings: { message: string; data: object | undefined }[] = [];
  const logger = { warn: (message: string, data?: object) => void warnings.push({ message, data }) };
  const auditLog = createAuditLog({ database, clock, instance: "web-1", logger });
  const list = (query: Partial<ChangeQuery> = {}) =>
    auditLog.list({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 500, ...query });
  return { auditLog, clock, warnings, list };
}

async function open(t: TestContext, engine: Engine) {
  const database = await openTestDatabase(t, engine, settingsMigrations);
  const tables = database.tables<SettingsTables>();
  const parts = createParts(async () => database);

  /** Inserts many entries, with their numbers as subjects. */
  async function fill(kind: string, count: number, at = start - day): Promise<void> {
    const rowOf = (index: number) => ({ at, kind, subject: `${index}`, instance: "web-1" });
    const rows = Array.from({ length: count }, (_, index) => rowOf(index));
    for (let from = 0; from < count; from += 1_000)
      await tables
        .insertInto("annex_changes")
        .values(rows.slice(from, from + 1_000))
        .execute();
  }

  /** Number of entries of each kind, and the subject of the first one of `kind`. */
  async function kept(kind: string): Promise<Record<string, number | string>> {
    const all = await tables.selectFrom("annex_changes").select(["kind", "subject"]).orderBy("id").execute();
    const counts: Record<string, number | string> = { first: all.find((row) => row.kind === kind)!.subject };
    for (const row of all) counts[row.kind] = Number(counts[row.kind] ?? 0) + 1;
    return counts;
  }

  return { ...parts, database, fill, kept };
}

for (const engine of engines) {
  describe(`the record of changes on ${engine}`, () => {
    it("lists entries with actor and time, newest first", async (t) => {
      const { auditLog, clock, list } = await open(t, engine);
      auditLog.record({ kind: "start", subject: "application", after: "1.0.0" });
      auditLog.record({ kind: "pause", subject: "report", actor: "ada@example.com" });
      clock.advance(5);
      const paths = ["/a", 'it\'s "<b>"\u0000🎉'];
      auditLog.record({
        kind: "setting",
        subject: "visitors.exclude",
        before: [],
        after: paths,
        detail: "x",
      });
      await auditLog.close();
      const common = { instance: "web-1", before: null, after: null, detail: null, actor: null };
      assert.deepEqual(
        (await list()).map(({ id: _, ...change }) => change),
        [
          {
            ...common,
            at: start + 5,
            kind: "setting",
            subject: "visitors.exclude",
            before: [],
            after: paths,
            detail: "x",
          },
          { ...common, at: start, kind: "pause", subject: "report", actor: "ada@example.com" },
          { ...common, at: start, kind: "start", subject: "application", after: "1.0.0" },
        ],
      );
    });

    it("contains no secrets, and takes any value", async (t) => {
      const { auditLog, list } = await open(t, engine);
      const circle: Record<string, unknown> = { password: "canary" };
      circle.self = circle;
      auditLog.record({ kind: "setting", subject: "metrics.scrapeToken", before: "canary", after: "canary" });
      auditLog.record({ kind: "setting", subject: "x", after: circle, detail: "from /x?token=canary" });
      await auditLog.close();
      const recorded = await list();
      assert.doesNotMatch(JSON.stringify(recorded), /canary/);
      assert.deepEqual(
        recorded.map(({ before, after, detail }) => [before, after, detail]),
        [
          [null, { password: "[redacted]", self: "[circular]" }, "from /x?token=[redacted]"],
          ["[redacted]", "[redacted]", null],
        ],
      );
    });

    it("is filtered by time and kind, up to a limit", async (t) => {
      const { auditLog, clock, list } = await open(t, engine);
      for (const subject of ["one", "two", "three", "four"]) {
        auditLog.record({ kind: subject === "two" ? "run" : "pause", subject });
        clock.advance(10);
      }
      await auditLog.close();
      const subjects = async (query: Partial<ChangeQuery>) =>
        (await list(query)).map(({ subject }) => subject);
      assert.deepEqual(await subjects({ from: start + 10, to: start + 30 }), ["three", "two"]);
      assert.deepEqual(await subjects({ kinds: ["run", "start"] }), ["two"]);
      assert.deepEqual(await subjects({ limit: 1 }), ["four"]);
    });

    it("deletes entries older than 400 days", async (t) => {
      const { auditLog, list, fill } = await open(t, engine);
      await fill("run", 1, start - 400 * day - 1);
      await fill("start", 1, start - 400 * day - 1);
      await fill("run", 1, start - 400 * day);
      auditLog.record({ kind: "stop", subject: "application" });
      await auditLog.close();
      assert.deepEqual(
        (await list()).map(({ kind, at }) => [kind, at]),
        [
          ["stop", start],
          ["run", start - 400 * day],
        ],
      );
    });

    it("retains the newest 10,000 actions, regardless of the number of starts", async (t) => {
      const { auditLog, fill, kept } = await open(t, engine);
      await fill("start", 1);
      await fill("run", 10_000);
      await fill("stop", 1_999);
      auditLog.record({ kind: "pause", subject: "newest" });
      await auditLog.close();
      const { first, ...counts } = await kept("run");
      assert.deepEqual([first, counts], ["1", { pause: 1, run: 9_999, start: 1, stop: 1_999 }]);
    });

    it("retains the newest 2,000 starts and stops, regardless of the number of actions", async (t) => {
      const { auditLog, fill, kept } = await open(t, engine);
      await fill("run", 3);
      await fill("stop", 1_000);
      await fill("start", 1_500);
      auditLog.record({ kind: "start", subject: "application" });
      await auditLog.close();
      const { first, ...counts } = await kept("stop");
      assert.deepEqual([first, counts], ["501", { run: 3, start: 1_501, stop: 499 }]);
    });

    it("deletes in steps, shows them, and says which part fits", async (t) => {
      const { database, fill } = await open(t, engine);
      await fill("run", 300, start - 401 * day);
      await fill("stop", 2_001, start - 3 * day);
      const limits = new AuditLogLimits();
      const shown: unknown[] = [];
      const plugin: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          const { removing } = limits.describe(start);
          if (removing) shown.push(removing);
          return result;
        },
      };
      await limits.hold(database.tables<SettingsTables>().withPlugin(plugin), start);
      // After the first of two steps: before the second is shown.
      assert.deepEqual(shown, [{ done: 200, total: 301, unit: "audit log entries" }]);
      assert.deepEqual(limits.describe(start), {
        removing: undefined,
        early: ["3 of 400 days of starts and stops fit"],
      });
    });

    it("truncates long values", async (t) => {
      const { auditLog, list } = await open(t, engine);
      auditLog.record({ kind: "setting", subject: "visitors.exclude", after: ["/x".repeat(5_000)] });
      await auditLog.close();
      const [change] = await list();
      assert.match(change!.after as string, /^\["(\/x)+…$/);
      assert.ok((change!.after as string).length <= 2_001);
    });
  });
}

it("deletions from the audit log find entries in an index", async (t) => {
  const { database, fill } = await open(t, "sqlite");
  await fill("run", 2_000, start - 401 * day);
  const plans = recordPlans(database);
  await new AuditLogLimits().hold(plans.recorded.tables<SettingsTables>(), start);
  await assertBounded(plans);
});

describe("the record of changes", () => {
  it("never fails the caller: a failed write is logged as a warning", async () => {
    const { auditLog, warnings } = createParts(() => Promise.reject(new Error("no disk")));
    auditLog.record({ kind: "run", subject: "report" });
    await auditLog.close();
    assert.deepEqual(
      warnings.map(({ data }) => data),
      [{ kind: "run", subject: "report", error: new Error("no disk") }],
    );
  });

  it("neither waits for an unresponsive database nor queues entries without limit", async () => {
    const { auditLog, clock, warnings } = createParts(() => new Promise(() => {}));
    for (let count = 0; count < 1_001; count++) auditLog.record({ kind: "run", subject: `${count}` });
    assert.deepEqual(
      warnings.map(({ data }) => (data as { subject: string }).subject),
      ["1000"],
    );
    const closed = auditLog.close();
    clock.advance(2_000);
    await closed;
    auditLog.record({ kind: "run", subject: "late" });
    assert.equal(warnings.length, 1);
  });
});
