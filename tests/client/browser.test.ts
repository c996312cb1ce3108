import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { createShopApp } from "../../examples/shop/app.ts";
import { launchBrowser, openWindow } from "../support/browser.ts";
import { createFolder } from "../support/program.ts";

let browser: Browser;
before(async () => {
  browser = await launchBrowser();
});
after(() => browser.close());

const client = new URL("../../examples/shop/api-client.ts", import.meta.url);

/** Runs in the page. The browser stores the cookie of the session and sends it. */
const program = `(async () => {
  const { createClient, isApiError } = await import("/client.js");
  const api = createClient();
  const refused = await api.get("/session").catch((error) => isApiError(error, "get", "/session") && error.status);
  await api.post("/users", { body: { name: "Ada", email: "ada@example.com", password: "correct horse" } });
  const { name } = await api.get("/session");
  const { id } = await api.post("/products", { body: { name: "Lamp", description: "", price_cents: 250, stock: 3 } });
  const photo = new File([new Uint8Array([1, 2, 3])], "lamp.png", { type: "image/png" });
  const nothing = await api.put("/products/{id}/photo", { path: { id }, body: { photo } });
  const stored = await api.get("/products/{id}/photo", { path: { id } });
  const events = await api.get("/orders/events");
  await api.post("/orders", { body: { product_id: id, quantity: 2 } });
  const statuses = [];
  for await (const { event, data } of events) {
    statuses.push(event, JSON.parse(data).status);
    break;
  }
  const { items } = await api.get("/products", { query: { q: "Lamp", max_price_cents: undefined } });
  return { refused, name, nothing: nothing === undefined, photo: [stored.type, stored.size], statuses, stock: items[0].stock };
})()`;

describe("a generated client in a browser", () => {
  it("signs in, uploads a file and reads events", async (t) => {
    const dataDir = createFolder(t);
    const app = createShopApp({
      port: 0,
      dataDir,
      signals: false,
      cron: { run: false },
      log: { destination: join(dataDir, "log"), store: false },
    });
    const source = stripTypeScriptTypes(readFileSync(client, "utf8"));
    app.onServe(({ router }) => {
      router.get("/client.js", (e) => e.bytes(200, "text/javascript", Buffer.from(source)));
    });
    t.after(() => app.stop());
    const { url } = await app.start();
    const context = await openWindow(browser);
    t.after(() => context.close());
    const page = await context.newPage();
    await page.goto(url);
    assert.deepEqual(await page.evaluate(program), {
      refused: 401,
      name: "Ada",
      nothing: true,
      photo: ["image/png", 3],
      statuses: ["order", "placed"],
      stock: 1,
    });
  });
});
