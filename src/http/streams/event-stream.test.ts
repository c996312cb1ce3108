import assert from "node:assert/strict";
import { EventEmitter, on } from "node:events";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { FakeClock } from "../../lib/testing/fake-clock.ts";
import { settles, until } from "../../lib/testing/until.ts";
import type { EventStream, RequestEvent } from "../index.ts";
import { openEvents } from "../testing/events.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

/** Longer than any test, so that a stream that is not ended makes the test fail. */
const graceMs = 600_000;

async function* forever(): AsyncGenerator<{ data: string }> {
  yield { data: "first" };
  await new Promise(() => {});
}

test("a generator's events are sent, and its end is the end of the stream", async (t) => {
  const { listen, facts } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(async function* () {
        yield { event: "a", id: 1, data: { text: "one\ntwo" } };
        await delay(1);
        yield { data: "three\nfour" };
      }),
    );
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  const { status, headers } = client.response;
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "text/event-stream");
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal(headers.get("x-accel-buffering"), "no");
  assert.equal(headers.get("x-trace-id")?.length, 18);
  const text = 'id: 1\nevent: a\ndata: {"text":"one\\ntwo"}\n\ndata: three\ndata: four\n\n';
  assert.equal(await client.readAll(), text);
  const { statusCode, aborted, bytesSent } = await facts.find();
  assert.deepEqual([statusCode, aborted, bytesSent], [200, false, text.length]);
});

test("a function without an iterator sends events until it closes the stream", async (t) => {
  const opened = Promise.withResolvers<EventStream<number>>();
  const { listen } = await createListener(t, (router) => {
    router.get("/events", (e) => e.sse<number>((stream) => opened.resolve(stream)));
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  const { send, close, signal } = await opened.promise;
  assert.equal(send({ data: 1 }), true);
  await client.readThrough("data: 1\n\n");
  send({ data: 2 });
  close();
  assert.equal(await client.readAll(), "data: 1\n\ndata: 2\n\n");
  assert.equal(send({ data: 3 }), false);
  assert.equal(signal.aborted, false);
});

test("the head is sent before the first event, and the header of the application stays", async (t) => {
  const { listen, listener } = await createListener(t, (router) => {
    router.get("/events", (e) => {
      e.setHeader("Cache-Control", "private");
      return e.sse(() => {});
    });
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  assert.equal(client.response.headers.get("cache-control"), "private");
  assert.equal(listener.openRequests().count, 0);
});

test("a client that reconnects sends the ID of its last event", async (t) => {
  const { listen } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(function* ({ lastEventId }) {
        yield { data: lastEventId ?? "none" };
      }),
    );
  });
  const url = `http://127.0.0.1:${await listen()}/events`;
  assert.equal(await (await openEvents(t, url)).readAll(), "data: none\n\n");
  const idAfter = async (id: string) => (await openEvents(t, url, { "last-event-id": id })).readAll();
  assert.equal(await idAfter("7"), "data: 7\n\n");
  // Browsers send UTF-8, in which the "é" has two bytes.
  assert.equal(await idAfter(Buffer.from("é7").toString("latin1")), "data: é7\n\n");
  assert.equal(await idAfter("é7"), "data: é7\n\n");
});

test("HEAD gets the headers and does not run the producer", async (t) => {
  let runs = 0;
  const { inject } = await createListener(t, (router) =>
    router.get("/events", (e) => e.sse(() => void runs++)),
  );
  const { status, headers, body } = await inject({ method: "HEAD", url: "/events" });
  assert.deepEqual([status, headers["content-type"], body, runs], [200, "text/event-stream", "", 0]);
});

test("an idle stream gets heartbeats", async (t) => {
  const clock = new FakeClock(0);
  const { listen } = await createListener(t, (router) => router.get("/events", (e) => e.sse(forever)), {
    clock,
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  await client.readThrough("data: first\n\n");
  clock.advance(15_000);
  await client.readThrough("data: first\n\n:\n\n");
  clock.advance(15_000);
  await client.readThrough("data: first\n\n:\n\n:\n\n");
});

test("a client that disconnects aborts the signal, ends the generator and counts as a complete request", async (t) => {
  const ended = Promise.withResolvers<unknown>();
  const { listen, facts, failures } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(async function* ({ signal }) {
        try {
          yield { data: "first" };
          await delay(600_000, undefined, { signal });
        } finally {
          ended.resolve(signal.reason);
        }
      }),
    );
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  await client.readThrough("first");
  client.disconnect();
  const reason = await settles("the generator ends", ended.promise);
  assert.equal((reason as { code: string }).code, "CLIENT_DISCONNECTED");
  const { statusCode, aborted } = await facts.find();
  assert.deepEqual([statusCode, aborted], [200, false]);
  assert.deepEqual(failures.items, []);
});

test("an iterator that waits for an event emitter ends with the client", async (t) => {
  const emitter = new EventEmitter();
  const { listen, failures, facts } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(async function* () {
        for await (const [data] of on(emitter, "news", { signal: e.signal })) yield { data };
      }),
    );
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  await until("the handler listens", () => emitter.listenerCount("news") === 1);
  emitter.emit("news", "x");
  await client.readThrough("data: x\n\n");
  client.disconnect();
  await until("the handler no longer listens", () => emitter.listenerCount("news") === 0);
  await facts.find();
  assert.deepEqual(failures.items, []);
});

test("the duration of a stream ends with its head", async (t) => {
  const released = Promise.withResolvers<void>();
  const { listen, facts } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(async function* () {
        yield { data: "first" };
        await released.promise;
      }),
    );
  });
  const url = `http://127.0.0.1:${await listen()}/events`;
  const startedAt = performance.now();
  const client = await openEvents(t, url);
  const untilHead = performance.now() - startedAt;
  await client.readThrough("first");
  await delay(200);
  released.resolve();
  await client.readAll();
  assert.ok((await facts.find()).durationMs <= untilHead);
});

