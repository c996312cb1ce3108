import { lstatSync, mkdirSync } from "node:fs";
import module from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Lets Node store compiled code, so that the next command starts faster. Returns the folder, or `undefined` if nothing is
 * stored, for example because the file system is read-only. `NODE_COMPILE_CACHE` takes precedence.
 *
 * Whoever can write to the folder can run code with the next command. So it is in the home of the user, and not in Node's
 * default, which all users of a machine share.
 */
export function enableCompileCache(home = homedir()): string | undefined {
  const folder = join(home, ".cache/annex/compile-cache");
  try {
    if (!isPrivate(home)) return undefined;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isPrivate(folder)) return undefined;
    return module.enableCompileCache?.(folder).directory;
  } catch {
    return undefined;
  }
}

/** Whether only this user can write to the folder. Windows has no such permissions: homes are private. */
function isPrivate(folder: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = lstatSync(folder);
  const othersCanWrite = 0o022;
  return uid === process.getuid() && (mode & othersCanWrite) === 0;
}
