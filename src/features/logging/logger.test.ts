import assert from "node:assert/strict";
import { it } from "node:test";
import { createRecordWriter } from "./logger.ts";

it("a record is passed on with the time that it contains", (t) => {
  // A clock that advances with each read.
  let now = Date.parse("2026-03-01T12:00:00Z");
  t.mock.method(Date, "now", () => now++);
  const times: [written: string, given: number][] = [];
  const writer = createRecordWriter("info", (line, _level, time) => {
    times.push([JSON.parse(line).time, time]);
  });
  for (const message of ["one", "two"]) writer.write("info", message, {});
  assert.equal(times.length, 2);
  for (const [written, given] of times) assert.equal(written, new Date(given).toISOString());
  assert.ok(times[1]![1] > times[0]![1]);
});
