import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { createTestDatabase } from "../../../tests/support/postgres.ts";
import { type Database, type Engine, type MigrationSet, openDatabase } from "../index.ts";

export const engines = ["sqlite", "postgres"] as const satisfies Engine[];

/** An empty database of that kind with these tables, gone after the test. */
export async function openTestDatabase(
  t: TestContext,
  engine: Engine,
  ...sets: MigrationSet[]
): Promise<Database> {
  const database = await (engine === "sqlite" ? openTestFile(t) : openTestPostgres(t));
  await database.migrate(sets);
  return database;
}

async function openTestFile(t: TestContext): Promise<Database> {
  const dataDir = mkdtempSync(join(tmpdir(), "annex-database-"));
  const database = await openDatabase({ dataDir });
  t.after(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true });
  });
  return database;
}

async function openTestPostgres(t: TestContext): Promise<Database> {
  const { url, drop } = await createTestDatabase();
  const database = await openDatabase({ url, dataDir: "/dev/null/not-used" });
  t.after(async () => {
    await database.close();
    await drop();
  });
  return database;
}
