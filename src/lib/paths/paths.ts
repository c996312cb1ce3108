/**
 * What differs between systems in the paths of files. All other code compares, shows and recognizes paths with these
 * functions. `rules` is for tests, which pass `path.win32`.
 */
import path, { type PlatformPath } from "node:path";
import { fileURLToPath } from "node:url";

export type PathRules = Pick<
  PlatformPath,
  "dirname" | "isAbsolute" | "join" | "normalize" | "relative" | "resolve" | "sep"
>;

/** Whether a file is in a `node_modules` folder. Accepts a path of any system, a file URL or the frame of a stack. */
export function isInPackage(place: string): boolean {
  return /[\\/]node_modules[\\/]/.test(place);
}

/**
 * The spelling of an absolute path by which files are compared. On Windows, the runtime, the resolver and the compiler
 * do not agree on slashes and on the case of the drive letter.
 */
export function nativePath(file: string, rules: PathRules = path): string {
  if (rules.sep === "/") return file;
  return rules.normalize(file).replace(/^[a-z]:/, (drive) => drive.toUpperCase());
}

/** The path of a file URL or of an absolute path. Undefined for other names, such as `node:fs` and `[eval]`. */
export function toPath(name: string, rules: PathRules = path): string | undefined {
  if (!name.startsWith("file:")) return rules.isAbsolute(name) ? nativePath(name, rules) : undefined;
  try {
    return nativePath(fileURLToPath(name, { windows: rules.sep === "\\" }), rules);
  } catch {
    // Programs can name their scripts as they like, for example with a URL that contains a host.
    return undefined;
  }
}

/** For everything that people and other machines read. */
export function withSlashes(file: string, { sep }: Pick<PathRules, "sep"> = path): string {
  return file.replaceAll(sep, "/");
}

/** Whether a file is the folder or in it. */
export function isWithin(folder: string, file: string, rules: PathRules = path): boolean {
  const below = rules.relative(folder, file);
  // On Windows, there is no relative path to another drive.
  return below.split(rules.sep)[0] !== ".." && !rules.isAbsolute(below);
}

/** A path for messages: relative to the folder if the file is in it. */
export function showPath(file: string, folder: string, rules: PathRules = path): string {
  return withSlashes(isWithin(folder, file, rules) ? rules.relative(folder, file) : file, rules);
}

/** The path of a source in a source map. It should be a URL, but some tools write paths of Windows. */
export function resolveSource(folder: string, source: string, rules: PathRules = path): string {
  const file = source.startsWith("file:") ? toPath(source, rules) : undefined;
  return file ?? nativePath(rules.resolve(folder, source.replaceAll("\\", "/")), rules);
}

/**
 * Whether a path names a file only because the file system ignores case, or the form of accented letters. `real`: the
 * path as the file system spells it.
 */
export function isOtherSpelling(file: string, real: string): boolean {
  const comparable = (text: string) => text.normalize().toLowerCase();
  return file !== real && comparable(file) === comparable(real);
}
