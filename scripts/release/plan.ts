/** What a release changes in the files of the repository. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Change {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** The release cannot be made. The message says what to do. */
export class ReleaseError extends Error {}

const pattern = /^(\d+)\.(\d+)\.(\d+)(?:-[0-9a-z]+(?:\.[0-9a-z]+)*)?$/;

/** `version` is semver, and not lower than the one of the repository. */
export function planRelease(root: string, version: string, date: string): Change[] {
  checkVersion(version, currentVersion(root));
  const changes: Record<string, (text: string) => string> = {
    "CHANGELOG.md": (text) => moveUnreleased(text, version, date),
    "docs/guides/upgrade.md": (text) => text.replace(/^For the next release:$/m, `For ${version}:`),
    "package.json": (text) => setVersion(text, version),
    "package-lock.json": (text) => setLockVersion(text, version),
    "packages/create-annex/package.json": (text) => setVersion(text, version),
    "src/app/version.ts": (text) =>
      text.replace(/(annexVersion = ")[^"]+/, (_, start) => `${start}${version}`),
  };
  return Object.entries(changes).map(([file, change]) => {
    const before = readFileSync(join(root, file), "utf8");
    return { file, before, after: change(before) };
  });
}

export function currentVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;
}

/** npm gives prereleases a tag of their own, so that `npm install annex` does not install them. */
export function distTag(version: string): "latest" | "next" {
  return version.includes("-") ? "next" : "latest";
}

/** The first release has the version that the repository already has, so equal versions are allowed. */
function checkVersion(version: string, current: string): void {
  if (!pattern.test(version))
    throw new ReleaseError(`"${version}" is not a version such as 1.2.3 or 1.2.3-beta.1.`);
  if (comparePrecedence(version, current) < 0)
    throw new ReleaseError(`${version} is lower than the current version, ${current}.`);
}

function comparePrecedence(one: string, other: string): number {
  const [numbers, otherNumbers] = [one, other].map((text) => pattern.exec(text)!.slice(1, 4).map(Number));
  const difference = numbers!.map((number, at) => number - otherNumbers![at]!).find((each) => each !== 0);
  if (difference !== undefined) return difference;
  const [isFinal, isOtherFinal] = [one, other].map((text) => !text.includes("-"));
  if (isFinal || isOtherFinal) return Number(isFinal) - Number(isOtherFinal);
  return one.localeCompare(other, "en", { numeric: true });
}

function moveUnreleased(text: string, version: string, date: string): string {
  const [, entries] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
  if (!entries?.trim()) throw new ReleaseError("CHANGELOG.md has no entries under Unreleased.");
  return text.replace("## Unreleased\n", `## Unreleased\n\n## ${version} (${date})\n`);
}

/** The first version in the file is the one of the package. The rest of the file keeps its format. */
function setVersion(text: string, version: string): string {
  return text.replace(/("version": ")[^"]+/, (_, start) => `${start}${version}`);
}

/** A lockfile contains the version of its package twice. */
function setLockVersion(text: string, version: string): string {
  const lock = JSON.parse(text) as { version: string; packages: Record<string, { version?: string }> };
  lock.version = version;
  lock.packages[""]!.version = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
}
