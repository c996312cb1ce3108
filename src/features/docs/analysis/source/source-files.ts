import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve as resolvePath } from "node:path";
import { nativePath } from "../../../../lib/paths/paths.ts";
import { digestOf, missing } from "../../../../lib/source/digest.ts";
import { createSourceResolver } from "../../../../lib/source/source-resolver.ts";
import { parseSource, type SourceFile } from "./source-file.ts";

/** Reads and caches source files, and resolves imports between them. */
export class SourceFiles {
  private readonly files = new Map<string, SourceFile | undefined>();
  private readonly digests = new Map<string, string>();
  private readonly resolved = new Map<string, string | undefined>();
  private resolver = createSourceResolver();

  /** `undefined` if it cannot be read. Later changes are not seen until `forget` is called. */
  read(path: string): SourceFile | undefined {
    if (!this.files.has(path)) this.files.set(path, this.parse(path));
    return this.files.get(path);
  }

  /** The file that an import specifier refers to; `undefined` for built-in modules and missing files. */
  resolve(from: string, specifier: string): string | undefined {
    const key = `${dirname(from)}\0${specifier}`;
    if (!this.resolved.has(key)) this.resolved.set(key, this.find(from, specifier));
    return this.resolved.get(key);
  }

  /** Every file that was read and parsed. */
  *all(): Iterable<SourceFile> {
    for (const file of this.files.values()) if (file) yield file;
  }

  /** Every requested file, with a digest of its content. */
  get contents(): ReadonlyMap<string, string> {
    return this.digests;
  }

  /**
   * Discards these files, so that they are read again. True if one was added or removed: imports may then refer to
   * other files.
   */
  forget(paths: readonly string[]): boolean {
    const isMoved = paths.some((path) => existsSync(path) !== (this.files.get(path) !== undefined));
    for (const path of paths) {
      this.files.delete(path);
      // A removed file is not requested again, but it may be restored.
      if (existsSync(path)) this.digests.delete(path);
      else this.digests.set(path, missing);
    }
    if (isMoved) this.forgetImports();
    return isMoved;
  }

  forgetImports(): void {
    this.resolved.clear();
    this.resolver = createSourceResolver();
  }

  private parse(path: string): SourceFile | undefined {
    try {
      const content = readFileSync(path, "utf8");
      this.digests.set(path, digestOf(content));
      return parseSource(path, content);
    } catch {
      // It may be restored, for example by checking out another branch.
      this.digests.set(path, missing);
      return undefined;
    }
  }

  private find(from: string, specifier: string): string | undefined {
    if (/^(node|data|https?):/.test(specifier)) return undefined;
    try {
      const { path } = this.resolver.resolveFileSync(from, specifier);
      return path !== undefined && /\.[cm]?[jt]sx?$/.test(path) ? nativePath(path) : undefined;
    } catch {
      this.expect(from, specifier);
      return undefined;
    }
  }

  /** An import of a file that does not exist yet. */
  private expect(from: string, specifier: string): void {
    if (!specifier.startsWith(".")) return;
    const path = resolvePath(dirname(from), specifier);
    const wanted = /\.[cm]?[jt]sx?$/.test(path) ? path.replace(/js(x?)$/, "ts$1") : `${path}.ts`;
    if (!this.digests.has(wanted)) this.digests.set(wanted, missing);
  }
}
