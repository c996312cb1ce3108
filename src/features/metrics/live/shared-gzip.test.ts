import assert from "node:assert/strict";
import { it } from "node:test";
import { gunzipSync } from "node:zlib";
import { SharedGzip } from "./shared-gzip.ts";

it("is a valid gzip stream, whichever parts it is made of", () => {
  const texts = ["one ".repeat(50), "two ü 🎉", "", "three ".repeat(1_000)];
  const packed = texts.map((text) => SharedGzip.pack(text));
  for (const chosen of [[0, 1, 2, 3], [3, 1], [], [2]]) {
    const stream = new SharedGzip();
    for (const index of chosen) stream.add(texts[index]!);
    const bytes = Buffer.concat([SharedGzip.header, ...chosen.map((index) => packed[index]!), stream.end()]);
    assert.equal(gunzipSync(bytes).toString(), chosen.map((index) => texts[index]).join(""));
  }
  assert.ok(packed[3]!.length < 100);
});
