import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import { createListener } from "../../../http/testing/listener.ts";
import { FakeClock } from "../../../lib/testing/fake-clock.ts";
import { settles } from "../../../lib/testing/until.ts";
import { LiveFeed } from "./live-feed.ts";

interface Event {
  id?: string;
  event?: string;
  data?: unknown;
}

async function createFeed(t: TestContext) {
  const clock = new FakeClock(0);
  const feed = new LiveFeed(clock, () => ({ all: "there is" }));
  const { listen } = await createListener(t, (router) => {
    router.get("/live", (e) => feed.serve(e));
  });
  const port = await listen();
  t.after(() => feed.close());

  /** A client that reads event by event. */
  async function watch(lastEventId?: string) {
    const abort = new AbortController();
    t.after(() => abort.abort());
    const response = await fetch(`http://127.0.0.1:${port}/live`, {
      signal: abort.signal,
      ...(lastEventId !== undefined && { headers: { "Last-Event-ID": lastEventId } }),
    });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    async function next(): Promise<Event | string | undefined> {
      while (!text.includes("\n\n")) {
        const { value, done } = await settles("the next event", reader.read());
        if (done) return undefined;
        text += value;
      }
      const [block, ...rest] = text.split("\n\n");
      text = rest.join("\n\n");
      if (block!.startsWith(":")) return block!;
      const fields = Object.fromEntries(block!.split("\n").map((line) => line.split(/: (.*)/s)));
      return { id: fields.id, event: fields.event, data: JSON.parse(fields.data) };
    }
    return { response, next, leave: () => abort.abort() };
  }
  return { clock, feed, watch };
}

describe("the live feed", () => {
  it("starts with a snapshot and continues with updates", async (t) => {
    const { feed, watch } = await createFeed(t);
    const { response, next } = await watch();
    assert.equal(response.headers.get("content-type"), "text/event-stream");
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.partialDeepStrictEqual(await next(), { event: "snapshot", data: { all: "there is" } });
    feed.publish("second", () => ({ count: 1 }));
    feed.publish("second", () => ({ count: 2 }));
    assert.partialDeepStrictEqual(await next(), { event: "second", data: { count: 1 } });
    assert.partialDeepStrictEqual(await next(), { event: "second", data: { count: 2 } });
  });

  it("serializes an event once for all clients, and not at all without clients", async (t) => {
    const { feed, watch } = await createFeed(t);
    let made = 0;
    const make = () => ({ made: ++made });
    feed.publish("second", make);
    assert.equal(made, 0);
    const watchers = await Promise.all([watch(), watch(), watch()]);
    for (const { next } of watchers) await next();
    feed.publish("second", make);
    for (const { next } of watchers) assert.partialDeepStrictEqual(await next(), { data: { made: 1 } });
    assert.equal(made, 1);
  });

  it("sends missed events to a client that reconnects, as long as they are available", async (t) => {
    const { feed, watch } = await createFeed(t);
    const stays = await watch();
    await stays.next();
    const first = await watch();
    await first.next();
    feed.publish("second", () => ({ count: 1 }));
    const { id } = (await first.next()) as Event;
    first.leave();
    for (let count = 2; count <= 4; count++) feed.publish("second", () => ({ count }));
    const again = await watch(id);
    for (let count = 2; count <= 4; count++) {
      assert.partialDeepStrictEqual(await again.next(), { event: "second", data: { count } });
    }
    for (let count = 5; count <= 200; count++) feed.publish("second", () => ({ count }));
    assert.partialDeepStrictEqual(await (await watch(id)).next(), { event: "snapshot" });
    for (const unknown of ["other-3", "nonsense", "", "-", `${id!.split("-")[0]}-99999`]) {
      assert.partialDeepStrictEqual(await (await watch(unknown)).next(), { event: "snapshot" });
    }
  });

  it("sends heartbeats while idle", async (t) => {
    const { clock, watch } = await createFeed(t);
    const { next } = await watch();
    await next();
    clock.advance(15_000);
    assert.equal(await next(), ": still here");
    clock.advance(15_000);
    assert.equal(await next(), ": still here");
  });

  it("disconnects clients that do not read", async (t) => {
    const { feed, watch } = await createFeed(t);
    const { next } = await watch();
    await next();
    // Random, because other text would be compressed to nothing.
    const large = { text: randomBytes(750_000).toString("base64") };
    for (let count = 0; count < 100 && feed.dropped === 0; count++) {
      feed.publish("second", () => large);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal(feed.dropped, 1);
    assert.equal(feed.watching, 0);
  });

  it("requires clients to authenticate again after a while", async (t) => {
    const { clock, feed, watch } = await createFeed(t);
    const { next } = await watch();
    await next();
    clock.advance(16 * 60_000);
    for (let event = await next(); event !== undefined; ) event = await next();
    assert.equal(feed.watching, 0);
    feed.publish("second", () => ({}));
  });

  it("ends when the server stops", async (t) => {
    const { feed, watch } = await createFeed(t);
    const { next } = await watch();
    await next();
    feed.close();
    assert.equal(await next(), undefined);
    assert.equal((await watch()).response.status, 503, "and does not begin again");
  });
});
