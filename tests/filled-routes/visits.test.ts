import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import Sqlite from "better-sqlite3";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import { createVisitCounter } from "./visits.ts";

/** 1,000 notes of ten people, the newest last. */
function createNotes() {
  const dataDir = createTemporaryFolder();
  const database = new Sqlite(join(dataDir, "notes.db"));
  database.exec(`
    create table people (name text primary key, city text);
    create table notes (id text primary key, person text, time integer, kind text);
    create index notes_person on notes (person, time);
    with recursive n(i) as (select 0 union all select i + 1 from n where i < 999)
    insert into notes select 'note' || i, 'person' || (i % 10), i, iif(i % 100 = 0, 'rare', 'usual') from n;
    insert into people select distinct person, 'Berlin' from notes`);
  return { dataDir, database };
}

const cases: [what: string, sql: string, rows: number][] = [
  ["rows that an index finds", "select * from notes where person = 'person3'", 100],
  ["rows up to a limit", "select * from notes where person = 'person3' order by time desc limit 5", 5],
  ["skipped rows", "select * from notes where person = 'person3' order by time limit 5 offset 50", 55],
  ["rows that are read to find others", "select * from notes where kind = 'rare'", 1_000],
  ["rows up to the last one found", "select * from notes where kind = 'rare' limit 2", 101],
  ["rows of an index that are only counted", "select count(*) from notes", 1_000],
  ["sorted rows", "select * from notes order by kind limit 1", 1_000],
  ["rows of a group", "select person, max(time) from notes group by person", 1_000],
  ["the end of an index", "select max(time) from notes where person = 'person3'", 1],
  [
    "rows of both tables of a join",
    "select note.id from people as someone join notes as note on note.person = someone.name where city = 'Berlin'",
    1_010,
  ],
  [
    "rows of subqueries",
    "select * from notes where id in (select id from notes where person = 'person3' limit 10)",
    20,
  ],
];

describe("the number of rows that a query visits", () => {
  for (const [what, sql, rows] of cases)
    it(`includes ${what}`, (t) => {
      const { dataDir, database } = createNotes();
      t.after(() => database.close());
      const counter = createVisitCounter(dataDir);
      t.after(() => counter.close());
      const query = { isMain: true, file: "notes.db", sql, values: [] };
      assert.deepEqual(counter.count(query, rows).isCut, false);
      assert.equal(counter.count(query, rows).rows, rows);
      assert.equal(counter.count(query, rows - 1).isCut, true);
    });
});
