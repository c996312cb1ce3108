import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve as resolvePath } from "node:path";
import { createSourceResolver } from "../../../lib/source-resolver.ts";
import { digestOf, missing } from "./digest.ts";
import { parseSource, type SourceFile } from "./source-file.ts";

/** The files that the analysis reads, each once, and the way from one to another. */
export class SourceFiles {
  private readonly files = new Map<string, SourceFile | undefined>();
  private readonly digests = new Map<string, string>();
  private readonly resolved = new Map<string, string | undefined>();
  private resolver = createSourceResolver();

  /** `undefined` when it cannot be read. What it holds later makes no difference until `forget`. */
  read(path: string): SourceFile | undefined {
    if (!this.files.has(path)) this.files.set(path, this.parse(path));
    return this.files.get(path);
  }

  /** The file that an import of this text means; `undefined` for what is built in or not there. */
  resolve(from: string, specifier: string): string | undefined {
    const key = `${dirname(from)}\0${specifier}`;
    if (!this.resolved.has(key)) this.resolved.set(key, this.find(from, specifier));
    return this.resolved.get(key);
  }

  /** Every file that was read and understood. */
  *all(): Iterable<SourceFile> {
    for (const file of this.files.values()) if (file) yield file;
  }

  /** Every file that was asked for, with a digest of its content. */
  get contents(): ReadonlyMap<string, string> {
    return this.digests;
  }

  /** Reads these again when they are asked for. True when one has come or gone: imports may then mean other files. */
  forget(paths: readonly string[]): boolean {
    const isMoved = paths.some((path) => existsSync(path) !== (this.files.get(path) !== undefined));
    for (const path of paths) {
      this.files.delete(path);
      // One that is gone is not asked for again, but it may come back.
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
      // It may come back, for example after another branch was checked out.
      this.digests.set(path, missing);
      return undefined;
    }
  }

  private find(from: string, specifier: string): string | undefined {
    if (/^(node|data|https?):/.test(specifier)) return undefined;
    try {
      const { path } = this.resolver.resolveFileSync(from, specifier);
      return path !== undefined && /\.[cm]?[jt]sx?$/.test(path) ? path : undefined;
    } catch {
      this.expect(from, specifier);
      return undefined;
    }
  }

  /** An import of a file that is not there yet. */
  private expect(from: string, specifier: string): void {
    if (!specifier.startsWith(".")) return;
    const path = resolvePath(dirname(from), specifier);
    const wanted = /\.[cm]?[jt]sx?$/.test(path) ? path.replace(/js(x?)$/, "ts$1") : `${path}.ts`;
    if (!this.digests.has(wanted)) this.digests.set(wanted, missing);
  }
}
