import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import PocketBase, { ClientResponseError } from "pocketbase";
import { requireSuperuserAuth } from "../src/auth/index.ts";
import { ada, createTestServer } from "../src/auth/testing/server.ts";
import { systemClock } from "../src/lib/time/clock.ts";

/** The public client of PocketBase as it comes from npm, and a real server on a real port for it. */
async function connect(t: TestContext) {
  let ahead = 0;
  const { listener, auth } = await createTestServer(t, {
    clock: { ...systemClock, now: () => systemClock.now() + ahead },
    routes: ({ routes }) => {
      const router = routes.router("the application");
      router.get("/api/secret", (e) => e.json(200, { for: e.auth?.id })).bind(requireSuperuserAuth());
    },
  });
  await auth.superusers.create(ada.identity, ada.password);
  const { port } = await listener.listen("127.0.0.1", 0);
  t.after(() => listener.close(0));
  const connectClient = () => new PocketBase(`http://127.0.0.1:${port}`);
  const client = connectClient();
  await client.collection("_superusers").authWithPassword(ada.identity, ada.password);
  const jump = (milliseconds: number) => {
    ahead += milliseconds;
  };
  return { client, connectClient, jump };
}

const refused =
  (status: number, details: object = {}) =>
  (error: unknown) => {
    assert.ok(error instanceof ClientResponseError);
    assert.equal(error.status, status);
    assert.partialDeepStrictEqual(error.response, details);
    return true;
  };

test("the client signs in, knows whom it signed in, and reads a protected route", async (t) => {
  const { client, connectClient } = await connect(t);
  const { authStore } = client;
  assert.equal(authStore.isValid, true);
  assert.equal(authStore.isSuperuser, true);
  assert.equal(authStore.record?.email, "ada@example.com");
  assert.deepEqual(await client.send("/api/secret", {}), { for: authStore.record!.id });
  await assert.rejects(connectClient().send("/api/secret", {}), refused(401));
});

test("a stored token is enough for the client to recognize a superuser", async (t) => {
  const { client, connectClient } = await connect(t);
  const other = connectClient();
  other.authStore.save(client.authStore.token, null);
  assert.equal(other.authStore.isValid, true);
  assert.equal(other.authStore.isSuperuser, true);
});

test("the client is refused with a message and the fields", async (t) => {
  const { connectClient } = await connect(t);
  const superusers = connectClient().collection("_superusers");
  await assert.rejects(
    superusers.authWithPassword(ada.identity, "wrong"),
    refused(400, { message: "Invalid email or password.", data: {} }),
  );
  await assert.rejects(
    superusers.authWithPassword(ada.identity, ""),
    refused(400, { data: { password: { code: "required" } } }),
  );
});

test("the client renews its token, even automatically", async (t) => {
  const { client } = await connect(t);
  const before = client.authStore.token;
  await client.collection("_superusers").authRefresh();
  const renewed = client.authStore.token;
  assert.notEqual(renewed, before);
  await client.send("/api/secret", {});
  const ever = 365 * 86_400;
  await client
    .collection("_superusers")
    .authWithPassword(ada.identity, ada.password, { autoRefreshThreshold: ever });
  const first = client.authStore.token;
  await client.send("/api/secret", {});
  assert.notEqual(client.authStore.token, first);
});

test("the client manages the superusers", async (t) => {
  const { client, connectClient } = await connect(t);
  const superusers = client.collection("_superusers");
  const grace = { email: "grace@example.com", password: "compiler bug", passwordConfirm: "compiler bug" };
  const { id } = await superusers.create(grace);
  assert.equal((await superusers.getOne(id)).email, grace.email);

  const { items, ...page } = await superusers.getList(1, 1);
  assert.deepEqual(page, { page: 1, perPage: 1, totalItems: 2, totalPages: 2 });
  assert.equal(items[0]?.email, ada.identity);
  assert.equal((await superusers.getFullList()).length, 2);
  await assert.rejects(superusers.getFirstListItem(`email="${grace.email}"`), refused(400));

  const password = "nanoseconds";
  await superusers.update(id, { oldPassword: grace.password, password, passwordConfirm: password });
  await connectClient().collection("_superusers").authWithPassword(grace.email, password);
  assert.equal(await superusers.delete(id), true);
  await assert.rejects(superusers.getOne(id), refused(404));
  await assert.rejects(superusers.delete(client.authStore.record!.id), refused(400));
});

test("long after the sign-in the client manages superusers with its own password", async (t) => {
  const { client, jump } = await connect(t);
  const superusers = client.collection("_superusers");
  const own = client.authStore.record!.id;
  jump(11 * 60_000);
  const currentPassword = ada.password;
  const grace = { email: "grace@example.com", password: "compiler bug", passwordConfirm: "compiler bug" };
  await assert.rejects(superusers.create(grace), refused(403));
  const { id } = await superusers.create({ ...grace, currentPassword });
  await assert.rejects(superusers.delete(id), refused(403));
  assert.equal(await superusers.delete(id, { body: { currentPassword } }), true);

  const password = "analytical engine";
  const change = { password, passwordConfirm: password };
  await assert.rejects(
    superusers.update(own, change),
    refused(400, { data: { oldPassword: { code: "required" } } }),
  );
  await superusers.update(own, { ...change, oldPassword: ada.password });
});

test("after logout the client is out", async (t) => {
  const { client } = await connect(t);
  await client.send("/api/collections/_superusers/auth-logout", { method: "POST" });
  await assert.rejects(client.send("/api/secret", {}), refused(401));
});
