import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

/**
 * The real path of the entry module: where links lead, and the `main` of a folder as in `node .`. Undefined if the program
 * is not a file.
 */
export function findEntry(argument = readArgument()): string | undefined {
  if (argument === undefined) return undefined;
  try {
    // The same resolution as that of Node.
    return realpathSync(createRequire(join(process.cwd(), "program.js")).resolve(resolve(argument)));
  } catch {
    return undefined;
  }
}

/** Where a file is, if it is one: the path without links. Undefined for other sources, such as `[eval1]`. */
export function toRealPath(file: string | undefined): string | undefined {
  if (file === undefined || !existsSync(file)) return undefined;
  return realpathSync(file);
}

/** The argument that names the entry. A program that is passed as text has others in this place. */
function readArgument(): string | undefined {
  const isText = (process as { _eval?: string })._eval !== undefined;
  return isText ? undefined : process.argv[1];
}
