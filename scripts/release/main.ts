/**
 * Makes a release:
 *
 *     npm run release -- 1.2.0            # shows what would change, and packs both packages; changes nothing
 *     npm run release -- 1.2.0 --commit   # changes the files, runs all checks, commits and tags
 *     npm run release -- --publish        # in CI, from the commit of the tag: publishes both packages
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { type Change, currentVersion, distTag, planRelease, ReleaseError } from "./plan.ts";

/** npm starts scripts in the folder of `package.json`. */
const root = process.cwd();
/** Both packages, in the order in which they are published: `create-annex` installs `annex`. */
const folders = [".tmp/package", "packages/create-annex"];
const shell = process.platform === "win32";

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { commit: { type: "boolean" }, publish: { type: "boolean" } },
  });
  if (values.publish) return publish();
  const version = positionals[0] ?? (await askForVersion());
  const changes = planRelease(root, version, new Date().toISOString().slice(0, 10));
  checkRepository(version);
  return values.commit ? commit(version, changes) : show(version, changes);
}

async function askForVersion(): Promise<string> {
  if (!process.stdin.isTTY) throw new ReleaseError("Name the version: npm run release -- 1.2.0");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const version = await terminal.question(`Version (now ${currentVersion(root)}): `);
  terminal.close();
  return version.trim();
}

function checkRepository(version: string): void {
  checkClean();
  if (read("git", "tag", "--list", `v${version}`) !== "")
    throw new ReleaseError(`The tag v${version} exists. Choose a higher version.`);
}

function checkClean(): void {
  const changed = read("git", "status", "--porcelain");
  if (changed !== "") throw new ReleaseError(`Commit or remove these changes first:\n${changed}`);
}

function show(version: string, changes: readonly Change[]): number {
  for (const change of changes) showDifference(change);
  run("npm", "run", "stage");
  for (const folder of folders) run("npm", "pack", "--dry-run", join(root, folder));
  console.log(`\nDry run: nothing was changed. To release: npm run release -- ${version} --commit`);
  return 0;
}

function showDifference({ file, after }: Change): void {
  const folder = mkdtempSync(join(tmpdir(), "annex-release-"));
  const changed = join(folder, "changed");
  writeFileSync(changed, after);
  const difference = spawnSync("git", ["diff", "--no-index", "-U1", "--", file, changed], {
    cwd: root,
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true });
  console.log(`${file}\n${difference.stdout.replace(/^(diff|index|---|\+\+\+) .*\n/gm, "")}`);
}

function commit(version: string, changes: readonly Change[]): number {
  for (const { file, after } of changes) writeFileSync(join(root, file), after);
  try {
    run("npm", "run", "update:migrations");
    run("npm", "test");
    run("npm", "run", "stage");
  } catch (error) {
    console.error('release: The files are changed, but not committed. "git restore ." restores them.');
    throw error;
  }
  run("git", "commit", "--all", "--quiet", "--message", `Release ${version}`);
  run("git", "tag", "--annotate", `v${version}`, "--message", `Release ${version}`);
  console.log(`\nCommitted and tagged v${version}. To publish it: git push --follow-tags`);
  return 0;
}

/** Publishes what is not published yet, so it can be repeated after a failure. */
function publish(): number {
  const version = currentVersion(root);
  // npm can record the provenance of a package only there.
  if (!process.env.CI) throw new ReleaseError("Publish from CI: push the tag of the release.");
  checkClean();
  if (!read("git", "tag", "--points-at", "HEAD").split("\n").includes(`v${version}`))
    throw new ReleaseError(`The commit does not have the tag v${version}.`);
  run("npm", "run", "stage");
  for (const folder of folders) {
    const { name } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    if (isPublished(name, version)) console.log(`${name}@${version} is already published.`);
    else run("npm", "publish", join(root, folder), "--tag", distTag(version));
  }
  return 0;
}

/** npm fails with E404 for unknown packages, and prints nothing for unknown versions. */
function isPublished(name: string, version: string): boolean {
  const found = spawnSync("npm", ["view", `${name}@${version}`, "version"], {
    cwd: root,
    encoding: "utf8",
    shell,
  });
  if (found.status !== 0 && !found.stderr.includes("E404"))
    throw new ReleaseError(`npm cannot read ${name} from the registry:\n${found.stderr}`);
  return found.stdout.trim() === version;
}

function read(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new ReleaseError(`${command} ${args.join(" ")} failed:\n${stderr}`);
  return stdout.trim();
}

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: shell && command === "npm",
  });
  if (status !== 0) throw new ReleaseError(`${command} ${args.join(" ")} failed.`);
}
