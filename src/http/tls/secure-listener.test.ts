import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:https";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import type { TestContext } from "node:test";
import { connect as connectSecurely } from "node:tls";
import { WebSocket } from "ws";
import { settles, until } from "../../lib/testing/until.ts";
import type { RootRouter } from "../index.ts";
import { testCertificate, testKey } from "../testing/certificates.ts";
import { createListener } from "../testing/listener.ts";
import { test } from "../testing/test.ts";

async function createSecure(t: TestContext, register: (router: RootRouter) => void = () => {}) {
  const server = await createListener(t, register, { isSecure: true });
  server.listener.useCertificate({ key: testKey, cert: testCertificate });
  return { ...server, port: await server.listen() };
}

async function fetchSecurely(port: number, path: string): Promise<{ status: number; body: string }> {
  const outgoing = request({ host: "127.0.0.1", port, path, ca: testCertificate, agent: false }).end();
  const [response] = await settles("the response arrives", once(outgoing, "response"));
  return { status: response.statusCode, body: await text(response) };
}

const describe = (router: RootRouter) =>
  router.get("/x", (e) => e.json(200, { isSecure: e.isSecure, origin: e.url.origin }));

test("a secure listener serves HTTPS, and requests know it", async (t) => {
  const { port, facts } = await createSecure(t, describe);
  const { status, body } = await fetchSecurely(port, "/x");
  assert.deepEqual(
    [status, JSON.parse(body)],
    [200, { isSecure: true, origin: `https://127.0.0.1:${port}` }],
  );
  assert.equal((await facts.find()).ip, "127.0.0.1");
});

test("an injected request to a secure listener is secure", async (t) => {
  const { inject, listener } = await createSecure(t, describe);
  assert.equal((await inject("/x")).json<{ isSecure: boolean }>().isSecure, true);
  await until("its connection is closed", () => listener.connections === 0);
});

test("a client without TLS is disconnected, and others are served", async (t) => {
  const { port } = await createSecure(t, describe);
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n");
  socket.resume();
  await settles("the connection ends", once(socket, "close"));
  assert.equal((await fetchSecurely(port, "/x")).status, 200);
});

test("a stop lets an encrypted request finish, and does not wait for idle clients and handshakes", async (t) => {
  const entered = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { port, listener } = await createSecure(t, (router) =>
    router.get("/slow", async (e) => {
      entered.resolve();
      await released.promise;
      return e.text(200, "slow");
    }),
  );
  const silent = connect(port, "127.0.0.1");
  silent.on("error", () => {});
  const idle = connectSecurely({ port, host: "127.0.0.1", ca: testCertificate });
  idle.on("error", () => {});
  t.after(() => [silent, idle].forEach((socket) => void socket.destroy()));
  await Promise.all([once(silent, "connect"), once(idle, "secureConnect")]);
  idle.resume();
  silent.resume();
  const response = fetchSecurely(port, "/slow");
  await entered.promise;
  const ended = Promise.all([once(silent, "close"), once(idle, "close")]);
  const closed = listener.close(600_000);
  await settles("idle connections end", ended);
  released.resolve();
  assert.equal((await response).body, "slow");
  await settles("the listener closes", closed);
});

test("WebSockets are encrypted, too", async (t) => {
  const { port } = await createSecure(t, (router) =>
    router.upgrade("/x", (e, socket) => socket.send(String(e.isSecure))),
  );
  const socket = new WebSocket(`wss://127.0.0.1:${port}/x`, {
    ca: testCertificate,
    origin: `https://127.0.0.1:${port}`,
  });
  t.after(() => socket.terminate());
  const [data] = await settles("a message arrives", once(socket, "message"));
  assert.equal(String(data), "true");
});
