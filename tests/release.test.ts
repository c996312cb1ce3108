import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { planRelease } from "../scripts/release/plan.ts";
import { annexVersion } from "../src/app/version.ts";
import { createFolder, startProgram } from "./support/program.ts";

const root = resolve(import.meta.dirname, "..");
const files = [
  "CHANGELOG.md",
  "docs/guides/upgrade.md",
  "package.json",
  "package-lock.json",
  "packages/create-annex/package.json",
  "src/app/version.ts",
];
const changelog = "# Changelog\n\n## Unreleased\n\n- Add jobs.\n\n## 0.0.1 (2026-01-01)\n\n- Begin.\n";
/** Versions in patterns. */
const current = annexVersion.replaceAll(".", "\\.");
const json = (file: string) => JSON.parse(readFileSync(file, "utf8"));

/** A repository with the files that a release changes. Its npm scripts write their names into a file. */
function createRepository(t: TestContext): { folder: string; git: (...args: string[]) => string } {
  const folder = createFolder(t);
  for (const file of files) cpSync(join(root, file), join(folder, file), { recursive: true });
  writeFileSync(join(folder, "CHANGELOG.md"), changelog);
  writeFileSync(join(folder, "docs/guides/upgrade.md"), "For the next release:\n\nStop all instances.\n");
  const note = (name: string) => `node -e "require('fs').appendFileSync('.tmp/ran', '${name} ')"`;
  const scripts = {
    test: note("test"),
    "update:migrations": note("migrations"),
    stage: `${note("stage")} && node -e "require('fs').cpSync('package.json', '.tmp/package/package.json')"`,
  };
  const { name, version, license } = json(join(root, "package.json"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, version, license, scripts }, null, 2));
  writeFileSync(join(folder, "packages/create-annex/index.js"), "");
  writeFileSync(join(folder, ".gitignore"), ".tmp\n.npmrc\n");
  mkdirSync(join(folder, ".tmp/package"), { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", env: { ...process.env, ...identity } }).trim();
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "Begin");
  return { folder, git };
}

const identity = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
};

