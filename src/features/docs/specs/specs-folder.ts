import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { isInPackage, isWithin, type PathRules } from "../../../lib/paths/paths.ts";

export interface Program {
  /** The real path of the entry module. */
  readonly entry: string | undefined;
  /** The real path of the module that calls `createApp`. */
  readonly caller: string | undefined;
}

/** The file system, which tests replace. */
export interface Files {
  readonly path: PathRules;
  isFolder(name: string): boolean;
  isFile(name: string): boolean;
}

const localFiles: Files = {
  path,
  isFolder: (name) => statSync(name, { throwIfNoEntry: false })?.isDirectory() ?? false,
  isFile: existsSync,
};

/**
 * The folder `specs` of the build to which the program belongs: beside the entry or, if another program loads the build,
 * beside the module that calls `createApp` or above it in its package. Code is loaded from it, so no other folder counts:
 * not the working directory, nor that of a link.
 */
export function findSpecsFolder(program: Program, files: Files = localFiles): string {
  const { join } = files.path;
  const places = listPlaces(program, files);
  const build = places.find((place) => files.isFolder(join(place, "specs"))) ?? places[0] ?? process.cwd();
  return join(build, "specs");
}

/** The folders in which a build may have written, most likely first. */
function listPlaces({ entry, caller }: Program, files: Files): string[] {
  const { dirname } = files.path;
  const atEntry = entry === undefined ? [] : [dirname(entry)];
  if (caller === undefined) return atEntry;
  const isOnePackage = entry !== undefined && findPackage(entry, files) === findPackage(caller, files);
  // A library that creates the application for the program.
  if (isInPackage(caller) && !isOnePackage) return atEntry;
  const atCaller = listAbove(caller, files);
  // A runner that loads the program.
  if (entry === undefined || (isInPackage(entry) && !isOnePackage)) return atCaller;
  return isWithin(dirname(entry), caller, files.path) ? [...atEntry, ...atCaller] : [...atCaller, ...atEntry];
}

/** The folder of a module and those above it, below the folder of its package. */
function listAbove(module: string, files: Files): string[] {
  const { dirname } = files.path;
  const own = dirname(module);
  const root = findPackage(module, files);
  const folders = [own];
  for (let at = own; root !== undefined && at !== root && dirname(at) !== root; at = dirname(at))
    folders.push(dirname(at));
  return folders;
}

function findPackage(module: string, { path: { dirname, join }, isFile }: Files): string | undefined {
  for (let at = dirname(module); ; at = dirname(at)) {
    if (isFile(join(at, "package.json"))) return at;
    if (at === dirname(at)) return undefined;
  }
}
