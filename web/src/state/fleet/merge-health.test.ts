import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { HealthReason } from "../../../../src/features/metrics/wire.ts";
import { mergeHealth } from "./merge-health.ts";

const job: HealthReason = { id: "job:sync", status: "degraded", message: "Sync fails", since: 2_000 };
const disk: HealthReason = { id: "disk", status: "failing", message: "The disk is full", since: 3_000 };

const member = (
  instance: string,
  status: "healthy" | "degraded" | "failing",
  ...reasons: HealthReason[]
) => ({
  instance,
  verdict: { status, reasons },
});

describe("the health of several instances", () => {
  it("has a reason that all instances report once, without a name, since the first report", () => {
    const { status, reasons } = mergeHealth([
      member("web-1", "degraded", job),
      member("web-2", "degraded", { ...job, since: 1_000 }),
    ]);
    assert.equal(status, "degraded");
    assert.deepEqual(reasons, [{ ...job, since: 1_000, until: undefined }]);
  });

  it("names the instances of a reason that not all of them report, and has failing reasons first", () => {
    const { status, reasons } = mergeHealth([
      member("web-1", "degraded", job),
      member("web-2", "failing", job, disk),
      member("web-3", "healthy"),
    ]);
    assert.equal(status, "failing");
    assert.deepEqual(
      reasons.map(({ message }) => message),
      ["web-2: The disk is full", "web-1, web-2: Sync fails"],
    );
  });

  it("keeps reasons with the same ID apart if their messages differ", () => {
    const { reasons } = mergeHealth([
      member("web-1", "failing", disk),
      member("web-2", "failing", { ...disk, message: "2 % of the disk is free" }),
    ]);
    assert.deepEqual(
      reasons.map(({ message }) => message),
      ["web-1: The disk is full", "web-2: 2 % of the disk is free"],
    );
    assert.equal(new Set(reasons.map(({ id }) => id)).size, 2);
  });

  it("lasts as long as one instance reports it", () => {
    const ended = { ...job, until: 5_000 };
    const of = (...reasons: HealthReason[]) =>
      mergeHealth(reasons.map((reason, index) => member(`web-${index}`, "degraded", reason))).reasons[0]!
        .until;
    assert.equal(of(ended, job), undefined);
    assert.equal(of(ended, { ...ended, until: 6_000 }), 6_000);
  });
});
