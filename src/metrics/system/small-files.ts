import { closeSync, openSync, readSync } from "node:fs";

/** More than anything here needs: what we look for stands at the beginning of the files that can be longer. */
const buffer = Buffer.allocUnsafeSlow(65_536);

/**
 * The text of a small file below /proc or /sys. A file that cannot be read is an empty one: nothing is found in it.
 * Opening it each time costs no more than holding it open, and outlives a file that goes and comes back.
 */
export function readSmallFile(path: string): string {
  let file: number | undefined;
  try {
    file = openSync(path, "r");
    return buffer.toString("latin1", 0, fill(file));
  } catch {
    return "";
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** The kernel hands out some files in pieces, however much is asked for. */
function fill(file: number): number {
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}
