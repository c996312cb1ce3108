import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createTemporaryFolder } from "../lib/testing/temporary-folder.ts";

const module = JSON.stringify(new URL("compile-cache.ts", import.meta.url).href);
const program = `import { enableCompileCache } from ${module}; console.log(enableCompileCache());`;

/** Returns the folder that a process in this home uses. */
function enable(home: string, env: Record<string, string> = {}): string {
  const { NODE_COMPILE_CACHE: _, NODE_OPTIONS: __, ...inherited } = process.env;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...inherited, HOME: home, ...env },
  }).trim();
}

function createHome(): string {
  const home = createTemporaryFolder();
  chmodSync(home, 0o700);
  return home;
}

describe("the compile cache", { skip: process.getuid === undefined }, () => {
  it("is a folder in the home that only the user can write", () => {
    const home = createHome();
    const folder = enable(home);
    assert.ok(folder.startsWith(join(home, ".cache/annex/compile-cache")), folder);
    assert.ok(existsSync(folder));
  });

  it("leaves the folder that the user has set", () => {
    const home = createHome();
    const own = createTemporaryFolder();
    assert.ok(enable(home, { NODE_COMPILE_CACHE: own }).startsWith(own));
    assert.deepEqual(readdirSync(join(home, ".cache/annex/compile-cache")), []);
  });

  it("is off if other users can write to the home or the folder, or if there is no home", () => {
    const open = createHome();
    chmodSync(open, 0o777);
    const writable = createHome();
    mkdirSync(join(writable, ".cache/annex/compile-cache"), { recursive: true });
    chmodSync(join(writable, ".cache/annex/compile-cache"), 0o777);
    const linked = createHome();
    mkdirSync(join(linked, ".cache/annex"), { recursive: true });
    symlinkSync(createHome(), join(linked, ".cache/annex/compile-cache"));
    for (const home of [open, writable, linked, join(createHome(), "absent")])
      assert.equal(enable(home), "undefined", home);
  });
});
