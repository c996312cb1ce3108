import { type BigIntStats, statSync } from "node:fs";

/** As integers of any size: a file ID of Windows has 64 bits, and two files could share one that is rounded. */
const read = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false });

/** Tells a file or folder from any other that is later at the same path. Undefined if there is none. */
export function fileIdentity(path: string): string | undefined {
  const stats = read(path);
  return stats && identityOf(stats);
}

/** The same for a folder. Undefined if there is none. */
export function folderIdentity(path: string): string | undefined {
  const stats = read(path);
  return stats?.isDirectory() ? identityOf(stats) : undefined;
}

/** Changes when a file is written or replaced. Undefined if there is none. */
export function fileVersion(path: string): string | undefined {
  const stats = read(path);
  return stats && `${identityOf(stats)} ${stats.size} ${stats.mtimeNs}`;
}

export function identityOf({ dev, ino }: Pick<BigIntStats, "dev" | "ino">): string {
  return `${dev}:${ino}`;
}