test("an error of the generator is reported and closes the connection", async (t) => {
  const released = Promise.withResolvers<void>();
  const { listen, failures } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(async function* () {
        yield { data: "first" };
        await released.promise;
        throw new Error("boom");
      }),
    );
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  await client.readThrough("data: first\n\n");
  released.resolve();
  // The client notices that the response is incomplete.
  await assert.rejects(client.readAll(), /terminated/);
  const { message, error } = await failures.find();
  assert.equal(message, "Failed to send server-sent events");
  assert.match(String(error), /boom/);
});

for (const { name, produce } of [
  { name: "throws", produce: () => assert.fail("boom") },
  { name: "rejects", produce: () => Promise.reject(new Error("boom")) },
  { name: "sends an invalid event", produce: ({ send }: EventStream) => void send({ event: "a\nb" }) },
]) {
  test(`a function that ${name} is reported and closes the connection`, async (t) => {
    const { listen, failures } = await createListener(t, (router) =>
      router.get("/events", (e) => e.sse(produce)),
    );
    const wire = await Wire.connect(t, await listen());
    wire.request(get("/events"));
    await wire.rest();
    assert.equal((await failures.find()).message, "Failed to send server-sent events");
  });
}

const half = Buffer.alloc(524_288, "x").toString();

test("a generator waits for a client that does not read", async (t) => {
  let yielded = 0;
  const { listen, facts } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(async function* () {
        for (; yielded < 1_000; yielded++) yield { data: half };
      }),
    );
  });
  const wire = await Wire.connect(t, await listen());
  wire.socket.pause();
  wire.request(get("/events"));
  const stopped = await until("the generator waits", async () => {
    const before = yielded;
    await delay(50);
    return before > 0 && before === yielded ? before : 0;
  });
  assert.ok(stopped < 200, `${stopped} events of 500 KB for a client that reads none`);
  wire.socket.destroy();
  await facts.find();
});

test("a client that falls behind is disconnected, and memory stays bounded", async (t) => {
  const opened = Promise.withResolvers<RequestEvent>();
  const { listen, listener } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(({ send, signal }) => {
        opened.resolve(e);
        const push = () => {
          if (signal.aborted) return;
          send({ data: half });
          setImmediate(push);
        };
        push();
      }),
    );
  });
  const wire = await Wire.connect(t, await listen());
  wire.socket.pause();
  wire.request(get("/events"));
  const { response, signal } = await opened.promise;
  let largest = 0;
  await until("the client is disconnected", () => {
    largest = Math.max(largest, response.writableLength);
    return signal.aborted;
  });
  assert.ok(largest < 3 * 1_048_576, `${largest} bytes were waiting`);
  assert.deepEqual(listener.openStreams.slow, { eventStreams: 1, webSockets: 0 });
});

