import { loadavg } from "node:os";
import { join } from "node:path";
import { type Part, put } from "./sample-values.ts";
import { readSmallFile } from "./small-files.ts";

/** Load averages over 1, 5 and 15 minutes. */
export function createLoad(read: () => readonly number[]): Part {
  return {
    sample(values) {
      const [one = NaN, five = NaN, fifteen = NaN] = read();
      put(values, "load.1", one);
      put(values, "load.5", five);
      put(values, "load.15", fifteen);
    },
  };
}

export function readProcLoad(root: string): number[] {
  return readSmallFile(join(root, "proc/loadavg")).split(" ", 3).map(Number.parseFloat);
}

/** Windows has no load average; Node returns zero. */
export function readOsLoad(platform: NodeJS.Platform): number[] {
  return platform === "win32" ? [] : loadavg();
}
