import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import type { Beat, Heartbeat } from "./heartbeat.ts";
import { FleetMembership } from "./membership.ts";
import { OffsetEstimate } from "./offset-estimate.ts";
import { SharedClock } from "./shared-clock.ts";

const second = 1_000;

/** A member whose heartbeat is in the hands of the test. */
async function createMember() {
  const own = new FakeClock("2026-03-02T10:00:00Z");
  const clock = new SharedClock(own);
  const events: string[] = [];
  const record = (level: string) => (message: string) => events.push(`${level}: ${message}`);
  const logger = { debug() {}, info: record("info"), warn: record("warn"), error: record("error") };
  let onBeat: (beat: Beat) => void = () => {};
  let pulses = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  const beat = ({ tripMs = 0, aheadMs = 0 } = {}) => {
    sentAt = own.elapsed() - tripMs;
    onBeat({ sentAt, confirmedAt: own.elapsed(), databaseNow: own.now() + aheadMs });
  };
  /** The thread has renewed the lease, and its message waits for the main thread. */
  const beatUnnoticed = () => {
    sentAt = own.elapsed();
  };
  const heartbeat: Heartbeat = {
    async start(listener) {
      onBeat = listener;
      beat();
    },
    lastSentAt: () => sentAt,
    pulse: () => void pulses++,
    stop: async () => void events.push("stopped"),
  };
  const leases = {
    renew: async () => 0,
    read: async () => ({ live: [], dead: [] }),
    forget: async () => {},
    release: async () => {},
  };
  const membership = new FleetMembership({
    ...{ clock, logger, leases, heartbeat },
    onLost: () => events.push("lost"),
  });
  await membership.join();
  return { membership, own, clock, events, beat, beatUnnoticed, pulses: () => pulses };
}

describe("a member of a fleet", () => {
  it("fences itself without heartbeats, says so once, and rejoins with the next one", async () => {
    const { membership, own, events, beat } = await createMember();
    await own.elapse(8 * second);
    assert.equal(membership.isMember, true);
    assert.deepEqual(membership.healthIssues(), []);
    await own.elapse(20 * second);
    assert.equal(membership.isMember, false);
    assert.deepEqual(events, [
      "error: No heartbeat for 9 s: running jobs are aborted, and none are started",
      "lost",
    ]);
    assert.partialDeepStrictEqual(membership.healthIssues(), [{ id: "lease", status: "failing" }]);
    beat();
    assert.equal(membership.isMember, true);
    assert.equal(events.at(-1), "info: The heartbeat is back: this instance runs jobs again");
    await own.elapse(10 * second);
    assert.equal(events.filter((event) => event === "lost").length, 2);
  });

  it("counts from when a renewal was sent, because the database may have set the lease right then", async () => {
    const { membership, own, beat } = await createMember();
    await own.elapse(6 * second);
    beat({ tripMs: 5 * second });
    await own.elapse(4 * second);
    assert.equal(membership.isMember, false);
  });

  it("aborts its runs if the lease had expired before it was renewed, although no check noticed that", async () => {
    const { membership, own, events, beat, beatUnnoticed } = await createMember();
    // A process that is suspended during a block of its event loop: the thread runs first.
    for (let passed = 0; passed < 16; passed++) {
      own.advance(second);
      beatUnnoticed();
    }
    assert.deepEqual(events, []);
    beat();
    assert.deepEqual(events, [
      "error: No heartbeat for 9 s: running jobs are aborted, and none are started",
      "lost",
      "info: The heartbeat is back: this instance runs jobs again",
    ]);
    assert.equal(membership.isMember, true);
    beat();
    assert.equal(events.length, 3);
  });

  it("aborts its runs if the lease expired while its clocks stood still", async () => {
    const { membership, own, events, beat } = await createMember();
    own.advance(3 * second);
    beat({ aheadMs: 11 * second });
    assert.ok(!events.includes("lost"), "14 seconds of the database");
    own.advance(3 * second);
    beat({ aheadMs: 24 * second });
    assert.ok(events.includes("lost"), "16 more seconds");
    assert.equal(membership.isMember, true);
  });

  it("shows that its main thread runs, and nothing after it has left", async () => {
    const { membership, own, events, pulses } = await createMember();
    await own.elapse(5 * second);
    assert.ok(pulses() >= 5);
    await membership.leave();
    await own.elapse(60 * second);
    assert.deepEqual(events, ["stopped"]);
    assert.deepEqual(membership.healthIssues(), []);
  });

  it("follows the clock of the database, and warns when its own is more than a second off", async () => {
    const { membership, own, clock, events, beat } = await createMember();
    beat({ aheadMs: -300_000 });
    assert.equal(clock.now(), own.now() - 300_000);
    own.jump(60_000);
    assert.equal(clock.now(), own.now() - 360_000, "a clock that is set changes nothing");
    own.jump(-60_000);
    beat({ aheadMs: -300_010 });
    const warning =
      "The clock of this machine is 300 s ahead of the database. Jobs run by the time of the database.";
    assert.deepEqual(events, [`warn: ${warning}`]);
    assert.partialDeepStrictEqual(membership.healthIssues(), [{ status: "degraded", message: warning }]);
    beat({ aheadMs: 400 });
    assert.deepEqual(membership.healthIssues(), []);
    beat({ aheadMs: 1_500 });
    assert.match(events.at(-1)!, /1\.5 s behind the database/);
  });
});

describe("the estimate of a clock's offset", () => {
  /** A beat in which the database, with a monotonic clock that is `aheadMs` ahead, responded after `serverMs`. */
  function createEstimate() {
    const estimate = new OffsetEstimate();
    let sentAt = 0;
    return (aheadMs: number, tripMs: number, serverMs = tripMs / 2) => {
      sentAt += 3 * second;
      return estimate.add({
        sentAt,
        confirmedAt: sentAt + tripMs,
        databaseNow: sentAt + serverMs + aheadMs,
      });
    };
  }

  it("uses the fastest response, and is never ahead of the database", () => {
    const add = createEstimate();
    assert.equal(add(5_000, 40), 4_980);
    assert.equal(add(5_000, 10), 4_995);
    assert.equal(add(5_000, 900), 4_995, "slow samples are inexact");
    assert.equal(add(5_000, 2_000, 2_000), 5_000, "a response that took no time");
  });

  it("follows a clock that was set, forward or back, at once", () => {
    const add = createEstimate();
    add(5_000, 2);
    assert.equal(add(0, 50), -25);
    assert.equal(add(5_000, 2), 4_999);
    assert.equal(add(4_990, 2), 4_989, "a clock that drifts");
  });

  it("forgets samples after half a minute", () => {
    const add = createEstimate();
    add(100, 2);
    for (let count = 0; count < 10; count++) add(100, 200);
    assert.equal(add(100, 200), 0);
  });
});
