import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Database } from "better-sqlite3";
import { mainFile } from "../data-dir.ts";
import { damagedFile } from "../faults.ts";
import { explainFailure } from "./file.ts";

/** Checking every page of a larger file would delay the start. Its damage is detected when a query reads it. */
const largestChecked = 16 * 2 ** 20;

/**
 * SQLite treats an empty file as a new database and deletes its write-ahead log. An empty file with such a log, or next
 * to other databases that contain data, has been truncated.
 *
 * A file that another process is creating is empty for a moment. Its first page is written before its log, so the size
 * is checked again.
 */
export function refuseEmptied(dataDir: string, file: string, sizeOf = readSize): void {
  const path = join(dataDir, file);
  if (sizeOf(path) !== 0) return;
  const isOther = (name: string) => name === `${file}-wal` || (file === mainFile && name.endsWith(".db"));
  const others = readdirSync(dirname(path)).filter(isOther);
  const isBesideData = others.some((name) => (sizeOf(join(dataDir, name)) ?? 0) > 0);
  if (isBesideData && sizeOf(path) === 0) throw damagedFile(path, new Error("The file is empty."));
}

function readSize(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/** Reads the schema and, in small files, every page. Closes the file if it is damaged. */
export function refuseDamaged(database: Database): void {
  try {
    database.prepare("select count(*) from sqlite_schema").get();
    if (statSync(database.name).size > largestChecked) return;
    const damage = findDamage(database, "quick_check");
    if (damage !== undefined) throw damagedFile(database.name, new Error(damage));
  } catch (error) {
    database.close();
    throw explainFailure(database.name, error);
  }
}

/** Returns the first problem of the file. `integrity_check` also compares indexes with their tables and is slower. */
export function findDamage(database: Database, check: "quick_check" | "integrity_check"): string | undefined {
  const found = database.pragma(`${check}(100)`) as Record<typeof check, string>[];
  return found.map((row) => row[check]).find((text) => text !== "ok" && !isConstraint(text));
}

/** Rows that violate a constraint are an application problem, not damage. */
function isConstraint(text: string): boolean {
  return /^(NULL value in|CHECK constraint failed in|non-\w+ value in|(NUMERIC|TEXT) value in)/.test(text);
}
