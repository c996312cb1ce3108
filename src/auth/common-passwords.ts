import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

const file = new URL("./assets/common-passwords.txt.br", import.meta.url);
const decompress = promisify(brotliDecompress);

/**
 * Whether this is one of the 10,000 most common passwords of at least eight characters, in whichever case. The list is
 * read each time, because passwords are chosen rarely: that takes milliseconds and leaves nothing in memory.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const list = await decompress(await readFile(file));
  return list.includes(`\n${password.normalize("NFKC").trim().toLowerCase()}\n`);
}
