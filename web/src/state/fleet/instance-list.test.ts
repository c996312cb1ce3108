import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Instance, InstanceList, InstanceStatus } from "../../../../src/features/metrics/wire.ts";
import { isGone, withoutStatus } from "./instance-list.ts";

const status = { run_count: 1 } as InstanceStatus;

function listOf(...instances: (Pick<Instance, "instance" | "state"> & Partial<Instance>)[]): InstanceList {
  const common = { started_at: 1, seen_at: 2, description: {} as Instance["description"] };
  return { now: 3, is_shared: true, instances: instances.map((each) => ({ ...common, ...each })) };
}

describe("the list of instances", () => {
  it("keeps the instances without their current values when it becomes old", () => {
    const list = listOf(
      { instance: "web-1", state: "running", status },
      { instance: "web-2", state: "lost" },
    );
    const old = withoutStatus(list);
    assert.deepEqual(
      old.instances.map(({ instance, state, status }) => [instance, state, status]),
      [
        ["web-1", "running", undefined],
        ["web-2", "lost", undefined],
      ],
    );
    assert.equal(list.instances[0]!.status, status);
  });

  it("distinguishes running instances from those that are gone, even without a status", () => {
    const list = listOf(
      { instance: "web-1", state: "running", status },
      { instance: "starting", state: "running" },
      { instance: "stopped", state: "stopped" },
      { instance: "lost", state: "lost" },
    );
    const gone = ["web-1", "starting", "stopped", "lost", "unknown"].filter((name) => isGone(list, name));
    assert.deepEqual(gone, ["stopped", "lost", "unknown"]);
  });
});
