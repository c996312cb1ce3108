import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "../testing/temporary-folder.ts";
import { moveFile, removeAll } from "./move-file.ts";

/** A system that refuses the first renames. */
function refuse(platform: NodeJS.Platform, code: string, times: number) {
  const pauses: number[] = [];
  const moves: string[][] = [];
  const rename = (from: string, to: string) => {
    if (times-- > 0) throw Object.assign(new Error(`${code}: operation not permitted`), { code });
    moves.push([from, to]);
  };
  return { platform, rename, pause: (ms: number) => void pauses.push(ms), pauses, moves };
}

describe("moving a file", () => {
  for (const code of ["EPERM", "EACCES", "EBUSY"])
    it(`is tried again on Windows after ${code}`, () => {
      const system = refuse("win32", code, 3);
      moveFile("a.new", "a", system);
      assert.deepEqual([system.moves, system.pauses], [[["a.new", "a"]], [5, 10, 20]]);
    });

  it("fails on Windows with the reason, if the file stays open", () => {
    const system = refuse("win32", "EBUSY", Number.POSITIVE_INFINITY);
    assert.throws(() => moveFile("a.new", "a", system), { code: "EBUSY" });
    const waited = system.pauses.reduce((sum, ms) => sum + ms, 0);
    assert.ok(waited > 500 && waited < 1_000, `${waited} ms`);
  });

  it("fails at once for any other reason, and on other systems", () => {
    for (const [platform, code] of [
      ["win32", "ENOENT"],
      ["win32", "EXDEV"],
      ["linux", "EACCES"],
      ["darwin", "EPERM"],
    ] as const) {
      const system = refuse(platform, code, 1);
      assert.throws(() => moveFile("a.new", "a", system), { code });
      assert.deepEqual(system.pauses, []);
    }
  });

  it("replaces a file on this system", () => {
    const folder = createTemporaryFolder();
    const [from, to] = [join(folder, "a.new"), join(folder, "a")];
    writeFileSync(from, "new");
    writeFileSync(to, "old");
    moveFile(from, to);
    assert.deepEqual([readFileSync(to, "utf8"), existsSync(from)], ["new", false]);
  });
});

describe("removing a folder", () => {
  it("removes everything in it, and ignores one that does not exist", () => {
    const folder = join(createTemporaryFolder(), "a");
    mkdirSync(folder);
    writeFileSync(join(folder, "b"), "");
    removeAll(folder);
    assert.ok(!existsSync(folder));
    removeAll(folder);
  });
});
