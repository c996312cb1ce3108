import { closeSync, openSync, readSync } from "node:fs";

/** Large enough: in longer files, the relevant data is at the beginning. */
const buffer = Buffer.allocUnsafeSlow(65_536);

/**
 * Reads a small file below /proc or /sys. Returns an empty text if it cannot be read. Opening it each time costs no
 * more than keeping it open, and works if the file is removed and created again.
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

/** The kernel returns some files in pieces, regardless of the requested size. */
function fill(file: number): number {
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return length;
}
