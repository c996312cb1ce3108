// API_SOURCE
import type { RequestEvent, VersionedRouter } from "../../../../src/index.ts";

interface BackupOptions {
  full: boolean;
  keepDays?: number;
}

interface RestoreOptions {
  target?: string;
  overwrite?: boolean;
}

interface Schedule {
  everyHours: number;
  enabled: boolean;
}

interface Backup {
  id: string;
  startedAt: Date;
}

declare const backups: {
  start(options: BackupOptions): Promise<Backup>;
  restore(id: string, options: RestoreOptions): Promise<Backup | undefined>;
  schedule(schedule: Schedule): Promise<void>;
};

/** Starts a backup. The options may be left out. */
async function startBackup(e: RequestEvent) {
  let options: BackupOptions = { full: false };
  try {
    options = await e.bindBody<BackupOptions>();
  } catch {
    e.app.logger.debug("A backup without options", { ip: e.ip });
  }
  return e.json(202, await backups.start(options));
}

/** Restores a backup. */
async function restoreBackup(e: RequestEvent<"id">) {
  const options = await e.bindBody<RestoreOptions>().catch((): RestoreOptions => ({}));
  const backup = await backups.restore(e.pathValue("id"), options);
  if (!backup) throw e.error(404, "There is no such backup.");
  return e.json(202, backup);
}

/** Sets when backups run. */
async function setSchedule(e: RequestEvent) {
  let schedule: Schedule;
  try {
    schedule = await e.bindBody<Schedule>();
  } catch {
    throw e.error(422, "That is no schedule.");
  }
  await backups.schedule(schedule);
  return e.noContent();
}

export function routes(router: VersionedRouter): void {
  router.post("/backups", startBackup);
  router.post("/backups/{id}/restore", restoreBackup);
  router.put("/backups/schedule", setSchedule);
}
