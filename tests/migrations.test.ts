import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readChecksums, readMigrationFiles } from "./support/migration-files.ts";

const files = readMigrationFiles();

describe("migrations", () => {
  it("stay as they were released, because databases exist on which they have run", () => {
    const found = Object.fromEntries(files.map(({ name, checksum }) => [name, checksum]));
    for (const [name, checksum] of Object.entries(readChecksums())) {
      assert.equal(found[name], checksum, `${name} has been released. Add a new migration instead.`);
    }
  });

  it("import only the type of a migration, so that later changes do not affect them", () => {
    assert.ok(files.length > 20);
    for (const { name, imports } of files) {
      assert.equal(imports.length, 1, name);
      assert.match(
        imports[0]!,
        /^import type \{ Migration \} from "(\.\.\/)+(storage\/index|migrator)\.ts";$/,
        name,
      );
    }
  });
});
