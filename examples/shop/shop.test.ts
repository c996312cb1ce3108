import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { createTemporaryFolder } from "../../src/lib/testing/temporary-folder.ts";
import { settles } from "../../src/lib/testing/until.ts";
import { untilChecked } from "../../tests/support/analysis.ts";
import { createTestDatabase, type TestDatabase } from "../../tests/support/postgres.ts";
import { ApiError, createClient } from "./api-client.ts";
import { createShopApp } from "./app.ts";
import { shipOrders } from "./orders.ts";

async function startShop(t: TestContext, { url: database, drop }: Partial<TestDatabase> = {}) {
  const dataDir = createTemporaryFolder();
  const app = createShopApp({
    ...(database && { database }),
    port: 0,
    dataDir,
    signals: false,
    // The test ships orders itself.
    cron: { run: false },
    log: { destination: join(dataDir, "log"), store: false },
  });
  t.after(async () => {
    await app.stop();
    await drop?.();
  });
  const { url } = await app.start();
  const baseUrl = `${url}/api/v1`;
  await untilChecked(`${baseUrl}/products`);
  /** A client with the session cookie, as a browser has it. */
  const signUp = async (name: string) => {
    const body = { name, email: `${name}@example.com`, password: "correct horse" };
    const response = await createClient({ baseUrl }).fetch("post", "/users", { body });
    const [cookie = ""] = response.headers.getSetCookie();
    const session = cookie.split(";")[0]!;
    return { api: createClient({ baseUrl, headers: { cookie: session } }), cookie, session };
  };
  return { app, url, baseUrl, signUp };
}

const statusOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: unknown) => (error instanceof ApiError ? error.status : error),
  );

const lamp = { name: "Lamp", description: "Bright.", price_cents: 2_500, stock: 2 };

describe("the shop example", () => {
  it("signs users in and out with a cookie", async (t) => {
    const { baseUrl, signUp } = await startShop(t);
    const { api, cookie } = await signUp("ada");
    assert.match(cookie, /^shop_session=[\w-]{43}; .*HttpOnly/);
    assert.equal((await api.get("/session")).name, "ada");
    assert.equal(await statusOf(signUp("ada")), 409);
    const anonymous = createClient({ baseUrl });
    assert.equal(await statusOf(anonymous.get("/session")), 401);
    const credentials = { email: "ADA@example.com", password: "correct horse" };
    assert.equal((await anonymous.post("/session", { body: credentials })).name, "ada");
    assert.equal(
      await statusOf(anonymous.post("/session", { body: { ...credentials, password: "wrong horse" } })),
      401,
    );
    await api.delete("/session");
    assert.equal(await statusOf(api.get("/session")), 401);
  });

  it("limits the rate of sign-ins", async (t) => {
    const { baseUrl } = await startShop(t);
    const api = createClient({ baseUrl });
    const attempt = () => statusOf(api.post("/session", { body: { email: "a@b", password: "wrong" } }));
    const statuses = await Promise.all(Array.from({ length: 11 }, attempt));
    assert.deepEqual(statuses.sort(), [...Array.from({ length: 10 }, () => 401), 429]);
  });

  it("checks requests against the types of the handlers", async (t) => {
    const { url, signUp } = await startShop(t);
    const { api, session } = await signUp("ada");
    const send = async (body: object) => {
      const headers = { "content-type": "application/json", cookie: session };
      const response = await fetch(`${url}/api/v1/products`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
      });
      const { data } = (await response.json()) as { data: object };
      return [response.status, Object.keys(data)];
    };
    assert.deepEqual(await send({ ...lamp, price_cents: "2500" }), [400, ["price_cents"]]);
    assert.deepEqual(await send({ ...lamp, stock: -1 }), [400, ["stock"]]);
    assert.equal(await statusOf(api.get("/products", { query: { page: 0 } })), 400);
  });

  for (const engine of ["SQLite", "PostgreSQL"])
    it(`sells products while they are in stock, and reports changes of orders, on ${engine}`, async (t) => {
      const { app, signUp } = await startShop(t, engine === "PostgreSQL" ? await createTestDatabase() : {});
      const { api } = await signUp("ada");
      const { id: product_id } = await api.post("/products", { body: lamp });
      const leave = new AbortController();
      t.after(() => leave.abort());
      const events = (await api.get("/orders/events", { signal: leave.signal }))[Symbol.asyncIterator]();
      const next = async () => {
        const { value } = await settles("an event arrives", events.next());
        return [value?.event, JSON.parse(value?.data ?? "{}").status];
      };
      const order = await api.post("/orders", { body: { product_id, quantity: 2 } });
      assert.deepEqual([order.total_cents, order.status], [5_000, "placed"]);
      assert.deepEqual(await next(), ["order", "placed"]);
      assert.equal(await statusOf(api.post("/orders", { body: { product_id, quantity: 1 } })), 409);
      assert.equal(await shipOrders(app), 1);
      assert.deepEqual(await next(), ["order", "shipped"]);
      assert.deepEqual(
        (await api.get("/orders")).map(({ id, status }) => [id, status]),
        [[order.id, "shipped"]],
      );
      assert.equal(
        (await api.get("/products", { query: { q: "am", max_price_cents: 2_500 } })).items[0]?.stock,
        0,
      );
    });

  it("stores photos", async (t) => {
    const { signUp } = await startShop(t);
    const { api } = await signUp("ada");
    const { id } = await api.post("/products", { body: lamp });
    assert.equal(await statusOf(api.get("/products/{id}/photo", { path: { id } })), 404);
    const photo = new File([new Uint8Array([1, 2, 3])], "lamp.png", { type: "image/png" });
    await api.put("/products/{id}/photo", { path: { id }, body: { photo } });
    const stored = await api.get("/products/{id}/photo", { path: { id } });
    assert.deepEqual(
      [stored.type, [...new Uint8Array(await stored.arrayBuffer())]],
      ["image/png", [1, 2, 3]],
    );
    const text = new File(["text"], "lamp.txt", { type: "text/plain" });
    assert.equal(
      await statusOf(api.put("/products/{id}/photo", { path: { id }, body: { photo: text } })),
      400,
    );
  });

  it("has a chat for users", async (t) => {
    const { url, signUp } = await startShop(t);
    const { session } = await signUp("ada");
    const address = `${url.replace("http", "ws")}/support`;
    const open = async (headers: Record<string, string>) => {
      const socket = new WebSocket(address, { headers });
      t.after(() => socket.close());
      return socket;
    };
    const [one, other] = [await open({ cookie: session }), await open({ cookie: session })];
    await settles("the sockets open", Promise.all([once(one, "open"), once(other, "open")]));
    const received = once(other, "message");
    one.send("Hello");
    const [{ data }] = await settles("the message arrives", received);
    assert.deepEqual(JSON.parse(data), { name: "ada", text: "Hello" });
    const refused = await open({});
    await settles("the socket is refused", once(refused, "error"));
  });

  it("serves its pages compressed, and its API to pages of other origins", async (t) => {
    const { url } = await startShop(t);
    const page = await fetch(url, { headers: { "accept-encoding": "br" } });
    assert.deepEqual([page.status, page.headers.get("content-encoding")], [200, "br"]);
    assert.match(await page.text(), /<title>Shop<\/title>/);
    assert.match(page.headers.get("content-security-policy") ?? "", /default-src 'self'/);
    const origin = "https://admin.shop.example";
    const response = await fetch(`${url}/api/v1/products`, { headers: { origin } });
    assert.equal(response.headers.get("access-control-allow-origin"), origin);
    assert.equal(response.headers.get("access-control-allow-credentials"), "true");
  });
});
