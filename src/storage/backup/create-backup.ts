import { createHash } from "node:crypto";
import { createReadStream, existsSync, mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { BackupError } from "../../lib/errors/backup-error.ts";
import { moveFile, removeAll } from "../../lib/paths/move-file.ts";
import { type Clock, systemClock } from "../../lib/time/clock.ts";
import { mainFile } from "../data-dir.ts";
import { lockBackups } from "../data-dir-lock.ts";
import { readArchive, writeArchive } from "./archive.ts";
import { requireSpace, syncFolder, tryRemove } from "./durable-files.ts";
import { explainWrites } from "./io-errors.ts";
import { currentFormat, type DatabaseEntry, type Manifest } from "./manifest.ts";
import { completePendingRestore } from "./restore-swap.ts";
import { damagedSource, openSnapshot, type Snapshot, sealCopy } from "./snapshot.ts";

export interface BackupOptions {
  readonly dataDir: string;
  /** Path of the new file, or an existing folder, in which the file gets a name with the current time. */
  readonly target: string;
  /** Names of the databases. Those that do not exist are left out, except for `annex.db`. */
  readonly files: readonly string[];
  readonly annexVersion: string;
  /** Whether an existing file is replaced. */
  readonly force?: boolean | undefined;
  readonly clock?: Clock;
}

export interface Backup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: Manifest;
}

/** In the data folder, because SQLite cannot lock files on every disk to which backups are written. */
const stagingName = "backup-in-progress";

/**
 * Writes a consistent copy of the databases to one file, while the server runs. The file gets its name when it is
 * complete and on the disk.
 */
export async function createBackup(options: BackupOptions): Promise<Backup> {
  const { dataDir, clock = systemClock } = options;
  requireDataFolder(dataDir);
  const created = new Date(clock.now());
  const { target } = options;
  if (/[\\/]$/.test(target))
    await explainWrites(target, () => mkdirSync(target, { recursive: true, mode: 0o700 }));
  const path = resolveTarget(options, created);
  completePendingRestore(dataDir);
  using _lock = lockBackups(dataDir);
  const staging = join(dataDir, stagingName);
  const partial = join(dirname(path), partialName(dataDir));
  try {
    // Left by a backup that was killed.
    await explainWrites(path, () => rmSync(partial, { force: true }));
    await explainWrites(staging, () => {
      removeAll(staging);
      mkdirSync(staging, { mode: 0o700 });
    });
    const databases = await copyDatabases(options, staging, dirname(path));
    const { annexVersion: annex } = options;
    const manifest = { format: currentFormat, annex, created: created.toISOString(), databases };
    await explainWrites(path, () => writeArchive(partial, manifest, (file) => join(staging, file)));
    await readArchive(partial);
    refuseExisting(path, options.force);
    await explainWrites(path, () => {
      moveFile(partial, path);
      syncFolder(dirname(path));
    });
    return { path, bytes: statSync(path).size, manifest };
  } finally {
    tryRemove(staging, partial);
  }
}

function requireDataFolder(dataDir: string): void {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  const remedy = "Set --data-dir or SVC_DATA_DIR to the data folder of the application";
  if (found === undefined)
    throw new BackupError("missing", `The data folder ${dataDir} does not exist. ${remedy}.`);
  if (!found.isDirectory()) throw new BackupError("missing", `${dataDir} is not a folder. ${remedy}.`);
}

function resolveTarget({ target, force }: BackupOptions, created: Date): string {
  const isFolder = statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;
  const time = created
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  const path = isFolder ? join(target, `annex-${time}.tar.gz`) : target;
  const folder = dirname(resolve(path));
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new BackupError("unwritable", `The folder ${folder} does not exist. Create it first.`);
  refuseExisting(path, force);
  return path;
}

function refuseExisting(path: string, force: boolean | undefined): void {
  if (force || !existsSync(path)) return;
  throw new BackupError(
    "unwritable",
    `The file ${path} already exists. Choose another name, or add --force to replace it.`,
  );
}

/** The same for each backup of a data folder, so that a killed one leaves at most one file, and the next removes it. */
function partialName(dataDir: string): string {
  const source = createHash("sha256")
    .update(`${hostname()}\n${realpathSync(dataDir)}`)
    .digest("hex");
  return `.annex-backup-${source.slice(0, 12)}.partial`;
}

async function copyDatabases(
  { dataDir, files }: BackupOptions,
  staging: string,
  targetFolder: string,
): Promise<DatabaseEntry[]> {
  const snapshots: Snapshot[] = [];
  try {
    // All of them first: a moment later, a restore could have replaced some of the files.
    for (const file of files) {
      const snapshot = openSnapshot(dataDir, file);
      if (snapshot !== undefined) snapshots.push(snapshot);
    }
    requireMain(dataDir, snapshots);
    requireFreeSpace(snapshots, dataDir, targetFolder);
    // The snapshots prevent their logs from being reset, so nothing else is done before they are closed.
    for (const snapshot of snapshots) {
      await explainWrites(join(staging, snapshot.file), () => snapshot.copyTo(join(staging, snapshot.file)));
      snapshot[Symbol.dispose]();
    }
  } finally {
    for (const snapshot of snapshots) snapshot[Symbol.dispose]();
  }
  const entries: DatabaseEntry[] = [];
  for (const { file, migrations } of snapshots)
    entries.push(await describeCopy(dataDir, staging, file, migrations));
  return entries;
}

function requireMain(dataDir: string, snapshots: readonly Snapshot[]): void {
  if (snapshots.some(({ file }) => file === mainFile)) return;
  const message = `The data folder ${dataDir} contains no ${mainFile} with data. If the application uses PostgreSQL, set --database or SVC_DATABASE_URL.`;
  throw new BackupError("missing", message);
}

/** The archive is usually smaller than the copies, but data that is compressed already is not. */
function requireFreeSpace(snapshots: readonly Snapshot[], dataDir: string, targetFolder: string): void {
  const bytes = snapshots.reduce((sum, snapshot) => sum + snapshot.bytes, 0);
  const isSameDisk = statSync(dataDir).dev === statSync(targetFolder).dev;
  requireSpace(dataDir, isSameDisk ? 2 * bytes : bytes);
  if (!isSameDisk) requireSpace(targetFolder, bytes);
}

async function describeCopy(
  dataDir: string,
  staging: string,
  file: string,
  migrations: readonly string[],
): Promise<DatabaseEntry> {
  const path = join(staging, file);
  const damage = await explainWrites(path, () => sealCopy(path));
  if (damage !== undefined) throw damagedSource(join(dataDir, file), new Error(damage));
  const hash = createHash("sha256");
  await pipeline(createReadStream(path, { highWaterMark: 2 ** 18 }), hash);
  return { file, bytes: statSync(path).size, sha256: hash.digest("hex"), migrations };
}
