import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

interface LockedPackage {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

/** The packages that npm installs with a package for production, without those for other systems. */
export function listProductionPackages(staged: string): string[] {
  const { dependencies } = JSON.parse(readFileSync(join(staged, "package.json"), "utf8"));
  return listPackages(Object.keys(dependencies));
}

/** These packages, and those that they need. */
export function listPackages(names: readonly string[]): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockedPackage>;
  };
  const found = new Set<string>();
  const add = (name: string) => {
    if (found.has(name) || !existsSync(join(root, "node_modules", name))) return;
    found.add(name);
    const needed = packages[`node_modules/${name}`]!;
    for (const each of Object.keys({ ...needed.dependencies, ...needed.optionalDependencies })) add(each);
  };
  for (const name of names) add(name);
  return [...found];
}
