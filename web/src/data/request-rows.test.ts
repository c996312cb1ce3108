import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromRecord, maskIp } from "./request-rows.ts";

const record = {
  time: "2026-03-01T12:00:00.123Z",
  level: "DEBUG",
  msg: "Request processed",
  event: "http_request",
  trace_id: "q3WdXwZbK0u8mTf1Ra",
  method: "GET",
  path: "/todos",
  status: "404 Not Found",
  duration: "1.20s",
  ip: "203.0.113.7",
  user_agent: "curl/8",
  content_length: 12,
};

describe("a request from a record", () => {
  it("has the fields of the record", () => {
    assert.deepEqual(fromRecord(record), {
      trace: "q3WdXwZbK0u8mTf1Ra",
      time: Date.parse(record.time),
      method: "GET",
      path: "/todos",
      status: 404,
      durationMs: 1_200,
      bytesIn: 12,
      ip: "203.0.113.7",
      userAgent: "curl/8",
    });
  });

  for (const [duration, milliseconds] of [
    ["850µs", 0.85],
    ["12.34ms", 12.34],
    ["61.00s", 61_000],
  ] as const) {
    it(`took ${duration}`, () => assert.equal(fromRecord({ ...record, duration })!.durationMs, milliseconds));
  }

  it("is undefined for a record without the fields of a request", () => {
    assert.equal(fromRecord({ ...record, duration: 3 }), undefined);
    assert.equal(fromRecord({ ...record, event: "log" }), undefined);
  });
});

describe("a masked address", () => {
  for (const [ip, masked] of [
    ["203.0.113.7", "203.0.113.x"],
    ["::ffff:203.0.113.7", "203.0.113.x"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::x"],
    ["2001:db8::1", "2001:db8:0::x"],
    ["fe80::1", "fe80:0:0::x"],
    ["::1", "::1"],
    ["", ""],
  ] as const) {
    it(`of ${ip || "an empty text"} is ${masked || "empty"}`, () => assert.equal(maskIp(ip), masked));
  }
});
