import assert from "node:assert/strict";
import { once } from "node:events";
import { it } from "node:test";
import { WebSocket } from "ws";
import { createTestApp } from "../src/app/testing/test-app.ts";
import { settles, until } from "../src/lib/testing/until.ts";

const token = "a-token-for-the-scraper";

it("the metrics contain the open, refused and slow streams of an application", async (t) => {
  const app = createTestApp(t, {
    limits: { openStreamsPerAddress: 1 },
    metrics: { scrapeToken: token },
  });
  const opened = Promise.withResolvers<WebSocket>();
  app.onServe(({ router }) => {
    router.upgrade("/feed", (_, socket) => opened.resolve(socket));
    router.get("/events", (e) => e.sse(() => {}));
  });
  const { url } = await app.start();
  const client = new WebSocket(`${url.replace("http", "ws")}/feed`);
  t.after(() => client.terminate());
  await settles("the WebSocket opens", once(client, "open"));
  assert.equal((await fetch(`${url}/events`)).status, 429);

  const read = async () => {
    const response = await app.inject({
      url: "/_/_/metrics",
      headers: { authorization: `Bearer ${token}` },
    });
    return response.body;
  };
  const before = await read();
  assert.match(before, /^annex_http_websockets 1$/m);
  assert.match(before, /^annex_http_event_streams 0$/m);
  assert.match(before, /^annex_dropped_total\{part="refused_event_streams"\} 1$/m);
  assert.match(before, /^annex_dropped_total\{part="slow_websockets"\} 0$/m);

  client.pause();
  const socket = await opened.promise;
  await until("the slow client is closed", () => {
    socket.send("x".repeat(1_000_000));
    return socket.readyState !== socket.OPEN;
  });
  assert.match(await read(), /^annex_dropped_total\{part="slow_websockets"\} 1$/m);
});
