import { BackupError } from "../../lib/errors/backup-error.ts";

const reasons: Record<string, string> = {
  EACCES: "permission denied for this user",
  EPERM: "permission denied for this user",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota of this user is exceeded",
  ENOENT: "the folder does not exist",
  ENOTDIR: "a part of the path is a file",
  EISDIR: "it is a folder",
  EIO: "the disk reported an error",
  SQLITE_FULL: "the disk is full",
  SQLITE_READONLY: "permission denied for this user",
  SQLITE_CANTOPEN: "permission denied for this user",
  SQLITE_IOERR: "the disk reported an error",
};

/** Describes an error of the file system or of SQLite. `undefined` for other errors, which are bugs. */
export function describeReason(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (typeof code !== "string") return undefined;
  return reasons[code] ?? reasons[code.split("_", 2).join("_")] ?? (error as Error).message;
}

/** Runs `work` and converts errors of the file system and of SQLite to errors about `path`. */
export async function explainWrites<R>(path: string, work: () => R | Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof BackupError ? undefined : describeReason(error);
    if (reason === undefined) throw error;
    throw new BackupError("unwritable", `Failed to write ${path}: ${reason}.`, { cause: error });
  }
}
