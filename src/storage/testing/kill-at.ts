/**
 * Loaded with `--import`: kills this process before its Nth change of the file system, where N is KILL_AT. Without it,
 * writes the number of changes to the file COUNT_CHANGES at the end. Changes are calls of these functions; of writes to
 * one file, the first two.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const killAt = Number(process.env.KILL_AT ?? 0);
const { COUNT_CHANGES: countFile } = process.env;
let changes = 0;
const writes = new Map<number, number>();

const originals = { ...fs };

function countChange(): void {
  changes++;
  if (changes === killAt) process.kill(process.pid, "SIGKILL");
}

function beforeWrite(file: number): void {
  const count = (writes.get(file) ?? 0) + 1;
  writes.set(file, count);
  if (file > 2 && count <= 2) countChange();
}

for (const name of ["mkdirSync", "renameSync", "rmSync", "writeFileSync", "fsyncSync"] as const) {
  const original = originals[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      countChange();
      return original(...args);
    },
  });
}
Object.assign(fs, {
  openSync: (...args: Parameters<typeof fs.openSync>) => {
    const file = originals.openSync(...args);
    writes.delete(file);
    return file;
  },
  writeSync: (file: number, ...args: unknown[]) => {
    beforeWrite(file);
    return (originals.writeSync as (...all: unknown[]) => number)(file, ...args);
  },
});
syncBuiltinESMExports();

if (countFile !== undefined) process.once("exit", () => originals.writeFileSync(countFile, `${changes}`));
