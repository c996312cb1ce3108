import { readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { fileVersion } from "../lib/paths/file-identity.ts";
import { showPath } from "../lib/paths/paths.ts";
import { FolderWatchers } from "../lib/source/folder-watchers.ts";

const extensions = new Set([".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".env"]);
const ignoredFolders = new Set(["node_modules", "dist", "coverage"]);

/** Editors and branch switches write files in several steps. */
const settleMs = 80;
const maxSettleMs = 500;
/** Some file systems do not report changes, so the files are also compared periodically. */
const pollMs = 1_000;

/**
 * Watches the source files below a folder. A file system event only triggers a comparison with the previous state, so
 * files that were saved by renaming are detected too.
 */
export class SourceWatch {
  private readonly folder: string;
  private readonly excluded: ReadonlySet<string>;
  private readonly watchers = new FolderWatchers(() => this.settle());
  private stamps: ReadonlyMap<string, string>;
  private timer: NodeJS.Timeout | undefined;
  private firstEventAt: number | undefined;
  private changed = new Set<string>();
  private wake: (() => void) | undefined;
  private isClosed = false;

  /** `excluded`: folders and files that are not watched. */
  constructor(folder: string, excluded: readonly string[]) {
    this.folder = folder;
    this.excluded = new Set(excluded);
    this.stamps = this.scan();
    this.schedule(pollMs);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.watchers.close();
    this.wake?.();
  }

  /**
   * Yields changed, created and deleted files, relative to the folder. Changes at the same time are yielded together.
   */
  async *changes(): AsyncGenerator<readonly string[]> {
    for (;;) {
      if (this.changed.size === 0 && !this.isClosed) {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
      if (this.isClosed) return;
      const files = [...this.changed];
      this.changed = new Set();
      if (files.length > 0) yield files;
    }
  }

  private schedule(delayMs: number): void {
    if (this.isClosed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.compare(), delayMs);
  }

  /** Waits until the events pause, but not forever: a log file in the folder may be written all the time. */
  private settle(): void {
    const now = performance.now();
    this.firstEventAt ??= now;
    this.schedule(Math.min(settleMs, Math.max(0, this.firstEventAt + maxSettleMs - now)));
  }

  private compare(): void {
    const begin = performance.now();
    this.firstEventAt = undefined;
    const before = this.stamps;
    this.stamps = this.scan();
    const paths = new Set([...before.keys(), ...this.stamps.keys()]);
    const differing = [...paths].filter((path) => before.get(path) !== this.stamps.get(path));
    for (const path of differing) this.changed.add(showPath(path, this.folder));
    if (differing.length > 0) this.wake?.();
    // Limits the share of time spent on comparing in a large project.
    this.schedule(Math.max(pollMs, 50 * (performance.now() - begin)));
  }

  private scan(): ReadonlyMap<string, string> {
    const stamps = new Map<string, string>();
    const folders = [this.folder];
    for (const folder of folders) {
      for (const entry of readFolder(folder)) {
        const path = join(folder, entry.name);
        if (this.excluded.has(path)) continue;
        if (entry.isDirectory()) {
          if (!isIgnored(entry.name)) folders.push(path);
        } else if (isSource(entry.name)) stamps.set(path, fileVersion(path) ?? "");
      }
    }
    this.watchers.watch(folders.map((folder) => join(folder, "any")));
    return stamps;
  }
}

const isIgnored = (name: string) => ignoredFolders.has(name) || name.startsWith(".");
const isSource = (name: string) =>
  extensions.has(extname(name)) || name === ".env" || name.startsWith(".env.");

/** The folder may have been deleted in the meantime. */
function readFolder(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
