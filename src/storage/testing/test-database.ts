import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestDatabase } from "../../../tests/support/postgres.ts";
import type { Cleanup } from "../../lib/testing/share.ts";
import { type Database, type Engine, type MigrationSet, openDatabase } from "../index.ts";

export const engines = ["sqlite", "postgres"] as const satisfies Engine[];

/** An empty database of the given kind with these tables, deleted after the test. */
export async function openTestDatabase(
  t: Cleanup,
  engine: Engine,
  ...sets: MigrationSet[]
): Promise<Database> {
  const database = await (engine === "sqlite" ? openTestFile(t) : openTestPostgres(t));
  await database.migrate(sets);
  return database;
}

async function openTestFile(t: Cleanup): Promise<Database> {
  const dataDir = mkdtempSync(join(tmpdir(), "annex-database-"));
  const database = await openDatabase({ dataDir });
  t.after(async () => {
    await database.close();
    rmSync(dataDir, { recursive: true });
  });
  return database;
}

async function openTestPostgres(t: Cleanup): Promise<Database> {
  const { url, drop } = await createTestDatabase();
  const database = await openDatabase({ url, dataDir: "/dev/null/not-used" });
  t.after(async () => {
    await database.close();
    await drop();
  });
  return database;
}