async function release(t: TestContext, cwd: string, args: string[], env: Record<string, string> = {}) {
  const program = startProgram(t, [join(root, "scripts/release/main.ts"), ...args], {
    cwd,
    env: { ...identity, CI: "", npm_config_update_notifier: "false", ...env },
  });
  const [code] = await program.ended;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

/** A registry on this machine that knows `known` and accepts everything else. */
async function startRegistry(t: TestContext, known: readonly string[]) {
  const published: { name: string; tags: object }[] = [];
  const server = createServer(async (request, response) => {
    const name = request.url!.slice(1);
    if (request.method === "PUT") {
      const { "dist-tags": tags } = JSON.parse(await readBody(request));
      published.push({ name, tags });
      response.end("{}");
    } else if (known.includes(name)) {
      const versions = { "9.9.0-beta.1": { name, version: "9.9.0-beta.1" } };
      response.end(JSON.stringify({ name, "dist-tags": { latest: "9.9.0-beta.1" }, versions }));
    } else response.writeHead(404).end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { published, host: `127.0.0.1:${port}` };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  return text;
}

describe("npm run release", () => {
  it("moves the unreleased changes under the version and sets it in both packages", (t) => {
    const { folder } = createRepository(t);
    const plan = planRelease(folder, "9.9.0", "2026-11-19");
    const changes = new Map(plan.map(({ file, after }) => [file, after]));
    assert.deepEqual([...changes.keys()].sort(), files.toSorted());
    const heading = "## Unreleased\n\n## 9.9.0 (2026-11-19)\n";
    assert.equal(changes.get("CHANGELOG.md"), changelog.replace("## Unreleased\n", heading));
    for (const file of ["package.json", "packages/create-annex/package.json", "package-lock.json"]) {
      const expected = { ...json(join(folder, file)), version: "9.9.0" };
      if (expected.packages) expected.packages[""].version = "9.9.0";
      assert.deepEqual(JSON.parse(changes.get(file)!), expected, file);
    }
    assert.match(changes.get("src/app/version.ts")!, /^export const annexVersion = "9\.9\.0";$/m);
    assert.match(changes.get("docs/guides/upgrade.md")!, /^For 9\.9\.0:$/m);
    writeFileSync(join(folder, "CHANGELOG.md"), changelog.replace("- Add jobs.\n\n", ""));
    assert.throws(() => planRelease(folder, "9.9.0", "2026-11-19"), /no entries under Unreleased/);
  });

  it("accepts only versions that follow the current one", (t) => {
    const { folder } = createRepository(t);
    const [major, minor, patch] = annexVersion.split(/\D/).map(Number);
    const plan = (version: string) => planRelease(folder, version, "2026-11-19");
    for (const version of [annexVersion, `${major}.${minor! + 1}.0-beta.1`]) plan(version);
    for (const version of ["1", "v1.2.3", "1.2", "1.2.3 ", "latest"])
      assert.throws(() => plan(version), /is not a version such as 1\.2\.3/, version);
    for (const version of ["0.0.9", `${major}.${minor}.${patch}-0`])
      assert.throws(() => plan(version), /is lower than the current version/, version);
  });

  it("shows what would change, and changes nothing", async (t) => {
    const { folder, git } = createRepository(t);
    const { code, stdout, stderr } = await release(t, folder, ["9.9.0"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\+## 9\.9\.0 \(\d{4}-\d\d-\d\d\)$/m);
    assert.match(stdout, new RegExp(`^-.*"version": "${current}"`, "m"));
    assert.match(stdout, /nothing was changed\. To release: npm run release -- 9\.9\.0 --commit/);
    assert.equal(git("status", "--porcelain"), "");
    assert.equal(git("tag"), "");
    assert.equal(readFileSync(join(folder, ".tmp/ran"), "utf8"), "stage ");
    assert.match(stderr, new RegExp(`create-annex-${current}\\.tgz`));
  });

  it("commits and tags after all checks have passed, and refuses the same version again", async (t) => {
    const { folder, git } = createRepository(t);
    const { code, stderr } = await release(t, folder, ["9.9.0", "--commit"]);
    assert.equal(code, 0, stderr);
    assert.equal(readFileSync(join(folder, ".tmp/ran"), "utf8"), "migrations test stage ");
    assert.equal(git("status", "--porcelain"), "");
    assert.equal(git("log", "-1", "--format=%s %D").includes("tag: v9.9.0"), true);
    assert.equal(json(join(folder, "packages/create-annex/package.json")).version, "9.9.0");
    // Entries of the next release.
    writeFileSync(join(folder, "CHANGELOG.md"), changelog);
    git("commit", "--all", "--quiet", "--message", "More");
    const again = await release(t, folder, ["9.9.0", "--commit"]);
    assert.deepEqual([again.code, /The tag v9\.9\.0 exists/.test(again.stderr)], [1, true], again.stderr);
  });

  it("neither commits nor tags if a check fails or the tree has changes", async (t) => {
    const { folder, git } = createRepository(t);
    writeFileSync(join(folder, "new.ts"), "");
    const dirty = await release(t, folder, ["9.9.0", "--commit"]);
    assert.deepEqual(
      [dirty.code, /Commit or remove these changes first:\n\?\? new\.ts/.test(dirty.stderr)],
      [1, true],
    );
    const manifest = json(join(folder, "package.json"));
    manifest.scripts.test = "exit 3";
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
    git("add", ".");
    git("commit", "--quiet", "--message", "Break");
    const failed = await release(t, folder, ["9.9.0", "--commit"]);
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /"git restore \." restores them[\s\S]*npm test failed/);
    assert.equal(git("log", "-1", "--format=%s"), "Break");
    assert.equal(git("tag"), "");
  });

  it("publishes both packages from CI, at the commit of the tag, and skips what is published", async (t) => {
    const { folder, git } = createRepository(t);
    const { published, host } = await startRegistry(t, ["annex"]);
    writeFileSync(join(folder, ".npmrc"), `registry=http://${host}/\n//${host}/:_authToken=secret\n`);
    // Without provenance, which only npm's own registry can check.
    const env = { CI: "true", npm_config_registry: `http://${host}/` };
    const outside = await release(t, folder, ["--publish"]);
    assert.match(outside.stderr, /Publish from CI/);
    const untagged = await release(t, folder, ["--publish"], env);
    assert.match(untagged.stderr, new RegExp(`The commit does not have the tag v${current}`));
    const made = await release(t, folder, ["9.9.0-beta.1", "--commit"]);
    assert.equal(made.code, 0, made.stderr);
    const creator = join(folder, "packages/create-annex/package.json");
    const { publishConfig: _, ...manifest } = json(creator);
    writeFileSync(creator, JSON.stringify(manifest));
    git("commit", "--all", "--quiet", "--amend", "--no-edit");
    git("tag", "--force", "v9.9.0-beta.1");
    const { code, stdout, stderr } = await release(t, folder, ["--publish"], env);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /annex@9\.9\.0-beta\.1 is already published/);
    assert.deepEqual(published, [{ name: "create-annex", tags: { next: "9.9.0-beta.1" } }]);
  });
});

describe("the packages that are published", () => {
  it("name the repository that npm compares with their provenance", () => {
    const { repository } = json(join(root, "package.json"));
    const creator = json(join(root, "packages/create-annex/package.json"));
    assert.deepEqual(creator.repository, { ...repository, directory: "packages/create-annex" });
    assert.deepEqual(creator.publishConfig, { access: "public", provenance: true });
    assert.equal(creator.version, annexVersion);
    assert.equal(json(join(root, "package.json")).version, annexVersion);
  });
});
