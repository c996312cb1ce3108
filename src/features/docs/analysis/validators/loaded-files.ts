import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isInPackage } from "../../../../lib/paths/paths.ts";
import { sourcesOf } from "../../../../lib/source/source-location.ts";
import { listLoadedFiles } from "../handlers/inspect.ts";

/** Returns the exports of a source file in the running program; `undefined` if the program has not loaded it. */
export type ReadModule = (source: string) => Promise<Record<string, unknown> | undefined>;

/**
 * Finds the loaded module of a source file: the file itself, or its compiled version. Importing any other module would
 * run a second copy of the application.
 */
export function createModuleReader(): ReadModule {
  const loaded = new Map([...listLoadedFiles()].filter(([path]) => !isInPackage(path)));
  const compiled = new Map<string, string>();
  for (const path of loaded.keys()) for (const source of sourcesOf(path)) compiled.set(source, path);
  const required = createRequire(import.meta.url).cache;
  return async (source) => {
    const path = loaded.has(source) ? source : compiled.get(source);
    if (path === undefined) return undefined;
    const { name, isModule } = loaded.get(path)!;
    const isUrl = name.startsWith("file:");
    const module = required[isUrl ? fileURLToPath(name) : name];
    if (module) return module.exports as Record<string, unknown>;
    // Files that are neither ES modules nor required are part of another module.
    if (!isModule) return undefined;
    // On Windows, another spelling of the same path would load the module a second time.
    return (await import(isUrl ? name : pathToFileURL(name).href)) as Record<string, unknown>;
  };
}
