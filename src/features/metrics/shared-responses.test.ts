import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createListener } from "../../http/testing/listener.ts";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { until } from "../../lib/testing/until.ts";
import { createSharedResponses } from "./shared-responses.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** A route that returns how often its response was computed. */
async function createServer(t: TestContext, make = async (count: number): Promise<object> => ({ count })) {
  const clock = new FakeClock(0);
  const share = createSharedResponses(clock);
  let count = 0;
  const { inject } = await createListener(t, (router) => {
    router.get("/metrics", (e) => share(e, () => make(++count)));
  });
  return {
    clock,
    get: async (query: string) => (await inject(`/metrics${query}`)).json<{ count: number }>(),
  };
}

describe("shared responses", () => {
  it("are computed once for equal requests within a second", async (t) => {
    const { clock, get } = await createServer(t);
    const all = await Promise.all([get("?to=5"), get("?to=5"), get("?to=5")]);
    assert.deepEqual(all, [{ count: 1 }, { count: 1 }, { count: 1 }]);
    clock.advance(999);
    assert.deepEqual(await get("?to=5"), { count: 1 });
    clock.advance(1);
    assert.deepEqual(await get("?to=5"), { count: 2 });
  });

  it("are not shared with other requests or requests without an end time", async (t) => {
    const { get } = await createServer(t);
    assert.deepEqual(await get("?to=5"), { count: 1 });
    assert.deepEqual(await get("?to=5&route=x"), { count: 2 });
    assert.deepEqual(await get(""), { count: 3 });
    assert.deepEqual(await get(""), { count: 4 });
    assert.deepEqual(await get("?to="), { count: 5 });
  });

  it("are not cached if they fail", async (t) => {
    const { get } = await createServer(t, async (count) => {
      if (count === 1) throw new Error("The store is away.");
      return { count };
    });
    await get("?to=5");
    assert.deepEqual(await get("?to=5"), { count: 2 });
  });

  it("are removed if there are too many", async (t) => {
    const { get } = await createServer(t);
    for (let to = 1; to <= 51; to++) await get(`?to=${to}`);
    assert.deepEqual(await get("?to=51"), { count: 51 }, "the newest is still there");
    assert.deepEqual(await get("?to=1"), { count: 52 }, "the oldest is not");
  });

  it("are freed when they have expired", async (t) => {
    const { clock, get } = await createServer(t, async (count) => ({ count, text: "x".repeat(1_000_000) }));
    const held = () => {
      collect();
      return process.memoryUsage().arrayBuffers;
    };
    await get("?to=0");
    const before = held();
    for (let to = 1; to <= 30; to++) {
      clock.advance(1_000);
      await get(`?to=${to}`);
    }
    // V8 frees buffers in a separate thread, some time after the collection.
    await until(
      "the old responses are freed",
      () => held() - before,
      (bytes) => bytes < 5_000_000,
    );
  });
});
