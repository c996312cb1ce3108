import assert from "node:assert/strict";
import { once } from "node:events";
import { Readable } from "node:stream";
import { until } from "../../lib/testing/until.ts";
import type { RequestEvent } from "../index.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";
import { get, Wire } from "../testing/wire.ts";

const minuteMs = 60_000;
const later = () => performance.now() + minuteMs + 1_000;

test("a request without a response for more than a minute is listed until it ends", async (t) => {
  let respond = () => {};
  const { listener, listen } = await createListener(t, (router) => {
    router.get("/slow/{id}", async (e) => {
      await new Promise<void>((resolve) => {
        respond = resolve;
      });
      return e.noContent();
    });
  });
  const wire = await Wire.connect(t, await listen());
  const arrived = once(listener.server, "request");
  wire.request(get("/slow/7?secret=x"));
  await arrived;
  assert.deepEqual(listener.longRequests(), { count: 0, handling: 0, listed: [] });
  const { count, handling, listed } = listener.longRequests(later());
  const [first] = listed;
  assert.deepEqual([count, handling, listed.length], [1, 1, 1]);
  assert.match(first!.traceId, /^[A-Za-z0-9]{18}$/);
  assert.ok(first!.ageMs > minuteMs && Math.abs(first!.startedAt - Date.now()) < minuteMs);
  assert.deepEqual(
    [first!.method, first!.path, first!.route, first!.phase],
    ["GET", "/slow/7", "/slow/{id}", "handling"],
  );
  respond();
  assert.equal((await wire.response()).status, 204);
  assert.equal(listener.longRequests(later()).count, 0);
});

test("a request whose client is still sending is listed as such, after those that have arrived", async (t) => {
  const { listener, listen } = await createListener(t, (router) => {
    router.post("/upload", async (e) => void (await e.readBytes()));
    router.get("/stuck", async (e) => void (await once(e.response, "close")));
  });
  const port = await listen();
  const requests = [["POST /upload HTTP/1.1", "Host: x", "Content-Length: 100"], get("/stuck")];
  for (const lines of requests) {
    const wire = await Wire.connect(t, port);
    const arrived = once(listener.server, "request");
    wire.request(lines, lines.length === 3 ? "half" : "");
    await arrived;
  }
  const { count, handling, listed } = listener.longRequests(later());
  assert.deepEqual([count, handling], [2, 1]);
  assert.deepEqual(
    listed.map(({ path, phase }) => [path, phase]),
    [
      ["/stuck", "handling"],
      ["/upload", "receiving"],
    ],
  );
});

const streams: Record<string, (e: RequestEvent) => unknown> = {
  "an event stream": (e) => {
    const body = new Readable({ read() {} });
    body.push("data: 1\n\n");
    return e.stream(200, "text/event-stream", body);
  },
  "a response written piece by piece": (e) => {
    e.response.write("first");
  },
};

for (const [name, handler] of Object.entries(streams)) {
  test(`${name} is not listed`, async (t) => {
    const { listener, listen } = await createListener(t, (router) => router.get("/x", handler));
    const wire = await Wire.connect(t, await listen());
    wire.request(get("/x"));
    await once(wire.socket, "data");
    assert.equal(listener.observer.inFlight, 1);
    assert.equal(listener.longRequests(later()).count, 0);
  });
}

test("at most 20 requests are listed, and all are counted", async (t) => {
  const { listener, listen } = await createListener(t, (router) => {
    router.get("/stuck", async (e) => void (await once(e.response, "close")));
  });
  const wire = await Wire.connect(t, await listen());
  // Sent without waiting for responses, as HTTP allows.
  wire.send(`${get("/stuck").join("\r\n")}\r\n\r\n`.repeat(25));
  await until("25 requests are in flight", () => listener.observer.inFlight === 25);
  const { count, listed } = listener.longRequests(later());
  assert.deepEqual([count, listed.length], [25, 20]);
});
