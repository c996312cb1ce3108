import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Database } from "../storage/index.ts";
import { createBrowser } from "./testing/browser.ts";
import { ada, createOwnedServer, createTestServer } from "./testing/server.ts";

/** A server whose database goes away after so many times that it was asked for. */
async function createFailing(t: TestContext, after: number) {
  const { database: store, clock, hasher } = await createOwnedServer(t);
  let asked = 0;
  const database = async (): Promise<Database> => {
    if (asked++ >= after) throw new Error("connect ECONNREFUSED");
    return store;
  };
  return { ...(await createTestServer(t, { store, clock, hasher, database })), asked: () => asked };
}

test("a sign-in without the database gets 503 with Retry-After, whichever query fails", async (t) => {
  const { inject, asked } = await createFailing(t, Number.POSITIVE_INFINITY);
  const request = { method: "POST", url: "/api/collections/_superusers/auth-with-password", body: ada };
  assert.equal((await inject(request)).status, 200);
  const queries = asked();
  assert.ok(queries >= 6);
  for (let after = 0; after < queries; after++) {
    const { inject } = await createFailing(t, after);
    const response = await inject(request);
    assert.equal(response.status, 503, `query ${after}`);
    assert.equal(response.headers["retry-after"], "5");
    assert.match(response.body, /Authentication is temporarily unavailable/);
  }
});

test("the form is shown again with 503, and so is the page", async (t) => {
  const browser = createBrowser(await createFailing(t, 0));
  const response = await browser.send("/_/sign-in", ada);
  assert.equal(response.status, 503);
  assert.equal(response.headers["retry-after"], "5");
  assert.match(response.body, /role="alert">Authentication is temporarily unavailable/);
  const page = await browser.open("/_/");
  assert.equal(page.status, 503);
  assert.equal(page.headers["retry-after"], "5");
});
