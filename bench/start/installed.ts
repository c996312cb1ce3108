/** The packages that an application gets with a package, and the space that they need. */
import { globSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { listPackages } from "../../tests/support/production-packages.ts";

const root = join(import.meta.dirname, "../..");

export interface Installed {
  readonly packages: number;
  readonly bytes: number;
}

/** `own` is the folder of a package that is not in `node_modules`. */
export function measureInstalled(names: readonly string[], own?: string): Installed {
  const packages = listPackages(names);
  const folders = [...packages.map((name) => join(root, "node_modules", name)), ...(own ? [own] : [])];
  return { packages: folders.length, bytes: folders.reduce((sum, folder) => sum + sizeOf(folder), 0) };
}

function sizeOf(folder: string): number {
  const files = globSync("**/*", { cwd: folder, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0);
}
