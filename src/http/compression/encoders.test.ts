import assert from "node:assert/strict";
import { it } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from "node:zlib";
import { Random } from "../testing/random.ts";
import { defaultLevels, encodeSync } from "./encoders.ts";

/** Text of random words, which repeat at every distance. */
function createText(random: Random, length: number): string {
  let text = "";
  while (text.length < length) text += `${random.below(random.pick([10, 1_000]))} `;
  return text.slice(0, length);
}

it("compresses bodies of every size as well as with all the memory", () => {
  const random = new Random(6);
  const sizes = [0, 1, 2, 249, 250, 251, 511, 512, 513, 7_930, 7_931, 8_192, 32_768, 65_536];
  for (let count = 0; count < 100; count++) sizes.push(random.below(20_000));
  for (const size of sizes) {
    const text = createText(random, size);
    const encoded = encodeSync("gzip", text, defaultLevels, size);
    assert.equal(gunzipSync(encoded).toString(), text);
    assert.equal(encoded.length, gzipSync(text, { level: defaultLevels.gzip }).length, `${size} bytes`);
    assert.equal(brotliDecompressSync(encodeSync("br", text, defaultLevels, size)).toString(), text);
    assert.equal(zstdDecompressSync(encodeSync("zstd", text, defaultLevels, size)).toString(), text);
  }
});
