import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LostRecords } from "./lost-records.ts";

describe("lost records", () => {
  it("are reported for five minutes", () => {
    const lost = new LostRecords();
    const messages = (counts: Record<string, number>) => lost.issues(counts).map(({ message }) => message);
    assert.deepEqual(messages({ log_records: 5 }), [], "before the first sample");
    lost.add(0, { log_records: 5, page_views: 0 });
    assert.deepEqual(messages({ log_records: 5, page_views: 0 }), []);
    const found = ["1,200 log records were lost in the last five minutes."];
    assert.deepEqual(messages({ log_records: 1_205, page_views: 0 }), found);
    for (let minute = 1; minute <= 5; minute++) {
      lost.add(minute * 60_000, { log_records: 1_205, page_views: 0 });
      assert.deepEqual(messages({ log_records: 1_205 }), minute < 5 ? found : []);
    }
  });

  it("are ongoing for ten seconds after the last loss", () => {
    const lost = new LostRecords();
    const seconds = [5, 5, 7, 7, 7, 8];
    const seen = seconds.map((log_records, index) => {
      lost.watch(index * 5_000, { log_records, watchers: index });
      return lost.isOngoing(index * 5_000);
    });
    assert.deepEqual(seen, [false, false, true, true, false, true]);
  });

  it("do not include what live clients missed", () => {
    const lost = new LostRecords();
    lost.add(0, { watchers: 0 });
    assert.deepEqual(lost.issues({ watchers: 9 }), []);
  });
});
