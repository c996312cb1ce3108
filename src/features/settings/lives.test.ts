import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { openTestDatabase } from "../../storage/testing/test-database.ts";
import { createAuditLog } from "./audit-log.ts";
import { createLives } from "./lives.ts";
import { settingsMigrations } from "./tables.ts";

const start = Date.parse("2026-03-01T12:00:00Z");

async function createRecord(t: TestContext) {
  const database = await openTestDatabase(t, "sqlite", settingsMigrations);
  const clock = new FakeClock(start);
  const logger = { warn: (message: string) => assert.fail(message) };
  const running = new Set<number>();

  /** Starts and stops a process. */
  async function live(
    { release, pid, instance = "web-1" }: { release: string | null; pid: number; instance?: string },
    ends: boolean,
  ): Promise<void> {
    clock.advance(60_000);
    const auditLog = createAuditLog({ database: async () => database, clock, instance, logger });
    const life = { release, annex: "0.1.0", pid };
    const lives = createLives({ auditLog, instance, life, isRunning: (each) => running.has(each) });
    lives.recordStart();
    if (ends) lives.recordStop(false);
    await auditLog.close();
  }

  async function starts() {
    const auditLog = createAuditLog({ database: async () => database, clock, instance: "web-1", logger });
    const found = await auditLog.list({ from: 0, to: Number.MAX_SAFE_INTEGER, limit: 100, kinds: ["start"] });
    const releaseOf = (life: unknown) => (life as { release: string } | null)?.release ?? null;
    return found
      .toReversed()
      .map(({ before, after, detail }) => [releaseOf(before), releaseOf(after), detail]);
  }

  return { live, starts, running, database };
}

describe("the lives of an instance", () => {
  it("have a release, and the release before", async (t) => {
    const { live, starts } = await createRecord(t);
    await live({ release: "1.0", pid: 1 }, true);
    await live({ release: "1.1", pid: 2 }, true);
    await live({ release: null, pid: 3 }, true);
    assert.deepEqual(await starts(), [
      [null, "1.0", null],
      ["1.0", "1.1", null],
      ["1.1", null, null],
    ]);
  });

  it("follow a crash if the life before has no stop", async (t) => {
    const { live, starts } = await createRecord(t);
    await live({ release: "1.0", pid: 1 }, false);
    await live({ release: "1.0", pid: 2 }, true);
    await live({ release: "1.0", pid: 3 }, true);
    assert.deepEqual(await starts(), [
      [null, "1.0", null],
      ["1.0", "1.0", "after a crash"],
      ["1.0", "1.0", null],
    ]);
  });

  it("follow a crash in a container, where every process has the same ID", async (t) => {
    const { live, starts, running } = await createRecord(t);
    running.add(1);
    await live({ release: "1.0", pid: 1 }, false);
    await live({ release: "1.0", pid: 1 }, false);
    assert.equal((await starts())[1]![2], "after a crash");
  });

  it("do not follow a crash if a process with the same name is still running, or on another instance", async (t) => {
    const { live, starts, running } = await createRecord(t);
    running.add(1);
    await live({ release: "1.0", pid: 1 }, false);
    await live({ release: "1.0", pid: 2 }, false);
    await live({ release: "1.0", pid: 3, instance: "web-2" }, false);
    assert.deepEqual(await starts(), [
      [null, "1.0", null],
      ["1.0", "1.0", null],
      [null, "1.0", null],
    ]);
  });

  it("follow a life that an older version recorded", async (t) => {
    const { live, starts, database } = await createRecord(t);
    await database
      .tables<{ annex_changes: Record<string, unknown> }>()
      .insertInto("annex_changes")
      .values({ at: start, kind: "start", subject: "application", instance: "web-1", after: '"0.0.9"' })
      .execute();
    await live({ release: "1.0", pid: 2 }, true);
    assert.deepEqual((await starts())[1], [null, "1.0", "after a crash"]);
  });
});
