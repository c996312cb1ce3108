import assert from "node:assert/strict";
import { it } from "node:test";
import { brotliDecompressSync, gunzipSync, gzipSync, zstdDecompressSync } from "node:zlib";
import { Random } from "../testing/random.ts";
import { defaultLevels, encodeSync, maxSyncBytes } from "./encoders.ts";

/** Text of random words, which repeat at every distance. */
function createText(random: Random, length: number): string {
  let text = "";
  while (text.length < length) text += `${random.below(random.pick([10, 1_000]))} `;
  return text.slice(0, length);
}

it("compresses bodies of every size as well as with all the memory", () => {
  const random = new Random(6);
  const sizes = [0, 1, 2, 249, 250, 251, 511, 512, 513, 7_930, 7_931, maxSyncBytes];
  for (let count = 0; count < 100; count++) sizes.push(random.below(maxSyncBytes));
  for (const size of sizes) {
    const text = createText(random, size);
    const encoded = encodeSync("gzip", text, defaultLevels, size);
    assert.equal(gunzipSync(encoded).toString(), text);
    assert.equal(encoded.length, gzipSync(text, { level: defaultLevels.gzip }).length, `${size} bytes`);
    assert.equal(brotliDecompressSync(encodeSync("br", text, defaultLevels, size)).toString(), text);
    assert.equal(zstdDecompressSync(encodeSync("zstd", text, defaultLevels, size)).toString(), text);
  }
});

it("compresses bytes, and text with characters of several bytes", () => {
  for (const text of ["ü€😀".repeat(500), "é", "\ud800"]) {
    const bytes = Buffer.from(text);
    for (const body of [text, bytes]) {
      const encoded = encodeSync("gzip", body, defaultLevels, Buffer.byteLength(body));
      assert.deepEqual(gunzipSync(encoded), bytes);
    }
  }
});

it("compresses bodies that cannot become smaller", () => {
  const body = Buffer.from(
    Array.from({ length: 5_000 }, (_, index) => (index * 7_919 * (index % 251)) % 256),
  );
  for (const [encoding, decode] of Object.entries({
    br: brotliDecompressSync,
    gzip: gunzipSync,
    zstd: zstdDecompressSync,
  } as const)) {
    const encoded = encodeSync(encoding as "br", body, defaultLevels, body.length);
    assert.ok(decode(encoded).equals(body), encoding);
  }
});
