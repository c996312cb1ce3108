import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { VarintReader } from "../../../../lib/varints.ts";
import { RequestStats } from "../../requests/request-stats.ts";
import { toPackedRow } from "../../testing/released-rows.ts";
import { createDuration, createGoodRandom, finishedRequest } from "../../testing/traffic.ts";
import { unpackBytes } from "../packed-body.ts";
import { Slot } from "../slot.ts";
import { readRoutes } from "../slot-codec.ts";
import { type SlotRow, toRow } from "../slot-store.ts";
import { decodeBlock, encodeBlock, groupPartOf, isGroup, isGuard, readGroup } from "./block-codec.ts";
import { toPlainSlots, toSingleSlots } from "./single-slots.ts";

const random = createGoodRandom(158);
const duration = createDuration(random);
const numberOf = (name: string) => Number(name.split(" ")[1]);
const names = { numberOf, missing: () => [], assignIds: async () => {}, all: async () => new Map() };

function createSlot(time: number, writer: string): Slot {
  const slot = new Slot(60, time, writer);
  slot.samples = Math.floor(random() * 61);
  for (let left = Math.floor(random() * 300); left > 0; left--)
    slot.statsOf(`GET ${1 + Math.floor(random() ** 3 * 90)}`).add(
      finishedRequest({
        durationMs: duration() * (random() < 0.1 ? 0.0004 : 1),
        statusCode: [101, 200, 200, 304, 404, 503][Math.floor(random() * 6)]!,
        bytesSent: Math.floor(random() * 5_000),
        contentLength: random() < 0.3 ? Math.floor(random() * 2 ** 33) : 0,
        aborted: random() < 0.05,
      }),
    );
  for (let name = 1; name < 5; name++) slot.gaugeOf(`metric ${name}`).add(random(), 1 + random(), 60);
  const slow = { traceId: "t", method: "GET", path: "/ü", route: "/ü", statusCode: 200 };
  if (random() < 0.8) slot.slowest.merge([{ ...slow, time: time * 1_000, durationMs: random() }]);
  return slot;
}

const hour = 3_600 * 100;
/** Slots of an hour: some are missing, and some have two writers. */
const createSlots = () =>
  Array.from({ length: 60 }, (_, index) => hour + index * 60).flatMap((time) =>
    ["one", "two"]
      .filter((writer) => random() < (writer === "one" ? 0.9 : 0.1))
      .map((writer) => createSlot(time, writer)),
  );

/** Everything a slot stores, in an order that does not depend on the format. */
function contentOf({ level, time, instance, writer, samples, totals, system, slowest, routes }: SlotRow) {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  const pieces: [number, string][] = [];
  const reader = new VarintReader(routes);
  while (!reader.isAtEnd) pieces.push([reader.number(), hex(reader.piece())]);
  pieces.sort(([one], [other]) => one - other);
  return {
    level,
    time,
    instance,
    writer,
    samples,
    totals: hex(totals),
    system: hex(system),
    slowest,
    pieces,
  };
}

describe("blocks of slots", () => {
  it("contain exactly what was packed", () => {
    for (let round = 0; round < 5; round++) {
      const rows = createSlots().map((slot) => toRow(slot, "i", names));
      const block = encodeBlock(rows);
      assert.deepEqual(decodeBlock(block).map(contentOf), rows.map(contentOf));
      assert.equal(new Set(block.map(({ part }) => part)).size, block.length, "each part has one row");
      // A block is moved by moving its rows.
      const later = block.map((row) => ({ ...row, time: row.time + 3_600 }));
      assert.equal(decodeBlock(later)[0]!.time, rows[0]!.time + 3_600);
    }
  });

  it("contain what earlier releases had packed", () => {
    const slots = createSlots();
    const rows = slots.map((slot) => toRow(slot, "i", names));
    const earlier = slots.map((slot) => toPackedRow(slot, "i", names));
    const packed = decodeBlock(encodeBlock(toPlainSlots(earlier)));
    assert.deepEqual(packed.map(contentOf), rows.map(contentOf));
  });

  it("can be read for a single route", () => {
    const rows = createSlots().map((slot) => toRow(slot, "i", names));
    const block = encodeBlock(rows);
    for (const route of [1, 15, 16, 40, 90, 91]) {
      const [wanted, found] = [new Map<number, number>(), new Map<number, number>()];
      const statsIn = (counts: Map<number, number>, time: number) => {
        counts.set(time, (counts.get(time) ?? 0) + 1);
        return new RequestStats();
      };
      for (const { routes, time } of rows)
        readRoutes(routes, (number) => (number === route ? statsIn(wanted, time) : undefined));
      for (const row of block.filter(({ part }) => part === groupPartOf(route)))
        readGroup(
          row,
          row.routes,
          (entries, index, number) => {
            assert.equal(number, route);
            return statsIn(found, entries[index]!.time);
          },
          route,
        );
      assert.deepEqual(found, wanted);
    }
  });

  it("are refused by earlier releases", () => {
    const block = encodeBlock(createSlots().map((slot) => toRow(slot, "i", names)));
    const guard = block.find(isGuard)!;
    // What they did with any row of the first part: read numbers, and parse the slowest requests.
    for (const bytes of [guard.totals, guard.system, guard.routes])
      assert.throws(() => new VarintReader(bytes).number(), /Unexpected end/);
    assert.throws(() => JSON.parse(guard.slowest));
    // And with any row of other parts: the number of the compression, of which they knew two.
    for (const row of block.filter(isGroup)) {
      assert.equal(row.routes[0], 0);
      assert.ok(row.routes[16]! > 2);
      const reader = new VarintReader(row.routes);
      reader.number();
      reader.number();
      assert.throws(() => new RequestStats().read(reader), /Invalid bucket/);
      assert.doesNotThrow(() => unpackBytes(row.routes));
    }
  });

  it("do not count a slot twice that was written again", () => {
    const [one, other] = [createSlot(hour, "w"), createSlot(hour + 60, "w")];
    const block = encodeBlock([one, other].map((slot) => toRow(slot, "i", names)));
    const again = createSlot(hour, "w");
    const elsewhere = createSlot(hour, "w");
    const rows = [...block, toRow(again, "i", names), toRow(elsewhere, "j", names)];
    const wanted = [toRow(other, "i", names), toRow(again, "i", names), toRow(elsewhere, "j", names)];
    assert.deepEqual(toSingleSlots(rows).map(contentOf), wanted.map(contentOf));
  });
});
