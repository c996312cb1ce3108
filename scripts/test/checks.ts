/** Format, lint and types. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");
const cache = join(root, "node_modules/.cache/annex-types");

/** Whether everything is in order, as CI checks it. */
export function checkEverything(): boolean {
  return (
    succeeds("biome", ["ci", "--error-on-warnings", "."]) && succeeds(process.execPath, ["scripts/types.ts"])
  );
}

/** Whether these files are in order. Paths are relative to the root. */
export function check(files: readonly string[]): boolean {
  return lint(files) && projectsOf(files).every(checkTypes);
}

function lint(files: readonly string[]): boolean {
  if (files.length === 0) return true;
  return succeeds("biome", ["ci", "--error-on-warnings", "--no-errors-on-unmatched", ...files]);
}

/** The projects that contain these files or import them. */
export function projectsOf(files: readonly string[]): string[] {
  const isAny = (pattern: RegExp) => files.some((file) => pattern.test(file));
  return [
    ...(isAny(/^(?!web\/|examples\/nest\/).*\.ts$/) ? ["."] : []),
    ...(isAny(/^web\/|\/wire\.ts$/) ? ["web"] : []),
    ...(isAny(/^(src|examples\/nest)\/(?!.*\.test\.ts$)/) ? ["examples/nest"] : []),
  ];
}

/** The compiler keeps what it knows about unchanged files, so the second check takes a fraction of the first. */
function checkTypes(project: string): boolean {
  mkdirSync(cache, { recursive: true });
  const known = join(cache, `${project.replaceAll("/", "-")}.tsbuildinfo`);
  return succeeds("tsc", ["--noEmit", "--incremental", "--tsBuildInfoFile", known, "-p", project]);
}

/** Runs a program. npm puts `node_modules/.bin` into the path. */
function succeeds(program: string, args: readonly string[]): boolean {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, GOGC: process.env.GOGC ?? "400" },
    // npm starts programs by a script on Windows.
    shell: process.platform === "win32",
  });
  if (error) throw error;
  return status === 0;
}
