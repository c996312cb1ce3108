import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { StartError } from "../lib/start-error.ts";

/** The application's database. Other files are created after this one has its tables. */
export const mainFile = "annex.db";

const reasons: Record<string, string> = {
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  ENOTDIR: "it, or a part of its path, is a file",
  ENOENT: "it cannot be created there",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

/** Makes sure that the folder and the file in it exist, readable by their owner only, and gives the file's path. */
export function prepareDataFile(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  try {
    createFolder(resolve(dataDir));
    // Never opens a file that exists: closing it would drop every POSIX lock that this process has on it, and with
    // them those of SQLite.
    unlessExists(() => closeSync(openSync(path, "wx", 0o600)));
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    throw dataDirUnusable(dataDir, reasons[code] ?? message, error);
  }
  refuseUnusable(path);
  return path;
}

/** The folder is fine, so the problem is this file alone. */
function refuseUnusable(path: string): void {
  try {
    if (!statSync(path).isFile()) throw new Error("it is not a file; move it away");
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const reason =
      code in reasons ? `${reasons[code]}; make it readable and writable for this user` : message;
    throw new StartError("DATABASE_UNUSABLE", `The file ${path} cannot be used: ${reason}.`, {
      cause: error,
    });
  }
}

/** Not `mkdir` with `recursive`, which never returns where a file system takes no folders, as in /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  unlessExists(() => mkdirSync(path, { mode: 0o700 }));
}

/** Another process may create the same thing at the same moment, which is just as good. */
function unlessExists(create: () => void): void {
  try {
    create();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

export function dataDirUnusable(dataDir: string, reason: string, cause: unknown): StartError {
  const message = `The data folder ${dataDir} cannot be used: ${reason}; give a folder that this user can write to.`;
  return new StartError("DATA_DIR_UNUSABLE", message, { cause });
}
