import assert from "node:assert/strict";
import { it } from "node:test";
import { FakeClock, settle } from "../../../lib/testing/fake-clock.ts";
import { QueuePoller } from "../jobs/queue-poller.ts";
import type { QueueStore } from "./queue-store.ts";

const second = 1_000;

for (const jump of [-3_600 * second, 3_600 * second])
  it(`reads the queue again after the clock was set by ${jump / second} s while it was read`, async () => {
    const clock = new FakeClock("2026-03-02T10:00:00Z");
    let reads = 0;
    const queue = {
      due: async () => {
        if (reads++ === 0) clock.jump(jump);
        return [];
      },
      remove: async () => [],
    } satisfies Partial<QueueStore>;
    const poller = new QueuePoller({
      clock,
      logger: { debug() {}, info() {}, warn() {}, error() {} },
      queue: queue as unknown as QueueStore,
      isShared: false,
      mayRun: () => true,
      findJob: () => undefined,
      isRemoved: () => false,
      hasRoom: () => true,
      run: async () => {},
    });
    poller.start();
    await clock.elapse(100 * second, 10 * second);
    assert.ok(reads >= 3, `${reads} reads`);
    await poller.stop();
    await settle();
  });
