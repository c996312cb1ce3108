import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import type { AccountChange } from "../accounts/account-change.ts";
import { ada, createOwnedServer, logIn } from "../testing/server.ts";

const collection = "/api/collections/_superusers";
const minutes = 60_000;
const password = "analytical engine";
const grace = { email: "grace@example.com", password: "compiler bug" };

/** A server with two superusers, and Ada's token and browser. */
async function createServer(t: TestContext) {
  const changes: AccountChange[] = [];
  const server = await createOwnedServer(t, { onChange: (change) => void changes.push(change) });
  const { inject, token, auth } = server;
  await auth.superusers.create(grace.email, grace.password);
  const signedIn = await inject({
    method: "POST",
    url: "/_/sign-in",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(ada),
  });
  const cookie = signedIn.headers["set-cookie"]![0]!.split(";")[0]!;
  const as = {
    token: { authorization: token },
    session: { cookie, "sec-fetch-site": "same-origin" },
  };
  const idOf = async (email: string) =>
    (await auth.superusers.list()).find((superuser) => superuser.email === email)!.id;
  const send = (who: keyof typeof as, method: string, path: string, body?: object) =>
    inject({
      method,
      url: `${collection}/records${path}`,
      headers: as[who],
      ...(body !== undefined && { body }),
    });
  return { ...server, changes, send, own: await idOf(ada.identity), other: await idOf(grace.email) };
}

/** Every change that needs proof, and the status of a success. */
const changes = (other: string) =>
  [
    ["POST", "", { email: "new@example.com", password }, 200],
    ["PATCH", `/${other}`, { password }, 200],
    ["DELETE", `/${other}`, undefined, 204],
  ] as const;

for (const who of ["token", "session"] as const) {
  describe(`with a ${who}`, () => {
    test("one's own password is changed with the old one only, however recent the sign-in", async (t) => {
      const { send, own } = await createServer(t);
      for (const [oldPassword, code] of [
        [undefined, "required"],
        ["", "required"],
        ["indifference", "wrong"],
      ]) {
        const body = { password, passwordConfirm: password, currentPassword: ada.password, oldPassword };
        const response = await send(who, "PATCH", `/${own}`, body);
        assert.equal(response.status, 400);
        assert.partialDeepStrictEqual(response.json<{ data: object }>().data, { oldPassword: { code } });
      }
      const right = { password, passwordConfirm: password, oldPassword: ada.password };
      assert.equal((await send(who, "PATCH", `/${own}`, right)).status, 200);
    });

    for (const [index, [method]] of changes("").entries()) {
      test(`${method} needs the own password ten minutes after the sign-in`, async (t) => {
        const { send, clock, other, auth } = await createServer(t);
        const [, path, body, status] = changes(other)[index]!;
        const before = await auth.superusers.list();
        clock.advance(10 * minutes);
        const refused = await send(who, method, path, body);
        assert.equal(refused.status, 403);
        assert.match(refused.body, /currentPassword.*sign in again/);
        const wrong = await send(who, method, path, { ...body, currentPassword: "indifference" });
        assert.equal(wrong.status, 400);
        assert.partialDeepStrictEqual(wrong.json<{ data: object }>().data, {
          currentPassword: { code: "wrong" },
        });
        assert.deepEqual(await auth.superusers.list(), before);
        const right = await send(who, method, path, { ...body, currentPassword: ada.password });
        assert.equal(right.status, status);
      });

      test(`${method} does not need it before, but a wrong one is refused`, async (t) => {
        const { send, clock, other } = await createServer(t);
        const [, path, body, status] = changes(other)[index]!;
        clock.advance(10 * minutes - 1);
        const wrong = await send(who, method, path, { ...body, currentPassword: grace.password });
        assert.equal(wrong.status, 400);
        assert.equal((await send(who, method, path, body)).status, status);
      });
    }

    test("guesses are throttled like sign-ins", async (t) => {
      const { send, clock, other, inject } = await createServer(t);
      clock.advance(10 * minutes);
      const guess = () => send(who, "DELETE", `/${other}`, { currentPassword: "indifference" });
      for (let count = 0; count < 5; count++) assert.equal((await guess()).status, 400);
      assert.equal((await guess()).status, 429);
      const signIn = await inject({ method: "POST", url: `${collection}/auth-with-password`, body: ada });
      assert.equal(signIn.status, 429);
    });
  });
}

test("a renewed token does not renew the sign-in", async (t) => {
  const server = await createServer(t);
  server.clock.advance(9 * minutes);
  const renewed = await server.inject({
    method: "POST",
    url: `${collection}/auth-refresh`,
    headers: { authorization: server.token },
  });
  const headers = { authorization: renewed.json<{ token: string }>().token };
  const remove = () =>
    server.inject({ method: "DELETE", url: `${collection}/records/${server.other}`, headers });
  server.clock.advance(minutes);
  assert.equal((await remove()).status, 403);
  headers.authorization = await logIn(server);
  assert.equal((await remove()).status, 204);
});

test("a token of an older release has no sign-in to count on", async (t) => {
  const { send, database, other } = await createServer(t);
  const tables = database.tables<{ annex_tokens: { signed_in: number | null } }>();
  await tables.updateTable("annex_tokens").set({ signed_in: null }).execute();
  assert.equal((await send("token", "DELETE", `/${other}`)).status, 403);
});

test("changes carry the request that made them", async (t) => {
  const { send, other, own, changes } = await createServer(t);
  await send("token", "POST", "", { email: "new@example.com", password });
  await send("token", "PATCH", `/${own}`, { password, oldPassword: ada.password });
  await send("token", "DELETE", `/${other}`);
  const made = changes.filter(({ actor }) => actor === ada.identity);
  assert.deepEqual(
    made.map(({ kind }) => kind),
    ["superuser-add", "password", "superuser-remove"],
  );
  for (const { origin } of made) {
    assert.equal(origin?.address, "127.0.0.1");
    assert.ok(origin?.traceId);
  }
});
