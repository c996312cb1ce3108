import type { SourceFiles } from "./source/source-files.ts";

/** The file itself and all files that it imports, directly or indirectly. Foreign files are not followed. */
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
