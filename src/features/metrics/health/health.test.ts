import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HealthIssue } from "../../../feature/index.ts";
import { FakeClock, settle } from "../../../lib/testing/fake-clock.ts";
import { createHealth, type HealthSources, type ReadyNeeds } from "./health.ts";

const issue = (id: string): HealthIssue => ({ id, status: "failing", message: `/data/${id}` });
const ready = { status: "ready", checks: { store: "ok" } };

const needs: Record<string, ReadyNeeds> = {
  nothing: { database: false, jobs: false, records: false },
  database: { database: true, jobs: false, records: false },
  worker: { database: true, jobs: true, records: false },
  everything: { database: true, jobs: true, records: true },
};

function create(needed: ReadyNeeds, changes: Partial<HealthSources> = {}) {
  const clock = new FakeClock(0);
  const health = createHealth({
    clock,
    connections: () => 0,
    isDraining: () => false,
    storageIssues: () => [],
    fleetIssues: () => [],
    isLosingData: () => false,
    readyNeeds: () => needed,
    uptimeMs: () => 0,
    probeStore: async () => {},
    ...changes,
  });
  return { health, clock };
}

describe("readiness", () => {
  const faults: Record<string, { changes: Partial<HealthSources>; reason: string; unready: string[] }> = {
    "the database cannot be written": {
      changes: {
        storageIssues: () => [issue("database")],
        probeStore: () => Promise.reject(Object.assign(new Error(), { code: "SQLITE_FULL" })),
      },
      reason: "io_error",
      unready: ["database", "worker", "everything"],
    },
    "the lease is lost": {
      changes: { fleetIssues: () => [issue("lease")] },
      reason: "lease",
      unready: ["worker", "everything"],
    },
    "log records cannot be stored": {
      changes: { storageIssues: () => [issue("log")] },
      reason: "log",
      unready: ["everything"],
    },
    "records are lost": { changes: { isLosingData: () => true }, reason: "", unready: [] },
  };
  for (const [fault, { changes, reason, unready }] of Object.entries(faults))
    for (const [name, needed] of Object.entries(needs))
      it(`of an instance that needs ${name}, while ${fault}`, async () => {
        const { health } = create(needed, changes);
        await health.check();
        await settle();
        const found = await health.check();
        assert.equal(found.status, unready.includes(name) ? "unavailable" : "ready");
        assert.equal(found.reason, unready.includes(name) ? reason : undefined);
        assert.equal(health.read().status, "degraded");
      });

  it("does not wait for a frozen database that the application does not need", async () => {
    const { health } = create(needs.nothing!, { probeStore: () => new Promise(() => {}) });
    assert.deepEqual(await health.check(), ready);
  });

  it("shows no path of a storage issue to anonymous clients", async () => {
    const { health } = create(needs.everything!, { storageIssues: () => [issue("log")] });
    assert.doesNotMatch(JSON.stringify(await health.check()), /\/data/);
  });

  it("ends with the shutdown, whatever is needed", async () => {
    const { health } = create(needs.nothing!, { isDraining: () => true });
    assert.equal((await health.check()).status, "draining");
    assert.equal(health.read().status, "draining");
  });
});
