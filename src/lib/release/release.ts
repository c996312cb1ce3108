import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findEntry } from "../node/entry.ts";
import { isInPackage } from "../paths/paths.ts";
import { readGitCommit } from "./git-commit.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables in which build systems and hosting platforms name the commit. */
const commitVariables = [
  "GIT_COMMIT",
  "COMMIT_SHA",
  "SOURCE_COMMIT",
  "SOURCE_VERSION",
  "GITHUB_SHA",
  "CI_COMMIT_SHA",
  "RENDER_GIT_COMMIT",
  "RAILWAY_GIT_COMMIT_SHA",
  "VERCEL_GIT_COMMIT_SHA",
] as const;

/** A release has at most this many characters. */
export const longestRelease = 100;

/** Written by a build, because its output is usually deployed without the repository. */
const fileName = "release.json";

/**
 * The release of the application: as recorded by its build, or the version of its package and the commit, such as
 * `1.4.2+3f2a91c`. Undefined if neither is known.
 */
export function findRelease(environment: Environment, entry = findEntry()): string | undefined {
  const folder = folderOf(entry);
  return readBuilt(folder) ?? describeFolder(folder, environment);
}

/** Records the release of the sources next to the compiled entry file. */
export function writeRelease(entry: string, compiledEntry: string, environment: Environment): void {
  const release = describeFolder(folderOf(entry), environment);
  if (release === undefined) return;
  writeFileSync(join(dirname(compiledEntry), fileName), `${JSON.stringify({ release })}\n`);
}

function describeFolder(folder: string, environment: Environment): string | undefined {
  const version = readVersion(folder);
  const commit = commitOf(environment) ?? readGitCommit(folder);
  const parts = [version, commit?.slice(0, 7)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join("+").slice(0, longestRelease);
}

/** A runner, such as a test runner, is in node_modules. Then the application is in the working directory. */
function folderOf(entry: string | undefined): string {
  if (entry === undefined) return process.cwd();
  const path = existsSync(entry) ? realpathSync(entry) : entry;
  return isInPackage(path) ? process.cwd() : dirname(path);
}

function readBuilt(folder: string): string | undefined {
  const release = readJson(join(folder, fileName))?.release;
  return typeof release === "string" && release !== "" ? release.slice(0, longestRelease) : undefined;
}

/** The version of the nearest package.json that has one. `0.0.0` marks packages that are never released. */
function readVersion(folder: string): string | undefined {
  const version = readJson(join(folder, "package.json"))?.version;
  if (typeof version === "string" && version !== "" && version !== "0.0.0") return version;
  const parent = dirname(folder);
  return parent === folder ? undefined : readVersion(parent);
}

function commitOf(environment: Environment): string | undefined {
  const variable = commitVariables.find((name) => /^[0-9a-f]{7,64}$/i.test(environment[name] ?? ""));
  return variable && environment[variable]!.toLowerCase();
}

function readJson(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
