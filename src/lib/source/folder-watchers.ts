import { type FSWatcher, watch } from "node:fs";
import { dirname } from "node:path";
import { folderIdentity } from "../paths/file-identity.ts";

interface Watched {
  readonly watcher: FSWatcher;
  readonly identity: string;
}

/**
 * Watches the folders of files. A replaced folder, for example after switching branches, is watched again. For a
 * deleted folder, the nearest existing parent is watched until it is restored.
 */
export class FolderWatchers {
  private readonly watched = new Map<string, Watched>();
  private readonly onChange: () => void;

  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  /** Returns whether new folders are being watched. */
  watch(files: readonly string[]): boolean {
    const folders = new Map([...new Set(files.map((file) => dirname(file)))].flatMap(nearestFolder));
    for (const [folder, { watcher, identity }] of this.watched) {
      if (folders.get(folder) === identity) continue;
      watcher.close();
      this.watched.delete(folder);
    }
    const before = this.watched.size;
    for (const [folder, identity] of folders) this.add(folder, identity);
    return this.watched.size > before;
  }

  close(): void {
    for (const { watcher } of this.watched.values()) watcher.close();
    this.watched.clear();
  }

  private add(folder: string, identity: string): void {
    if (this.watched.has(folder)) return;
    try {
      const watcher = watch(folder, { persistent: false }, this.onChange);
      watcher.on("error", () => {});
      this.watched.set(folder, { watcher, identity });
    } catch {
      // If the system cannot watch more folders, the change takes effect after the next start.
    }
  }
}

function nearestFolder(folder: string): [folder: string, identity: string][] {
  for (let each = folder; ; each = dirname(each)) {
    const identity = folderIdentity(each);
    if (identity !== undefined) return [[each, identity]];
    if (each === dirname(each)) return [];
  }
}
