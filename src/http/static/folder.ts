import { constants, realpath, realpathSync, type Stats, stat, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "../../lib/errors/start-error.ts";
import { isOtherSpelling } from "../../lib/paths/paths.ts";
import type { Validators } from "./conditions.ts";
import { RecentFiles } from "./recent-files.ts";

/** Larger files are streamed. */
const maxContentBytes = 65_536;
const maxRecentBytes = 16 * 1_024 * 1_024;
/** What an entry needs in addition to its content. */
const entryBytes = 1_024;
/** Within this time, a file can change again without a new date, because the clocks of file systems are coarse. */
const unsettledMs = 2_000;

/** A file as it was when it was opened. */
export interface OpenFile extends Validators {
  readonly size: number;
  /** The content of a small file, or the handle of a large one, which the caller closes. */
  readonly content: Buffer | FileHandle;
}

/** The files below a folder. Symbolic links that lead out of it are not followed. */
export class Folder {
  private readonly root: string;
  private readonly isHidden: (name: string) => boolean;
  private readonly recent = new RecentFiles<OpenFile>(maxRecentBytes);

  /** Throws a `StartError` if the folder does not exist. */
  constructor(path: string | URL, isHidden: (name: string) => boolean) {
    this.root = findRoot(path);
    this.isHidden = isHidden;
  }

  /**
   * Opens a file by its path with slashes, which must not contain dot segments. `mark` distinguishes the entity tags of
   * several files with the same URL.
   */
  async open(name: string, mark = ""): Promise<OpenFile | "folder" | undefined> {
    const path = `${this.root}/${name}`;
    const stats = await readStats(path);
    if (stats === undefined) return undefined;
    // Opening anything else, such as a pipe, could block.
    if (!stats.isFile() && !stats.isDirectory()) return undefined;
    const known = this.recent.find(keyOf(name, mark), stats);
    if (known !== undefined) return known;
    const real = await readRealPath(path);
    if (real === undefined || !this.contains(real)) return undefined;
    // Otherwise, "/Admin.html" would bypass what protects "/admin.html", and links would break on another system.
    if (isOtherSpelling(resolve(path), real)) return undefined;
    return stats.isDirectory() ? "folder" : this.read(name, real, mark);
  }

  private contains(real: string): boolean {
    const start = this.root.endsWith(sep) ? this.root : this.root + sep;
    return real.startsWith(start) && !this.isHidden(real.slice(start.length).replaceAll(sep, "/"));
  }

  private async read(name: string, real: string, mark: string): Promise<OpenFile | undefined> {
    const handle = await openFile(real);
    if (handle === undefined) return undefined;
    let isKept = false;
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return undefined;
      if (stats.size > maxContentBytes) {
        isKept = true;
        return describe(stats, stats.size, handle, mark);
      }
      const content = await handle.readFile();
      const file = describe(stats, content.length, content, mark);
      if (isSettled(stats) && content.length === stats.size)
        this.recent.add(keyOf(name, mark), { stats, bytes: content.length + entryBytes, file });
      return file;
    } finally {
      if (!isKept) await handle.close();
    }
  }
}

/** A file can be requested by its own name as well, and then has another entity tag. */
function keyOf(name: string, mark: string): string {
  return `${name}\0${mark}`;
}

function describe(stats: Stats, size: number, content: OpenFile["content"], mark: string): OpenFile {
  const { mtimeMs } = stats;
  const modified = Math.floor(Math.min(mtimeMs, Date.now()) / 1_000) * 1_000;
  const tag = `"${size.toString(36)}-${Math.round(mtimeMs * 1_000).toString(36)}${mark}"`;
  return {
    size,
    modified,
    lastModified: new Date(modified).toUTCString(),
    etag: isSettled(stats) ? tag : `W/${tag}`,
    content,
  };
}

function isSettled({ ctimeMs }: Stats): boolean {
  return Date.now() - ctimeMs > unsettledMs;
}

function findRoot(given: string | URL): string {
  const path = resolve(given instanceof URL ? fileURLToPath(given) : given);
  const remedy = "Create it, or pass the path of another folder.";
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new StartError("INVALID_OPTION", `staticFiles: ${path} is not a folder. ${remedy}`);
  }
  return realpathSync.native(path);
}

// With callbacks, because promises of node:fs cost much more, and the first one is on the path of every request.

function readStats(path: string): Promise<Stats | undefined> {
  return new Promise((fulfill, reject) => {
    stat(path, (error, stats) => (error ? settleMissing(error, fulfill, reject) : fulfill(stats)));
  });
}

function readRealPath(path: string): Promise<string | undefined> {
  return new Promise((fulfill, reject) => {
    realpath.native(path, (error, real) => (error ? settleMissing(error, fulfill, reject) : fulfill(real)));
  });
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  try {
    // Does not exist on Windows.
    const noFollow = constants.O_NOFOLLOW ?? 0;
    return await open(path, constants.O_RDONLY | noFollow);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function settleMissing(
  error: NodeJS.ErrnoException,
  fulfill: (nothing: undefined) => void,
  reject: (error: Error) => void,
): void {
  if (isMissing(error)) fulfill(undefined);
  else reject(error);
}

function isMissing(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP"].includes(code);
}
