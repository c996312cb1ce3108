import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/**
 * Puts Annex into a folder as people have it, compiled and below `node_modules`, where the analysis leaves it alone and
 * Node strips no types. It is compiled afresh, so that the source of this moment is measured; its dependencies and the
 * other tools are lent by this checkout.
 */
export function installPackages(folder: string): void {
  const modules = join(folder, "node_modules");
  const annex = join(modules, "annex");
  mkdirSync(annex, { recursive: true });
  compileTo(join(annex, "dist"));
  cpSync(join(root, "package.json"), join(annex, "package.json"));
  symlinkSync(join(root, "node_modules"), join(annex, "node_modules"));
  for (const name of ["@types", "tsoa", "swagger-autogen"])
    symlinkSync(join(root, "node_modules", name), join(modules, name));
}

function compileTo(dist: string): void {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const options = ["-p", join(root, "tsconfig.build.json"), "--outDir", dist];
  // An error of types is told and changes nothing of what is measured.
  spawnSync(process.execPath, [tsc, ...options], { stdio: "inherit", timeout: 60_000 });
  for (const asset of globSync("src/**/*.{css,svg,js}", { cwd: root })) {
    const target = join(dist, asset.slice("src/".length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, asset), target);
  }
}
