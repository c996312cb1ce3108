import { readFileSync, statSync } from "node:fs";
import type { SourceFiles } from "./source/source-files.ts";
import { digestOf } from "./source/source-files.ts";

/** All files that a file imports, directly or not, itself included; what is foreign ends it. */
export function closureOf(
  files: SourceFiles,
  path: string,
  known: Map<string, ReadonlySet<string>>,
  isForeign: (path: string) => boolean,
): ReadonlySet<string> {
  const ready = known.get(path);
  if (ready) return ready;
  const closure = new Set<string>();
  const queue = [path];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (closure.has(next)) continue;
    closure.add(next);
    queue.push(...importsOf(files, next).filter((each) => !isForeign(each)));
  }
  known.set(path, closure);
  return closure;
}

function importsOf(files: SourceFiles, path: string): string[] {
  const file = files.read(path);
  if (!file) return [];
  return file.imports.flatMap((specifier) => {
    const target = files.resolve(path, specifier);
    return target ? [target] : [];
  });
}

/** What a file was like when it was last looked at. */
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

/** Whether it still has the content it had. The content is only read when the time or the size differs. */
export function isUnchanged(path: string, stamp: Stamp): boolean {
  try {
    const { mtimeMs, size } = statSync(path);
    if (mtimeMs === stamp.mtime && size === stamp.size) return true;
    return size === stamp.size && digestOf(readFileSync(path, "utf8")) === stamp.digest;
  } catch {
    return false;
  }
}
