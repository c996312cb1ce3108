import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { startProgram } from "./support/program.ts";

/**
 * The package as people get it: packed, unpacked into another folder, compiled against and run there. Its dependencies
 * are lent by this checkout, so the test needs no network; that it declares what it uses is checked apart.
 */
const root = resolve(import.meta.dirname, "..");

function installPacked(folder: string): string {
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename }] = Object.values(JSON.parse(packed.slice(packed.search(/^[[{]/m)))) as [
    { filename: string },
  ];
  const target = join(folder, "node_modules", "annex");
  mkdirSync(target, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", target, "--strip-components=1"]);
  symlinkSync(join(root, "node_modules"), join(target, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
  return target;
}

describe("the packed package", () => {
  let folder: string;
  let installed: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), "annex-outside-"));
    installed = installPacked(folder);
  });

  after(() => rmSync(folder, { recursive: true, force: true }));

  it("holds what is needed and nothing else", () => {
    const files = globSync("**/*", { cwd: installed, exclude: ["node_modules"] });
    for (const needed of [
      "package.json",
      "README.md",
      "LICENSE",
      "dist/index.js",
      "dist/index.d.ts",
      "dist/cli/bin.js",
      "dist/auth/pages/assets/pages.css",
    ]) {
      assert.ok(files.includes(needed), needed);
    }
    assert.deepEqual(
      files.filter((file) => /\.test\.|testing\/|^(src|tests|bench|examples)\b/.test(file)),
      [],
    );
  });

  it("declares every dependency that it imports", () => {
    const { dependencies } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    const used = new Set<string>();
    const files = globSync("dist/**/*.{js,d.ts}", { cwd: installed }).filter(
      (file) => !file.includes("/assets/"),
    );
    for (const file of files) {
      const source = readFileSync(join(installed, file), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
      for (const [, specifier] of source.matchAll(/\b(?:from|import)\s*\(?\s*"([^".][^"]*)"/g)) {
        used.add(
          specifier!
            .split("/")
            .slice(0, specifier!.startsWith("@") ? 2 : 1)
            .join("/"),
        );
      }
    }
    const packages = [...used].filter((name) => !name.startsWith("node:") && !builtinModules.includes(name));
    assert.ok(packages.includes("fastify"));
    assert.deepEqual(
      packages.filter((name) => !(name in dependencies)),
      [],
    );
  });

  it("type-checks and runs in an application outside of the repository", async (t) => {
    copyFileSync(join(import.meta.dirname, "package/application.ts"), join(folder, "application.ts"));
    const compilerOptions = {
      target: "es2023",
      module: "nodenext",
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: ["node"],
      typeRoots: [join(root, "node_modules/@types")],
    };
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["application.ts"] }),
    );
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { stdio: "inherit" });
    const program = startProgram(t, ["application.ts"], { cwd: folder });
    assert.deepEqual(await program.ended, [0, null], program.stderr);
    assert.deepEqual(JSON.parse(program.stdout), {
      typed: { id: "1", rest: "a/b" },
      tenant: "tu",
      list: 200,
      create: [401, 204],
      upload: [200, 413],
      errors: [418, 409, 401, 404],
      logged: 200,
      page: [200, 200, 200],
      injected: { id: "7", level: "debug" },
      superusers: 1,
      job: { list: ["tidy", "__svcLogClean__"], trigger: "manual", level: "start", isRunning: true },
      terminated: false,
      isStartError: true,
    });
  });

  it("brings the command line", async (t) => {
    const program = startProgram(t, [join(installed, "dist/cli/bin.js"), "--help"]);
    assert.deepEqual(await program.ended, [0, null]);
    assert.match(program.stdout, /^Usage: annex <command>/);
  });
});
