import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "../../../lib/testing/until.ts";
import { openDatabase } from "../../../storage/index.ts";
import { createTemporaryFolder } from "../../../storage/testing/temporary-folder.ts";
import { createRequestBlock } from "../testing/request-block.ts";
import { logMigrations } from "./blocks.ts";
import { createLogStore } from "./log-store.ts";

it("the retention can be changed at run time", { timeout: 180_000 }, async (t) => {
  const options = { dataDir: createTemporaryFolder() };
  const database = await openDatabase(options);
  t.after(() => database.close());
  await database.migrate([logMigrations]);
  const retention = { maxAgeMs: 1e12, maxBytes: 1e9 };
  const store = createLogStore({ connection: async () => database, database: options, retention });
  const old = { ...(await createRequestBlock({ path: "/old" })), firstTime: 0, lastTime: 0 };
  store.append(old);
  await store.flush();
  store.retain({ maxAgeMs: 60_000, maxBytes: 1e9 });
  assert.equal(retention.maxAgeMs, 1e12, "what was given stays as it is");
  const stored = async () =>
    (
      await database
        .tables<{ annex_log_blocks: { id: string } }>()
        .selectFrom("annex_log_blocks")
        .selectAll()
        .execute()
    ).length;
  assert.equal(await stored(), 1);
  // The thread starts with the current retention.
  await until("the old block is removed", stored, (count) => count === 0);
  await store.close();
});
