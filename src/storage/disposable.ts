import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StartError } from "../lib/errors/start-error.ts";
import { moveFile } from "../lib/paths/move-file.ts";
import { type Clock, systemClock } from "../lib/time/clock.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import type { MigrationSet, OnUpgradeStep } from "./migrator.ts";

export interface DisposableDatabase {
  readonly database: Database;
  /** The path to which a damaged file was moved. */
  readonly setAside?: string;
}

/** Limit for damaged files, so that a crash loop does not fill the disk. */
export const mostSetAside = 3;

/**
 * Opens a database that is not essential: log records, metrics. A damaged file is moved aside, together with its
 * write-ahead log, and replaced by a new one. Nothing is deleted.
 */
export async function openDisposable(
  options: DatabaseOptions,
  sets: MigrationSet[],
  { clock = systemClock, onStep }: { clock?: Clock; onStep?: OnUpgradeStep } = {},
): Promise<DisposableDatabase> {
  const { url, dataDir, file } = options;
  if (url !== undefined || file === undefined) return { database: await openMigrated(options, sets, onStep) };
  const path = join(dataDir, file);
  try {
    if (!existsSync(markOf(path))) return { database: await openMigrated(options, sets, onStep) };
  } catch (error) {
    if (!(error instanceof StartError) || error.code !== "DATABASE_UNUSABLE") throw error;
  }
  const setAside = moveAside(path, clock);
  rmSync(markOf(path), { force: true });
  return { database: await openMigrated(options, sets), setAside };
}

/** Marks a file to be moved aside when it is next opened. Opening it may not read the damaged page. */
export function markDamaged({ url, dataDir, file }: DatabaseOptions): void {
  if (url !== undefined || file === undefined) return;
  try {
    writeFileSync(markOf(join(dataDir, file)), "");
  } catch {
    // The disk may be full or unavailable as well. The damage is reported in any case.
  }
}

const markOf = (path: string) => `${path}.damaged`;

async function openMigrated(
  options: DatabaseOptions,
  sets: MigrationSet[],
  onStep?: OnUpgradeStep,
): Promise<Database> {
  const database = await openDatabase(options);
  try {
    await database.migrate(sets, onStep);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function moveAside(path: string, clock: Clock): string {
  const prefix = `${basename(path)}.damaged-`;
  const earlier = readdirSync(dirname(path)).filter(
    (name) => name.startsWith(prefix) && !/-(wal|shm)$/.test(name),
  );
  if (earlier.length >= mostSetAside) {
    const message = `The file ${path} is damaged, and its folder already contains ${earlier.length} damaged files. Move them to another folder.`;
    throw new StartError("DATABASE_UNUSABLE", message);
  }
  const target = `${path}.damaged-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-")}`;
  for (const suffix of ["", "-wal", "-shm"])
    if (existsSync(path + suffix)) moveFile(path + suffix, target + suffix);
  return target;
}
