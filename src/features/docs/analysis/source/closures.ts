import { digestOf } from "../../../../lib/source/digest.ts";
import type { SourceFiles } from "./source-files.ts";

/** For each file, the file itself and all files that it imports, directly or indirectly. Foreign files are not followed. */
export class Closures {
  private readonly files: SourceFiles;
  private readonly isForeign: (path: string) => boolean;
  private readonly known = new Map<string, ReadonlySet<string>>();
  private readonly digests = new Map<string, string>();

  constructor(files: SourceFiles, isForeign: (path: string) => boolean) {
    this.files = files;
    this.isForeign = isForeign;
  }

  of(path: string): ReadonlySet<string> {
    const ready = this.known.get(path);
    if (ready) return ready;
    const closure = new Set<string>();
    const queue = [path];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (closure.has(next)) continue;
      closure.add(next);
      queue.push(...this.importsOf(next).filter((each) => !this.isForeign(each)));
    }
    this.known.set(path, closure);
    return closure;
  }

  /** Changes whenever the content of one of the files changes. */
  digestOf(path: string): string {
    const known = this.digests.get(path);
    if (known !== undefined) return known;
    const contents = [...this.of(path)].sort().map((each) => `${each} ${this.files.contents.get(each)}`);
    const digest = digestOf(contents.join("\n"));
    this.digests.set(path, digest);
    return digest;
  }

  /** Discards what the changed files may be part of. If files were added or removed, that is everything. */
  forget(changed: ReadonlySet<string>, isMoved: boolean): void {
    for (const [path, closure] of this.known) {
      if (!isMoved && closure.isDisjointFrom(changed)) continue;
      this.known.delete(path);
      this.digests.delete(path);
    }
  }

  forgetAll(): void {
    this.known.clear();
    this.digests.clear();
  }

  private importsOf(path: string): string[] {
    const file = this.files.read(path);
    if (!file) return [];
    return file.imports.flatMap((specifier) => {
      const target = this.files.resolve(path, specifier);
      return target ? [target] : [];
    });
  }
}
