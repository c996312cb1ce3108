import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { until } from "../../../lib/testing/until.ts";
import { StallProbe } from "./stall-probe.ts";

const blockedMs = 400;
const restMs = 1_500;

function block(): void {
  for (const end = performance.now() + blockedMs; performance.now() < end; );
}

async function createWatched(t: TestContext) {
  const probe = new StallProbe({
    thresholdMs: 100,
    openRequests: () => ({ count: 0, listed: [] }),
    activeRuns: () => [],
  });
  probe.start();
  const thread = new Worker(new URL("./testing/watching-thread.ts", import.meta.url), {
    workerData: probe.watch,
  });
  t.after(async () => {
    probe.stop();
    await thread.terminate();
  });
  await once(thread, "online");
  /** A busy machine may delay the thread that watches, so this is repeated until a stall is seen at work. */
  async function findStall(make: () => Promise<void>) {
    const found = await until(
      "the stall is found",
      async () => {
        await make();
        await sleep(200);
        return probe.take();
      },
      (stalls) => stalls.some(({ blocker }) => blocker?.frames.some(({ name }) => name === "block")),
    );
    return found.find(({ blocker }) => blocker !== undefined)!;
  }
  return { probe, findStall };
}

describe("the watch of the event loop", () => {
  it("finds a block that begins with the end of a rest", async (t) => {
    const { probe, findStall } = await createWatched(t);
    const found = await findStall(async () => {
      probe.rest(true);
      await sleep(restMs);
      probe.rest(false);
      block();
    });
    // The rest is not part of it.
    assert.ok(found.durationMs < restMs, `${found.durationMs} ms`);
    assert.ok(found.durationMs > blockedMs / 2, `${found.durationMs} ms`);
  });

  it("finds a block soon after a rest", async (t) => {
    const { probe, findStall } = await createWatched(t);
    await findStall(async () => {
      probe.rest(true);
      await sleep(300);
      probe.rest(false);
      await sleep(10);
      block();
    });
  });

  it("takes no rest for a stall", async (t) => {
    const { probe, findStall } = await createWatched(t);
    await findStall(async () => block());
    for (let rest = 0; rest < 3; rest++) {
      probe.rest(true);
      await sleep(400);
      probe.rest(false);
      await sleep(100);
    }
    const long = probe.take().filter(({ durationMs }) => durationMs >= 350);
    assert.deepEqual(long, []);
  });
});
