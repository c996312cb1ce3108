import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { describe, type TestContext, test } from "node:test";
import type { InjectRequest, Listener } from "../../http/index.ts";
import { settle } from "../../lib/testing/fake-clock.ts";
import { engines } from "../../storage/testing/test-database.ts";
import { requireSuperuserAuth, revocationSignal } from "../index.ts";
import {
  ada,
  createOwnedServer,
  createTestServer,
  openTestDatabase,
  type TestServer,
} from "../testing/server.ts";

const collection = "/api/collections/_superusers";
const minutes = 60_000;
const deadline = { timeout: 180_000 };

/** A stream that says hello and lasts as long as its client is allowed in. */
function routes({ routes }: Listener): void {
  routes
    .router("the application")
    .get("/stream", (e) => {
      const stream = new Readable({ read() {} });
      revocationSignal(e)!.addEventListener("abort", () => stream.push(null));
      stream.push("hello");
      return e.stream(200, "text/event-stream", stream);
    })
    .bind(requireSuperuserAuth());
}

type Headers = Record<string, string> | ((port: number) => Record<string, string>);

/** Opens the stream, and gives a promise of its end. */
async function openStream(t: TestContext, { listener }: TestServer, headers: Headers) {
  const { port } = await listener.listen("127.0.0.1", 0);
  t.after(() => listener.close(0));
  const own = typeof headers === "function" ? headers(port) : headers;
  const response = await fetch(`http://127.0.0.1:${port}/stream`, { headers: own });
  assert.equal(response.status, 200);
  const reader = response.body!.getReader();
  await reader.read();
  return { end: reader.read().then(({ done }) => done) };
}

const isPending = async (end: Promise<boolean>) => {
  await settle();
  return Promise.race([end.then(() => false), settle().then(() => true)]);
};

/** The secret of a browser's session. */
async function signInBrowser({ inject }: TestServer): Promise<string> {
  const response = await inject({
    method: "POST",
    url: "/_/sign-in",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(ada),
  });
  return /=([\w-]+);/.exec(response.headers["set-cookie"]![0]!)![1]!;
}

const causes: [what: string, cause: (server: TestServer & { token: string }) => Promise<unknown>][] = [
  ["the superuser is removed", ({ auth }) => auth.superusers.remove(ada.identity)],
  ["the password is changed", ({ auth }) => auth.superusers.changePassword(ada.identity, "another password")],
  [
    "the client signs out",
    ({ inject, token }) => inject({ ...asToken(token), method: "POST", url: `${collection}/auth-logout` }),
  ],
  [
    "the session is ended from another one",
    async (server) => {
      const token = await signInAgain(server);
      const list = await server.inject({ ...asToken(token), url: `${collection}/sessions` });
      const { items } = list.json<{ items: { id: string; current: boolean }[] }>();
      for (const { id, current } of items)
        if (!current)
          await server.inject({ ...asToken(token), method: "DELETE", url: `${collection}/sessions/${id}` });
    },
  ],
  [
    "all other sessions are ended",
    async (server) => {
      const token = await signInAgain(server);
      await server.inject({ ...asToken(token), method: "DELETE", url: `${collection}/sessions` });
    },
  ],
];

const asToken = (token: string): Pick<InjectRequest, "headers"> => ({ headers: { authorization: token } });

async function signInAgain({ inject }: TestServer): Promise<string> {
  const response = await inject({ method: "POST", url: `${collection}/auth-with-password`, body: ada });
  return response.json<{ token: string }>().token;
}

for (const engine of engines) {
  describe(`an open stream on ${engine}`, () => {
    for (const [what, cause] of causes) {
      test(`ends when ${what}`, deadline, async (t) => {
        const server = await createOwnedServer(t, { routes, store: await openTestDatabase(t, engine) });
        await server.auth.superusers.create("grace@example.com", ada.password);
        const { end } = await openStream(t, server, { authorization: server.token });
        await cause(server);
        assert.equal(await end, true);
      });

      test(`ends on every instance when ${what}`, deadline, async (t) => {
        const store = await openTestDatabase(t, engine);
        const server = await createOwnedServer(t, { store });
        await server.auth.superusers.create("grace@example.com", ada.password);
        const other = await createTestServer(t, { store, routes });
        const { end } = await openStream(t, other, { authorization: server.token });
        await cause(server);
        assert.equal(await isPending(end), true);
        other.clock.advance(1_000);
        assert.equal(await end, true);
      });
    }

    test("ends when the token expires", deadline, async (t) => {
      const store = await openTestDatabase(t, engine);
      const server = await createOwnedServer(t, { routes, store, tokenTtlMs: 10 * minutes });
      const { end } = await openStream(t, server, { authorization: server.token });
      server.clock.jump(10 * minutes - 1_001);
      server.clock.advance(1_000);
      assert.equal(await isPending(end), true);
      server.clock.advance(1_000);
      assert.equal(await end, true);
    });

    for (const [kind, ends] of [
      ["session", true],
      ["token", false],
    ] as const) {
      test(
        `${ends ? "ends" : "goes on"} when its ${kind} has been idle for too long`,
        deadline,
        async (t) => {
          const store = await openTestDatabase(t, engine);
          const server = await createOwnedServer(t, { routes, store, idleMs: 5 * minutes });
          const session = await signInBrowser(server);
          const { end } = await openStream(t, server, (port) =>
            kind === "token"
              ? { authorization: server.token, accept: "text/event-stream" }
              : { cookie: `annex_session_${port}=${session}`, accept: "text/event-stream" },
          );
          server.clock.jump(5 * minutes);
          server.clock.advance(1_000);
          if (ends) assert.equal(await end, true);
          else {
            const { status } = await server.inject({
              ...asToken(server.token),
              url: `${collection}/records`,
            });
            assert.equal(status, 200);
            assert.equal(await isPending(end), true);
          }
        },
      );
    }
  });
}
