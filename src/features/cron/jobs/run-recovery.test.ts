import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import type { FleetStatus } from "../cluster/fleet-status.ts";
import type { RunStore } from "../runs/store/run-store.ts";
import { RunRecovery, type RunRecoveryOptions } from "./run-recovery.ts";

const status: FleetStatus = {
  instanceCount: 2,
  rank: 0,
  hasDead: true,
  ownRuns: [],
  hasCancelRequests: true,
  changes: "changed",
  aliveUntil: undefined,
  queuedAt: 7,
};

/** The steps of one round in which the given step fails, and the errors that were logged. */
async function runRound(isShared: boolean, failing: string) {
  const clock = new FakeClock("2026-03-02T10:00:00Z");
  const steps: string[] = [];
  const errors: string[] = [];
  const take = (step: string) => {
    steps.push(step);
    if (step === failing) throw new Error(step);
  };
  const parts = {
    instance: "one",
    clock,
    logger: {
      debug() {},
      info() {},
      warn: (_message: string, data?: object) => errors.push((data as { error: Error }).error.message),
      error() {},
    },
    runs: {
      running: async () => [{ id: "run", instance: "dead" }],
      interrupt: async () => {
        take("interrupt");
        return [];
      },
      cancelRequests: async () => {
        take("cancel");
        return [];
      },
    } as Partial<RunStore>,
    settings: { get: async () => undefined, set: async () => take("heartbeat") },
    membership: {
      instances: async () => ({ live: [], dead: [{ id: "dead", renewedAt: 1 }] }),
      forget: async () => {},
    },
    runner: { activeIds: () => [], knows: () => true, find: () => undefined },
    isShared,
    isTicking: () => true,
    readStatus: async () => status,
    applyStoredChanges: async () => take("changes"),
    onQueued: () => take("queue"),
  };
  const recovery = new RunRecovery(parts as unknown as RunRecoveryOptions);
  recovery.start();
  await clock.elapse(10_000);
  await recovery.stop();
  return { steps: [...new Set(steps)], errors: [...new Set(errors)] };
}

describe("a round of maintenance", () => {
  for (const failing of ["interrupt", "changes", "cancel"])
    it(`takes its other steps in a fleet if this one fails: ${failing}`, async () => {
      const { steps, errors } = await runRound(true, failing);
      assert.deepEqual(steps.toSorted(), ["cancel", "changes", "heartbeat", "interrupt", "queue"]);
      assert.deepEqual(errors, [failing]);
    });

  it("writes the heartbeat of a single instance if runs cannot be interrupted", async () => {
    const { steps, errors } = await runRound(false, "interrupt");
    assert.deepEqual(steps, ["interrupt", "heartbeat"]);
    assert.deepEqual(errors, ["interrupt"]);
  });
});
