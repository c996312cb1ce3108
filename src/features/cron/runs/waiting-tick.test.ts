import assert from "node:assert/strict";
import { it } from "node:test";
import type { KyselyPlugin } from "kysely";
import { eventually } from "../../../lib/testing/until.ts";
import type { Database } from "../../../storage/index.ts";
import { withPlugin } from "../../../storage/testing/with-plugin.ts";
import { createLatch, createTestManager } from "../testing/test-manager.ts";

/** A database that can hold back the results of reads that look for ticks. */
function delayTicks(database: Database) {
  let release: Promise<void> | undefined;
  let held = 0;
  const reads = new WeakSet<object>();
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === "SelectQueryNode" && JSON.stringify(node.selections)?.includes('"attempt"'))
        reads.add(queryId);
      return node;
    },
    async transformResult({ result, queryId }) {
      if (release && reads.has(queryId)) {
        held++;
        await release;
      }
      return result;
    },
  };
  return {
    database: withPlugin(database, plugin),
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      release = promise;
      return resolve;
    },
    get held() {
      return held;
    },
  };
}

it("starts a tick whose previous run ended before the tick began to wait for it", async (t) => {
  const first = await createTestManager(t);
  const { clock } = first;
  const delayed = delayTicks(first.database);
  const { database } = delayed;
  const { manager, register, readRuns } = await createTestManager(t, {
    database,
    clock,
    among: first.database,
  });
  const latch = createLatch();
  register("job", "*/20 * * * *", () => latch.run(), { overlap: "queue" });
  await manager.start();
  clock.advance(20 * 60_000);
  await eventually(() => latch.count === 1);
  const letGo = delayed.hold();
  clock.advance(20 * 60_000);
  await eventually(() => delayed.held > 0);
  latch.release();
  await eventually(async () => (await readRuns({ status: "success" })).length === 1);
  letGo();
  await eventually(() => latch.count === 2);
  assert.equal((await readRuns()).length, 2);
});
