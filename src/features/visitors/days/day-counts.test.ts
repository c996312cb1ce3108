import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createDayCounter, type DayCounts } from "./day-counts.ts";
import { packDay, unpackDay } from "./packing.ts";

const person = { kind: "human", browser: "Firefox", os: "Linux", device: "desktop", referrer: "" } as const;
const visit = { ...person, hours: 1 << 23, entry: "/", visitors: 1, returned: 0, sessions: 1, bounces: 1 };
const view = { ...person, hour: 23, page: "/", views: 1 };

function rowsOf(counts: DayCounts, table: "visits" | "views"): Record<string, unknown>[] {
  const columns: Record<string, ArrayLike<number>> = counts[table];
  const named = ["browser", "os", "device", "referrer", "entry", "page"];
  return Array.from({ length: Object.values(columns)[0]!.length }, (_, row) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [
        name,
        named.includes(name) ? counts.names[values[row]!] : values[row]!,
      ]),
    ),
  );
}

describe("the counts of a day", () => {
  it("are combined into one row if rows are equal", () => {
    const counter = createDayCounter();
    for (let index = 0; index < 300; index++) counter.addVisit(visit);
    counter.addVisit({ ...visit, kind: "ai", sessions: 70_000, bounces: 0 });
    counter.addView(view);
    counter.addView({ ...view, page: "/ä" });
    counter.addView({ ...view, views: 4 });
    assert.equal(rowsOf(counter.take(), "visits").length, 301);
    const counts = counter.compact();
    assert.deepEqual(rowsOf(counts, "visits"), [
      { ...visit, kind: 0, visitors: 300, sessions: 300, bounces: 300 },
      { ...visit, kind: 2, sessions: 70_000, bounces: 0 },
    ]);
    assert.deepEqual(rowsOf(counts, "views"), [
      { ...view, kind: 0, views: 5 },
      { ...view, kind: 0, page: "/ä" },
    ]);
  });

  it("are the same after packing, regardless of the byte offset", () => {
    const counter = createDayCounter();
    for (let index = 0; index < 301; index++) {
      counter.addVisit({ ...visit, hours: index, entry: `/${index}`, visitors: index * 1_000 });
      counter.addView({ ...view, page: `/漢/${index}` });
    }
    const counts = counter.compact();
    const packed = packDay(counts);
    for (const offset of [0, 1, 2, 3]) {
      const bytes = new Uint8Array(packed.length + 3).subarray(offset, offset + packed.length);
      bytes.set(packed);
      const unpacked = unpackDay(bytes);
      assert.deepEqual(rowsOf(unpacked, "visits"), rowsOf(counts, "visits"));
      assert.deepEqual(rowsOf(unpacked, "views"), rowsOf(counts, "views"));
    }
  });

  it("can be empty", () => {
    const { names, visits, views } = unpackDay(packDay(createDayCounter().compact()));
    assert.deepEqual([names, visits.hours.length, views.hour.length], [[], 0, 0]);
  });

  it("of a newer release are refused", () => {
    const packed = Buffer.from(packDay(createDayCounter().compact()));
    packed.write(packed.toString("latin1").replace('"version":1', '"version":2'), "latin1");
    assert.throws(() => unpackDay(packed), /newer release/);
  });

  it("lose rare names and no count when there are too many rows", () => {
    const counter = createDayCounter(500);
    for (let index = 0; index < 5_000; index++) {
      counter.addView({ ...view, page: index % 2 ? "/often" : `/${index}`, hour: index % 24 });
      counter.addVisit({ ...visit, referrer: `r${index}.example`, hours: 1 << (index % 24) });
    }
    const counts = counter.compact();
    const [visits, views] = [rowsOf(counts, "visits"), rowsOf(counts, "views")];
    assert.ok(visits.length <= 500 && views.length <= 500);
    const sum = (rows: typeof views, field: string) =>
      rows.reduce((total, row) => total + Number(row[field]), 0);
    assert.equal(sum(visits, "visitors"), 5_000);
    assert.equal(sum(views, "views"), 5_000);
    assert.equal(
      sum(
        views.filter(({ page }) => page === "/often"),
        "views",
      ),
      2_500,
    );
    assert.ok(counts.names.length < 700, `${counts.names.length} names`);
  });

  it("are few for any rows", () => {
    const counter = createDayCounter(100);
    for (let index = 0; index < 4_000; index++) {
      const strange = { browser: `b${index}`, os: `o${index}`, device: `d${index}`, referrer: `r${index}` };
      counter.addVisit({ ...visit, ...strange, hours: index + 1, entry: `/${index}` });
      counter.addView({ ...view, ...strange, page: `/${index}`, hour: 3 });
    }
    const counts = counter.compact();
    for (const [table, field] of [
      ["visits", "visitors"],
      ["views", "views"],
    ] as const) {
      const rows = rowsOf(counts, table);
      assert.ok(rows.length <= 100, `${rows.length} rows`);
      assert.equal(
        rows.reduce((sum, row) => sum + Number(row[field]), 0),
        4_000,
      );
    }
  });
});
