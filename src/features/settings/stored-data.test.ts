import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Engine, Store } from "../../storage/index.ts";
import { describeStores, type FindOption } from "./stored-data.ts";

const migrations = { feature: "test", migrations: {} };

const stores: readonly Store[] = [
  { name: "accounts", contents: ["accounts"], tables: ["annex_users"], migrations },
  {
    name: "records",
    contents: ["records"],
    file: "records.db",
    tables: ["annex_record_*"],
    migrations,
    isLarge: true,
    retention: [{ option: "records.hours", requires: "records.store", note: "or until it is full" }],
    limit: { option: "records.megabytes" },
  },
  {
    name: "counts",
    contents: ["counts", "sums"],
    file: "counts.db",
    tables: ["annex_count*"],
    migrations,
    isLarge: true,
    retention: [{ of: "counts", words: "for a day" }],
    limit: { option: "counts.megabytes", of: "counts only" },
  },
  {
    name: "views",
    contents: ["views"],
    file: "counts.db",
    tables: ["annex_view"],
    migrations,
    isLarge: true,
    retention: [{ option: "views.days" }],
  },
];

const values: Readonly<Record<string, ReturnType<FindOption>>> = {
  "records.hours": { unit: "hours", value: 48 },
  "records.store": { value: true },
  "records.megabytes": { unit: "megabytes", value: 3 },
  "counts.megabytes": { unit: "megabytes", value: 1 },
  "views.days": { unit: "days", value: 2 },
};

function describeParts(engine: Engine, names: readonly string[], changes = {}) {
  const parts = names.map((name, index) => ({ name, bytes: 10 ** index }));
  return describeStores(stores, engine, { bytes: 0, parts }, (name) => ({ ...values, ...changes })[name]!);
}

describe("stored data", () => {
  it("has a row for each file of SQLite", () => {
    const names = ["annex.db", "counts.db", "counts.db-wal", "records.db", "annex.db-shm"];
    assert.deepEqual(describeParts("sqlite", names), [
      {
        name: "records",
        title: "Records",
        owner: "store",
        bytes: 1_000,
        parts: ["records.db"],
        limit: { store: "records", max_bytes: 3_000_000 },
        retention: [{ option: "records.hours", ms: 172_800_000, note: "or until it is full" }],
      },
      {
        name: "counts",
        title: "Counts, sums and views",
        owner: "store",
        bytes: 110,
        parts: ["counts.db", "counts.db-wal"],
        limit: { store: "counts", max_bytes: 1_000_000, of: "counts only" },
        retention: [
          { of: "counts", words: "for a day" },
          { of: "views", option: "views.days", ms: 172_800_000 },
        ],
      },
      {
        name: "rest",
        title: "Accounts and the application's own tables",
        owner: "others",
        bytes: 10_001,
        parts: ["annex.db", "annex.db-shm"],
        retention: [],
      },
    ]);
  });

  it("has a row for each large store of PostgreSQL, one for the others and one for the application", () => {
    const names = ["annex_view", "annex_count_names", "annex_users", "annex_unknown", "annexes", "notes"];
    const rows = describeParts("postgres", names);
    assert.deepEqual(
      rows.map(({ name, title, parts }) => [name, title, parts]),
      [
        ["counts", "Counts and sums", ["annex_count_names"]],
        ["views", "Views", ["annex_view"]],
        ["rest", "Accounts", ["annex_users", "annex_unknown"]],
        ["own", "The application's own tables", ["annexes", "notes"]],
      ],
    );
    assert.deepEqual(rows[1]!.retention, [{ option: "views.days", ms: 172_800_000 }]);
  });

  it("says how much of a file is free, and what the limit deletes", () => {
    const parts = [
      { name: "records.db", bytes: 1_000, free: 400 },
      { name: "counts.db", bytes: 500, free: 0 },
    ];
    const states = [
      { store: "counts", removing: { done: 412, total: 868 } },
      { store: "records", early: ["11 of 30 days of records fit"] },
    ];
    const rows = describeStores(stores, "sqlite", { bytes: 1_500, parts }, (name) => values[name]!, states);
    assert.deepEqual(
      rows.map(({ name, free_bytes, removing, early }) => ({ name, free_bytes, removing, early })),
      [
        {
          name: "records",
          free_bytes: 400,
          removing: undefined,
          early: ["11 of 30 days of records fit"],
        },
        { name: "counts", free_bytes: 0, removing: [{ done: 412, total: 868 }], early: undefined },
      ],
    );
  });

  it("says which option prevents that data is stored", () => {
    const [records] = describeParts("sqlite", ["records.db"], { "records.store": { value: false } });
    assert.deepEqual(records!.retention, [{ words: "not stored: records.store is off" }]);
  });
});
