import assert from "node:assert/strict";
import { test } from "node:test";
import { createGate } from "./gate.ts";

test("limits concurrent and waiting tasks, and rejects the rest", async () => {
  const enter = createGate(2, 3, () => new Error("full"));
  const doors = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const works = doors.map(({ promise }, index) =>
    enter(async () => {
      begun.push(index);
      await promise;
      return index;
    }),
  );
  await assert.rejects(works[5]!, /full/);
  assert.deepEqual(begun, [0, 1]);
  doors[1]!.resolve();
  assert.equal(await works[1], 1);
  assert.deepEqual(begun, [0, 1, 2]);
  for (const { resolve } of doors) resolve();
  assert.deepEqual(await Promise.all(works.slice(0, 5)), [0, 1, 2, 3, 4]);
});

test("work that fails gives its place on", async () => {
  const enter = createGate(1, 1, () => new Error("full"));
  const failed = enter(() => Promise.reject(new Error("broken")));
  const waiting = enter(async () => "done");
  await assert.rejects(failed, /broken/);
  assert.equal(await waiting, "done");
  assert.equal(await enter(async () => "again"), "again");
});
