import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { describeDump, describeDumpRestore } from "./dump-command.ts";

describe("the commands for PostgreSQL", () => {
  const addresses: [url: string, shown: string][] = [
    ["postgres://notes:secret@db.example:5433/notes", "postgresql://notes@db.example:5433/notes"],
    ["postgres://notes:se@cret@db.example/notes", "postgresql://notes@db.example/notes"],
    [
      "postgresql://db.example/notes?password=secret&sslmode=no-verify",
      "'postgresql://db.example/notes?sslmode=require'",
    ],
    ["postgres://n:secret@/notes?host=/run/pg", "'postgresql://n@/notes?host=%2Frun%2Fpg'"],
    [
      "postgres://db/notes?options=-c%20a%3Db&application_name=x",
      "'postgresql://db/notes?options=-c%20a%3Db'",
    ],
    ["postgres://[::1:secret", "postgresql://user@host:5432/name"],
  ];
  for (const [url, shown] of addresses) {
    it(`have the address ${shown}, without the password`, () => {
      assert.equal(describeDump(url, "a.dump"), `pg_dump --format=custom --file=a.dump ${shown}`);
      assert.ok(describeDumpRestore(url, "a.dump").includes(`--dbname=${shown} a.dump`));
      assert.ok(!describeDump(url, "a.dump").includes("cret"));
    });
  }

  it("quote names for the shell", () => {
    const command = describeDump("postgres://db/notes", "it's mine.dump", ["annex_log_*"]);
    assert.ok(command.includes("--exclude-table-data='annex_log_*' --file='it'\\''s mine.dump'"), command);
  });
});
