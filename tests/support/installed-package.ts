import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { listProductionPackages } from "./production-packages.ts";
import { stagePackage } from "./staged-package.ts";

const root = resolve(import.meta.dirname, "../..");

/**
 * Packs the package, unpacks it into `node_modules` of a folder, and returns its path there. This checkout provides its
 * dependencies, so that a test needs no network.
 */
export async function installPacked(folder: string): Promise<string> {
  const target = await unpack(folder);
  symlinkSync(join(root, "node_modules"), join(target, "node_modules"));
  return target;
}

/** The same with nothing but the packages that npm installs for production. */
export async function installPackedForProduction(folder: string): Promise<string> {
  const target = await unpack(folder);
  for (const name of listProductionPackages(target)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(join(link, ".."), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
  return target;
}

async function unpack(folder: string): Promise<string> {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: await stagePackage(),
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = Object.values(JSON.parse(packed.slice(packed.search(/^[[{]/m)))) as [
    { filename: string },
  ];
  const target = join(folder, "node_modules", "annex");
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", target, "--strip-components=1"]);
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
  return target;
}

/** What the analysis needs, and nothing else: without it a server in production runs just as well. */
const analysisOnly = /^(typescript|oxc-parser|oxc-resolver|@typescript\/|@oxc-)/;

/** Copies the installed package and the packages that a server in production needs. */
export function copyProduction(installed: string, target: string): void {
  for (const name of listProductionPackages(installed)) {
    if (analysisOnly.test(name)) continue;
    mkdirSync(join(target, name, ".."), { recursive: true });
    cpSync(join(root, "node_modules", name), join(target, name), { recursive: true });
  }
  const isOwn = (source: string) => !source.startsWith(join(installed, "node_modules"));
  cpSync(installed, join(target, "annex"), { recursive: true, filter: isOwn });
}
