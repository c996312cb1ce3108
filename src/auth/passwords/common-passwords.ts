import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

const file = new URL("./assets/common-passwords.txt.br", import.meta.url);
const decompress = promisify(brotliDecompress);

/**
 * Whether this is one of the 10,000 most common passwords of at least eight characters, ignoring case. The list is read
 * from disk on every call, which takes milliseconds and uses no memory afterwards: passwords are rarely changed.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const list = await decompress(await readFile(file));
  return list.includes(`\n${password.normalize("NFKC").trim().toLowerCase()}\n`);
}
