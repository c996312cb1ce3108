/** A page of the application opens a WebSocket with the session of a superuser, in a real browser. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { requireSuperuserAuth } from "../src/index.ts";
import { account, useDashboard } from "./support/dashboard.ts";

describe("a WebSocket from a page of the same origin", () => {
  const dashboard = useDashboard();

  it("has the session of the superuser", async (t) => {
    const { open, url } = await dashboard.start(t, {}, (app) => {
      app.onServe(({ router }) => {
        router
          .upgrade("/socket", ({ auth }, socket) => socket.send(String(auth?.email)))
          .bind(requireSuperuserAuth());
      });
    });
    const page = await open("/_/_");
    const message = await page.evaluate(`new Promise((resolve, reject) => {
      const socket = new WebSocket("${url.replace("http", "ws")}/socket");
      socket.onmessage = ({ data }) => resolve(data);
      socket.onerror = () => reject(new Error("refused"));
    })`);
    assert.equal(message, account.email);
  });
});
