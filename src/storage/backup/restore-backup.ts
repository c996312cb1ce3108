import { closeSync, existsSync } from "node:fs";
import { join } from "node:path";
import { BackupError } from "../../lib/errors/backup-error.ts";
import { type Clock, systemClock } from "../../lib/time/clock.ts";
import { giveToFolderOwner } from "../data-dir.ts";
import type { DataDirLock } from "../data-dir-lock.ts";
import { findNewerMigration, type MigrationSet } from "../migrator.ts";
import { readArchive } from "./archive.ts";
import { createPrivateFile, requireSpace, syncFolder, tryRemove, writeFully } from "./durable-files.ts";
import { explainWrites } from "./io-errors.ts";
import { currentFormat, isNewerVersion, type Manifest } from "./manifest.ts";
import { commitIncoming, createIncoming, listDatabaseFiles, recoverRestore } from "./restore-swap.ts";
import { sealCopy } from "./snapshot.ts";

export interface RestoreOptions {
  /** Path of the backup. */
  readonly path: string;
  readonly dataDir: string;
  /** Proves that no server uses the data folder. */
  readonly lock: DataDirLock;
  readonly annexVersion: string;
  readonly migrations: readonly MigrationSet[];
  readonly clock?: Clock;
}

export interface Restored {
  readonly manifest: Manifest;
  /** The folder with the previous files. `undefined` if there were none. */
  readonly aside?: string;
}

/**
 * Replaces the databases of a data folder with those of a backup. A kill at any point leaves the old or the new state,
 * see `restore-swap.ts`. Databases that the backup does not contain stay as they are.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { path, dataDir, clock = systemClock } = options;
  recoverRestore(dataDir);
  const incoming = await explainWrites(dataDir, () => createIncoming(dataDir));
  try {
    const manifest = await explainWrites(dataDir, () => extract(options, incoming));
    const files = manifest.databases.map(({ file }) => file);
    for (const file of files) await prepareCopy(path, join(incoming, file));
    syncFolder(incoming);
    const hasOld = files.some((file) => listDatabaseFiles(dataDir, file).length > 0);
    const aside = `before-restore-${new Date(clock.now()).toISOString().replaceAll(/[:.]/g, "-")}`;
    await explainWrites(dataDir, () => commitIncoming(dataDir, { files, aside }));
    recoverRestore(dataDir);
    return { manifest, ...(hasOld && { aside: join(dataDir, aside) }) };
  } finally {
    // After the commit, the folder has another name.
    tryRemove(incoming);
  }
}

/** Refuses a backup that this release might not understand. */
export function refuseNewerBackup(
  path: string,
  { format, annex, databases }: Manifest,
  { annexVersion, migrations }: Pick<RestoreOptions, "annexVersion" | "migrations">,
): void {
  const isNewer = format > currentFormat || isNewerVersion(annex, annexVersion);
  const unknown = isNewer
    ? undefined
    : databases
        .map((each) => findNewerMigration(each.migrations, migrations))
        .find((name) => name !== undefined);
  if (!isNewer && unknown === undefined) return;
  const reason = unknown === undefined ? "" : ` (migration "${unknown}")`;
  throw new BackupError(
    "invalid",
    `The backup ${path} was written by a newer release, Annex ${annex}${reason}, and this is Annex ${annexVersion}: install that release to restore it.`,
  );
}

async function extract(options: RestoreOptions, incoming: string): Promise<Manifest> {
  const { path, dataDir } = options;
  const open = new Map<string, number>();
  try {
    return await readArchive(path, {
      manifest(manifest) {
        refuseNewerBackup(path, manifest, options);
        requireSpace(
          dataDir,
          manifest.databases.reduce((sum, { bytes }) => sum + bytes, 0),
        );
        for (const { file } of manifest.databases) open.set(file, createPrivateFile(join(incoming, file)));
      },
      write: (file, chunk) => writeFully(open.get(file)!, chunk),
    });
  } finally {
    for (const file of open.values()) closeSync(file);
  }
}

async function prepareCopy(path: string, copy: string): Promise<void> {
  const damage = await explainWrites(copy, () => sealCopy(copy));
  if (damage !== undefined) {
    const message = `The backup ${path} contains a damaged database. Use another backup.`;
    throw new BackupError("invalid", message, { cause: new Error(damage) });
  }
  giveToFolderOwner(copy);
}

/** Which databases of a data folder a restore would replace. */
export function listReplaced(dataDir: string, { databases }: Manifest): string[] {
  return databases.map(({ file }) => file).filter((file) => existsSync(join(dataDir, file)));
}
