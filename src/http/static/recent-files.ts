import type { Stats } from "node:fs";

interface Entry<T> {
  readonly stats: Stats;
  readonly bytes: number;
  readonly file: T;
}

/** The files that were sent most recently, up to a total size. */
export class RecentFiles<T> {
  private readonly maxBytes: number;
  private readonly entries = new Map<string, Entry<T>>();
  private bytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Returns a file that has not changed since it was added. */
  find(name: string, stats: Stats): T | undefined {
    const entry = this.entries.get(name);
    if (entry === undefined) return undefined;
    this.entries.delete(name);
    if (!isSameFile(entry.stats, stats)) {
      this.bytes -= entry.bytes;
      return undefined;
    }
    // The map is in the order of use.
    this.entries.set(name, entry);
    return entry.file;
  }

  add(name: string, entry: Entry<T>): void {
    this.bytes += entry.bytes - (this.entries.get(name)?.bytes ?? 0);
    this.entries.delete(name);
    this.entries.set(name, entry);
    for (const [oldest, { bytes }] of this.entries) {
      if (this.bytes <= this.maxBytes) return;
      this.entries.delete(oldest);
      this.bytes -= bytes;
    }
  }
}

/** The time of the last change cannot be set by programs, so it also reveals a replaced file with the same date. */
function isSameFile(one: Stats, other: Stats): boolean {
  return (
    one.ctimeMs === other.ctimeMs &&
    one.mtimeMs === other.mtimeMs &&
    one.size === other.size &&
    one.ino === other.ino &&
    one.dev === other.dev
  );
}
