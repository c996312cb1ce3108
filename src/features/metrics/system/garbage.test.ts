import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { settle } from "../../../lib/testing/fake-clock.ts";
import { createGarbage } from "./garbage.ts";
import { valuesOf } from "./testing/fake-machine.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as (options?: { type: "minor" }) => void;

describe("the collection of garbage", () => {
  it("is counted with its pauses, since the sample before", async (t) => {
    const garbage = createGarbage();
    t.after(() => garbage.close!());
    valuesOf(garbage);
    collect();
    collect();
    await settle();
    const values = valuesOf(garbage);
    assert.ok(values["gc.major_count"]! >= 2);
    assert.ok(values["gc.count"]! >= values["gc.major_count"]!);
    assert.ok(values["gc.longest_pause_ms"]! > 0);
    assert.ok(values["gc.pause_ms"]! > values["gc.longest_pause_ms"]!);
    assert.equal(valuesOf(garbage)["gc.count"], 0);
  });

  it("distinguishes minor and major collections", async (t) => {
    const garbage = createGarbage();
    t.after(() => garbage.close!());
    collect({ type: "minor" });
    await settle();
    const values = valuesOf(garbage);
    assert.ok(values["gc.count"]! > values["gc.major_count"]!);
  });

  it("is no longer counted once closed", async () => {
    const garbage = createGarbage();
    garbage.close!();
    collect();
    await settle();
    assert.equal(valuesOf(garbage)["gc.count"], 0);
  });
});
