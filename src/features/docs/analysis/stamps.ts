import { readFileSync, statSync } from "node:fs";
import { digestOf } from "../../../lib/source/digest.ts";

/** The state of a file when it was last checked. */
export interface Stamp {
  readonly mtime: number;
  readonly size: number;
  readonly digest: string;
}

export function stampOf(path: string): Stamp | undefined {
  try {
    const { mtimeMs, size } = statSync(path);
    return { mtime: mtimeMs, size, digest: digestOf(readFileSync(path, "utf8")) };
  } catch {
    return undefined;
  }
}

/** Whether the content is unchanged. It is read only if the time or the size differs. */
export function isUnchanged(path: string, stamp: Stamp): boolean {
  try {
    const { mtimeMs, size } = statSync(path);
    if (mtimeMs === stamp.mtime && size === stamp.size) return true;
    return size === stamp.size && digestOf(readFileSync(path, "utf8")) === stamp.digest;
  } catch {
    return false;
  }
}

/** The stamps of the files that exist. */
export function stampAll(paths: readonly string[]): Record<string, Stamp> {
  return Object.fromEntries(
    paths.flatMap((path) => {
      const stamp = stampOf(path);
      return stamp ? [[path, stamp]] : [];
    }),
  );
}
