import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createTestDatabase, type TestDatabase } from "../../tests/support/postgres.ts";
import { startTransactionPooler } from "../../tests/support/transaction-pooler.ts";
import { createFaultError, describeFault, toStartError } from "./faults.ts";
import { openDatabase } from "./index.ts";
import { describeDatabase } from "./testing/contract.ts";
import { createTemporaryFolder } from "./testing/temporary-folder.ts";

describeDatabase("SQLite", async () => ({ dataDir: createTemporaryFolder() }));

const created: TestDatabase[] = [];
const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends) await end();
  await Promise.all(created.map(({ drop }) => drop()));
});

async function createUrl(): Promise<string> {
  const database = await createTestDatabase();
  created.push(database);
  return database.url;
}

describeDatabase("PostgreSQL", async () => ({ dataDir: "/dev/null/not-used", url: await createUrl() }));

describeDatabase("PostgreSQL through a transaction pooler", async () => {
  const { url } = await startTransactionPooler({ after: (end) => ends.push(end) }, await createUrl());
  return { dataDir: "/dev/null/not-used", url };
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

test("a running server needs no restart after a short fault, but one that starts ends", () => {
  assert.equal(
    describeFault("unavailable"),
    "The database does not respond. Check that it is running; no restart is needed.",
  );
  const fault = createFaultError({ reason: "unavailable", place: "db:5432/app" });
  assert.equal(
    (toStartError(fault) as Error).message,
    "Failed to use the database db:5432/app: The database does not respond. Check that it is running.",
  );
});
