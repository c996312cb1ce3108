import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** Overwrites the bytes of a database file from an offset on, in place, so that open connections are affected, too. */
export function damagePages(path: string, from = 4_096): void {
  const bytes = readFileSync(path);
  for (let i = from; i < bytes.length; i += 7) bytes[i]! ^= 255;
  const file = openSync(path, "r+");
  writeSync(file, bytes);
  closeSync(file);
}
