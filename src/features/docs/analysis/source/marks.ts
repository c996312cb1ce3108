import { readFileSync } from "node:fs";
import type { SourceFiles } from "./source-files.ts";

/** Finds the files that start with `// API_SOURCE`. Only files that contain this text are parsed. */
export class Marks {
  private readonly files: SourceFiles;
  private readonly isForeign: (path: string) => boolean;
  private readonly known = new Map<string, boolean>();

  constructor(files: SourceFiles, isForeign: (path: string) => boolean) {
    this.files = files;
    this.isForeign = isForeign;
  }

  /** The first of these files that has the comment. */
  find(paths: Iterable<string>): string | undefined {
    for (const path of paths) if (!this.isForeign(path) && this.has(path)) return path;
    return undefined;
  }

  forget(changed: readonly string[]): void {
    for (const path of changed) this.known.delete(path);
  }

  private has(path: string): boolean {
    const known = this.known.get(path) ?? (mayHaveMark(path) && (this.files.read(path)?.isMarked ?? false));
    this.known.set(path, known);
    return known;
  }
}

function mayHaveMark(path: string): boolean {
  try {
    return /API_SOURCE/.test(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}
