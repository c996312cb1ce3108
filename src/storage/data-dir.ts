import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StartError } from "../lib/errors/start-error.ts";

/** The application's database. Other files are created after this one has its tables. */
export const mainFile = "annex.db";

/** The database of the background thread. */
export const historyFile = "metrics.db";

const reasons: Record<string, string> = {
  EACCES: "permission denied for this user",
  EPERM: "permission denied for this user",
  ENOTDIR: "the path, or a part of it, is a file",
  ENOENT: "the path cannot be created",
  EROFS: "the file system is read-only",
};

/** Creates the folder and the file if they do not exist, readable by their owner only. Returns the path of the file. */
export function prepareDataFile(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  try {
    createFolder(resolve(dataDir));
    // Existing files are not opened: closing one would drop all POSIX locks of this process on it, including those of
    // SQLite.
    unlessExists(() => {
      closeSync(openSync(path, "wx", 0o600));
      giveToFolderOwner(path);
    });
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC" || code === "EDQUOT") throw dataDirFull(dataDir, error);
    throw dataDirUnusable(dataDir, reasons[code] ?? message, error);
  }
  refuseUnusable(path);
  return path;
}

/** Otherwise, the server could not open files that root has created with the command line. */
export function giveToFolderOwner(path: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  chownSync(path, uid, gid);
}

/** The folder is usable, so the problem is the file. */
function refuseUnusable(path: string): void {
  try {
    if (!statSync(path).isFile()) throw new Error("not a regular file; move it to another folder");
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const reason =
      code in reasons ? `${reasons[code]}; make the file readable and writable for this user` : message;
    throw new StartError("DATABASE_UNUSABLE", `The file ${path} cannot be used: ${reason}.`, {
      cause: error,
    });
  }
}

/** `mkdir` with `recursive` never returns on file systems that do not support folders, such as /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  unlessExists(() => mkdirSync(path, { mode: 0o700 }));
}

/** Ignores the error if another process created it at the same time. */
function unlessExists(create: () => void): void {
  try {
    create();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

export function dataDirUnusable(
  dataDir: string,
  reason: string,
  cause: unknown,
  remedy = "Choose a folder that this user can write to",
): StartError {
  const message = `The data folder ${dataDir} cannot be used: ${reason}. ${remedy}.`;
  return new StartError("DATA_DIR_UNUSABLE", message, { cause });
}

export function dataDirFull(dataDir: string, cause: unknown): StartError {
  return dataDirUnusable(dataDir, "the disk is full", cause, "Free some space and start again");
}
