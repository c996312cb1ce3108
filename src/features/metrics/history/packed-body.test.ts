import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { VarintReader, VarintWriter } from "../../../lib/varints.ts";
import { RequestStats } from "../requests/request-stats.ts";
import { createDuration, createGoodRandom, finishedRequest } from "../testing/traffic.ts";
import {
  type Codec,
  packBody,
  packBytes,
  readPackedRoutes,
  readPackedText,
  unpackBytes,
} from "./packed-body.ts";

const random = createGoodRandom(38);
const duration = createDuration(random);

function createStats(requests: number): RequestStats {
  const stats = new RequestStats();
  for (let left = requests; left > 0; left--) {
    stats.add(
      finishedRequest({
        durationMs: duration() * (random() < 0.1 ? 0.0004 : 1) * (random() < 0.01 ? 1e6 : 1),
        statusCode: [101, 200, 200, 200, 304, 404, 503][Math.floor(random() * 7)]!,
        bytesSent: Math.floor(random() * 5_000),
        contentLength: random() < 0.3 ? Math.floor(random() * 2 ** 33) : 0,
        aborted: random() < 0.05,
      }),
    );
  }
  return stats;
}

/** What the uncompressed format stores, which is everything. */
function written(stats: RequestStats): string {
  const writer = new VarintWriter();
  stats.write(writer);
  return Buffer.from(writer.take()).toString("hex");
}

const randomRoutes = (count: number) =>
  Array.from({ length: count }, (): [number, RequestStats] => [
    1 + Math.floor(random() * 20_000),
    createStats(Math.floor(random() ** 4 * 300)),
  ]);

describe("packed rows", () => {
  for (const codec of ["deflate", "brotli"] as const satisfies Codec[]) {
    it(`contain exactly what was packed (${codec})`, () => {
      for (let round = 0; round < 40; round++) {
        const routes = [...new Map(randomRoutes(Math.floor(random() * 40) + 1))];
        const text = round % 2 === 0 ? `[{"path":"/${"ü".repeat(round)}"}]` : "";
        const bytes = packBody({ text, routes }, codec);
        const found = new Map<number, RequestStats>();
        readPackedRoutes(bytes, (number) => {
          assert.ok(!found.has(number));
          found.set(number, new RequestStats());
          return found.get(number);
        });
        assert.deepEqual(
          [...found].map(([number, stats]) => [number, stats.count, written(stats)]),
          routes
            .sort(([one], [other]) => one - other)
            .map(([number, stats]) => [number, stats.count, written(stats)]),
        );
        assert.equal(readPackedText(bytes), text);
      }
    });
  }

  it("skip the routes that nobody wants", () => {
    const routes = [...new Map(randomRoutes(60))].sort(([one], [other]) => one - other);
    for (const [wanted, stats] of routes) {
      const found = new RequestStats();
      readPackedRoutes(packBody({ text: "", routes }, "deflate"), (number) =>
        number === wanted ? found : undefined,
      );
      assert.equal(written(found), written(stats));
    }
  });

  it("add to what is there", () => {
    const [one, other] = [createStats(50), createStats(2)];
    const both = new RequestStats();
    for (const stats of [one, other])
      readPackedRoutes(packBody({ text: "", routes: [[7, stats]] }, "deflate"), () => both);
    const merged = new RequestStats();
    for (const stats of [one, other]) {
      const writer = new VarintWriter();
      stats.write(writer);
      merged.read(new VarintReader(writer.take()));
    }
    assert.equal(written(both), written(merged));
  });

  it("are refused by the reader of an earlier release", () => {
    const bytes = packBody({ text: "", routes: randomRoutes(20) }, "deflate");
    // What it did: the number of a route, the length of its stats, and the stats.
    const reader = new VarintReader(bytes);
    reader.number();
    reader.number();
    assert.throws(() => new RequestStats().read(reader), /Invalid bucket/);
  });

  it("are refused if their compression is not known", () => {
    const bytes = packBytes(Buffer.from("hello"), "deflate");
    assert.equal(Buffer.from(unpackBytes(bytes)).toString(), "hello");
    bytes[16] = 99;
    assert.throws(() => unpackBytes(bytes), /Unknown compression/);
  });

  it("are empty if there is nothing to pack", () => {
    assert.equal(packBody({ text: "", routes: [] }, "brotli").length, 0);
    assert.equal(packBytes(new Uint8Array(0), "deflate").length, 0);
  });
});
