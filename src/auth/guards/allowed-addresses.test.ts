import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { type AccessEvent, requireSuperuserAuth } from "../index.ts";
import { createBrowser } from "../testing/browser.ts";
import { ada, createOwnedServer, createTestServer } from "../testing/server.ts";

const collection = "/api/collections/_superusers";
const office = "203.0.113.7";

/** A server whose superusers may be at one address only. Its own tests run at the loopback address. */
async function createRestricted(t: TestContext) {
  const events: AccessEvent[] = [];
  const open = await createOwnedServer(t);
  const server = await createTestServer(t, {
    store: open.database,
    clock: open.clock,
    hasher: open.hasher,
    isAllowedAddress: (address) => address === office,
    onAccess: (event) => void events.push(event),
    routes: ({ routes }) => {
      const router = routes.router("the application");
      router.get("/secret", (e) => e.text(200, "secret")).bind(requireSuperuserAuth());
      router.get("/public", (e) => e.text(200, "public"));
    },
  });
  return { ...server, events, token: open.token };
}

describe("with a list of allowed addresses", () => {
  test("superusers sign in from these, and from no other, loopback included", async (t) => {
    const { inject, events, hasher } = await createRestricted(t);
    const request = { method: "POST", url: `${collection}/auth-with-password`, body: ada };
    assert.equal((await inject({ ...request, remoteAddress: office })).status, 200);
    const before = hasher.verified;
    for (const remoteAddress of ["203.0.113.8", "127.0.0.1", "::1"]) {
      for (let count = 0; count < 6; count++) {
        const response = await inject({ ...request, remoteAddress });
        assert.equal(response.status, 403);
        assert.match(response.body, /cannot sign in from this address/);
      }
    }
    assert.equal(hasher.verified, before);
    const { kind, account, detail, origin } = events.at(-1)!;
    assert.deepEqual([kind, account, detail], ["sign-in-failed", ada.identity, "address not allowed"]);
    assert.equal(origin?.address, "::1");
  });

  test("refused attempts do not count towards a lockout", async (t) => {
    const { inject } = await createRestricted(t);
    const request = { method: "POST", url: `${collection}/auth-with-password`, body: ada };
    for (let host = 0; host < 60; host++) await inject({ ...request, remoteAddress: `198.51.100.${host}` });
    assert.equal((await inject({ ...request, remoteAddress: office })).status, 200);
  });

  test("the form shows why", async (t) => {
    const browser = createBrowser(await createRestricted(t));
    const response = await browser.send("/_/sign-in", ada);
    assert.equal(response.status, 403);
    assert.match(response.body, /role="alert">Superusers cannot sign in from this address/);
  });

  test("tokens and sessions work from these only, and public routes from anywhere", async (t) => {
    const server = await createRestricted(t);
    const { inject } = server;
    const browser = createBrowser(server, { address: office });
    await browser.send("/_/sign-in", ada);
    for (const headers of [{ authorization: server.token }, { cookie: browser.cookie() }]) {
      const get = async (url: string, remoteAddress: string) =>
        (await inject({ url, headers, remoteAddress })).status;
      assert.equal(await get("/secret", office), 200);
      assert.equal(await get("/secret", "203.0.113.8"), 403);
      assert.equal(await get("/secret", "127.0.0.1"), 403);
      assert.equal(await get(`${collection}/records`, "203.0.113.8"), 403);
      assert.equal(await get("/public", "203.0.113.8"), 200);
    }
    assert.equal((await inject({ url: "/secret", remoteAddress: "203.0.113.8" })).status, 401);
  });

  test("the setup link works from these only", async (t) => {
    const isAllowedAddress = (address: string) => address === office;
    const server = await createTestServer(t, { isAllowedAddress });
    const link = new URL((await server.auth.createSetupLink("http://127.0.0.1"))!);
    const setup = link.searchParams.get("setup")!;
    const browser = createBrowser(server);
    const fields = { setup, email: ada.identity, password: ada.password, passwordConfirm: ada.password };
    for (const secret of [setup, "wrong"]) {
      const page = await browser.open(`/_/?setup=${secret}`);
      assert.equal(page.status, 403);
      assert.match(page.body, /Superusers cannot sign in from this address\./);
      assert.doesNotMatch(page.body, /<form/);
    }
    assert.equal((await browser.send("/_/setup", fields)).status, 403);
    assert.deepEqual(await server.auth.superusers.list(), []);
    browser.address = office;
    assert.equal((await browser.send("/_/setup", fields)).status, 303);
  });
});
