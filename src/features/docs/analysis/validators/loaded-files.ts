import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { sourcesOf } from "../../../../lib/source/source-location.ts";
import { listLoadedFiles } from "../handlers/inspect.ts";

/** Returns the exports of a source file in the running program; `undefined` if the program has not loaded it. */
export type ReadModule = (source: string) => Promise<Record<string, unknown> | undefined>;

/**
 * Finds the loaded module of a source file: the file itself, or its compiled version. Importing any other module would
 * run a second copy of the application.
 */
export function createModuleReader(): ReadModule {
  const loaded = new Map([...listLoadedFiles()].filter(([path]) => !path.includes("/node_modules/")));
  const compiled = new Map<string, string>();
  for (const path of loaded.keys()) for (const source of sourcesOf(path)) compiled.set(source, path);
  const required = createRequire(import.meta.url).cache;
  return async (source) => {
    const path = loaded.has(source) ? source : compiled.get(source);
    if (path === undefined) return undefined;
    const module = required[path];
    if (module) return module.exports as Record<string, unknown>;
    // Files that are neither ES modules nor required are part of another module.
    return loaded.get(path)!.isModule
      ? ((await import(pathToFileURL(path).href)) as Record<string, unknown>)
      : undefined;
  };
}
