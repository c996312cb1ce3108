/** `scripts/test.ts` loads this into the process of each test file, so that none outlives its deadline. */
import { isMainThread } from "node:worker_threads";

const minutes = 20;

// A worker inherits the arguments of its process, and ends with it.
if (isMainThread) setTimeout(giveUp, minutes * 60_000).unref();

function giveUp(): void {
  const open = process.getActiveResourcesInfo().join(", ");
  console.error(`${process.argv[1]} ran longer than ${minutes} minutes. Open: ${open}`);
  process.exit(1);
}
