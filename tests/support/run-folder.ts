import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The folder of a run, for whoever starts it: hand it down as `ANNEX_TEST_RUN_FOLDER`, and remove it at the end. */
export function createRunFolder(): string {
  return mkdtempSync(join(tmpdir(), "annex-run-"));
}

/** A test file that runs by itself has a folder by itself. */
function createOwnFolder(): string {
  const folder = createRunFolder();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Returns a folder that is filled once for a run. Test files are processes that start together: whoever makes the
 * `preparing` folder does the work for all.
 */
export async function prepareOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  process.env.ANNEX_TEST_RUN_FOLDER ??= createOwnFolder();
  const folder = join(process.env.ANNEX_TEST_RUN_FOLDER, name);
  const lock = `${folder}-preparing`;
  const ready = `${folder}-ready`;
  const deadline = performance.now() + 600_000;
  while (!existsSync(ready)) {
    if (performance.now() > deadline) throw new Error(`nobody has finished preparing ${folder}`);
    if (!(await makeFolder(lock))) {
      await delay(100);
      continue;
    }
    try {
      await fill(folder);
      await writeFile(ready, "");
    } catch (error) {
      // Half of it must not pass for the whole; each of those who wait then meets the cause itself.
      await rm(folder, { recursive: true, force: true });
      await rm(lock, { recursive: true });
      throw error;
    }
  }
  return folder;
}

/** Whether it was not there before. */
async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}
