import { sourcesOf } from "../../../lib/source-location.ts";
import { listLoadedFiles } from "../handlers/inspect.ts";

/**
 * Finds, for a file of the source, the file that the program has loaded: the same one, or what it was compiled to.
 * Importing any other would run a second copy of the application.
 */
export function createFileFinder(): (source: string) => string | undefined {
  const loaded = listLoadedFiles().filter((path) => !path.includes("/node_modules/"));
  const compiled = new Map<string, string>();
  for (const path of loaded) for (const source of sourcesOf(path)) compiled.set(source, path);
  const own = new Set(loaded);
  return (source) => (own.has(source) ? source : compiled.get(source));
}
