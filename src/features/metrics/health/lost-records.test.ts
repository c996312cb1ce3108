import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DroppedData } from "../../../feature/index.ts";
import { LostRecords } from "./lost-records.ts";

const losses: Readonly<Record<string, string>> = { log_records: "log records", page_views: "page views" };

function count(counts: Readonly<Record<string, number>>): DroppedData[] {
  return Object.entries(counts).map(([name, number]) => {
    const { [name]: loss } = losses;
    return { name, title: name, about: "", count: () => number, ...(loss !== undefined && { loss }) };
  });
}

describe("lost records", () => {
  it("are reported for five minutes", () => {
    const lost = new LostRecords();
    const messages = (counts: Record<string, number>) =>
      lost.issues(count(counts)).map(({ message }) => message);
    assert.deepEqual(messages({ log_records: 5 }), [], "before the first sample");
    lost.add(0, count({ log_records: 5, page_views: 0 }));
    assert.deepEqual(messages({ log_records: 5, page_views: 0 }), []);
    const found = ["1,200 log records were lost in the last five minutes."];
    assert.deepEqual(messages({ log_records: 1_205, page_views: 0 }), found);
    for (let minute = 1; minute <= 5; minute++) {
      lost.add(minute * 60_000, count({ log_records: 1_205, page_views: 0 }));
      assert.deepEqual(messages({ log_records: 1_205 }), minute < 5 ? found : []);
    }
  });

  it("are ongoing for ten seconds after the last loss", () => {
    const lost = new LostRecords();
    const seconds = [5, 5, 7, 7, 7, 8];
    const seen = seconds.map((log_records, index) => {
      lost.watch(index * 5_000, count({ log_records, watchers: index }));
      return lost.isOngoing(index * 5_000);
    });
    assert.deepEqual(seen, [false, false, true, true, false, true]);
  });

  it("do not include what live clients missed", () => {
    const lost = new LostRecords();
    lost.add(0, count({ watchers: 0 }));
    assert.deepEqual(lost.issues(count({ watchers: 9 })), []);
  });
});
