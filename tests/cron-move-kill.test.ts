import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { earlierMigrations, insertOldRuns } from "../src/features/cron/testing/old-runs.ts";
import { openDatabase } from "../src/storage/index.ts";
import { createFolder, startProgram } from "./support/program.ts";

const moduleOf = (path: string) => JSON.stringify(new URL(`../src/${path}`, import.meta.url).href);

/** A process that migrates and moves runs, as an application does at its start. */
const program = `
  import { cronMigrations } from ${moduleOf("features/cron/index.ts")};
  import { RunMover } from ${moduleOf("features/cron/runs/store/move-runs.ts")};
  import { openDatabase } from ${moduleOf("storage/index.ts")};
  const database = await openDatabase({ dataDir: process.env.FOLDER });
  // Counted here, because a busy machine may delay the test that waits for a line.
  setTimeout(() => process.kill(process.pid, "SIGKILL"), Number(process.env.KILL_MS));
  await database.migrate([cronMigrations]);
  const quiet = () => {};
  const mover = new RunMover({ database, logger: { debug: quiet, info: quiet, warn: console.error, error: console.error } });
  await mover.open();
  mover.start();
  const timer = setInterval(() => {
    if (mover.isMoving) return;
    clearInterval(timer);
    console.log("moved");
  }, 5);
`;

const count = 4_000;

describe("a migration of the job log", () => {
  it("continues after the process was killed, at any moment, without losing a run", async (t) => {
    const folder = createFolder(t);
    {
      await using database = await openDatabase({ dataDir: folder });
      await database.migrate([earlierMigrations]);
      await insertOldRuns(database, count);
    }
    let isMoved = false;
    let killed = 0;
    for (let round = 0; !isMoved; round++) {
      const running = startProgram(t, ["--input-type=module", "--eval", program], {
        // From a moment within the migration to several turns of the move.
        env: { FOLDER: folder, KILL_MS: `${round * 50}` },
      });
      assert.deepEqual(await running.ended, [null, "SIGKILL"], running.stderr);
      isMoved = /moved/.test(running.stdout);
      killed += isMoved ? 0 : 1;
      const { distinct, total } = await countRuns(folder);
      assert.deepEqual([distinct, total], [count, count], `round ${round}`);
    }
    assert.ok(killed >= 2, "the process was killed before it had moved everything");
  });
});

/** The runs in both tables. */
async function countRuns(folder: string) {
  await using database = await openDatabase({ dataDir: folder });
  const tables = database.tables<Record<"annex_cron_runs" | "annex_cron_runs_old", { id: string }>>();
  const now = await tables.selectFrom("annex_cron_runs").select("id").execute();
  const old = await tables
    .selectFrom("annex_cron_runs_old")
    .select("id")
    .execute()
    .catch(() => []);
  const all = [...now, ...old].map(({ id }) => id);
  return { distinct: new Set(all).size, total: all.length };
}
