import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { until } from "../../../lib/testing/until.ts";
import { createTestManager } from "../testing/test-manager.ts";

it("does not start a run whose instance was fenced while it was stored", async (t) => {
  const { manager, register, database, fence, readRuns, clock } = await createTestManager(t, {
    engine: "postgres",
  });
  let calls = 0;
  register("job", "0 0 1 1 *", () => void calls++);
  await manager.start();
  const unlock = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = database.transaction(async (trx) => {
    await sql`lock table annex_cron_runs in share mode`.execute(trx);
    locked.resolve();
    await unlock.promise;
  });
  await locked.promise;
  const running = manager.run("job").then(
    () => "started",
    ({ code }: { code: string }) => code,
  );
  await until("the run waits for the lock", async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_locks where not granted and relation = 'annex_cron_runs'::regclass`.execute(
      database.tables(),
    );
    return rows[0]!.count > 0;
  });
  fence(true);
  unlock.resolve();
  await holding;
  assert.equal(await running, "INSTANCE_FENCED");
  // Others, or this instance after it has rejoined, end the run that was stored.
  fence(false);
  await until("the run is interrupted", async () => {
    clock.advance(1_000);
    return (await readRuns({ status: "interrupted" })).length === 1;
  });
  assert.equal(calls, 0);
});
