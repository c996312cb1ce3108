import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { createDisk } from "./disk.ts";
import { createFakeMachine, valuesOf } from "./testing/fake-machine.ts";
import { throttleMs } from "./throttled.ts";

/** Tolerance for writes of other programs during the test. */
const slack = 512 * 1024 * 1024;

describe("the disk of the data folder", () => {
  it("is counted as df counts it", async () => {
    const values = valuesOf(createDisk(tmpdir()));
    const [total, used, available] = await readDf(tmpdir());
    assert.equal(values["disk.total_bytes"], total);
    assert.ok(Math.abs(values["disk.used_bytes"]! - used!) < slack);
    assert.ok(Math.abs(values["disk.available_bytes"]! - available!) < slack);
  });

  it("is that of the nearest parent while the folder does not exist", () => {
    const missing = valuesOf(createDisk(join(tmpdir(), "annex-not-there", "data")));
    assert.equal(missing["disk.total_bytes"], valuesOf(createDisk(tmpdir()))["disk.total_bytes"]);
  });

  it("may be named relative to where the program runs", () => {
    const here = valuesOf(createDisk("."));
    assert.equal(here["disk.total_bytes"], valuesOf(createDisk(process.cwd()))["disk.total_bytes"]);
    assert.ok(here["disk.total_bytes"]! > 0);
  });

  it("is read every ten seconds and repeated in between", (t) => {
    const { root } = createFakeMachine(t);
    const disk = createDisk(root);
    const first = valuesOf(disk, 0);
    writeFileSync(join(root, "data"), Buffer.alloc(8 * 1024 * 1024, 1), { flush: true });
    assert.deepEqual(valuesOf(disk, throttleMs - 1), first);
    assert.notDeepEqual(valuesOf(disk, throttleMs), first);
  });
});

/** df differs on other systems, so the value is computed from the file system's numbers there. */
async function readDf(folder: string): Promise<number[]> {
  if (process.platform !== "linux") {
    const { bsize, blocks, bfree, bavail } = statfsSync(folder);
    return [blocks * bsize, (blocks - bfree) * bsize, bavail * bsize];
  }
  const { stdout } = await promisify(execFile)("df", ["-B1", "--output=size,used,avail", folder]);
  return stdout.trim().split("\n")[1]!.trim().split(/\s+/).map(Number);
}
