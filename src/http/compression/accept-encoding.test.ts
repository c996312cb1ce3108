import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Random } from "../testing/random.ts";
import { acceptsGzip, createNegotiation, type RankedEncoding } from "./accept-encoding.ts";

const rank = createNegotiation(["zstd", "br", "gzip"]);

const cases: [header: string | undefined, ranked: readonly RankedEncoding[]][] = [
  [undefined, ["identity"]],
  ["", ["identity"]],
  ["gzip", ["gzip", "identity"]],
  ["gzip, deflate, br, zstd", ["zstd", "br", "gzip", "identity"]],
  ["GZIP , Br", ["br", "gzip", "identity"]],
  ["x-gzip", ["gzip", "identity"]],
  ["deflate, compress", ["identity"]],
  ["br;q=0.5, gzip", ["gzip", "br", "identity"]],
  ["br;q=0.5,gzip;q=0.501", ["gzip", "br", "identity"]],
  ["br ; q=1.000 , gzip ; Q=0.9", ["br", "gzip", "identity"]],
  ["gzip;q=0", ["identity"]],
  ["gzip;q=0.000, br", ["br", "identity"]],
  ["gzip;q=0.001", ["gzip", "identity"]],
  ["identity", ["identity"]],
  ["gzip, identity", ["gzip", "identity"]],
  ["gzip;q=0.5, identity", ["identity", "gzip"]],
  ["gzip;q=0.5, identity;q=0.7, br", ["br", "identity", "gzip"]],
  ["gzip, identity;q=0", ["gzip"]],
  ["identity;q=0", []],
  ["*", ["gzip", "identity"]],
  ["*;q=0", []],
  ["gzip, *;q=0", ["gzip"]],
  ["identity, *;q=0", ["identity"]],
  ["br, *;q=0.1", ["br", "gzip", "identity"]],
  ["*;q=0.8, gzip;q=0.2", ["identity", "gzip"]],
  ["gzip;q=0, *", ["identity"]],
  // Malformed entries are ignored.
  ["gzip;q=2", ["identity"]],
  ["gzip;q=-1", ["identity"]],
  ["gzip;q=", ["identity"]],
  ["gzip;q=0.5;q=1", ["identity"]],
  ["gzip;level=9, br", ["br", "identity"]],
  [",, ,gzip,", ["gzip", "identity"]],
  [";q=1, br", ["br", "identity"]],
  ["gzip br", ["identity"]],
  ["constructor, __proto__", ["identity"]],
];

for (const [header, ranked] of cases) {
  it(`ranks the encodings for Accept-Encoding ${JSON.stringify(header)}`, () => {
    assert.deepEqual(rank(header), ranked);
  });
}

it("knows whether gzip is better than nothing", () => {
  assert.deepEqual(
    [undefined, "", "br", "gzip", "gzip;q=0", "*", "gzip;q=0.5, identity", "br, gzip;q=0.1"].map(acceptsGzip),
    [false, false, false, true, false, true, false, true],
  );
});

describe("random headers", () => {
  const random = new Random(19);
  const names = ["gzip", "br", "zstd", "identity", "*", "deflate"];
  const weights = ["0", "0.0", "0.001", "0.3", "0.5", "1", "1.0"];

  it("are ranked by their weights, whatever their case, order and spaces", () => {
    for (let count = 0; count < 5_000; count++) {
      const listed = names.filter(() => random.below(2) === 1).map((name) => [name, random.pick(weights)]);
      const header = listed.map(([name, weight]) => `${name};q=${weight}`).join(",");
      const ranked = rank(header);
      const weightOf = new Map(listed.map(([name, weight]) => [name, Number(weight)]));
      for (const encoding of ranked) assert.notEqual(weightOf.get(encoding), 0, header);
      const explicit = ranked.flatMap((encoding) => weightOf.get(encoding) ?? []);
      assert.deepEqual(
        explicit,
        explicit.toSorted((one, other) => other - one),
        header,
      );
      for (const encoding of ["zstd", "br", "gzip"] as const)
        assert.equal((weightOf.get(encoding) ?? 0) > 0 && !ranked.includes(encoding), false, header);
      const isRefused = (weightOf.get("identity") ?? weightOf.get("*")) === 0;
      assert.equal(ranked.includes("identity"), !isRefused, header);
      const written = listed.map(([name, weight]) => ` ${name!.toUpperCase()} ; Q=${weight}\t`);
      assert.deepEqual(rank(written.reverse().join(" , ")), ranked, header);
    }
  });

  it("never fail, whatever they contain", () => {
    const parts = [...names, ";", ",", "q=", "q=0", "=", "0.5", " ", "\t", '"', "é", "\u0000", "1e9", "NaN"];
    for (let count = 0; count < 5_000; count++) {
      const header = random.list(12, () => random.pick(parts)).join("");
      const ranked = rank(header);
      assert.equal(new Set(ranked).size, ranked.length, header);
    }
  });
});
