import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";

interface LockedPackage {
  version?: string;
  resolved?: string;
  gypfile?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));
const { dependencies, devDependencies, allowScripts } = read("package.json");
const packages: Record<string, LockedPackage> = read("package-lock.json").packages;

const platforms = ["x64", "arm64"].flatMap((cpu) => [
  { os: "linux", cpu, libc: "glibc" },
  { os: "linux", cpu, libc: "musl" },
  { os: "darwin", cpu, libc: undefined },
  { os: "win32", cpu, libc: undefined },
]);

/** A package without a C library works with all of them. */
function isFor(binary: LockedPackage, { os, cpu, libc }: (typeof platforms)[number]): boolean {
  const isForSystem = binary.os?.includes(os) === true && binary.cpu?.includes(cpu) === true;
  return isForSystem && (binary.libc === undefined || libc === undefined || binary.libc.includes(libc));
}

/** As Node looks for it: from the package's own folder upwards. */
function isFound(place: string, name: string): boolean {
  const folders = place.split("/");
  return (
    folders.some(
      (_, count) => packages[[...folders.slice(0, folders.length - count), "node_modules", name].join("/")],
    ) || packages[`node_modules/${name}`] !== undefined
  );
}

/** What makes the two commands of the README work on a machine with Node, npm and nothing else. */
describe("the installation", () => {
  it("takes exact versions of what only the repository needs", () => {
    for (const [name, version] of Object.entries(devDependencies)) {
      assert.match(String(version), /^(npm:\w+@)?\d+\.\d+\.\d+(-[\w.]+)?$/, name);
    }
  });

  it("lets applications choose newer and slightly older versions of dependencies", () => {
    const exact = Object.entries(dependencies).filter(
      ([, range]) => !/^[\^~]\d+\.\d+\.\d+$/.test(String(range)),
    );
    assert.deepEqual(exact, []);
    // Annex uses an interface of the compiler that its minor releases may change.
    assert.match(dependencies.typescript, /^~/);
  });

  it("locks the packages of every platform, not only of the machine that wrote the lock", () => {
    const missing = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies).filter((name) => !packages[`node_modules/${name}`]?.version),
    );
    assert.deepEqual(missing, []);
  });

  it("locks everything that its packages need", () => {
    // npm leaves packages out when an old node_modules folder of a workspace lies about while it writes the lock.
    const missing = Object.entries(packages).flatMap(([place, { dependencies: needed = {} }]) =>
      Object.keys(needed)
        .filter((name) => !isFound(place, name))
        .map((name) => `${place} needs ${name}`),
    );
    assert.deepEqual(missing, []);
  });

  it("has binaries for every platform that the documentation names", () => {
    const native = ["@node-rs/argon2", "oxc-parser", "oxc-resolver", "typescript"];
    for (const { os, cpu, libc } of platforms) {
      const missing = native.filter((name) => {
        const binaries = Object.keys(packages[`node_modules/${name}`]!.optionalDependencies!);
        return !binaries.some((binary) => isFor(packages[`node_modules/${binary}`]!, { os, cpu, libc }));
      });
      assert.deepEqual(missing, [], `${os} ${cpu} ${libc}`);
      const file = `${os}${libc === "musl" ? libc : ""}-${cpu}.node`;
      const sqlite = new URL(`../node_modules/better-sqlite3/prebuilds/${file}`, import.meta.url);
      assert.ok(existsSync(sqlite), file);
    }
  });

  it("names no registry", () => {
    assert.deepEqual(
      Object.keys(packages).filter((name) => packages[name]!.resolved?.includes("://")),
      [],
    );
  });

  it("runs no script that a newcomer would have to approve", () => {
    const scripted = Object.keys(packages).filter((name) => packages[name]!.hasInstallScript);
    assert.ok(scripted.length > 0);
    for (const name of scripted) {
      assert.equal(typeof allowScripts[name.replace("node_modules/", "")], "boolean", name);
    }
  });

  it("never compiles SQLite, which brings its binaries", () => {
    // npm sees a binding.gyp and would call a compiler, unless the lock repeats what the package says itself. An
    // `npm install` that rewrites the lock drops the line: put `"gypfile": false` back.
    assert.equal(packages["node_modules/better-sqlite3"]!.gypfile, false);
    assert.equal(allowScripts["better-sqlite3"], false);
  });
});
