import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import BetterSqlite3 from "better-sqlite3";
import { createTemporaryFolder } from "../../lib/testing/temporary-folder.ts";
import { findDamage, refuseDamaged, refuseEmptied } from "./start-check.ts";

describe("a file that is empty beside its log", () => {
  const createFiles = () => {
    const folder = createTemporaryFolder();
    writeFileSync(join(folder, "notes.db"), "");
    writeFileSync(join(folder, "notes.db-wal"), "content");
    return folder;
  };

  it("has been truncated and is rejected", () => {
    assert.throws(() => refuseEmptied(createFiles(), "notes.db"), {
      code: "DATABASE_UNUSABLE",
      message: /notes\.db/,
    });
  });

  it("is accepted if another process has just written its first page", () => {
    let looked = 0;
    const sizeOf = (path: string) => (path.endsWith("-wal") ? 7 : looked++ === 0 ? 0 : 4_096);
    refuseEmptied(createFiles(), "notes.db", sizeOf);
    assert.equal(looked, 2);
  });
});

describe("a value that breaks a constraint", () => {
  it("is not damage: the file can be read", (t) => {
    const database = new BetterSqlite3(join(createTemporaryFolder(), "notes.db"));
    t.after(() => database.close());
    database.exec("create table notes (title text); insert into notes values (null)");
    database.unsafeMode().pragma("writable_schema = on");
    database.exec("update sqlite_schema set sql = 'create table notes (title text not null)'");
    database.pragma("writable_schema = reset");
    assert.deepEqual(database.pragma("quick_check", { simple: true }), "NULL value in notes.title");
    assert.equal(findDamage(database, "integrity_check"), undefined);
    refuseDamaged(database);
    assert.ok(database.open);
  });
});
