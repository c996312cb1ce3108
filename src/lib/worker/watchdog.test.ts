import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { createWatchdog } from "./watchdog.ts";

function create({ respondsToPings = true, isPending = true } = {}) {
  const clock = new FakeClock(0);
  const seen: string[] = [];
  const watchdog = createWatchdog({
    clock,
    hangMs: 1_000,
    isPending: () => isPending,
    ping() {
      seen.push("ping");
      if (respondsToPings) watchdog.hear();
    },
    onHang: () => void seen.push("hang"),
  });
  return { clock, seen, watchdog };
}

describe("a watchdog", () => {
  it("reports a thread that is silent", async () => {
    const { clock, seen, watchdog } = create({ respondsToPings: false });
    watchdog.watch();
    clock.advance(999);
    assert.deepEqual(seen, ["ping"]);
    clock.advance(1);
    await settle();
    assert.deepEqual(seen, ["ping", "hang"]);
  });

  it("does not report a thread that responds to pings, however long its work takes", async () => {
    const { clock, seen, watchdog } = create();
    watchdog.watch();
    await clock.elapse(60_000, 100);
    assert.ok(seen.includes("ping"));
    assert.ok(!seen.includes("hang"));
  });

  it("does not report a thread whose response was waiting while this one was blocked", async () => {
    const { clock, seen, watchdog } = create({ respondsToPings: false });
    watchdog.watch();
    clock.advance(1_000);
    watchdog.hear();
    await settle();
    assert.deepEqual(seen, ["ping"]);
    // It is still watched.
    clock.advance(1_500);
    await settle();
    assert.deepEqual(seen, ["ping", "ping", "hang"]);
  });

  it("does nothing while nothing is pending", async () => {
    const { clock, seen, watchdog } = create({ isPending: false });
    watchdog.watch();
    watchdog.hear();
    await clock.elapse(60_000);
    assert.deepEqual(seen, []);
  });

  it("does nothing after it was stopped", async () => {
    const { clock, seen, watchdog } = create({ respondsToPings: false });
    watchdog.watch();
    watchdog.stop();
    watchdog.watch();
    await clock.elapse(60_000);
    assert.deepEqual(seen, []);
  });
});
