import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { findRelease, writeRelease } from "./release.ts";

function createFiles(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "annex-release-"));
  t.after(() => rmSync(root, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

const packageJson = JSON.stringify({ name: "shop", version: "1.4.2" });
const commit = "3f2a91c0d6b84a55e0f2b7d1c9a8e7f605142332";

describe("the release", () => {
  it("is the version of the nearest package", (t) => {
    const root = createFiles(t, { "package.json": packageJson, "src/main.ts": "" });
    assert.equal(findRelease({}, join(root, "src/main.ts")), "1.4.2");
  });

  it("has the commit of the environment", (t) => {
    const root = createFiles(t, { "package.json": packageJson, "main.js": "" });
    assert.equal(findRelease({ GITHUB_SHA: commit }, join(root, "main.js")), "1.4.2+3f2a91c");
    assert.equal(findRelease({ GIT_COMMIT: "unknown" }, join(root, "main.js")), "1.4.2");
  });

  it("is the commit alone if the package has no version", (t) => {
    const root = createFiles(t, { "package.json": '{"name":"shop","version":"0.0.0"}', "main.js": "" });
    assert.equal(findRelease({ GIT_COMMIT: commit }, join(root, "main.js")), "3f2a91c");
  });

  it("has the commit of a branch, a packed branch, a detached head and a worktree", (t) => {
    const root = createFiles(t, {
      "package.json": packageJson,
      "src/main.js": "",
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/refs/heads/main": `${commit}\n`,
    });
    const entry = join(root, "src/main.js");
    assert.equal(findRelease({}, entry), "1.4.2+3f2a91c");

    rmSync(join(root, ".git/refs/heads/main"));
    writeFileSync(join(root, ".git/packed-refs"), `# pack-refs\n${"b".repeat(40)} refs/heads/main\n`);
    assert.equal(findRelease({}, entry), "1.4.2+bbbbbbb");

    writeFileSync(join(root, ".git/HEAD"), `${"c".repeat(40)}\n`);
    assert.equal(findRelease({}, entry), "1.4.2+ccccccc");

    mkdirSync(join(root, ".git/worktrees/other"), { recursive: true });
    writeFileSync(join(root, ".git/worktrees/other/HEAD"), "ref: refs/heads/main\n");
    writeFileSync(join(root, ".git/worktrees/other/commondir"), "../..\n");
    const other = createFiles(t, {
      "package.json": packageJson,
      "main.js": "",
      ".git": `gitdir: ${join(root, ".git/worktrees/other")}\n`,
    });
    assert.equal(findRelease({}, join(other, "main.js")), "1.4.2+bbbbbbb");
  });

  it("is the same as git reports", (t) => {
    const root = createFiles(t, { "main.js": "" });
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
        cwd: root,
        encoding: "utf8",
        timeout: 180_000,
      }).trim();
    git("init", "--quiet");
    assert.equal(findRelease({}, join(root, "main.js")), undefined, "a repository without a commit");
    git("add", ".");
    git("commit", "--quiet", "--message", "First");
    assert.equal(findRelease({}, join(root, "main.js")), git("rev-parse", "HEAD").slice(0, 7));
  });

  it("is unknown without a package and a commit, and if files are damaged", (t) => {
    const root = createFiles(t, {
      "package.json": "{",
      "release.json": "[",
      "main.js": "",
      ".git": "damaged",
    });
    assert.equal(findRelease({}, join(root, "main.js")), undefined);
  });

  it("is recorded by a build, and read without the repository", (t) => {
    const source = createFiles(t, { "package.json": packageJson, "src/main.ts": "" });
    const output = createFiles(t, { "dist/main.js": "" });
    writeRelease(join(source, "src/main.ts"), join(output, "dist/main.js"), { GIT_COMMIT: commit });
    assert.equal(readFileSync(join(output, "dist/release.json"), "utf8"), '{"release":"1.4.2+3f2a91c"}\n');
    assert.equal(findRelease({}, join(output, "dist/main.js")), "1.4.2+3f2a91c");
  });
});
