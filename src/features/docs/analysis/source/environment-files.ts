import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../../../../lib/paths/paths.ts";

/** The configuration files from the folders of the files up to the project's, and the list of installed packages. */
export function environmentFilesOf(root: string, paths: Iterable<string>): string[] {
  const folders = new Set<string>([root]);
  for (const path of paths) {
    for (let folder = dirname(path); isWithin(root, folder) && !folders.has(folder); folder = dirname(folder))
      folders.add(folder);
  }
  const names = ["tsconfig.json", "package.json"];
  const found = [...folders].flatMap((folder) => names.map((name) => join(folder, name)));
  const all = [...found, join(root, "node_modules", ".package-lock.json")].filter((path) => existsSync(path));
  return [...new Set(all.flatMap((path) => (path.endsWith("tsconfig.json") ? withBases(path) : [path])))];
}

/** A configuration and those that it extends, as far as they are files and not packages. */
function withBases(path: string, seen: ReadonlySet<string> = new Set()): string[] {
  if (seen.has(path) || !existsSync(path)) return [];
  const [, list = ""] = /"extends"\s*:\s*("[^"]*"|\[[^\]]*\])/.exec(readFileSync(path, "utf8")) ?? [];
  const bases = [...list.matchAll(/"(\.[^"]*)"/g)].map(([, base]) => resolve(dirname(path), base!));
  const known = new Set([...seen, path]);
  return [path, ...bases.flatMap((base) => withBases(base.endsWith(".json") ? base : `${base}.json`, known))];
}
