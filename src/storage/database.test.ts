import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "../../tests/support/postgres.ts";
import { openDatabase } from "./index.ts";
import { describeDatabase } from "./testing/contract.ts";
import { createTemporaryFolder } from "./testing/temporary-folder.ts";

describeDatabase("SQLite", async () => ({ dataDir: createTemporaryFolder() }));

const created: TestDatabase[] = [];
after(() => Promise.all(created.map(({ drop }) => drop())));

describeDatabase("PostgreSQL", async () => {
  const database = await createTestDatabase();
  created.push(database);
  return { dataDir: "/dev/null/not-used", url: database.url };
});

for (const url of [
  "mysql://root:secret@localhost/app",
  "postgres://a:sec/ret#secret@h/app",
  "secret@localhost",
  "",
]) {
  test(`the address "${url}" is refused without being repeated`, async () => {
    const refusal = { code: "INVALID_OPTION", message: /^(?!.*secret).*address/ };
    await assert.rejects(openDatabase({ dataDir: "/dev/null/not-used", url }), refusal);
  });
}
