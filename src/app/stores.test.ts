import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hasTable, openDatabase, type Store } from "../storage/index.ts";
import { listStores } from "./databases.ts";
import { features } from "./features.ts";
import { createTemporaryFolder } from "./testing/test-app.ts";

const stores = listStores(features);

/** The tables that the migrations of a store create. */
async function createTables(t: { after(fn: () => unknown): void }, { migrations }: Store): Promise<string[]> {
  const database = await openDatabase({ dataDir: createTemporaryFolder(t) });
  t.after(() => database.close());
  await database.migrate([migrations]);
  const rows = await database
    .tables<{ sqlite_master: { name: string; type: string } }>()
    .selectFrom("sqlite_master")
    .select("name")
    .where("type", "=", "table")
    .where("name", "like", "annex%")
    .execute();
  return rows.map(({ name }) => name);
}

describe("stores", () => {
  for (const store of stores) {
    it(`declare all tables of ${store.name}, and no others`, async (t) => {
      const tables = await createTables(t, store);
      for (const table of tables) {
        const owners = stores.filter((each) => hasTable(each, table)).map(({ name }) => name);
        assert.deepEqual(owners, [table === "annex_migrations" ? "storage" : store.name], table);
      }
      for (const name of store.tables)
        assert.ok(
          tables.some((table) => hasTable({ tables: [name] }, table)),
          name,
        );
    });
  }

  it("have different names and sets of migrations", () => {
    assert.equal(new Set(stores.map(({ name }) => name)).size, stores.length);
    assert.equal(new Set(stores.map(({ migrations }) => migrations.feature)).size, stores.length);
  });
});