for (const { name, unreadBytes, most } of [
  { name: "many small events count by the memory they need", unreadBytes: 1_048_576, most: 5_000 },
  { name: "limits.unreadBytes sets how much may wait", unreadBytes: 10 * 1_048_576, most: 50_000 },
]) {
  test(`${name} if a client does not read`, async (t) => {
    const opened = Promise.withResolvers<{ e: RequestEvent; send: EventStream["send"] }>();
    const { listen } = await createListener(
      t,
      (router) => router.get("/events", (e) => e.sse(({ send }) => opened.resolve({ e, send }))),
      { limits: { unreadBytes } },
    );
    const wire = await Wire.connect(t, await listen());
    wire.socket.pause();
    wire.request(get("/events"));
    const { e, send } = await opened.promise;
    // Fills the buffers of the system, so that events wait.
    while (e.response.writableLength === 0) send({ data: half });
    let count = 0;
    while (count < 200_000 && !e.response.destroyed) {
      send({ data: 1 });
      count++;
    }
    assert.ok(count > most / 5 && count < most, `${count} events were waiting`);
  });
}

test("a burst of events does not disconnect a client that reads", async (t) => {
  const { listen, listener } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(async ({ send, close }) => {
        for (let count = 0; count < 50_000; count++) {
          send({ data: "x" });
          if (count % 1_000 === 0) await delay(0);
        }
        close();
      }),
    );
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  assert.equal((await client.readAll()).length, 50_000 * "data: x\n\n".length);
  assert.equal(listener.openStreams.slow.eventStreams, 0);
});

test("a stop aborts the signal of a stream at once, and the stream can say goodbye", async (t) => {
  const { listen, listener, failures } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(async function* ({ signal }) {
        yield { data: "first" };
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        yield { data: signal.reason.code };
      }),
    );
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  await client.readThrough("first");
  const closed = listener.close(graceMs);
  assert.equal(await client.readAll(), "data: first\n\ndata: SERVER_STOPPING\n\n");
  await settles("the listener closes", closed);
  assert.deepEqual(failures.items, []);
});

test("a stop lets a stream finish that has an end", async (t) => {
  const released = Promise.withResolvers<void>();
  const { listen, listener, failures } = await createListener(t, (router) => {
    router.get("/events", (e) =>
      e.sse(
        async function* ({ signal }) {
          yield { data: "first" };
          await released.promise;
          yield { data: signal.aborted };
        },
        { onStop: "finish" },
      ),
    );
  });
  const client = await openEvents(t, `http://127.0.0.1:${await listen()}/events`);
  await client.readThrough("first");
  const closed = listener.close(graceMs);
  listener.shutdown.endStreams();
  released.resolve();
  assert.equal(await client.readAll(), "data: first\n\ndata: false\n\n");
  await settles("the listener closes", closed);
  assert.deepEqual(failures.items, []);
});

test("a stream that begins late in a shutdown ends at once", async (t) => {
  const { listen, listener } = await createListener(t, (router) => {
    router.get("/sse", (e) => e.sse(forever));
    router.get("/stream", (e) => e.stream(200, "text/event-stream", new Readable({ read() {} })));
  });
  const port = await listen();
  listener.shutdown.stopStreams();
  listener.shutdown.endStreams();
  for (const path of ["/sse", "/stream"]) {
    const client = await openEvents(t, `http://127.0.0.1:${port}${path}`);
    assert.equal(client.response.status, 200);
    assert.equal(await client.readAll(), "");
  }
});

test("a stop ends streams that ignore the signal, and does not wait for the grace period", async (t) => {
  const { listen, listener, failures } = await createListener(t, (router) => {
    router.get("/generator", (e) => e.sse(forever));
    router.get("/function", (e) => e.sse(({ send }) => void send({ data: "first" })));
  });
  const port = await listen();
  const clients = [
    await openEvents(t, `http://127.0.0.1:${port}/generator`),
    await openEvents(t, `http://127.0.0.1:${port}/function`),
  ];
  for (const client of clients) await client.readThrough("first");
  const closed = listener.close(graceMs);
  for (const client of clients) assert.equal(await client.readAll(), "data: first\n\n");
  await settles("the listener closes", closed);
  assert.deepEqual(failures.items, []);
});
