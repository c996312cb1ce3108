import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Returns the memory of finished work to the system. V8 does not do that in a thread that is idle. */
export function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
}
