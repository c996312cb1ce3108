import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sunday, viewAt } from "../testing/views.ts";
import { createViewWriter, readViews } from "./view-codec.ts";
import { createViewQueue } from "./view-queue.ts";

const views = [
  viewAt(sunday + 0.5, { path: "/ä/漢/🎉", referrer: "", agent: "" }),
  viewAt(sunday + 1, { path: "x".repeat(15_000), ip: "2001:db8::1" }),
  viewAt(sunday + 86_400_000, { path: "/\u0000\u007f<b>" }),
];

describe("page views as bytes", () => {
  it("come back as they went in", () => {
    const writer = createViewWriter(100_000);
    for (const view of views) assert.equal(writer.add(view), true);
    assert.equal(writer.count, 3);
    const bytes = writer.take();
    assert.deepEqual(
      [...readViews(bytes)].map(({ view }) => view),
      views,
    );
    const second = [...readViews(bytes)][0]!.end;
    assert.deepEqual([...readViews(bytes, second)][0]!.view, views[1]);
  });

  it("never exceed their limit, and are reset when they are taken", () => {
    const writer = createViewWriter(1_000);
    let count = 0;
    while (writer.add(views[0]!)) count++;
    assert.ok(count > 3);
    assert.equal(writer.add(views[1]!), false);
    assert.equal(writer.count, count);
    const bytes = writer.take();
    assert.ok(bytes.byteLength <= 1_000);
    assert.equal([...readViews(bytes)].length, count);
    assert.equal(writer.count, 0);
    assert.equal(writer.add(views[0]!), true);
    assert.equal([...readViews(writer.take())].length, 1);
  });
});

describe("the queue of views", () => {
  const pack = (...some: typeof views) => {
    const writer = createViewWriter(100_000);
    for (const view of some) writer.add(view);
    return { count: writer.count, bytes: writer.take() };
  };

  it("returns views in order, of one day at a time, up to a limit", async () => {
    const queue = createViewQueue();
    queue.add(pack(...views, viewAt(sunday + 86_400_001)));
    queue.add(pack(viewAt(sunday + 2), viewAt(sunday + 3), viewAt(sunday + 4)));
    const taken: number[][] = [];
    while (!queue.isEmpty) {
      await queue.take(
        2,
        async (day, some) => void taken.push([day, ...some.map(({ time }) => time - sunday)]),
      );
    }
    const day = sunday / 86_400_000;
    assert.deepEqual(taken, [
      [day, 0.5, 1],
      [day + 1, 86_400_000, 86_400_001],
      [day, 2, 3],
      [day, 4],
    ]);
  });

  it("retains views that could not be written", async () => {
    const queue = createViewQueue();
    queue.add(pack(viewAt(sunday)));
    await assert.rejects(
      queue.take(10, () => Promise.reject(new Error("no"))),
      /no/,
    );
    const written: number[] = [];
    await queue.take(10, async (_, some) => void written.push(some.length));
    assert.deepEqual(written, [1]);
    assert.equal(queue.isEmpty, true);
  });

  it("drops the oldest views for newer ones, even while they are being written", async () => {
    const batches = [1, 2, 3].map((index) => pack(viewAt(sunday + index), viewAt(sunday + index)));
    const queue = createViewQueue(batches[0]!.bytes.byteLength * 2);
    assert.equal(queue.add(batches[0]!), 0);
    await queue.take(1, async () => {
      assert.equal(queue.add(batches[1]!), 0);
      assert.equal(queue.add(batches[2]!), 2);
    });
    const left: number[] = [];
    while (!queue.isEmpty) await queue.take(1, async (_, some) => void left.push(some[0]!.time - sunday));
    assert.deepEqual(left, [2, 2, 3, 3]);
  });
});
